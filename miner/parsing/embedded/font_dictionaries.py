"""Reads what a PDF's font dictionaries say of codes whose characters PDFium does not know: the names of glyphs.

Adobe's names PDFium knows. It does not know those of ligatures with an underscore (`f_t`), of Adv fonts (`C20`: the
code in TeX's or in Adobe's symbols), of Mathematical Pi (`H9262`), and those of TeX; then it gives the code itself.
"""

from __future__ import annotations

import io
import logging
import re
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any

from miner.parsing.embedded.characters import ligature_code
from miner.parsing.embedded.known_shapes import GlyphOutlines
from miner.parsing.embedded.lines import TextRun
from miner.parsing.embedded.symbol_fonts import ADOBE_SYMBOLS, TEX_SYMBOLS, without_spaces
from miner.parsing.words import LIGATURES

SUBSET = re.compile(r"^/?[A-Z]{6}\+")
_MAX_CODE = 255
_MAX_DEPTH = 50  # of a tree of pages

# Names of Linotype's Mathematical Pi: each is in public tables that were read off printed glyphs, two or more for most.
_PI_NUMBERS = (
    *(9004, 9018, 9021, 9024, 11001, 11002, 11003, 11005, 11006, 11011, 11013, 11015, 11021, 11022, 11032, 11034),
    *(11349, 11350, 20849, 20850, 20851, 20852, 20853, 20854),
    *(9278, 9280, 11009),
    *range(9251, 9276),
)
_PI_SIGNS = "ΔΣΦΩ+−×=±∼≡≈<>′°≤≥()[]{}ϕϵ∞αβγδεζηθικλμνξοπρσςτυφχψω"
_PI: dict[str, str] = {f"H{number}": sign for number, sign in zip(_PI_NUMBERS, _PI_SIGNS, strict=True)}
_TEX_NAMES: dict[str, str] = {
    "prime": "′",
    "bardbl": "‖",
    "negationslash": "̸",
    "epsilon1": "ε",
    "Delta1": "Δ",
    "mu1": "μ",
    "lscript": "ℓ",
    "similarequal": "≃",
    "lessmuch": "≪",
    "greatermuch": "≫",
    "lessequal1": "≤",
    "greaterequal1": "≥",
    "star": "∗",
    "openbullet": "∘",
}
_CODE_NAME = re.compile(r"C(\d{1,3})")
_LIGATURE_NAME = re.compile(r"[A-Za-z](?:_[a-z]){1,2}")
_ADOBE_SYMBOL_FONT = re.compile(r"AdvPSSym|^Symbol(?!Proportional)|Symbol(?:MT|Std)?(?:[,-]|$)")
_TEX_SYMBOL_FONT = re.compile(r"AdvP4C4E74|AdvMathSymb|cmsy", re.I)


class FontDictionaries:
    """The font dictionaries of one PDF, read only when a font is asked for."""

    def __init__(self, pdf: bytes) -> None:
        self._pdf = pdf
        self._reader: Any = None
        self._tables: dict[tuple[int, str], dict[int, str]] = {}
        self.signs: dict[tuple[str, str], str] = {}
        """What `shown_signs` knows of the document's fonts."""
        self.unmapped: dict[str, list[str]] = {}
        """What PDFium reads in fonts whose characters it does not know, by the font's name."""

        self.outlines: GlyphOutlines | None = None
        """Is given those of the document's characters, if set."""

    def note_unmapped(self, text: str, runs: Sequence[TextRun], has_error: Callable[[int], int]) -> None:
        """Add the text of the runs whose first characters PDFium does not know to `unmapped`."""
        for run in runs:
            if has_error(run.start) == 1:
                self.unmapped.setdefault(run.font, []).append(text[run.start : run.end])

    def table(self, page: int, font: str) -> dict[int, str]:
        """The text of a font's codes on a page, where the names of glyphs tell it; for `str.translate`.

        `font`: its name without the prefix of a subset. Codes on which subsets of the same font on a page disagree are
        left out.
        """
        if (page, font) not in self._tables:
            self._tables[page, font] = self._read(page, font)
        return self._tables[page, font]

    def _read(self, page: int, font: str) -> dict[int, str]:
        import pypdf  # read by few papers, and takes a while to load

        with reading():
            if self._reader is None:
                self._reader = pypdf.PdfReader(io.BytesIO(self._pdf))
            return _table(_resources(self._reader.root_object["/Pages"], page - 1), font)
        return {}


@contextmanager
def reading() -> Iterator[None]:
    """Ignore the errors that pypdf raises for a damaged PDF, of which PDFium can read enough."""
    from pypdf.errors import PyPdfError

    logging.getLogger("pypdf").setLevel(logging.CRITICAL)
    damage = (PyPdfError, ValueError, KeyError, TypeError, AttributeError, IndexError, AssertionError)
    with suppress(*damage, RecursionError, OverflowError, NotImplementedError, OSError, zlib.error):
        yield


def _resources(pages: Any, index: int) -> Any:
    """The resources of the page with this index, without reading the pages before it, as pypdf would."""
    node, inherited = resolved(pages), None
    for _ in range(_MAX_DEPTH):
        inherited = node.get("/Resources", inherited)
        if "/Kids" not in node:
            return resolved(inherited)
        kids = list(resolved(node["/Kids"]))
        if resolved(node.get("/Count")) == len(kids):  # pages all, as no part of the tree is without any
            node, index = resolved(kids[index]), 0
            continue
        for kid in map(resolved, kids):
            count = int(resolved(kid["/Count"])) if "/Kids" in kid else 1
            if index < count:
                node = kid
                break
            index -= count
        else:
            break
    return {}


def _table(resources: Any, name: str) -> dict[int, str]:
    """What the codes of the font in a page's resources show."""
    fonts = resolved(resources.get("/Font"))
    found: dict[int, str] = {}
    unclear = set[int]()
    for font in map(resolved, list(fonts.values())):
        if SUBSET.sub("", str(font.get("/BaseFont", ""))).lstrip("/") == name:
            for code, text in _differences(font, name).items():
                if found.setdefault(code, text) != text:
                    unclear.add(code)
    return without_spaces({code: text for code, text in found.items() if code not in unclear})


def _differences(font: Any, name: str) -> dict[int, str]:
    encoding = resolved(font.get("/Encoding"))
    if isinstance(encoding, str):  # a standard one
        return {}
    differences = resolved(encoding.get("/Differences"))
    table, code, names = {}, 0, set[str]()
    for item in map(resolved, list(differences)):
        if isinstance(item, str):
            names.add(item.lstrip("/"))
            if text := glyph_text(item, name):
                table[code] = text
            code += 1
        else:
            code = int(item)
    # A printable code is the character of a glyph that PDFium does know as well.
    return {code: text for code, text in table.items() if code <= _MAX_CODE and chr(code) not in names}


def resolved(value: Any) -> Any:
    """The object that a PDF reference points to; an empty dictionary for null."""
    value = value.get_object() if hasattr(value, "get_object") else value
    return {} if value is None else value


def glyph_text(name: str, font: str) -> str:
    """The text of the glyph with this name in a font; "" if it is not known.

    >>> glyph_text("C20", "AdvP4C4E74"), glyph_text("C176", "AdvPSSym"), glyph_text("H9262", "MathematicalPi-One")
    ('≤', '°', 'μ')
    """
    name = name.removeprefix("/").split(".", 1)[0]
    if found := _CODE_NAME.fullmatch(name):
        if _ADOBE_SYMBOL_FONT.search(font):
            return ADOBE_SYMBOLS.get(int(found[1]), "")
        return TEX_SYMBOLS.get(int(found[1]), "") if _TEX_SYMBOL_FONT.search(font) else ""
    if _LIGATURE_NAME.fullmatch(name):
        letters = name.replace("_", "")
        return chr(ligature_code(letters)) if letters in LIGATURES else ""
    return _PI.get(name) or _TEX_NAMES.get(name, "")
