"""Data sets made of the project's pairs: which pairs they hold, and in which split; what exports write."""
