"""Fonts whose text is not what is printed are corrected, and other text stays."""

from __future__ import annotations

import pytest

from miner.parsing.embedded import parse_pdf
from miner.parsing.embedded.symbol_fonts import symbols
from miner.parsing.embedded.wrong_characters import learn_corrections
from tests.miner.parsing.pdf_factory import FERRY, LEADING, LEFT, Sheet, prose


def corrected(*texts: str) -> list[str]:
    corrections = learn_corrections("\n".join(texts))
    lines = list(texts)
    for correction in corrections:
        lines = [correction.apply(line) for line in lines]
    return lines


FERRIES = (
    "+e ferry crosses the sound four times every day. +us, it is",
    "never late. +is is known (+e master says so), and +ere is",
    "no doubt. +erefore, 3 + 4 boats and x +y are left, as +ese",
    "were there before. +e rest is with +ompson.",
)


@pytest.mark.parametrize("sign", ["+", ".", "!"])
def test_a_sign_that_stands_for_th_is_found_by_the_words_that_it_makes(sign: str) -> None:
    assert corrected(*(text.replace("+", sign) for text in FERRIES)) == [
        "The ferry crosses the sound four times every day. Thus, it is",
        "never late. This is known (The master says so), and There is",
        f"no doubt. Therefore, 3 {sign} 4 boats and x {sign}y are left, as These",
        "were there before. The rest is with Thompson.",
    ]


@pytest.mark.parametrize(
    "texts",
    [
        ("+e ferry is late. +us, it is", "not early."),  # too few
        ("+x and +is", "+y and +us", "+a and +z and +e", "+q and +e, +r and +e and +k"),  # too many others
        (*["(e.g. the ferry) -is- here, -e, -us -at"] * 9,),
        (*["[1] is (e) and (is) as *e* or “e” and ‘is’ and ‘us’ and ‘at’"] * 9,),
    ],
)
def test_signs_stay_where_the_evidence_is_thin(texts: tuple[str, ...]) -> None:
    assert corrected(*texts) == list(texts)


def test_spaces_after_ligatures_within_words_go() -> None:
    assert corrected(
        "Specifi cally, the fi rst of fi ve ferries was signifi cantly",
        "faster in fl at water. It is diffi cult to fi nd the eff ect that",
        "the staff members of the cut off the island had on fl ows,",
        "as Rafi and others say.",
    ) == [
        "Specifically, the first of five ferries was significantly",
        "faster in flat water. It is difficult to find the effect that",
        "the staff members of the cut off the island had on flows,",
        "as Rafi and others say.",
    ]


def test_names_that_end_in_fi_stay() -> None:
    texts = ["Rafi et al. and Grisafi and Aufi say that staff members cut off the wifi at night."] * 5
    assert corrected(*texts) == texts


def test_brackets_that_come_out_as_icelandic_letters_are_corrected() -> None:
    assert corrected(*["The load is NðtÞ ¼ nð0Þ þ mð1Þ in all."] * 3) == ["The load is N(t) = n(0) + m(1) in all."] * 3


def test_icelandic_names_stay() -> None:
    texts = ["Sigurður Þórarinsson and Þóra Guðmundsdóttir were there before Friðrik Þór."] * 9
    assert corrected(*texts) == texts


def test_symbols_of_mathabx_are_known_by_the_name_of_the_font() -> None:
    table, operators = symbols("TeX-matha10"), symbols("ABCDEF-mathx10")
    assert table
    assert operators
    assert "X Ñ Y, f P r0, 8q, a ď b".translate(table) == "∩ → ∪, f ∈ [0, ∞), a ≤ ⊗"
    assert "ř".translate(operators) == "∑"
    assert symbols("CMMI10") is None
    assert symbols("Mathematica1") is None


def test_a_papers_text_and_headings_are_corrected() -> None:
    sheet = Sheet()
    y = sheet.lines(LEFT, 100, FERRIES)
    sheet.pieces(
        LEFT, y + 8, [("+e boats.", 10, 0, "Times-Bold"), (" +ey are tarred in spring,", 10, 0, "Times-Roman")]
    )
    sheet.lines(LEFT, y + 20, ["which keeps the water out of them for all of the year."])
    paper = parse_pdf(sheet.bytes())
    paragraphs = [p.text for section in paper.sections for p in section.paragraphs]
    assert paragraphs[0].startswith("The ferry crosses the sound four times every day. Thus, it is never late.")
    assert paragraphs[-1].startswith("They are tarred in spring, which")
    assert (paper.repaired_characters, paper.repaired_fonts) == (11, 2)


def test_repaired_characters_are_counted_with_the_fonts_that_had_them_wrong() -> None:
    sheet = Sheet()
    y = prose(sheet)
    for name, text in (("Times-Italic", "NðtÞ"), ("Times-Bold", "nð0Þ"), ("Times-Italic", "mð1Þ")) * 3:
        sheet.pieces(LEFT, y, [("The load that they take is ", 10, 0, "Times-Roman"), (text, 10, 0, name)])
        y += LEADING
    paper = parse_pdf(sheet.bytes())
    assert "is N(t) The load that they take is n(0)" in " ".join(p.text for p in paper.sections[0].paragraphs)
    assert (paper.repaired_characters, paper.repaired_fonts) == (18, 2)


def test_symbols_of_a_known_font_are_counted() -> None:
    sheet = Sheet()
    y = prose(sheet)
    sheet.pieces(LEFT, y, [("All loads are ", 10, 0, "Times-Roman"), ("p0q", 10, 0, "Times-Italic")])
    sheet.lines(LEFT, y + LEADING, FERRY)
    pdf = sheet.bytes().replace(b"/Times-Italic", b"/TeXo-matha10")
    paper = parse_pdf(pdf)
    assert any("All loads are (0)" in p.text for section in paper.sections for p in section.paragraphs)
    assert (paper.repaired_characters, paper.repaired_fonts) == (2, 1)


def test_a_paper_whose_fonts_are_right_has_nothing_repaired() -> None:
    sheet = Sheet()
    prose(sheet)
    paper = parse_pdf(sheet.bytes())
    assert (paper.repaired_characters, paper.repaired_fonts) == (0, 0)
