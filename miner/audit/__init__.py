"""The artefact audit: what a data set gives away about its labels without the relation of the two sentences."""
