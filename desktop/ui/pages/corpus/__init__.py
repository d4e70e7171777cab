"""The window of a corpus: its counts, a sample of its pairs, and a part of it as a project."""
