"""The pages, a folder each; no page imports another."""
