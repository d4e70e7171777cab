"""Joins the pieces of lines that PDFium broke at inline formulas, raised numbers and lowered letters."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from miner.parsing.embedded.lines import TextLine, is_note_number


def join_broken_lines(lines: Sequence[TextLine]) -> list[TextLine]:
    """The upright lines of a page, in the same order, each in one piece."""
    joined: list[TextLine] = []
    for line in lines:
        if not line.upright or not line.text:
            continue
        if joined and _is_same_line(joined[-1], line):
            joined[-1] = _merge(joined[-1], line)
        else:
            joined.append(line)
    return joined


def _is_same_line(left: TextLine, right: TextLine) -> bool:
    """Whether the right piece goes on where the left one ends, about level with it."""
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
