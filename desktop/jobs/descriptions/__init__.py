"""Describes the results of jobs in words, the same for the window and the command line."""
