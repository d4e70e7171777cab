"""Judging pairs one by one: what Review and Disagreements share, and how labels are drawn elsewhere."""
