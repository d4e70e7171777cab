"""The filter bar and its pickers, which the Pairs page and the page of doubted labels share."""
