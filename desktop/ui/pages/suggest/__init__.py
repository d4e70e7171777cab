"""A model's opinion on every pair: choosing it, having it suggest, and what comes of it."""
