"""Judging pairs one by one: the parts that Review and Doubted labels share, and the label chips of other pages."""
