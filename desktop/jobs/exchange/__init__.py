"""Jobs that export and import data sets of pairs."""
