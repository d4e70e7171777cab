"""Widgets that any program could have, and the choice of a model."""
