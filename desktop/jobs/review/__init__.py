"""Jobs about reviewing pairs: rounds, answers, and the labels that a model doubts."""
