"""Processes of Pairwright's own: a pool of workers, one isolated task, and locks between programs."""
