"""What the codes of fonts of symbols show, where the font's name says it: TeX's, Adobe's Symbol, Wingdings, mathabx."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

TEX_SYMBOLS: dict[int, str] = dict(
    zip(
        range(32),
        "−·×∗÷⋄±∓⊕⊖⊗⊘⊙○∘•≍≡⊆⊇≤≥≼≽∼≈⊂⊃≪≫≺≻",
        strict=True,
    )
) | {33: "→", 48: "′", 49: "∞", 50: "∈", 54: "̸", 104: "⟨", 105: "⟩", 107: "‖", 112: "√", 114: "∇"}
"""Of the font cmsy, by code."""
_TEX_LARGE: dict[int, str] = (
    dict(
        zip(
            range(28),
            "()[]⌊⌋⌈⌉{}⟨⟩|‖/\\()()[]⌊⌋⌈⌉{}",
            strict=True,
        )
    )
    | dict(zip(map(ord, "PQRSTUVWXYZ[\\]^_`"), "∑∏∫⋃⋂⊎∧∨∑∏∫⋃⋂⊎∧∨∐", strict=True))
    | dict(zip(map(ord, "pqrs"), "√√√√", strict=True))
)
"""Of the font cmex, by code: brackets of several sizes, sums and the like."""

ADOBE_SYMBOLS: dict[int, str] = dict(
    zip(
        [*range(0x22, 0x7F), *range(0xA1, 0xF0), *range(0xF1, 0xFF)],
        "∀#∃%&∋()∗+,−./0123456789:;<=>?≅ΑΒΧ∆ΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ[∴]⊥_‾αβχδεφγηιϕκλµνοπθρστυϖωξψζ{|}∼"
        "ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…⏐⎯↵ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓◊〈®©™∑\0\0\0\0\0\0\0\0\0\0"
        "〉∫\0\0\0\0\0\0\0\0\0\0\0\0",
        strict=True,
    )
)
"""Adobe's encoding of the font Symbol; pieces of brackets are 0, which no text has."""

_MATHABX = re.compile(r"math([ax])\d+$")
_MATHABX_SYMBOLS: Mapping[str, dict[int, int]] = {
    "a": str.maketrans(
        "pqrstu“‰ďěăąĎĂP`´˘ˆ˚¨˝8ÑÐñôBD@HYXKR^_”„«»}{|zxy‘b",
        "()[]{}=≠≤≥<>⊆⊂∈+−±×∗·∘∞→←⇒⇔∂∃∀∅∪∩⊥∉∧∨≡∼≈≃‖/|\\⟨⟩⊕⊗",
    ),
    "x": str.maketrans("řşśżÿźŤŞ", "∑∫∏∫∑∏⋃⋂"),
}
_SYMBOL = re.compile(r"^Symbol(?!Prop)|Symbol(?:MT|Std|PS)?(?:[,-]|$)|^SymbolProportionalBT")
_WINGDINGS = re.compile(r"Wingdings|Webdings|ZapfDingbats|Marlett", re.I)
_TEX_SYMBOL_FONT = re.compile(r"cmsy\d|LMMathSymbols", re.I)
_TEX_LARGE_FONT = re.compile(r"cmex\d|LMMathExtension", re.I)
_MINION_MATH = re.compile(r"^MinionMath")
_OF_PDFIUM = frozenset((0, 9, 10, 13, 32))
_LIKE_SPACES = 0xE000
_PRIVATE = 0xF000  # where symbols without Unicode are
_TABLES: tuple[tuple[re.Pattern[str], Mapping[int, str]], ...] = (
    (_SYMBOL, {_PRIVATE + code: text for code, text in ADOBE_SYMBOLS.items()}),
    (
        _WINGDINGS,
        {_PRIVATE + code: "•" for code in range(0x21, 0x100)}
        | {_PRIVATE + code: sign for code, sign in zip((0xE0, 0xDF, 0xFC, 0xFB), "→←✓✗", strict=True)},
    ),
    # Of the printable codes those that are none of the symbols that PDFium finds by name
    (_TEX_SYMBOL_FONT, {code: text for code, text in TEX_SYMBOLS.items() if code < 32 or chr(code).isalnum()}),
    (_TEX_LARGE_FONT, _TEX_LARGE),
    (_MINION_MATH, {0xF8020: "′"}),
)


@lru_cache(maxsize=256)
def symbols(font: str) -> Mapping[int, int | str] | None:
    """What is printed for the characters of a font that is known to be wrong, as a table for `str.translate`.

    >>> "x P r0, 8q".translate(symbols("TeX-matha10"))
    '⟨ ∈ [0, ∞)'
    """
    if found := _MATHABX.search(font):
        return _MATHABX_SYMBOLS[found[1]]
    table = next((table for name, table in _TABLES if name.search(font)), None)
    return table and without_spaces(table)


@lru_cache(maxsize=256)
def needs_error(font: str) -> bool:
    """Whether letters and digits in this font are symbols only where PDFium does not know the character."""
    return any(name.search(font) for name in (_TEX_SYMBOL_FONT, _TEX_LARGE_FONT))


def without_spaces(table: Mapping[int, str]) -> dict[int, str]:
    """The table without the codes that PDFium puts into the text itself, between words and at the ends of lines.

    A glyph with such a code has a private one (`pdfium`), which is left where it is a piece of a long line.
    """
    private = {_LIKE_SPACES + code: table[code] for code in (9, 10) if code in table}
    return {code: text for code, text in table.items() if code not in _OF_PDFIUM} | private
