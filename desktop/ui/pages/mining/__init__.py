"""Mining settings and the lexicon, with what they would change."""
