"""Codes without a map are told by outlines of known characters."""

from __future__ import annotations

from contextlib import closing

import pypdfium2
import pypdfium2.raw as raw
import pytest

from miner.parsing.embedded.known_shapes import Outlines, agrees, shown_by_shape
from miner.parsing.embedded.outlines import read_outline

SMALL = "abcdefghijklmnopqrstuvwxyz"
OTHERS = "ABDEFGHKLMNPQRSTUVWXYZ2345679.,;?()“”’&"


def outlines_of(name: str, characters: str) -> Outlines:
    """Outlines of a standard font, by codes that tell nothing."""
    with closing(pypdfium2.PdfDocument.new()) as document:
        font = raw.FPDFText_LoadStandardFont(document.raw, name.encode())
        found = {code_of(one): outline for one in characters if (outline := read_outline(font, ord(one)))}
        raw.FPDFFont_Close(font)
    return found


def code_of(character: str) -> str:
    return chr(0xE100 + ord(character) % 256)


@pytest.mark.parametrize("name", ["Times-Roman", "Helvetica-Bold"])
def test_capitals_digits_and_signs_are_told_where_small_letters_are_known(name: str) -> None:
    outlines = outlines_of(name, SMALL + OTHERS)
    known = {code_of(letter): letter for letter in SMALL}
    found = shown_by_shape(outlines, known, [])
    assert found == {code_of(one): one for one in OTHERS}


def test_a_font_of_few_letters_is_told_by_the_same_outlines_of_another() -> None:
    other = {one: outlines_of("Times-Bold", one)[code_of(one)] for one in SMALL}
    assert shown_by_shape(outlines_of("Times-Bold", "ferry"), {}, [other]) == {code_of(one): one for one in "fery"}
    assert shown_by_shape(outlines_of("Courier", "ferry"), {}, [other]) == {}


def test_a_table_that_does_not_fit_the_shapes_is_rejected() -> None:
    outlines = outlines_of("Times-Roman", SMALL)
    shifted = dict(zip(SMALL, SMALL[3:] + SMALL[:3], strict=True))
    assert agrees(outlines, {code_of(letter): letter for letter in SMALL})
    assert not agrees(outlines, {code_of(letter): shown for letter, shown in shifted.items()})
