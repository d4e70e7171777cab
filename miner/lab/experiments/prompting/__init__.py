"""Chat models that are asked for the relation of a pair: prompts, the reading of answers, servers."""
