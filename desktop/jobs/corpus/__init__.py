"""Jobs on corpora: the pairs of more papers than one project holds."""
