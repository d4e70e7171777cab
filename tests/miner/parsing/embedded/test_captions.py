"""Captions of figures and tables are left out; sentences that begin with one's number are not."""

from __future__ import annotations

import pytest

from miner.parsing.embedded import parse_pdf
from tests.miner.parsing.pdf_factory import BOATS, FERRY, LEADING, LEFT, RIGHT, Sheet, prose


def text_with_a_line_below_a_space(line: str) -> str:
    """The prose of a sheet on which this line and more stand as a block of their own in the body's type."""
    sheet = Sheet()
    y = prose(sheet) + 2 * LEADING
    sheet.lines(LEFT, y, [line, "and the other boats of the harbour of this large island."])
    sheet.lines(RIGHT, 100, BOATS)
    paper = parse_pdf(sheet.bytes())
    return " ".join(paragraph.text for section in paper.sections for paragraph in section.paragraphs)


@pytest.mark.parametrize(
    "line",
    [
        "Table 11 reports the length of each ferry of the sound",
        "Figure 2 on the other hand has the height of the waves",
        "Listing the names of the boats takes a day for the crew",
        "Algorithm 3 is faster for a load of flour than the other",
        "Table 2.3 shows what the store of flour holds each month",
        "Figures 3–5 show the pier in winter and after the storms",
        "Figure 4a–c has the three boats that were painted in May",
    ],
)
def test_a_sentence_about_a_figure_or_a_table_is_prose(line: str) -> None:
    assert line in text_with_a_line_below_a_space(line)


@pytest.mark.parametrize(
    "line",
    [
        "Table 11 Length of each ferry of the sound in the winter",
        "Table 3 List of what drives the prices of flour and fuel",
        "Figure 2: on the left hand is the height of these waves",
        "FIG. 4. The pier in winter after the storms of the month",
        "Figure 2.3. The pier in winter after storms of the month",
        "S2 Fig. Structure of the pier under the load of a ferry,",
        "Table S4 (continued) The length of each ferry and of more",
    ],
)
def test_a_caption_in_the_type_of_the_body_is_left_out(line: str) -> None:
    text = text_with_a_line_below_a_space(line)
    assert line not in text
    assert FERRY[0] in text


def test_the_second_line_of_a_caption_in_bold_is_left_out() -> None:
    sheet = Sheet()
    y = prose(sheet) + 2 * LEADING
    sheet.line(LEFT, y, "Figure 2. The ferries of the sound that were painted in May", 9, "Times-Bold")
    sheet.line(LEFT, y + 13, "and of those that were not.", 9, "Times-Bold")
    sheet.lines(RIGHT, 100, BOATS)
    paper = parse_pdf(sheet.bytes())
    assert "that were not" not in " ".join(p.text for section in paper.sections for p in section.paragraphs)


def test_a_caption_below_its_number_is_left_out_where_pages_begin_with_such_numbers() -> None:
    sheet = Sheet()
    prose(sheet)
    for number, caption in enumerate(["The ferries of", "The boats near", "The harbour of"], 1):
        sheet.next_page()
        sheet.line(LEFT, 400, f"Fig. {number}.", 9, "Times-Bold")
        sheet.lines(
            LEFT, 414, [f"{caption} the island in winter. In contrast, no ferry is to be", "seen in the sound."]
        )
    paper = parse_pdf(sheet.bytes())
    text = " ".join(p.text for section in paper.sections for p in section.paragraphs)
    assert FERRY[0] in text
    assert "is to be" not in text
    assert "seen in the sound" not in text
