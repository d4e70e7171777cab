"""How many distant labels are right: which pairs people are to answer, and what follows from their answers."""
