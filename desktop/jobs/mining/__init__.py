"""Jobs that mine the project, and that preview other settings."""
