"""Pairs with kinds of reasoning at every layer of a model: computed, kept, and written as pictures."""
