"""Papers in the project: their prose, their files, what people changed of them, and what parsers answered."""
