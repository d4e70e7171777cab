"""The pairs that are drawn for the parts of an audit that read the texts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

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


def groups_by_sentences(pairs: Iterable[tuple[int, int]]) -> list[int]:
    """A group for each pair of (premise, hypothesis): pairs that share a sentence, directly or over others, share it.

    >>> groups_by_sentences([(1, 2), (3, 4), (2, 5), (6, 3)])
    [0, 1, 0, 1]
    """
    first: dict[int, int] = {}  # the pair that a sentence was first seen in
    parents: list[int] = []

    def root(index: int) -> int:
        while parents[index] != index:
            parents[index] = parents[parents[index]]
            index = parents[index]
        return index

    for number, sentences in enumerate(pairs):
        parents.append(number)
        for sentence in sentences:
            one, other = root(first.setdefault(sentence, number)), root(number)
            parents[max(one, other)] = min(one, other)
    return _numbered([root(index) for index in range(len(parents))])


def _numbered(roots: Sequence[int]) -> list[int]:
    numbers: dict[int, int] = {}
    return [numbers.setdefault(one, len(numbers)) for one in roots]
