"""Models: which are known, how they were trained, and what they suggest."""
