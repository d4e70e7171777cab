"""The page of the labels a model doubts: most doubtful first, each settled with one key."""
