"""Reviewing pairs: rounds, answers, and the labels that a model doubts."""
