"""Removes page furniture: running heads and feet, and page numbers."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from functools import lru_cache

from miner.parsing.embedded.captions import opens_caption
from miner.parsing.embedded.lines import TextLine

_NUMBER = re.compile(r"\W*(?:page|p\.|pp\.)?\s*(?:[\divxlc]+|\d+\s*(?:/|of)\s*\d+)\W*", re.I)


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
    min_pages = 2 if len(pages) < 8 else 3
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
    for line in sorted(heads, key=lambda line: abs(line.baseline - middle)):
        is_text = len(line.text) > 30 or line.text.endswith((".", ").", ";", ","))  # "0200." ends a sentence
        if is_text and any(_continues(line, other, middle) and other not in heads for other in lines):
            heads.remove(line)


def _continues(line: TextLine, other: TextLine, middle: float) -> bool:
    """Whether the other line is the next line of the same text, towards the middle of the page."""
    step = other.baseline - line.baseline
    inwards = step if line.baseline < middle else -step
    return 0 < inwards < 1.5 * line.size and other.size == line.size and abs(other.x0 - line.x0) < 2


def _edge_rows(lines: Sequence[TextLine]) -> list[TextLine]:
    rows = sorted({round(line.baseline / 3) for line in lines})
    edge = {*rows[:3], *rows[-3:]}
    return [line for line in lines if round(line.baseline / 3) in edge]


@lru_cache(maxsize=2048)  # heads are repeated
def _without_numbers(text: str) -> str:
    return re.sub(r"\W+", " ", re.sub(r"\d+", "#", text)).strip().casefold()
