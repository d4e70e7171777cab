"""Papers in the project: their text, their files, edits by people, and cached outputs of parsers."""
