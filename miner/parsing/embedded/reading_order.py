"""Corrects a page's reading order where it is clearly wrong: where text in a column comes after text below it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from miner.parsing.embedded.layout import Style
from miner.parsing.embedded.line_kinds import LineKind, follows
from miner.parsing.embedded.lines import TextLine


class _Block(NamedTuple):
    x0: float
    x1: float
    top: float
    bottom: float
    items: list[int]


def reading_order(lines: Sequence[TextLine], kinds: Sequence[LineKind], style: Style) -> list[int]:
    """The indices of the lines in reading order; PDFium's order wherever that is possible."""
    order: list[int] = []
    start = 0
    while start < len(lines):
        end = start
        while end < len(lines) and lines[end].page == lines[start].page:
            end += 1
        order += _page_order(lines, kinds, style, start, end)
        start = end
    return order


def _page_order(lines: Sequence[TextLine], kinds: Sequence[LineKind], style: Style, start: int, end: int) -> list[int]:
    blocks: list[_Block] = []
    for index in range(start, end):
        line = lines[index]
        is_text = kinds[index] in (LineKind.PROSE, LineKind.HEADING)
        last = blocks[-1] if blocks else None
        if last and (
            not is_text
            or (
                kinds[last.items[-1]] in (LineKind.PROSE, LineKind.HEADING)
                and follows(lines[last.items[-1]], line, style)
            )
        ):
            last.items.append(index)
            if is_text:
                blocks[-1] = _Block(
                    min(last.x0, line.x0), max(last.x1, line.x1), last.top, max(last.bottom, line.baseline), last.items
                )
        else:
            extent = (line.x0, line.x1) if is_text else (0.0, 0.0)
            blocks.append(_Block(*extent, line.baseline - line.size, line.baseline, [index]))
    placed: list[_Block] = []
    for block in blocks:
        position = next((position for position, other in enumerate(placed) if _is_above(block, other)), len(placed))
        placed.insert(position, block)
    return [index for block in placed for index in block.items]


def _is_above(block: _Block, other: _Block) -> bool:
    shared = min(block.x1, other.x1) - max(block.x0, other.x0)
    return block.bottom <= other.top + 1 and 0 < shared > 0.5 * min(block.x1 - block.x0, other.x1 - other.x0)
