"""Probes: labelled sets that test what a model can tell, such as which of two sentences gives the other."""
