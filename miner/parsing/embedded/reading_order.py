"""Corrects the reading order of pages: columns row by row or from right to left, and text after text below it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from statistics import median
from typing import NamedTuple

from miner.parsing.embedded.asides import TextBlock, defer_asides, text_blocks
from miner.parsing.embedded.layout import Style
from miner.parsing.embedded.line_kinds import TEXT_KINDS, LineKind
from miner.parsing.embedded.lines import TextLine
from miner.parsing.embedded.paragraphs import ends_open

_MIN_PAIRS = 10  # lines side by side on a page, by which its columns are seen to be written row by row (±20 %: same)
_SAME_ROW, _GUTTER = 2, 8  # points: between baselines of one row at most; between the columns at least (±20 %: same)
_MIN_TEXT = 20  # characters of a line on either side; cells of a table are shorter (±20 %: same)
_OVERLAP = 1  # points by which a block reaches below the top of the next (±20 %: same)
_MIN_SHARED = 0.5  # of the smaller width or height: so much blocks share above or beside one another (±20 %: same)
_MAX_BLOCKS = 1_000  # of a page: each is compared with all others; more has no page of a paper
_HANGING = 10  # points by which blocks of a column begin left of its first (±20 %: same)


def separate_columns(lines: Sequence[TextLine]) -> Sequence[TextLine]:
    """The lines of a page, with the left column before the right one where the PDF has two columns row by row."""
    pairs = [at for at in range(len(lines) - 1) if _side_by_side(lines[at], lines[at + 1])]
    if len(pairs) < _MIN_PAIRS:
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
    level = abs(left.baseline - right.baseline) < _SAME_ROW and right.x0 - left.x1 > _GUTTER
    return level and min(len(left.text), len(right.text)) > _MIN_TEXT


class ReadingOrder(NamedTuple):
    """Indices of lines in reading order; `starts`: those with which a paragraph begins, whatever stands before."""

    order: list[int]
    starts: frozenset[int]


def reading_order(lines: Sequence[TextLine], kinds: list[LineKind], style: Style) -> ReadingOrder:
    """The lines in reading order; PDFium's order wherever that is possible.

    Headings of boxes that stand in a sentence become TABLE, as the section goes on behind them.
    """
    blocks: list[TextBlock] = []
    for block in _blocks_in_pages(lines, kinds, style):
        if blocks and kinds[block.items[0]] not in TEXT_KINDS:  # a figure at the top of a page
            blocks[-1].items.extend(block.items)
        else:
            blocks.append(block)
    ordered, starts = defer_asides(blocks, lines, kinds)
    return ReadingOrder([index for block in ordered for index in block.items], starts)


def _blocks_in_pages(lines: Sequence[TextLine], kinds: Sequence[LineKind], style: Style) -> Iterator[TextBlock]:
    start = 0
    while start < len(lines):
        end = start
        while end < len(lines) and lines[end].page == lines[start].page:
            end += 1
        blocks = text_blocks(lines, kinds, style, range(start, end))
        is_page_of_paper = len(blocks) <= _MAX_BLOCKS
        yield from _left_column_first(_placed(blocks), lines, kinds) if is_page_of_paper else blocks
        start = end


def _placed(blocks: Iterable[TextBlock]) -> list[TextBlock]:
    """The blocks of a page, each before the first one that it stands above."""
    placed: list[TextBlock] = []
    for block in blocks:
        position = next((position for position, other in enumerate(placed) if _is_above(block, other)), len(placed))
        placed.insert(position, block)
    return placed


def _is_above(block: TextBlock, other: TextBlock) -> bool:
    shared = min(block.x1, other.x1) - max(block.x0, other.x0)
    least = _MIN_SHARED * min(block.x1 - block.x0, other.x1 - other.x0)
    return block.bottom <= other.top + _OVERLAP and 0 < shared > least


def _left_column_first(
    blocks: list[TextBlock], lines: Sequence[TextLine], kinds: Sequence[LineKind]
) -> list[TextBlock]:
    """The blocks with a left column moved before the right one, where a sentence goes on from the left to the right."""
    for first, block in enumerate(blocks):
        start = next((at for at in range(first + 1, len(blocks)) if _is_beside(blocks[at], block)), None)
        if start is None:
            continue
        end = next((at for at in range(start + 1, len(blocks)) if blocks[at].x1 > block.x0), len(blocks))
        right, left = blocks[first:start], blocks[start:end]
        is_column = all(other.x0 >= block.x0 - _HANGING for other in right if other.x1)
        if is_column and _goes_on(left, right, lines, kinds) and not _goes_on(right, left, lines, kinds):
            return [*blocks[:first], *left, *right, *blocks[end:]]
    return blocks


def _is_beside(block: TextBlock, other: TextBlock) -> bool:
    """Whether the block stands left of the other, and both have text, at the same height."""
    shared = min(block.bottom, other.bottom) - max(block.top, other.top)
    return 0 < block.x1 <= other.x0 and shared > _MIN_SHARED * min(block.bottom - block.top, other.bottom - other.top)


def _goes_on(
    before: Sequence[TextBlock], after: Sequence[TextBlock], lines: Sequence[TextLine], kinds: Sequence[LineKind]
) -> bool:
    """Whether a sentence goes on from the last prose of these blocks to the first prose of those."""
    ends = [lines[index] for block in before for index in block.items if kinds[index] is LineKind.PROSE]
    starts = [lines[index] for block in after for index in block.items if kinds[index] is LineKind.PROSE]
    if not ends or not starts:
        return False
    is_open = ends[-1].hyphen or ends_open(ends[-1].text)
    return is_open and (starts[0].text[:1].islower() or starts[0].text[:1] in "([")
