"""Use cases: each function returns a Job, and nothing has run yet. No Qt."""
