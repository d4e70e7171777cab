"""Choosing pairs by a filter: its chips, and the menus of values. Pairs and Disagreements share it."""
