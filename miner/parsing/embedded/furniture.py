"""Removes page furniture: running heads and feet, page numbers, text that is not upright."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from statistics import median

from miner.parsing.embedded.lines import TextLine, is_note_number

_NUMBER = re.compile(r"\W*(?:page|p\.|pp\.)?\s*(?:[\divxlc]+|\d+\s*(?:/|of)\s*\d+)\W*", re.I)


def join_line_pieces(lines: Sequence[TextLine]) -> list[TextLine]:
    """Upright lines in reading order; lines that PDFium cut at raised or lowered pieces are joined."""
    joined: list[TextLine] = []
    for line in _separate_columns(lines):
        if not line.upright or not line.text:
            continue
        if joined and _same_line(joined[-1], line):
            joined[-1] = _merge(joined[-1], line)
        else:
            joined.append(line)
    return joined


def _separate_columns(lines: Sequence[TextLine]) -> Sequence[TextLine]:
    """The lines, with the left column before the right one where the PDF has two columns row by row."""
    pairs = [at for at in range(len(lines) - 1) if _side_by_side(lines[at], lines[at + 1])]
    if len(pairs) < 10:
        return lines
    middle = median((lines[at].x1 + lines[at + 1].x0) / 2 for at in pairs)
    ordered: list[TextLine] = []
    right: list[TextLine] = []
    for line in lines[pairs[0] : pairs[-1] + 2]:
        if line.x0 >= middle:
            right.append(line)
        elif line.x1 <= middle:
            ordered.append(line)
        else:  # across both columns: the columns above are read first
            ordered += [*right, line]
            right = []
    return [*lines[: pairs[0]], *ordered, *right, *lines[pairs[-1] + 2 :]]


def _side_by_side(left: TextLine, right: TextLine) -> bool:
    level = abs(left.baseline - right.baseline) < 2 and right.x0 - left.x1 > 8
    return level and min(len(left.text), len(right.text)) > 20


def _same_line(left: TextLine, right: TextLine) -> bool:
    if left.page != right.page or left.hyphen:
        return False
    size = max(left.size, right.size)
    gap = right.x0 - left.x1
    level = abs(left.baseline - right.baseline)
    stacked = right.size < 0.85 * left.size or level < 0.1 * size  # pieces above one another
    return -(1.2 if stacked else 0.3) * size < gap < 1.2 * size and level < 0.6 * size and left.x0 < right.x0


def _merge(left: TextLine, right: TextLine) -> TextLine:
    larger = left if left.size * min(len(left.text), 20) >= right.size * min(len(right.text), 20) else right
    text = right.text
    if (
        right.size < 0.85 * left.size
        and right.baseline < left.baseline - 0.1 * left.size
        and is_note_number(text, left.text)
    ):
        text = " "  # a space replaces the number of the note
    close = right.x0 - left.x1 < 0.15 * larger.size and not left.text.endswith(" ")
    separator = "" if close or re.match(r"[,.;:)\]]", text) or not text else " "
    count, other = len(left.text), len(right.text)
    share = count / (count + other)
    return replace(
        larger,
        text=left.text.rstrip() + separator + text,
        x0=min(left.x0, right.x0),
        y0=min(left.y0, right.y0),
        x1=max(left.x1, right.x1),
        y1=max(left.y1, right.y1),
        hyphen=right.hyphen,
        bold=left.bold * share + right.bold * (1 - share),
        italic=left.italic * share + right.italic * (1 - share),
        maths=left.maths * share + right.maths * (1 - share),
        lead=left.lead if left.lead != left.text else left.text + separator + right.lead,
        lead_bold=left.lead_bold,
        gaps=left.gaps + right.gaps,
    )


def remove_furniture(pages: Sequence[Sequence[TextLine]]) -> list[TextLine]:
    """The lines of all pages without running heads and feet and page numbers.

    A head or foot is in the first or last rows of its page and is repeated, except for numbers, on other pages. A fixed
    margin is no criterion: heads are anywhere from 4 to 15 % of the height. A row that prose continues from is kept.
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
            if len(pages_of[_without_numbers(line.text)]) >= min_pages or _NUMBER.fullmatch(line.text)
        ]
        _keep_prose(heads, lines)
        kept += [line for line in lines if not any(line is head for head in heads)]
    return kept


def _keep_prose(heads: list[TextLine], lines: Sequence[TextLine]) -> None:
    """Remove from `heads` the lines that prose continues from, starting with the innermost."""
    middle = sum(line.baseline for line in lines) / max(1, len(lines))
    for line in sorted(heads, key=lambda line: abs(line.baseline - middle)):
        if len(line.text) > 30 and any(_continues(line, other, middle) for other in lines if other not in heads):
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


def _without_numbers(text: str) -> str:
    return re.sub(r"\W+", " ", re.sub(r"\d+", "#", text)).strip().casefold()
