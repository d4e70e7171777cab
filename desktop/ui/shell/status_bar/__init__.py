"""The status bar: running jobs, the last message, who annotates."""
