"""Experiments: their data, their runs in processes of their own, and their tables."""
