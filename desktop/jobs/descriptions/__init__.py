"""Describes the results of jobs, in the same sentences for the window and the command line."""
