"""Mining runs: their settings, which papers are still to mine, and how many candidates were kept or dropped."""
