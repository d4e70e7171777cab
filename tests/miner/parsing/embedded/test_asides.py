"""Notes and boxes that stand between two parts of a sentence."""

from __future__ import annotations

import pytest

from miner.parsing.embedded import parse_pdf
from miner.records import Section
from tests.miner.parsing.pdf_factory import BOATS, FERRY, LEFT, RIGHT, STORE, Sheet, prose

LICENCE = [
    "2021 The Authors. Published by the harbour under the",
    "terms of a licence that lets everyone read all of it.",
]
BOX = ["What is known about ferries is little, and the crews", "have said so for years. This study has asked them all."]


def before_a_turn() -> Sheet:
    """A left column that ends amid a sentence of BOATS."""
    sheet = Sheet()
    y = prose(sheet, y=sheet.heading(LEFT, 60, "1 Introduction"))
    sheet.lines(LEFT, y, BOATS[:2])
    return sheet


def sections(sheet: Sheet) -> tuple[Section, ...]:
    return parse_pdf(sheet.bytes()).sections


def paragraphs(sheet: Sheet) -> list[str]:
    return [paragraph.text for section in sections(sheet) for paragraph in section.paragraphs]


@pytest.mark.parametrize("size", [10, 9.6])
def test_a_note_at_the_foot_of_a_page_stands_behind_the_sentence_that_goes_on_overleaf(size: float) -> None:
    sheet = before_a_turn()
    sheet.lines(LEFT, 740, LICENCE, size)
    sheet.next_page()
    y = sheet.lines(LEFT, 60, BOATS[2:])
    sheet.lines(LEFT, y, FERRY)
    texts = paragraphs(sheet)
    assert any(" ".join(BOATS) in text for text in texts)
    assert texts[-1] == " ".join(LICENCE)


def test_a_box_above_the_next_column_stands_behind_the_sentence_and_its_heading_begins_no_section() -> None:
    sheet = before_a_turn()
    sheet.line(RIGHT, 60, "Capsule", 10, "Times-Bold")
    sheet.lines(RIGHT, 84, BOX)
    y = sheet.lines(RIGHT, 160, BOATS[2:])
    sheet.lines(RIGHT, y, FERRY)
    (section,) = sections(sheet)
    texts = [paragraph.text for paragraph in section.paragraphs]
    assert any(" ".join(BOATS) in text for text in texts)
    assert texts[-1] == " ".join(BOX)


def test_a_sentence_that_may_go_on_in_the_next_column_goes_on_there() -> None:
    sheet = before_a_turn()
    y = sheet.lines(RIGHT, 60, ["Spring. The larger ones stay at the quay all the time"])
    sheet.lines(RIGHT, y, BOATS[3:])
    sheet.lines(RIGHT, 300, FERRY)
    assert any("once again in Spring. The larger" in text for text in paragraphs(sheet))


def test_the_words_below_a_formula_are_no_end_of_a_sentence_in_another_column() -> None:
    sheet = before_a_turn()
    y = sheet.lines(RIGHT, 60, ["Spring. The larger ones stay at the quay all the time."])
    sheet.lines(RIGHT, y + 40, ["where their owners look after them when the nights", *BOATS[4:]])
    assert any("once again in Spring. The larger" in text for text in paragraphs(sheet))


def test_the_section_of_the_next_column_is_no_box() -> None:
    sheet = before_a_turn()
    y = sheet.heading(RIGHT, 60, "2 Methods")
    sheet.lines(RIGHT, y, STORE)
    sheet.next_page()
    sheet.lines(LEFT, 60, ["spring. " + BOATS[3], BOATS[4]])
    assert [section.title for section in sections(sheet)] == ["1 Introduction", "2 Methods"]
