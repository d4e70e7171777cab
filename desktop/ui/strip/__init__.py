"""The strip at the bottom: running jobs, the last message, who annotates."""
