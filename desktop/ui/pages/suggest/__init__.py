"""The Model page: a model suggests a label for every pair."""
