"""Judging pairs one by one: what Review and Disagreements share, and the label chips of other pages."""
