"""Export and import of data sets of pairs."""
