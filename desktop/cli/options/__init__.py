"""The commands with their help, examples and options, a module a subject."""
