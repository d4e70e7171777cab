"""Where the columns of a page begin and end, from the left edges its prose lines share."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from miner.parsing.embedded.lines import Line
from miner.parsing.embedded.style import Style


class Column(NamedTuple):
    left: float
    right: float

    @property
    def width(self) -> float:
        return self.right - self.left


class Columns:
    """The columns of every page."""

    def __init__(self, lines: Sequence[Line], style: Style) -> None:
        pages: defaultdict[int, list[Line]] = defaultdict(list)
        for line in lines:
            if line.size in style.sizes and len(line.text) > 20:
                pages[line.page].append(line)
        self._pages = {page: _columns(mine) for page, mine in pages.items()}

    def of(self, line: Line) -> Column | None:
        """The column the line stands in, None where it stands in none."""
        found = None
        for column in self._pages.get(line.page, ()):
            if column.left - 3 <= line.x0 < column.right:
                found = column
        return found


def _columns(lines: Sequence[Line]) -> list[Column]:
    ends: defaultdict[int, list[float]] = defaultdict(list)
    for line in lines:
        ends[round(line.x0)].append(line.x1)
    found: list[Column] = []
    for left in sorted(ends):
        mine = sorted(x1 for near in (left, left + 1, left + 2) for x1 in ends.get(near, ()))
        if len(mine) >= max(3, 0.04 * len(lines)) and (not found or left - found[-1].left > 40):
            found.append(Column(left, mine[int(0.9 * (len(mine) - 1))]))
    return found
