"""Kinds of reasoning: counts, agreement, and how models do on each."""
