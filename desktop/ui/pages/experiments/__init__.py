"""The Experiments page: ready and past experiments, what they are made of, and what came of them."""
