"""Pairs in the project: stored, filtered, sorted, selected and counted."""
