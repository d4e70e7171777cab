"""Where a person begins: recent projects, a new one, the sample."""
