"""Where the columns of a page begin and end, from the left edges its prose lines share."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from miner.parsing.embedded.lines import Line


class Column(NamedTuple):
    left: float
    right: float

    @property
    def width(self) -> float:
        return self.right - self.left


class Columns:
    def __init__(self, lines: Sequence[Line], sizes: frozenset[float]) -> None:
        starts: defaultdict[int, Counter[int]] = defaultdict(Counter)
        ends: defaultdict[tuple[int, int], Counter[int]] = defaultdict(Counter)
        for line in lines:
            if line.size in sizes and len(line.text) > 20:
                starts[line.page][round(line.x0)] += 1
        self._columns: dict[int, list[Column]] = {}
        for line in lines:
            if line.size in sizes and len(line.text) > 20:
                ends[line.page, round(line.x0)][round(line.x1)] += 1
        for page, counts in starts.items():
            total = sum(counts.values())
            found: list[Column] = []
            for left in sorted(counts):
                near = sum(counts[left + d] for d in (-1, 0, 1))
                if near >= max(3, 0.1 * total) and (not found or left - found[-1].left > 40):
                    rights: Counter[int] = Counter()
                    for d in (-1, 0, 1, 2):
                        rights.update(ends[page, left + d])
                    spread = sorted(rights.elements())
                    found.append(Column(left, spread[int(0.9 * (len(spread) - 1))]))
            self._columns[page] = found

    def of(self, line: Line) -> Column:
        """The column the line stands in; its own extent where no column is near."""
        best = None
        for column in self._columns.get(line.page, ()):
            if column.left - 3 <= line.x0 and line.x0 < column.right:
                best = column
        return best or Column(line.x0, line.x1)
