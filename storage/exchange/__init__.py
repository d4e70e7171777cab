"""Data set files: export of the project's pairs, and import of labelled pairs."""
