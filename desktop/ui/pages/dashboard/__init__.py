"""The dashboard: figures of the project as plots, and the tables of the SciNLI papers."""
