"""Kinds of reasoning: counts, agreement, and how well models predict pairs of each kind."""
