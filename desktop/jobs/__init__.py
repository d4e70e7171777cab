"""Use cases, without Qt: each function returns a `Job`, which does its work when it is run."""
