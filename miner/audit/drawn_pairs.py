"""The pairs that are drawn for the parts of an audit that read the texts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from miner.disjoint_sets import DisjointSets

PAIRS_PER_CLASS = 12_500
"""At most so many pairs of each class are drawn, so that memory does not grow with the data set."""


class AuditPair(NamedTuple):
    """A pair of the draw. group: what it shares a paper or a sentence with; pairs of a group are kept together."""

    premise: str
    hypothesis: str
    label: str
    strategy: str
    overlap: int
    group: str


def groups_by_sentences(pairs: Sequence[tuple[int, int]]) -> list[int]:
    """A group for each pair of (premise, hypothesis): pairs that share a sentence, directly or over others, share it.

    It is known by the place of its first pair.

    >>> groups_by_sentences([(1, 2), (3, 4), (2, 5), (6, 3)])
    [0, 1, 0, 1]
    """
    first: dict[int, int] = {}  # the pair that a sentence was first seen in
    groups = DisjointSets(len(pairs))
    for number, sentences in enumerate(pairs):
        for sentence in sentences:
            groups.join(first.setdefault(sentence, number), number)
    return list(groups.lowest())
