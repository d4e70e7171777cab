"""Which text belongs to which section, and what is skipped."""

from __future__ import annotations

import pytest

from miner.parsing.embedded import parse_pdf
from miner.records import SectionKind
from tests.miner.parsing.pdf_factory import BOATS, FERRY, LEADING, LEFT, RIGHT, Sheet, prose

ENTRIES = [f"[{n}] A. Author, B. Writer. On harbours. J. Sea {n}, 2001." for n in range(1, 9)]


def text_of(sheet: Sheet) -> str:
    sections = parse_pdf(sheet.bytes()).sections
    return " ".join(paragraph.text for section in sections for paragraph in section.paragraphs)


def titles(sheet: Sheet) -> list[str]:
    return [section.title for section in parse_pdf(sheet.bytes()).sections]


def introduction() -> tuple[Sheet, float]:
    """A sheet with a section, and the y below it."""
    sheet = Sheet()
    return sheet, prose(sheet, y=sheet.heading(LEFT, 60, "1 Introduction"))


@pytest.mark.parametrize("font", ["Times-Roman", "Times-Italic"])
def test_the_notes_of_a_table_skip_themselves_alone(font: str) -> None:
    sheet, y = introduction()
    sheet.pieces(
        LEFT, y + 12, [("Notes:", 10, 0, font), (" N = 12 ferries of the sound that all were", 10, 0, "Times-Roman")]
    )
    sheet.lines(LEFT, y + 24, ["at sea at noon of each day of the week before."])
    y = sheet.lines(LEFT, y + 60, BOATS)
    y = sheet.heading(LEFT, y, "2 Methods")
    sheet.lines(LEFT, y, FERRY)
    text = text_of(sheet)
    assert " ".join(BOATS) in text
    assert "N = 12" not in text
    assert "at noon" not in text


def test_a_note_in_the_type_of_the_body_below_a_table_is_left_out() -> None:
    sheet, y = introduction()
    for row, numbers in enumerate(("12      3.4      5.6", "17      4.1      8.2", "23      6.0      9.9")):
        sheet.line(LEFT + 10, y + 20 + 12 * row, numbers)
    sheet.lines(LEFT, y + 60, ["Note: The load of each ferry of the sound in tonnes, with", "the height of the waves."])
    sheet.lines(LEFT, y + 110, BOATS)
    text = text_of(sheet)
    assert "The load of each ferry" not in text
    assert " ".join(BOATS) in text


@pytest.mark.parametrize(
    "line",
    [
        "Corresponding weights of the boats were taken in autumn",
        "Correspondence analysis of the loads gives two axes and",
        "Correspondence between the two harbours was by letter as",
        "Copyright law has kept the maps of the sound under lock,",
        "Received wisdom has it that the ferry never sails at ten",
        "Accepted loads were 12 to 15 tonnes of flour and of fuel",
    ],
)
def test_prose_that_begins_like_an_imprint_stays(line: str) -> None:
    sheet, y = introduction()
    sheet.lines(LEFT, y + 20, [line, "the records of the harbour master show for each year."])
    assert line in text_of(sheet)


@pytest.mark.parametrize(
    "line",
    [
        "Correspondence: Ann Tide, Pier 4, Harbour Town, Norland,",
        "Correspondence should be addressed to Ann Tide, Pier 4,",
        "*Corresponding author: Ann Tide, Pier 4, Harbour Town in",
        "Copyright © 2019 by Ann Tide and Bo Strand, printed near",
        "Copyright 2019 Ann Tide and Bo Strand and the printer in",
        "Received 3 March 2019, accepted 5 May 2019, printed near",
        "Received: March 3, 2019, and accepted in May 2019, near",
    ],
)
def test_an_imprint_is_skipped(line: str) -> None:
    sheet, y = introduction()
    sheet.lines(LEFT, y + 20, [line, "the pier of the harbour of this island in the north."])
    text = text_of(sheet)
    assert line not in text
    assert "the pier of the harbour of" not in text


def test_a_notice_within_the_methods_is_one_paragraph() -> None:
    sheet, y = introduction()
    y = sheet.heading(LEFT, y, "2 Methods")
    bold, roman = "Times-Bold", "Times-Roman"
    sheet.pieces(LEFT, y, [("Ethics statement.", 10, 0, bold), (" All the crew gave their consent.", 10, 0, roman)])
    y = sheet.lines(LEFT, y + 2 * LEADING, BOATS)
    y = sheet.heading(LEFT, y, "3 Results")
    sheet.lines(LEFT, y, FERRY)
    text = text_of(sheet)
    assert "gave their consent" not in text
    assert " ".join(BOATS) in text


def test_a_notice_after_the_last_section_ends_the_text() -> None:
    sheet, y = introduction()
    bold, roman = "Times-Bold", "Times-Roman"
    sheet.pieces(LEFT, y + 12, [("Acknowledgements.", 10, 0, bold), (" We thank the crew of the ferry", 10, 0, roman)])
    sheet.lines(LEFT, y + 24, ["for their long patience."])
    sheet.lines(LEFT, y + 60, BOATS)
    sheet.lines(RIGHT, 100, ENTRIES)
    text = text_of(sheet)
    assert "We thank" not in text
    assert BOATS[0] not in text


def test_a_small_label_references_in_a_figure_does_not_end_the_paper() -> None:
    sheet, y = introduction()
    sheet.line(LEFT, y + 20, "References", 7, "Times-Bold")
    sheet.line(LEFT + 100, y + 20, "Books of 2001", 7)
    cited = [f"{line} (Tide, 19{n})." for n, line in enumerate(BOATS, 90)]
    sheet.lines(LEFT, y + 60, cited)
    sheet.lines(RIGHT, 100, FERRY * 3)
    text = text_of(sheet)
    assert all(line in text for line in cited)
    assert text.count(FERRY[0]) == 4


def test_references_in_small_type_under_a_small_heading_end_the_paper() -> None:
    sheet, y = introduction()
    sheet.line(LEFT, y + 24, "References", 8, "Times-Bold")
    sheet.lines(LEFT, y + 40, ENTRIES, 7)
    assert "On harbours" not in text_of(sheet)


@pytest.mark.parametrize(
    "title",
    [
        "Acknowledgments and Disclosure of Funding",
        "Compliance with Ethical Standards",
        "Declaration of interests",
        "Keywords: ferries, harbours",
        "Corresponding author",
    ],
)
def test_sections_without_prose_are_skipped(title: str) -> None:
    sheet, y = introduction()
    y = sheet.heading(LEFT, y, title)
    sheet.lines(LEFT, y, BOATS)
    assert titles(sheet) == ["1 Introduction"]


@pytest.mark.parametrize("title", ["Correspondence analysis", "Keyword extraction", "2 Peer review in the north"])
def test_sections_whose_title_begins_like_a_notice_are_kept(title: str) -> None:
    sheet, y = introduction()
    y = sheet.heading(LEFT, y, title)
    sheet.lines(LEFT, y, BOATS)
    assert titles(sheet) == ["1 Introduction", title]


def test_an_abstract_named_within_the_body_begins_no_abstract() -> None:
    sheet, y = introduction()
    bold, roman = "Times-Bold", "Times-Roman"
    sheet.pieces(LEFT, y + 12, [("Summary:", 10, 0, bold), (" The store holds flour and fuel.", 10, 0, roman)])
    (section,) = parse_pdf(sheet.bytes()).sections
    assert section.kind is SectionKind.BODY
    assert section.paragraphs[-1].text == "The store holds flour and fuel."


def after_references(title: str, lines: list[str]) -> list[tuple[str, SectionKind]]:
    """The sections of a paper that has this section below its references."""
    sheet, _ = introduction()
    y = sheet.heading(RIGHT, 60, "References")
    sheet.lines(RIGHT, y, ENTRIES)
    sheet.next_page()
    y = sheet.heading(LEFT, 60, title)
    sheet.lines(LEFT, y, lines)
    return [(section.title, section.kind) for section in parse_pdf(sheet.bytes()).sections[1:]]


def test_supplementary_material_below_the_references_counts_where_it_is_prose() -> None:
    assert after_references("Supplementary material", BOATS + FERRY) == [("Supplementary material", SectionKind.ANNEX)]


@pytest.mark.parametrize(
    "statement",
    [
        ["Additional tables are in a file beside this article."],
        ["All the tables of the boats are available online at the", *BOATS],
    ],
)
def test_supplementary_material_that_is_elsewhere_does_not_count(statement: list[str]) -> None:
    assert after_references("Supplementary material", statement) == []


def test_supplementary_material_before_the_references_does_not_count() -> None:
    sheet, y = introduction()
    y = sheet.heading(LEFT, y, "Supplementary material")
    sheet.lines(LEFT, y, BOATS + FERRY)
    y = sheet.heading(RIGHT, 60, "References")
    sheet.lines(RIGHT, y, ENTRIES)
    assert titles(sheet) == ["1 Introduction"]


def test_an_appendix_that_cites_much_is_none_of_the_references() -> None:
    cited = [f"{line} (Tide, 20{n})" for n, line in enumerate(FERRY + BOATS + FERRY + BOATS, 10)]
    assert after_references("B Boats in other papers", cited) == [("B Boats in other papers", SectionKind.ANNEX)]


def test_an_entry_that_goes_on_on_the_next_page_is_a_reference() -> None:
    sheet, _ = introduction()
    y = sheet.heading(RIGHT, 60, "References")
    sheet.lines(RIGHT, y, [*ENTRIES, "[9] A. Author, B. Writer. On the building of harbours and"])
    sheet.next_page()
    sheet.line(LEFT, 60, "on the tar of the boats. In the records of the sea, 2001.")
    y = sheet.heading(LEFT, 80, "A More boats")
    sheet.lines(LEFT, y, (FERRY + BOATS) * 2)
    assert "on the tar of the boats" not in text_of(sheet)
