"""The Experiments page: ready and past experiments, their parts, and their results."""
