"""Puts notes, boxes and addresses that stand between two parts of a sentence behind it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from miner.parsing.embedded.document_parts import NUMBER_PREFIX, is_common_heading
from miner.parsing.embedded.layout import FULL_LINE, WORD, Style
from miner.parsing.embedded.line_kinds import TEXT_KINDS, LineKind, follows
from miner.parsing.embedded.lines import SAME_SIZE, TextLine
from miner.parsing.embedded.paragraphs import ends_open

_MAX_BLOCKS = 12  # of asides, until the sentence goes on (±20 %: same)
_NO_CONTINUATION = re.compile(r"\w{1,3}[.)]\s|where\b")  # a list's item, the words below a formula
_MIN_LAST_WORDS, _MIN_LOW_WORDS = 4, 0.5  # words of a line that breaks off; share in lower case (±20 %: same)


@dataclass(slots=True)
class TextBlock:
    """Lines that stay together, by index in `items`, and where their text is on the page."""

    x0: float
    x1: float
    top: float
    bottom: float
    items: list[int]


def text_blocks(lines: Sequence[TextLine], kinds: Sequence[LineKind], style: Style, indices: range) -> list[TextBlock]:
    """Text whose lines follow one another, with the lines of other kinds behind it."""
    blocks: list[TextBlock] = []
    for index in indices:
        line = lines[index]
        is_text = kinds[index] in TEXT_KINDS
        last = blocks[-1] if blocks else None
        if last is None or (is_text and not _follows_text(line, last.items[-1], lines, kinds, style)):
            extent = (line.x0, line.x1) if is_text else (0.0, 0.0)
            blocks.append(TextBlock(*extent, line.baseline - line.size, line.baseline, [index]))
            continue
        last.items.append(index)
        if is_text:
            last.x0, last.x1 = min(last.x0, line.x0), max(last.x1, line.x1)
            last.bottom = max(last.bottom, line.baseline)
    return blocks


def _follows_text(
    line: TextLine, previous: int, lines: Sequence[TextLine], kinds: Sequence[LineKind], style: Style
) -> bool:
    return kinds[previous] in TEXT_KINDS and follows(lines[previous], line, style)


def defer_asides(
    blocks: Sequence[TextBlock], lines: Sequence[TextLine], kinds: list[LineKind]
) -> tuple[list[TextBlock], frozenset[int]]:
    """The blocks, with asides moved behind the sentence they interrupt, and the lines that must begin a paragraph.

    Asides stand at the end of a column or page. Their headings become TABLE, as the section goes on behind them.
    """
    ordered = list(blocks)
    moved: set[int] = set()  # first lines of asides
    for at in range(len(ordered) - 2):
        resumed = _resumption(at, ordered, lines, kinds, is_sure=ordered[at + 1].items[0] in moved)
        for block in ordered[at + 1 : resumed]:
            moved.add(block.items[0])
            for index in block.items:
                if kinds[index] is LineKind.HEADING:
                    kinds[index] = LineKind.TABLE
        ordered.insert(at + 1, ordered.pop(resumed))
    starts = {block.items[0] for before, block in pairwise(ordered) if {before.items[0], block.items[0]} & moved}
    return ordered, frozenset(starts)


def _resumption(
    at: int, blocks: Sequence[TextBlock], lines: Sequence[TextLine], kinds: Sequence[LineKind], *, is_sure: bool
) -> int:
    """The position of the block with which the last sentence of this block goes on.

    `is_sure`: the next block is known to be an aside.
    """
    block = blocks[at]
    last = _last_prose(block, lines, kinds)
    if last is None or not (_is_open(last) if is_sure else _breaks_off(last, block)):
        return at + 1
    if _begins_low(_first_text(blocks[at + 1], lines, kinds)):
        return at + 1
    before = None  # of prose
    for position in range(at + 1, min(len(blocks), at + _MAX_BLOCKS)):
        first = _first_text(blocks[position], lines, kinds)
        if first is None or first.page > last.page + 1 or _has_heading(blocks[position], lines, kinds):
            break
        if before is not None and _begins_low(first) and _is_turned(last, first) and not _goes_on(before, first):
            return position
        before = _last_prose(blocks[position], lines, kinds)
    return at + 1


def _breaks_off(last: TextLine, block: TextBlock) -> bool:
    """Whether a block of prose ends with a full line amid a sentence."""
    words = WORD.findall(last.text)
    return (
        _is_open(last)
        and len(words) >= _MIN_LAST_WORDS
        and sum(word[0].islower() for word in words) >= _MIN_LOW_WORDS * len(words)
        and (last.hyphen or last.x1 > block.x1 - FULL_LINE * (block.x1 - block.x0))
    )


def _is_open(line: TextLine) -> bool:
    return line.hyphen or ends_open(line.text)


def _begins_low(line: TextLine | None) -> bool:
    """Whether the line begins in lower case, as a line does that continues a sentence."""
    return line is not None and line.text[:1].islower() and not _NO_CONTINUATION.match(line.text)


def _is_turned(last: TextLine, first: TextLine) -> bool:
    """Whether a block in the type of the other begins in a later column or on the next page."""
    return abs(first.size - last.size) <= SAME_SIZE and (first.page > last.page or first.baseline < last.baseline)


def _goes_on(before: TextLine, first: TextLine) -> bool:
    """Whether the block may go on with a sentence of the aside itself."""
    return _is_open(before) and abs(before.size - first.size) <= SAME_SIZE


def _has_heading(block: TextBlock, lines: Sequence[TextLine], kinds: Sequence[LineKind]) -> bool:
    """Whether the block begins with the heading of a section rather than of a box."""
    text = lines[block.items[0]].text
    is_sure = NUMBER_PREFIX.match(text) is not None or is_common_heading(text)
    return kinds[block.items[0]] is LineKind.HEADING and is_sure


def _first_text(block: TextBlock, lines: Sequence[TextLine], kinds: Sequence[LineKind]) -> TextLine | None:
    """The block's first line of text."""
    return next((lines[index] for index in block.items if kinds[index] in TEXT_KINDS), None)


def _last_prose(block: TextBlock, lines: Sequence[TextLine], kinds: Sequence[LineKind]) -> TextLine | None:
    """The block's last line of text, if that is prose with no formula behind it."""
    for index in reversed(block.items):
        if kinds[index] is LineKind.PROSE:
            return lines[index]
        if kinds[index] in (LineKind.HEADING, LineKind.FORMULA, LineKind.REFERENCE):
            break
    return None
