"""Pairs at the layers of a model: points of a plot, and how well groups of pairs are separated."""
