"""The project file: one SQLite database that holds papers, pairs, people's answers and where all of it came from."""
