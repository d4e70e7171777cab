"""Which pairs of the project make up a data set, and in which split; for exports and for training."""
