"""The columns of each page, found by the left edges that prose lines share."""

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
        self._pages = {page: _find_columns(page_lines) for page, page_lines in pages.items()}

    def of(self, line: Line) -> Column | None:
        """The column that contains the line's left edge; None outside of columns."""
        containing = None
        for column in self._pages.get(line.page, ()):
            if column.left - 3 <= line.x0 < column.right:
                containing = column
        return containing


def _find_columns(lines: Sequence[Line]) -> list[Column]:
    right_edges: defaultdict[int, list[float]] = defaultdict(list)
    for line in lines:
        right_edges[round(line.x0)].append(line.x1)
    columns: list[Column] = []
    for left in sorted(right_edges):
        edges_here = sorted(x1 for near in (left, left + 1, left + 2) for x1 in right_edges.get(near, ()))
        if len(edges_here) >= max(3, 0.04 * len(lines)) and (not columns or left - columns[-1].left > 40):
            columns.append(Column(left, edges_here[int(0.9 * (len(edges_here) - 1))]))
    return columns
