"""The layout of a paper: size and weight of its prose, distance of its lines, columns of its pages."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from miner.parsing.embedded.lines import TextLine

_REFERENCES = re.compile(r"\W*(?:\d+\.?\s*)?(?:references|bibliography|literature cited)\W*", re.I)
_CITATION = re.compile(r"\b(?:19|20)\d\d\b|https?:|\b[A-Z]\.,")


@dataclass(frozen=True, slots=True)
class Style:
    """`sizes`: of running prose, in points; `body`: the most frequent one; `pitch`: usual distance of baselines."""

    body: float
    sizes: frozenset[float]
    pitch: float
    bold: bool

    @classmethod
    def of(cls, lines: Sequence[TextLine]) -> Style:
        prose = [line for line in _before_references(lines) if _is_wordy(line)] or [line for line in lines if line.text]
        characters_by_size: Counter[float] = Counter()
        for line in prose:
            characters_by_size[line.size] += len(line.text)
        body = max(characters_by_size, key=lambda size: (characters_by_size[size], size))
        sizes = _prose_sizes(prose, characters_by_size, body)
        prose_lines = [line for line in prose if line.size in sizes]
        return cls(
            body,
            sizes,
            _pitch(prose_lines, body),
            sum(line.bold > 0.9 for line in prose_lines) > 0.4 * len(prose_lines),
        )


def _prose_sizes(prose: Sequence[TextLine], characters_by_size: Counter[float], body: float) -> frozenset[float]:
    """Sizes close to the body size, and other frequent sizes of prose on several pages."""
    similar = {size for size in characters_by_size if abs(size - body) <= 0.6}
    frequent = [
        size
        for size in characters_by_size
        if 0.75 * body < size < 1.3 * body and characters_by_size[size] > 0.2 * characters_by_size.total()
    ]
    return frozenset(similar | {size for size in frequent if _pages(prose, size) >= 3})


def _pitch(lines: Sequence[TextLine], body: float) -> float:
    """The most frequent distance of baselines."""
    steps = Counter(
        round(below.baseline - above.baseline)
        for above, below in pairwise(lines)
        if above.page == below.page and 0 < below.baseline - above.baseline < 4 * body
    )
    return float(min(steps, key=lambda step: (-steps[step], step)) if steps else 1.2 * body)


def _before_references(lines: Sequence[TextLine]) -> Sequence[TextLine]:
    for index in range(len(lines) - 1, len(lines) * 2 // 5, -1):
        if _REFERENCES.fullmatch(lines[index].text):
            return lines[:index]
    return lines


def _is_wordy(line: TextLine) -> bool:
    return (
        len(line.text) > 30
        and line.gaps == 0
        and sum(map(str.isalpha, line.text)) > 0.7 * len(line.text)
        and not _CITATION.search(line.text)
    )


def _pages(lines: Sequence[TextLine], size: float) -> int:
    """Pages with at least 10 lines of this size."""
    lines_by_page = Counter(line.page for line in lines if line.size == size)
    return sum(count >= 10 for count in lines_by_page.values())


class PageColumn(NamedTuple):
    """Left and right edge of a column of a page."""

    left: float
    right: float

    @property
    def width(self) -> float:
        return self.right - self.left


class PageColumns:
    """The columns of each page, found by the left edges that prose lines share."""

    def __init__(self, lines: Sequence[TextLine], style: Style) -> None:
        pages: defaultdict[int, list[TextLine]] = defaultdict(list)
        for line in lines:
            if line.size in style.sizes and len(line.text) > 20:
                pages[line.page].append(line)
        self._pages = {page: _find_columns(page_lines) for page, page_lines in pages.items()}

    def of(self, line: TextLine) -> PageColumn | None:
        """The column that contains the line's left edge; None outside of columns."""
        containing = None
        for column in self._pages.get(line.page, ()):
            if column.left - 3 <= line.x0 < column.right:
                containing = column
        return containing


def _find_columns(lines: Sequence[TextLine]) -> list[PageColumn]:
    right_edges: defaultdict[int, list[float]] = defaultdict(list)
    for line in lines:
        right_edges[round(line.x0)].append(line.x1)
    columns: list[PageColumn] = []
    for left in sorted(right_edges):
        edges_here = sorted(x1 for near in (left, left + 1, left + 2) for x1 in right_edges.get(near, ()))
        if len(edges_here) >= max(3, 0.04 * len(lines)) and (not columns or left - columns[-1].left > 40):
            columns.append(PageColumn(left, edges_here[int(0.9 * (len(edges_here) - 1))]))
    return columns
