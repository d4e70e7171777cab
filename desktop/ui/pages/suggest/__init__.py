"""The Suggest page: a model suggests a label for every pair."""
