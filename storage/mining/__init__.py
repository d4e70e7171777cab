"""Mining runs: which papers were mined with which settings, and what became of every candidate."""
