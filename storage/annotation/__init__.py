"""Answers and marks as histories, undo and redo, and rounds of review."""
