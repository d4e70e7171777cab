"""Reads what a PDF's font dictionaries say of codes whose characters PDFium does not know: the names of glyphs."""

from __future__ import annotations

import io
import logging
import re
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any

from miner.parsing.embedded.glyph_names import glyph_text
from miner.parsing.embedded.known_shapes import GlyphOutlines
from miner.parsing.embedded.lines import TextRun
from miner.parsing.embedded.symbol_fonts import without_spaces

SUBSET = re.compile(r"^/?[A-Z]{6}\+")
_MAX_CODE = 255
_MAX_DEPTH = 50  # of a tree of pages


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
        """What the codes of a font on a page show, as far as the names of their glyphs tell; for `str.translate`.

        `font`: its name without the prefix of a subset. What subsets of one font on a page say differently is left out.
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
    """Leave what is done with pypdf where a PDF is damaged; what PDFium can read of it is fit for us."""
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
    """The object that a reference stands for; an empty dictionary for none."""
    value = value.get_object() if hasattr(value, "get_object") else value
    return {} if value is None else value
