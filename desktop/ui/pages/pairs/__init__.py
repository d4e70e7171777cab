"""The Pairs page: a table of all pairs to search, filter, sort and annotate."""
