"""Models of the project: their training runs, their suggestions, and what they predict."""
