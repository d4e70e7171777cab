"""Pairs: their table, their statistics, and filters as text."""
