"""The Disagreements page: labels that a model doubts, the most doubtful first."""
