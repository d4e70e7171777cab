"""What else a pair can tell: the kinds of reasoning that it needs, and its direction (TaxiNLI)."""
