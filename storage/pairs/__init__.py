"""Pairs in the project: which are meant by a filter, in which order, and what they look like in numbers."""
