"""The page of all pairs: a table that filters, searches, sorts and acts on many at once."""
