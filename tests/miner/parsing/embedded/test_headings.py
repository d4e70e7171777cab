"""What is a heading, where it ends, and what only looks like one."""

from __future__ import annotations

import pytest

from miner.parsing.embedded import parse_pdf
from tests.miner.parsing.pdf_factory import BOATS, FERRY, LEFT, RIGHT, STORE, Sheet, prose

BOLD, ITALIC, ROMAN = "Times-Bold", "Times-Italic", "Times-Roman"


def sections_of(sheet: Sheet) -> list[tuple[str, str]]:
    """Title and text of each section."""
    sections = parse_pdf(sheet.bytes()).sections
    return [(section.title, " ".join(paragraph.text for paragraph in section.paragraphs)) for section in sections]


def introduction() -> tuple[Sheet, float]:
    """A sheet with a section, and the y below it."""
    sheet = Sheet()
    return sheet, prose(sheet, y=sheet.heading(LEFT, 60, "1 Introduction"))


def titles(sheet: Sheet) -> list[str]:
    return [title for title, _ in sections_of(sheet)]


def test_a_heading_goes_on_in_a_line_that_begins_in_lower_case() -> None:
    sheet, y = introduction()
    sheet.lines(
        LEFT, y + 20, ["The importance of harbours for the boats and the", "challenges of their repair"], 10, BOLD
    )
    sheet.lines(LEFT, y + 50, BOATS)
    assert sections_of(sheet)[1] == (
        "The importance of harbours for the boats and the challenges of their repair",
        " ".join(BOATS),
    )


def test_a_heading_is_joined_over_a_hyphen() -> None:
    sheet, y = introduction()
    sheet.lines(LEFT, y + 20, ["2 The importance of a har-", "bour for the boats"], 12, BOLD)
    sheet.lines(LEFT, y + 60, BOATS)
    assert titles(sheet)[1] == "2 The importance of a harbour for the boats"


@pytest.mark.parametrize(("end", "title"), [("bours for boats.", "The importance of harbours for boats.")])
def test_a_run_in_heading_of_two_lines_ends_where_its_type_ends(end: str, title: str) -> None:
    sheet, y = introduction()
    sheet.line(LEFT, y + 20, "The importance of har-", 10, BOLD)
    sheet.pieces(LEFT, y + 32, [(end, 10, 0, BOLD), (" Small boats are drawn up on", 10, 0, ROMAN)])
    sheet.lines(LEFT, y + 44, ["the beach in autumn each year."])
    assert sections_of(sheet)[1] == (title, "Small boats are drawn up on the beach in autumn each year.")


def test_a_wide_space_behind_a_run_in_heading_does_not_make_a_table() -> None:
    sheet, y = introduction()
    sheet.line(LEFT, y + 20, "On boats.", 10, BOLD)
    sheet.line(LEFT + 62, y + 20, "All the boats of the harbour are drawn")
    sheet.lines(LEFT, y + 32, ["up on the beach in autumn each year and are painted", *BOATS[2:]])
    assert "All the boats of the harbour are drawn up on the beach" in sections_of(sheet)[0][1]


def test_sentences_before_and_behind_a_run_in_heading_are_no_neighbours() -> None:
    sheet, y = introduction()
    pieces = [("On boats.", 10, 0, BOLD), (" However, all the boats of the harbour are", 10, 0, ROMAN)]
    sheet.pieces(LEFT, y + 20, pieces)
    sheet.lines(LEFT, y + 32, ["drawn up on the beach in autumn each year, where they", *BOATS[3:]])
    paragraphs = [p for section in parse_pdf(sheet.bytes()).sections for p in section.paragraphs]
    assert [paragraph.after_break for paragraph in paragraphs] == [False, True]


def test_a_wide_space_behind_a_long_run_in_heading_does_not_make_a_table() -> None:
    sheet, y = introduction()
    sheet.line(LEFT, y + 20, "2.2.2 Boats of wood and of steel.", 10, BOLD)
    sheet.line(LEFT + 180, y + 20, "All boats of")
    sheet.lines(LEFT, y + 32, ["the harbour are drawn up on the beach in autumn, where", *BOATS[3:]])
    assert "All boats of the harbour are drawn up on the beach" in sections_of(sheet)[0][1]


def test_a_question_in_bold_that_begins_in_the_line_above_is_no_heading() -> None:
    sheet, y = introduction()
    sheet.pieces(LEFT, y, [("In view of this, we asked all the crews: ", 10, 0, ROMAN), ("Are the", 10, 0, BOLD)])
    sheet.line(LEFT, y + 12, "ferries of this island ever late?", 10, BOLD)
    sheet.lines(LEFT, y + 24, BOATS)
    ((_, text),) = sections_of(sheet)
    assert "we asked all the crews: Are the ferries of this island ever late? Small boats" in text


def test_a_run_in_heading_below_a_short_heading_is_none_of_it() -> None:
    sheet, y = introduction()
    sheet.line(LEFT, y + 20, "6.2 Boats", 10, BOLD)
    sheet.pieces(LEFT, y + 32, [("Repair", 10, 0, BOLD), (" Small boats are drawn up on the beach in", 10, 0, ROMAN)])
    sheet.lines(LEFT, y + 44, ["autumn each year."])
    assert titles(sheet)[1] == "6.2 Boats"


def test_a_full_line_that_is_all_bold_but_for_its_last_word_is_a_run_in_heading() -> None:
    sheet, y = introduction()
    first = [("Repair of the boats of the whole harbour, now.", 10, 0, BOLD), (" An", 10, 0, ROMAN)]
    sheet.pieces(LEFT, y + 20, first)
    sheet.lines(LEFT, y + 32, ["old boat is drawn up on the beach in autumn each year,"])
    title, text = sections_of(sheet)[0]
    assert title == "1 Introduction"
    assert text.endswith("An old boat is drawn up on the beach in autumn each year,")


def test_two_headings_below_one_another_are_two() -> None:
    sheet, y = introduction()
    sheet.lines(LEFT, y + 20, ["2. Methods", "2.1. Boats of wood"], 10, BOLD)
    y = sheet.lines(LEFT, y + 50, BOATS)
    sheet.lines(LEFT, y + 20, ["RESULTS AND DISCUSSION", "Boats of steel"], 10, BOLD)
    sheet.lines(LEFT, y + 50, STORE)
    assert titles(sheet)[1:] == ["2.1. Boats of wood", "Boats of steel"]


def test_a_number_in_plain_type_before_words_in_italics_is_of_the_heading() -> None:
    sheet, y = introduction()
    sheet.pieces(LEFT, y + 12, [("2.1.1. ", 10, 0, ROMAN), ("Boats of the harbour", 10, 0, ITALIC)])
    sheet.lines(LEFT, y + 24, BOATS)
    assert titles(sheet)[1] == "2.1.1. Boats of the harbour"


def test_a_heading_in_smaller_type_than_the_body_is_one() -> None:
    sheet, y = introduction()
    sheet.line(LEFT, y + 10, "Boats of the harbour", 8.5, BOLD)
    y = sheet.lines(LEFT, y + 28, BOATS)
    sheet.line(LEFT, y + 10, "Competing interests", 8.5, BOLD)
    sheet.lines(LEFT, y + 28, FERRY)
    assert titles(sheet) == ["1 Introduction", "Boats of the harbour"]


@pytest.mark.parametrize(
    ("x", "text", "font"),
    [
        (LEFT, "Boats of the harbour", ROMAN),
        (LEFT, "Boats of the harbour in the month of May.", BOLD),
        (LEFT + 90, "Boats of the harbour", BOLD),
    ],
)
def test_other_lines_in_small_type_between_paragraphs_are_no_headings(x: float, text: str, font: str) -> None:
    sheet, y = introduction()
    sheet.line(x, y + 10, text, 8.5, font)
    sheet.lines(LEFT, y + 28, BOATS)
    assert titles(sheet) == ["1 Introduction"]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (
            "2. Otherwise with the same wind the ferry",
            "adopts the course that its crew has known for years.",
        ),
        (
            "1. Number of letters sent and of answers",
            "received, and of the calls made to people in the town.",
        ),
    ],
)
def test_an_item_of_a_list_is_no_heading(first: str, second: str) -> None:
    sheet, y = introduction()
    y = sheet.lines(LEFT, y + 20, [first, second])
    sheet.lines(LEFT, y + 20, BOATS)
    ((title, text),) = sections_of(sheet)
    assert title == "1 Introduction"
    assert f"{first} {second}" in text


@pytest.mark.parametrize(
    "line",
    [
        "9: Return the list",
        "3. We count the boats again",
        "4. For these boats the rule is:",
        "8 Return wood",
        "Xi) mod the Load",
        "See https://example.org/boats",
    ],
)
def test_lines_of_algorithms_formulas_and_lists_are_no_headings(line: str) -> None:
    sheet, y = introduction()
    sheet.line(LEFT, y + 20, line)
    sheet.lines(LEFT, y + 44, BOATS)
    assert titles(sheet) == ["1 Introduction"]


def test_a_bold_word_in_a_figure_amid_a_sentence_is_no_heading() -> None:
    sheet, y = introduction()
    sheet.lines(LEFT, y, BOATS[:2])
    sheet.line(RIGHT, 90, "Total", 10, BOLD)
    sheet.lines(RIGHT, 140, BOATS[2:])
    sheet.lines(RIGHT, 200, FERRY)
    ((_, text),) = sections_of(sheet)
    assert " ".join(BOATS) in text


def test_a_numbered_subsection_is_a_heading_also_after_a_sentence_that_is_cut_off() -> None:
    sheet, y = introduction()
    sheet.lines(LEFT, y, BOATS[:2])
    sheet.line(LEFT, y + 48, "2.1 Boats of steel", 10, BOLD)
    sheet.lines(LEFT, y + 64, ["p-values of these boats are small for the whole month."])
    assert titles(sheet)[1] == "2.1 Boats of steel"


def test_a_head_of_a_table_is_no_heading() -> None:
    sheet, y = introduction()
    for row in range(3):
        sheet.line(LEFT + 10, y + 20 + 24 * row, "12      3.4      5.6")
        if row < 2:
            sheet.line(LEFT, y + 32 + 24 * row, "Load of the boats", 10, BOLD)
    sheet.lines(LEFT, y + 120, BOATS)
    assert titles(sheet) == ["1 Introduction"]


def test_heads_of_a_table_beside_one_another_are_no_headings() -> None:
    sheet, y = introduction()
    sheet.line(LEFT, y + 20, "12      3.4      5.6")
    for column, words in enumerate((["Load of the boats", "(in tonnes)"], ["Length of the boats", "(in metres)"])):
        sheet.lines(LEFT + 110 * column, y + 32, words, 10, BOLD)
    sheet.line(LEFT, y + 56, "17      4.1      8.2")
    sheet.lines(LEFT, y + 120, BOATS)
    assert titles(sheet) == ["1 Introduction"]


def test_a_line_of_a_statement_in_italics_is_no_heading() -> None:
    sheet, y = introduction()
    statement = [
        "the ferry stays at the pier if the wind is as in",
        "Section 5.1 and the crew has a rest on that day and on",
    ]
    sheet.pieces(LEFT, y + 20, [("It shows that ", 10, 0, ROMAN), (statement[0], 10, 0, ITALIC)])
    sheet.line(LEFT, y + 32, statement[1], 10, ITALIC)
    sheet.line(LEFT, y + 44, "the next one, as Tide has said for years.")
    sheet.lines(LEFT, y + 60, BOATS)
    ((_, text),) = sections_of(sheet)
    assert " ".join(statement) in text


def test_a_paragraph_that_ends_a_page_after_an_abbreviation_goes_on() -> None:
    sheet = Sheet()
    y = prose(sheet)
    sheet.lines(LEFT, y, ["The boats of wood are tarred in spring as said by Tide et al."])
    sheet.lines(RIGHT, 100, ["(2019), who drew them up on the beach each year.", *BOATS])
    paragraphs = [p.text for section in parse_pdf(sheet.bytes()).sections for p in section.paragraphs]
    assert any("Tide et al. (2019), who drew" in text for text in paragraphs)


@pytest.mark.parametrize("word", ["at noon.", "in all."])
def test_a_paragraph_that_ends_a_column_ends(word: str) -> None:
    sheet = Sheet()
    y = prose(sheet)
    sheet.lines(LEFT, y, [f"The boats of wood of the harbour are tarred {word}"])
    sheet.lines(RIGHT, 100, FERRY + BOATS)
    paragraphs = [p.text for section in parse_pdf(sheet.bytes()).sections for p in section.paragraphs]
    assert paragraphs[0].endswith(word)


@pytest.mark.parametrize("gap", [" ", "   "])
def test_the_label_in_bold_of_a_list_item_is_no_part_of_its_sentence(gap: str) -> None:
    sheet, y = introduction()
    for number, label in enumerate(("Oars and sails", "Nets for the winter")):
        pieces = [("•" + gap, 10, 0, ROMAN), (f"{label}:", 10, 0, BOLD), (" They are kept dry.", 10, 0, ROMAN)]
        sheet.pieces(LEFT, y + 20 + 12 * number, pieces)
    assert [p.text for p in parse_pdf(sheet.bytes()).sections[0].paragraphs][-2:] == ["They are kept dry."] * 2


def test_a_page_that_ends_with_an_initial_goes_on_in_lower_case() -> None:
    sheet = Sheet()
    y = prose(sheet)
    sheet.lines(LEFT, y, ["The frogs of the island are nearly as large as those of L."])
    sheet.lines(RIGHT, 100, ["arathooni, which live in the streams of the other shore.", *BOATS])
    paragraphs = [p.text for section in parse_pdf(sheet.bytes()).sections for p in section.paragraphs]
    assert any("those of L. arathooni, which live" in text for text in paragraphs)


def test_a_list_with_hollow_bullets_ends_where_the_margin_does() -> None:
    sheet = Sheet()
    y = prose(sheet)
    y = sheet.lines(LEFT, y + 12, ["The boats of the harbour and of the sound are of two kinds:"])
    y = sheet.lines(
        LEFT + 18, y + 6, ["o Boats of wood that are tarred each year in spring;", "o Boats of steel, all rusty;"]
    )
    sheet.lines(LEFT, y + 24, ["Moreover, there are rafts. Therefore, the crew counts", *BOATS])
    paragraphs = [p.text for section in parse_pdf(sheet.bytes()).sections for p in section.paragraphs]
    assert "Boats of wood that are tarred each year in spring; o Boats of steel, all rusty;" in paragraphs
    assert any(text.startswith("Moreover, there are rafts.") for text in paragraphs)
