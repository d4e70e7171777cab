"""Training models on the project's labels, watching it, and comparing what came of it."""
