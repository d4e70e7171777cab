"""No line of a paragraph vanishes without a trace."""

from __future__ import annotations

from miner.parsing.embedded import parse_pdf
from tests.miner.parsing.pdf_factory import FERRY, LEADING, LEFT, RIGHT, STORE, Sheet, prose


def whole(sheet: Sheet) -> str:
    return " ".join(p.text for section in parse_pdf(sheet.bytes()).sections for p in section.paragraphs)


def test_a_line_that_cannot_be_read_leaves_a_mark() -> None:
    sheet = Sheet()
    y = prose(sheet)
    sheet.line(LEFT, y, "The load of the ferry on its way to the island is then")
    sheet.line(LEFT, y + LEADING, "xyz abc def ghi", 6)
    sheet.lines(LEFT, y + 2 * LEADING, ["which is known to the master of the harbour only.", *FERRY])
    assert "is then [formula] which is known to the master" in whole(sheet)


def test_small_type_after_a_sentence_leaves_no_mark() -> None:
    sheet = Sheet()
    y = prose(sheet)
    sheet.line(LEFT, y, "The load of the ferry is known.")
    sheet.line(LEFT, y + 40, "xyz abc def ghi", 6)
    sheet.lines(LEFT, y + 80, FERRY)
    assert "[formula]" not in whole(sheet)


def test_a_float_within_a_sentence_leaves_no_mark() -> None:
    sheet = Sheet()
    y = prose(sheet)
    sheet.line(LEFT, y, "The load of the ferry on its way to the island is then")
    y = sheet.lines(LEFT, y + 30, ["12.5   13.5   14.5", "22.5   23.5   24.5", "32.5   33.5   34.5"], 8)
    sheet.lines(LEFT, y + 20, ["known to the master of the harbour and to nobody else.", *FERRY])
    assert "is then known to the master of the harbour" in whole(sheet)


def test_a_line_of_figures_within_a_paragraph_is_prose() -> None:
    sheet = Sheet()
    y = prose(sheet)
    sheet.lines(
        LEFT,
        y,
        [
            "The larger boats carried more than the smaller ones as",
            "of 1901 (12.5 t, 13.7 t, 14.8 t, 15.9 t, 16.1 t) and 1902",
            "(17.2 t), which is what the harbour master says of them.",
            *STORE,
        ],
    )
    assert "as of 1901 (12.5 t, 13.7 t, 14.8 t, 15.9 t, 16.1 t) and 1902 (17.2 t), which" in whole(sheet)


def test_a_displayed_formula_with_words_breaks_the_paragraph() -> None:
    sheet = Sheet()
    y = prose(sheet)
    y = sheet.lines(LEFT, y, [*FERRY, "The load is at least as large as the following value:"])
    sheet.line(LEFT + 60, y + LEADING, "load > min(cargo, mail)")
    sheet.lines(LEFT, y + 3 * LEADING, ["Nobody on the island has ever seen a load of that size.", *STORE])
    text = whole(sheet)
    assert "cargo" not in text
    assert "following value: Nobody on the island" in text


def test_the_last_words_before_a_displayed_formula_stay() -> None:
    sheet = Sheet()
    y = prose(sheet)
    y = sheet.lines(LEFT, y, [*FERRY])
    y = sheet.lines(LEFT + 14, y, ["1) The load of the ferry, which all of the masters", "carry, is thus:"])
    sheet.line(LEFT + 90, y + LEADING, "x = y + z > 3")
    sheet.line(LEFT, y + 3 * LEADING, "We call the load at a time")
    sheet.line(LEFT + 90, y + 5 * LEADING, "x = y + z > 3")
    sheet.lines(LEFT, y + 7 * LEADING, STORE)
    text = whole(sheet)
    assert "which all of the masters carry, is thus:" in text
    assert "We call the load at a time" in text


def test_items_of_a_list_stay_whatever_their_label_and_their_last_words() -> None:
    sheet = Sheet()
    y = prose(sheet)
    sheet.line(LEFT, y, "To sum up:")
    sheet.line(LEFT, y + LEADING, "(i)")
    sheet.line(LEFT + 30, y + LEADING, "the boats are drawn up on the beach in autumn")
    sheet.line(LEFT + 30, y + 2 * LEADING, "and are painted there.")
    sheet.line(LEFT, y + 3 * LEADING, "•")
    sheet.line(LEFT + 15, y + 3 * LEADING, "the larger ones stay at the quay (with a share of")
    sheet.line(LEFT + 15, y + 4 * LEADING, "1/10).")
    sheet.lines(LEFT, y + 5 * LEADING, STORE)
    text = whole(sheet)
    assert "the boats are drawn up on the beach in autumn and are painted there." in text
    assert "stay at the quay (with a share of 1/10)." in text


def test_the_last_figure_of_a_sentence_is_prose() -> None:
    sheet = Sheet()
    y = prose(sheet)
    sheet.lines(LEFT, y, [*FERRY[:3], "However, it carries a load of flour and of fuel of up to", "67.65%"])
    assert whole(sheet).endswith("of up to 67.65%")


def test_two_lines_below_a_heading_and_a_wide_abstract_are_prose() -> None:
    sheet = Sheet()
    wide = " ".join(FERRY[:2])
    y = sheet.heading(LEFT, 60, "Abstract")
    y = sheet.heading(LEFT, sheet.lines(LEFT, y, [wide] * 5), "1 Introduction")
    sheet.lines(
        LEFT, y, ["Storms of that strength are common here in win-", "ter as the records of the harbour master do show"]
    )
    y = sheet.lines(RIGHT, y, ["for each year of this century.", *FERRY])
    sheet.lines(RIGHT, y, STORE)
    assert "in winter as the records of the harbour master do show for each year" in whole(sheet)


def test_a_list_in_a_column_below_a_wide_abstract_goes_on_in_its_sentence() -> None:
    sheet = Sheet()
    wide = " ".join(FERRY[:2])
    y = sheet.heading(LEFT, 60, "Abstract")
    y = sheet.heading(LEFT, sheet.lines(LEFT, y, [wide] * 5), "1 Introduction")
    below = sheet.lines(LEFT, y, [*FERRY, "Three kinds of boats stay in the harbour over winter:"])
    sheet.lines(LEFT, below, ["ferries, rafts, and those that are drawn on the beach."])
    sheet.lines(RIGHT, y, [*STORE, *STORE])
    assert "in the harbour over winter: ferries, rafts, and those" in whole(sheet)
