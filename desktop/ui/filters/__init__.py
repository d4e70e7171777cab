"""The filter bar and its pickers, which the Pairs and the page of doubted labels share."""
