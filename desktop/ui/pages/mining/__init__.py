"""The Mining page: mining settings and the lexicon, with their effect on a sample of papers."""
