"""The papers page: the list of papers, adding to it, and what is done with what is on it."""
