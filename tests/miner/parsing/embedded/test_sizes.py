"""Body text is known by its place and form, in whatever size it is set."""

from __future__ import annotations

from miner.parsing.embedded import parse_pdf
from tests.miner.parsing.pdf_factory import BOATS, FERRY, LEADING, LEFT, RIGHT, STORE, Sheet, prose


def text_of(sheet: Sheet) -> str:
    sections = parse_pdf(sheet.bytes()).sections
    return " ".join(paragraph.text for section in sections for paragraph in section.paragraphs)


def body_pages(sheet: Sheet, count: int) -> None:
    for number in range(count):
        if number:
            sheet.next_page()
        y = sheet.heading(LEFT, 60, ("1 Ferries", "2 Stores")[number]) if number < 2 else 60
        sheet.lines(LEFT, y, FERRY * 6)
        sheet.lines(RIGHT, 60, STORE * 6)


def test_a_page_in_smaller_type_is_body() -> None:
    sheet = Sheet()
    body_pages(sheet, 4)
    sheet.next_page()
    y = sheet.lines(LEFT, 60, BOATS * 6, 8)
    sheet.line(LEFT, y + 12, "Boats of steel", 8, "Times-Bold")
    sheet.lines(LEFT, y + 28, BOATS * 5, 8)
    sheet.lines(RIGHT, 60, BOATS * 8, 8)
    sections = parse_pdf(sheet.bytes()).sections
    assert [section.title for section in sections] == ["1 Ferries", "2 Stores", "Boats of steel"]
    assert " ".join(BOATS) in " ".join(paragraph.text for paragraph in sections[1].paragraphs)


def test_a_section_in_smaller_type_is_body() -> None:
    sheet = Sheet()
    body_pages(sheet, 3)
    sheet.next_page()
    y = sheet.lines(LEFT, 60, STORE * 2)
    y = sheet.heading(LEFT, y, "3 Methods")
    sheet.lines(LEFT, y, BOATS * 4, 8)
    y = sheet.heading(RIGHT, 60, "4 Results")
    sheet.lines(RIGHT, y, FERRY * 4)
    assert text_of(sheet).count(" ".join(BOATS)) == 4


def test_a_note_below_the_text_of_a_section_stays_out() -> None:
    sheet = Sheet()
    body_pages(sheet, 3)
    sheet.next_page()
    y = sheet.heading(LEFT, 60, "3 Methods")
    sheet.lines(LEFT, y, FERRY * 4)
    sheet.lines(LEFT, 600, BOATS * 3, 8)
    assert BOATS[0] not in text_of(sheet)


def test_addresses_and_a_licence_on_the_first_page_stay_out() -> None:
    sheet = Sheet()
    addresses = [
        f"{n} Department of Boats and Harbours, University of Norland, Pier {n}, Harbour Town" for n in range(6)
    ]
    sheet.lines(LEFT, 60, addresses, 8)
    sheet.lines(LEFT, 560, ["This licence lets all people sail with the text wherever they want to go to,"] * 9, 8)
    prose(sheet, y=sheet.heading(LEFT, 140, "1 Introduction"))
    sheet.next_page()
    body_pages(sheet, 3)
    text = text_of(sheet)
    assert "Department" not in text
    assert "licence" not in text


def test_a_page_with_a_table_in_small_type_stays_out() -> None:
    sheet = Sheet()
    body_pages(sheet, 3)
    sheet.next_page()
    for row in range(40):
        for column, cell in enumerate((f"boat {row}", "painted in the spring", "kept at the quay", "3.4")):
            sheet.line(LEFT + 130 * column, 60 + 12 * row, cell, 8)
    assert "painted in the spring" not in text_of(sheet)


def test_a_line_mostly_in_small_capitals_is_one_of_its_paragraph() -> None:
    sheet = Sheet()
    y = prose(sheet)
    sheet.line(LEFT, y, "Boats of this kind have been known for a long time to")
    pieces = [("M", "ILES & "), ("G", "RIGSON 1990, "), ("D", "REHMER & "), ("F", "ERIGOLO 1996, "), ("S", "ZUMA, ")]
    small = [piece for large, rest in pieces for piece in ((large, 10, 0, "Times-Roman"), (rest, 7, 0, "Times-Roman"))]
    sheet.pieces(LEFT, y + LEADING, small)
    sheet.lines(LEFT, y + 2 * LEADING, ["and others, who drew them up on the beach each year."])
    assert "MILES & GRIGSON 1990" in text_of(sheet)


def test_a_line_that_its_formulas_make_larger_and_move_is_one_of_its_paragraph() -> None:
    sheet = Sheet()
    y = prose(sheet)
    sheet.line(LEFT, y, "With the bounds that we have set above for the search,")
    sheet.line(LEFT, y + 16, "all of these loads are known to us and need", 12)
    sheet.line(LEFT, y + 32, "no care. The ferry sails at noon of each day then.")
    sheet.lines(LEFT, y + 44, FERRY)
    assert "for the search, all of these loads are known to us and need no care." in text_of(sheet)
