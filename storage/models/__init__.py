"""Models of the project, their training runs, and their suggestions."""
