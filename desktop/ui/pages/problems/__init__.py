"""The Problems page."""
