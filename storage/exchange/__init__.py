"""Files in and out: data sets of pairs, exported and imported."""
