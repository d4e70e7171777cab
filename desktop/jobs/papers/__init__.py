"""Jobs about papers: import, edits, their table, their files, and the evidence of pairs in them."""
