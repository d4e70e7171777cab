"""Papers: import, edits, their table, their files, and where in them a pair comes from."""
