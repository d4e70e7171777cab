"""The Problems page: errors since the window opened."""
