"""Narrow spaces between words that PDFium misses."""

from __future__ import annotations

import pytest
from reportlab.pdfbase.pdfmetrics import stringWidth

from miner.parsing.embedded import parse_pdf
from tests.miner.parsing.pdf_factory import FERRY, HEIGHT, LEADING, LEFT, Sheet, prose


def text_of(words: list[tuple[str, float]]) -> str:
    """The prose of a page with a line of these pieces, each some points behind the one before."""
    sheet = Sheet()
    y, x = prose(sheet), float(LEFT)
    for piece, gap in words:
        sheet.line(x + gap, y, piece)
        x += gap + stringWidth(piece, "Times-Roman", 10)
    sheet.lines(LEFT, y + LEADING, FERRY)
    return " ".join(p.text for section in parse_pdf(sheet.bytes()).sections for p in section.paragraphs)


@pytest.mark.parametrize("gap", [1.5, 1.9])
def test_a_gap_amid_letters_that_have_none_is_a_space(gap: float) -> None:
    words = [("The boats of the harbour sail by the", 0.0), ("Middle Shore and higher", gap), ("levels of water.", gap)]
    assert "sail by the Middle Shore and higher levels of water." in text_of(words)


def test_spaced_letters_are_one_word() -> None:
    sheet = Sheet()
    y = prose(sheet)
    line = sheet._canvas.beginText(LEFT, HEIGHT - y)
    line.setFont("Times-Roman", 10)
    line.setCharSpace(1.5)
    line.textOut("The boats of the sailors lie in the harbour.")
    sheet._canvas.drawText(line)
    assert "in the harbour." in " ".join(p.text for s in parse_pdf(sheet.bytes()).sections for p in s.paragraphs)


def test_a_narrow_gap_is_a_space_between_known_words() -> None:
    assert "use the vaccine from stock" in text_of([("The boats use the vaccine", 0.0), ("from stock at night.", 1.1)])


def test_a_small_gap_is_no_space() -> None:
    assert "in the harbour at" in text_of([("The boats of the sailors lie in the har", 0.0), ("bour at night.", 0.6)])
