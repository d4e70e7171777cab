"""What the layers of a model tell of pairs: points of a picture, and how far groups of pairs stand apart."""
