"""From papers to pairs: linking phrases, filters and neutral draws (method, sections 2 to 5)."""
