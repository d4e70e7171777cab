"""The page of doubted labels: labels that a model doubts, the most doubtful first."""
