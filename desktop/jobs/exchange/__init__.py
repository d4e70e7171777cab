"""Data sets of pairs, out of the project and into it."""
