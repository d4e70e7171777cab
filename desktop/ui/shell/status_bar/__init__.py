"""The status bar: running jobs, the last message, the annotator."""
