"""Sentences stay whole across lines, columns, pages and formulas."""

from __future__ import annotations

import pytest

from miner.parsing.embedded import parse_pdf
from miner.records import Paragraph, Section
from tests.miner.parsing.pdf_factory import BOATS, FERRY, LEADING, LEFT, RIGHT, STORE, Sheet, prose

ROMAN = "Times-Roman"


def sections_of(sheet: Sheet) -> tuple[Section, ...]:
    return parse_pdf(sheet.bytes()).sections


def paragraphs_of(sheet: Sheet) -> list[Paragraph]:
    return [paragraph for section in sections_of(sheet) for paragraph in section.paragraphs]


def whole(sheet: Sheet) -> str:
    return " ".join(paragraph.text for paragraph in paragraphs_of(sheet))


@pytest.mark.parametrize(
    ("end", "start", "joined"),
    [
        ("July–", "August", "July–August"),
        ("mg/", "kg", "mg/kg"),
        ("http://", "www.sound.org", "http://www.sound.org"),
        ("(http://sea.", "sound.org)", "(http://sea.sound.org)"),
        ("#2011-", "0200", "#2011-0200"),
        ("pre-", "and post-storm", "pre- and post-storm"),
        ("face-", "to-face", "face-to-face"),
        ("the end –", "of all", "the end – of all"),
    ],
)
def test_words_broken_at_a_line_end_are_joined_as_printed(end: str, start: str, joined: str) -> None:
    sheet = Sheet()
    y = prose(sheet)
    sheet.lines(
        LEFT, y, [f"The ferry was late on all the days of the month in {end}", f"{start} of that year.", *BOATS]
    )
    assert f"of the month in {joined} of that year." in whole(sheet)


def test_statistics_stay_in_their_sentence_at_the_top_of_a_column() -> None:
    sheet = Sheet()
    sheet.lines(LEFT, prose(sheet), ["The ferries were late more often in winter than in all"])
    top = [
        "(p = 0.221), summer (q = -0.103, p = 0.169), and at fog",
        "(r = -0.009, p = 0.890) of the year, as they all knew.",
    ]
    sheet.lines(RIGHT, 100, [*top, *BOATS])
    assert f"than in all {' '.join(top)} Small boats" in whole(sheet)


@pytest.mark.parametrize("end", ["file 1).", "1886.", "(n > 4.21; df = 11; p < 0.01)"])
def test_a_short_line_of_numbers_ends_the_sentence_above_it(end: str) -> None:
    sheet = Sheet()
    sheet.lines(LEFT, prose(sheet), ["The ferries were late more often in winter than before", end])
    sheet.lines(RIGHT, 100, BOATS)
    assert f"in winter than before {end}" in whole(sheet)


def test_a_number_that_ends_a_page_and_a_sentence_is_no_page_number() -> None:
    sheet = Sheet()
    sheet.lines(LEFT, prose(sheet, y=588), ["All ferries were counted by the protocol no. #2011-", "0200."])
    sheet.next_page()
    sheet.lines(LEFT, 100, [*BOATS, *STORE])
    assert "protocol no. #2011-0200." in whole(sheet)


def test_a_sentence_goes_on_behind_a_colon_at_the_end_of_a_page() -> None:
    sheet = Sheet()
    sheet.lines(LEFT, prose(sheet), ["Three ferries were counted on most of the days that year:"])
    sheet.next_page()
    sheet.lines(LEFT, 100, ["one in the morning, one at noon and one in the night.", *BOATS])
    (paragraph,) = paragraphs_of(sheet)
    assert "of the days that year: one in the morning, one at noon" in paragraph.text


def test_a_formula_that_is_a_picture_ends_the_sentence_above_it() -> None:
    sheet = Sheet()
    y = prose(sheet)
    y = sheet.lines(LEFT, y, ["The load of a ferry is calculated as"])
    sheet.picture(LEFT + 60, y - 4, 60, 20)
    sheet.lines(LEFT, y + 2.5 * LEADING, ["The number of the boats is known to the harbour master", *BOATS])
    first, second = paragraphs_of(sheet)
    assert first.text.endswith("is calculated as")
    assert second.text.startswith("The number of the boats")
    assert second.after_break


@pytest.mark.parametrize("below", [LEADING, 2 * LEADING])
@pytest.mark.parametrize(
    "heading", [["Boats of wood"], ["Description of All the Boats of the Harbour Used for", "Fish"]]
)
def test_a_line_in_plain_type_between_two_paragraphs_is_a_heading(heading: list[str], below: float) -> None:
    sheet = Sheet()
    y = sheet.lines(LEFT, prose(sheet) + LEADING, heading)
    sheet.lines(LEFT, y - LEADING + below, BOATS)
    assert [section.title for section in sections_of(sheet)] == ["", " ".join(heading)]


@pytest.mark.parametrize("line", ["Boats of the", "Boats are small", "Boats of wood,", "Ferries ($2 a day"])
def test_other_short_lines_in_plain_type_are_no_headings(line: str) -> None:
    sheet = Sheet()
    y = sheet.lines(LEFT, prose(sheet) + LEADING, [line])
    sheet.lines(LEFT, y, BOATS)
    assert len(sections_of(sheet)) == 1


def test_items_that_are_numbered_line_by_line_are_no_headings() -> None:
    sheet = Sheet()
    y = prose(sheet) + LEADING
    for item in ("1. Safety of the boats", "2. Number of the boats", "3. Use of the boats"):
        y = sheet.lines(LEFT, y, [item]) + LEADING / 2
    sheet.lines(LEFT, y + LEADING, FERRY)
    (section,) = sections_of(sheet)
    assert any(paragraph.text == "2. Number of the boats" for paragraph in section.paragraphs)


def test_a_raised_number_before_the_sign_of_an_element_is_no_note() -> None:
    sheet = Sheet()
    y = prose(sheet)
    sheet.pieces(
        LEFT, y, [("The harbour is full of ", 10, 0, ROMAN), ("195", 6, 4, ROMAN), ("Pt and of gold.", 10, 0, ROMAN)]
    )
    sheet.lines(LEFT, y + LEADING, BOATS)
    assert "full of 195Pt and of gold." in whole(sheet)


@pytest.mark.parametrize(
    ("before", "raised", "after", "expected"),
    [
        ("we used Python 3.7.2", "19", ". The ferry", "Python 3.7.2. The ferry"),
        ("with normal vision 10", "19", ", and the ferry", "vision 10, and the ferry"),
        ("of at least 10", "19", " boats in", "of at least 10^19 boats"),
        ("with normal vision 10", "26", ", and the ferry", "vision 10^26, and the ferry"),
    ],
)
def test_a_raised_number_is_a_citation_where_its_neighbours_are(
    before: str, raised: str, after: str, expected: str
) -> None:
    sheet = Sheet()
    y = prose(sheet)
    for number in range(13, 23):
        if number != 19:
            pieces = [
                ("The ferry of this harbour was late", 10, 0, ROMAN),
                (str(number), 6, 4, ROMAN),
                (" that day.", 10, 0, ROMAN),
            ]
        else:
            pieces = [(f"Here {before}", 10, 0, ROMAN), (raised, 6, 4, ROMAN), (after, 10, 0, ROMAN)]
        sheet.pieces(LEFT, y, pieces)
        y += LEADING
    sheet.lines(LEFT, y, BOATS)
    assert expected in whole(sheet)
