"""Judging pairs one by one: what Review and Doubted labels share, and the label chips of other pages."""
