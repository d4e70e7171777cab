"""Where a pair comes from: its paragraphs and the pages of its PDF."""
