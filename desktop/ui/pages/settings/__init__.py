"""Settings of the person and the machine, each found by a search."""
