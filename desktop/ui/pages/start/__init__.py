"""The start page: recent projects, a new project, the sample project."""
