"""Disjoint sets of numbers that are joined step by step; a few bytes a number, for millions of them."""

from __future__ import annotations

from array import array


class DisjointSets:
    """The numbers from 0 to `size` - 1, first each in a group of its own; a group is known by its lowest number.

    >>> groups = DisjointSets(4)
    >>> groups.join(3, 1)
    >>> groups.find(3), list(groups.lowest())
    (1, [0, 1, 2, 1])
    """

    def __init__(self, size: int) -> None:
        self._parent = array("q", range(size))

    def find(self, number: int) -> int:
        """The group of a number."""
        parent = self._parent
        while parent[number] != number:
            parent[number] = parent[parent[number]]
            number = parent[number]
        return number

    def join(self, one: int, other: int) -> None:
        """Join the groups of two numbers."""
        one, other = self.find(one), self.find(other)
        self._parent[max(one, other)] = min(one, other)

    def lowest(self) -> array[int]:
        """The group of each number."""
        return array("q", map(self.find, range(len(self._parent))))
