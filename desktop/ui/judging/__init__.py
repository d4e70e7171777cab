"""Pairs that are filtered, shown and judged: what Review, Disagreements and other pages share."""
