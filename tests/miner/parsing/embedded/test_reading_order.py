"""In which order the blocks of a page are read."""

from __future__ import annotations

from miner.parsing.embedded.layout import Style
from miner.parsing.embedded.line_kinds import LineKind
from miner.parsing.embedded.lines import TextLine
from miner.parsing.embedded.reading_order import reading_order

STYLE = Style(body=10.0, sizes=frozenset({10.0}), pitch=12.0, bold=False)


def line_at(y: float) -> TextLine:
    text = "The ferry crosses the sound."
    return TextLine(1, text, 50, y - 10, 200, y, 10, y, True, False, 0, 0, 0, "", False, 0)


def order_of(blocks: int) -> list[int]:
    """The order of blocks that the PDF has from the foot of a page to its top."""
    lines = [line_at(40.0 * (blocks - number)) for number in range(blocks)]
    return reading_order(lines, [LineKind.PROSE] * blocks, STYLE).order


def test_blocks_that_a_pdf_has_from_below_are_read_from_above() -> None:
    assert order_of(300) == [*reversed(range(300))]


def test_of_a_page_with_more_blocks_than_a_paper_has_the_order_is_that_of_the_pdf() -> None:
    assert order_of(3_000) == [*range(3_000)]
