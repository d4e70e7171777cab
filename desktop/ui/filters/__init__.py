"""The filter bar and its pickers, which the Pairs and the Disagreements page share."""
