"""Processes of Pairwright's own: a pool of workers, one isolated piece of work, and locks between programs."""
