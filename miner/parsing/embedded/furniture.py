"""Removes page furniture: running heads and feet, and page numbers."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Sequence
from functools import lru_cache

from miner.parsing.embedded.captions import opens_caption
from miner.parsing.embedded.lines import TextLine

_NUMBER = re.compile(r"\W*(?:page|p\.|pp\.)?\s*(?:[\divxlc]+|\d+\s*(?:/|of)\s*\d+)\W*", re.I)
_FEW_PAGES = 8  # of a paper in which a line on two pages is furniture; in longer ones three must have it
_MIN_TEXT = 30  # characters of a line at a page's edge that may be prose, not a head (±20 %: same)
_NEXT_LINE = 1.5  # of the type size: step at most to the line with which prose goes on (±20 %: same)
_SAME_EDGE = 2  # points by which left edges of lines of one text differ (±20 %: same)
_ROW_HEIGHT = 3  # points; baselines in the same multiple of it are one row (±20 %: same)
_EDGE_ROWS = 3  # at the top and at the bottom of a page; a head, a foot or both may have several lines


def remove_furniture(pages: Sequence[Sequence[TextLine]]) -> list[TextLine]:
    """The lines of all pages without running heads and feet and page numbers.

    A head or foot is in the first or last rows of its page and is repeated, except for numbers, on other pages. A fixed
    margin is no criterion: heads are anywhere from 4 to 15 % of the height. A row that prose continues from is kept,
    and so is "Fig. 3." above a caption.
    """
    edges = [_edge_rows(lines) for lines in pages]
    pages_of: defaultdict[str, set[int]] = defaultdict(set)
    for edge in edges:
        for line in edge:
            pages_of[_without_numbers(line.text)].add(line.page)
    min_pages = 2 if len(pages) < _FEW_PAGES else 3
    kept: list[TextLine] = []
    for lines, edge in zip(pages, edges, strict=True):
        heads = [
            line
            for line in edge
            if (len(pages_of[_without_numbers(line.text)]) >= min_pages and not opens_caption(line, None))
            or _NUMBER.fullmatch(line.text)
        ]
        _keep_prose(heads, lines)
        gone = set(map(id, heads))
        kept += [line for line in lines if id(line) not in gone]
    return kept


def _keep_prose(heads: list[TextLine], lines: Sequence[TextLine]) -> None:
    """Remove from `heads` the lines that prose continues from, starting with the innermost."""
    middle = sum(line.baseline for line in lines) / max(1, len(lines))
    left: defaultdict[tuple[str, float, float], list[TextLine]] = defaultdict(list)  # equal ones are in one list
    for line in heads:
        left[_place(line)].append(line)
    ordered = sorted(lines, key=lambda line: line.baseline)
    baselines = [line.baseline for line in ordered]
    for line in sorted(heads, key=lambda line: abs(line.baseline - middle)):
        is_text = len(line.text) > _MIN_TEXT or line.text.endswith((".", ").", ";", ","))  # "0200." ends a sentence
        near = _inwards(line, middle, ordered, baselines) if is_text else ()
        if any(_continues(line, other, middle) and other not in left[_place(other)] for other in near):
            left[_place(line)].remove(line)
    heads[:] = [line for those in left.values() for line in those]


def _inwards(
    line: TextLine, middle: float, ordered: Sequence[TextLine], baselines: Sequence[float]
) -> Sequence[TextLine]:
    """The lines next to a line towards the middle of the page, and rather too many. ordered: by their baselines."""
    reach = _NEXT_LINE * line.size + 1
    if line.baseline < middle:
        return ordered[bisect_right(baselines, line.baseline) : bisect_right(baselines, line.baseline + reach)]
    return ordered[bisect_left(baselines, line.baseline - reach) : bisect_left(baselines, line.baseline)]


def _place(line: TextLine) -> tuple[str, float, float]:
    return line.text, line.x0, line.baseline


def _continues(line: TextLine, other: TextLine, middle: float) -> bool:
    """Whether the other line is the next line of the same text, towards the middle of the page."""
    step = other.baseline - line.baseline
    inwards = step if line.baseline < middle else -step
    is_next = 0 < inwards < _NEXT_LINE * line.size and other.size == line.size
    return is_next and abs(other.x0 - line.x0) < _SAME_EDGE


def _edge_rows(lines: Sequence[TextLine]) -> list[TextLine]:
    rows = sorted({round(line.baseline / _ROW_HEIGHT) for line in lines})
    edge = {*rows[:_EDGE_ROWS], *rows[-_EDGE_ROWS:]}
    return [line for line in lines if round(line.baseline / _ROW_HEIGHT) in edge]


@lru_cache(maxsize=2048)  # heads are repeated
def _without_numbers(text: str) -> str:
    return re.sub(r"\W+", " ", re.sub(r"\d+", "#", text)).strip().casefold()
