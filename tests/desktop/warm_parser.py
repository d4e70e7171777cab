"""Imported by the server that workers are forked from: the lists that a process makes for its first PDF are there."""

from __future__ import annotations

from miner.parsing.words import is_unlike_words, wholes_of

is_unlike_words("qxzvkj")
wholes_of("uorescence")
