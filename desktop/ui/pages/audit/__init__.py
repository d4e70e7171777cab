"""The Audit page: what gives the labels away, worst first."""
