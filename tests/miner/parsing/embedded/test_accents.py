"""Accents printed as characters of their own come to their letters."""

from __future__ import annotations

import pytest
from reportlab.pdfbase.pdfmetrics import stringWidth

from miner.parsing.embedded import parse_pdf
from miner.parsing.embedded.broken_lines import join_broken_lines
from miner.parsing.embedded.lines import TextLine
from miner.records import Paper
from tests.miner.parsing.pdf_factory import FERRY, LEADING, LEFT, Sheet, prose

ROMAN = "Times-Roman"


def width(text: str) -> float:
    return float(stringWidth(text, ROMAN, 10))


def whole(sheet: Sheet) -> str:
    return text_of(parse_pdf(sheet.bytes()))


def text_of(paper: Paper) -> str:
    return " ".join(p.text for section in paper.sections for p in section.paragraphs)


def accented(sheet: Sheet, y: float, before: str, accent: str, rest: str, *, order: str) -> None:
    """A line with an accent above the first letter of `rest`, drawn "first", "second" or after the line ("last")."""
    x = LEFT + width(before)
    over = x + (width(rest[0]) - width(accent)) / 2
    if order == "first":
        sheet.line(LEFT, y, before)
        sheet.line(over, y, accent)
        sheet.line(x, y, rest)
    elif order == "second":
        sheet.line(LEFT, y, before + rest[0])
        sheet.line(over, y, accent)
        sheet.line(x + width(rest[0]), y, rest[1:])
    else:
        sheet.line(LEFT, y, before + rest)
        sheet.line(over, y, accent)


@pytest.mark.parametrize("order", ["first", "second", "last"])
@pytest.mark.parametrize(
    ("before", "accent", "rest", "composed"),
    [
        ("The ferries of Sch", "¨", "utt are as old as the harbour", "The ferries of Schütt are as old as the harbour"),
        ("Nobody but Mrs Ren", "´", "e knows how many there are", "Nobody but Mrs René knows how many there are"),
        ("Most of them (of Kr", "´", "o, that is) are made of oak", "Most of them (of Kró, that is) are made of oak"),
    ],
)
def test_accents_come_to_their_letters(order: str, before: str, accent: str, rest: str, composed: str) -> None:
    sheet = Sheet()
    y = prose(sheet)
    accented(sheet, y, before, accent, rest, order=order)
    sheet.lines(LEFT, y + LEADING, FERRY)
    paper = parse_pdf(sheet.bytes())
    assert f"{composed} The ferry" in text_of(paper)
    assert (paper.repaired_characters, paper.repaired_fonts) == (1, 1)


def test_a_letter_without_an_accented_form_of_its_own_takes_the_accent() -> None:
    sheet = Sheet()
    y = prose(sheet)
    accented(sheet, y, "The mean load of the ferries is", "ˆ", "z of all the boats", order="first")
    accented(sheet, y + LEADING, "and the mean load of a boat is given as ", "¯", "x in all of these", order="second")
    sheet.lines(LEFT, y + 2 * LEADING, FERRY)
    text = whole(sheet)
    assert "isẑ of all the boats" in text
    assert "given as x\u0304 in all of these" in text


def test_a_line_may_start_with_an_accented_letter() -> None:
    sheet = Sheet()
    y = prose(sheet)
    sheet.line(LEFT, y, "The mean load of all the ferries of the island was called")
    accented(sheet, y + LEADING, "", "¯", "x in the books of the harbour, and it was known", order="first")
    accented(sheet, y + 2 * LEADING, "", "¨", "Ubrig bleiben, it says in one of them, those which", order="first")
    sheet.lines(LEFT, y + 3 * LEADING, FERRY)
    text = whole(sheet)
    assert "was called x in the books of the harbour, and it was known Übrig bleiben, it says" in text


def test_an_accent_at_the_end_of_a_line_leaves_its_hyphen_alone() -> None:
    sheet = Sheet()
    y = prose(sheet)
    accented(sheet, y, "The ferries of Sch", "¨", "utt are as old as the har-", order="last")
    sheet.lines(LEFT, y + LEADING, ["bour, which is older than the church of the island.", *FERRY])
    assert "Schütt are as old as the harbour, which is older" in whole(sheet)


def test_signs_beside_letters_are_no_accents() -> None:
    sheet = Sheet()
    y = prose(sheet)
    sheet.lines(
        LEFT, y, ["They don´t call the file `ferries` but x^2 or ~x in all of", "the books of the harbour.", *FERRY]
    )
    assert "don´t call the file `ferries` but x^2 or ~x in all of" in whole(sheet)


def raised(sheet: Sheet, y: float, before: str, mark: str, after: str) -> None:
    sheet.pieces(LEFT, y, [(before, 10, 0, ROMAN), (mark, 6, 4, ROMAN), (after, 10, 0, ROMAN)])


@pytest.mark.parametrize(
    ("before", "mark", "after", "text"),
    [
        ("The share of wind in this is R", "2", " = 0.9 for the whole", "is R2 = 0.9 for the whole"),
        ("The share of wind in this is IC", "2", " as all of us know it", "is IC2 as all of us know it"),
        ("The share of wind is tau", "2", " = 0.9 for the whole year", "is tau2 = 0.9 for the whole year"),
        ("The charge of it was said to be Cl", "-", " in all of the cases", "to be Cl- in all of the cases"),
        ("The speed is given by them in mol", "-1", " for all the cases", "in mol-1 for all the cases"),
        ("This was said by the master of the UNHCR", "2", " and others", "the UNHCR and others"),
        ("This was said by the master of the pier", "12-14", " and others", "of the pier and others"),
        ("The waves of the year have some 10", "26", " J of it in all", "some 10^26 J of it in all"),
        ("The waves of the year have some 3 x 10", "-5", " J of it in all", "some 3 x 10^-5 J of it in all"),
        ("This was said by the master in May 2013", "6", " and by others", "in May 2013 and by others"),
        ("This was said by the master of the pier", "(12-14)", " and others", "of the pier and others"),
        ("This is in the rule 15/2002", "(7)", " of the master and others", "rule 15/2002 of the master"),
        ("The slope of it is given by f", "(2)", " and by others", "is given by f(2) and by"),
        ("The pump that was built in is QUAY1", "21", " of the year", "in is QUAY1 of the year"),
        ("The master of the pier has said this.", "2", " Others have not", "has said this. Others have not"),
    ],
)
def test_exponents_stay_and_note_numbers_go(before: str, mark: str, after: str, text: str) -> None:
    sheet = Sheet()
    y = prose(sheet)
    raised(sheet, y, before, mark, after)
    sheet.lines(LEFT, y + LEADING, FERRY)
    assert text in whole(sheet)


def test_an_exponent_at_which_the_line_breaks_stays_and_a_note_goes() -> None:
    def piece(text: str, x0: float, x1: float, note: str) -> TextLine:
        return TextLine(1, text, x0, 90, x1, 100, 10, 98, True, False, 0, 0, 0, "", False, 0, note)

    def joined(text: str, note: str, rest: str) -> list[str]:
        return [line.text for line in join_broken_lines([piece(text, 50, 90, ""), piece(rest, 91, 140, note)])]

    assert joined("The share is I", "2", "statistic") == ["The share is I2statistic"]
    assert joined("It is known.", "2", "However,") == ["It is known. However,"]
    assert joined("", "2", "However,") == ["However,"]
