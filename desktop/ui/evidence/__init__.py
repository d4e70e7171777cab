"""The evidence of a pair: its paragraphs and the pages of its PDF."""
