"""Reads the text lines of a PDF's pages, with their geometry and fonts, through PDFium.

Lines are in PDFium's order. The text takes one call per page, the boxes one per character. Fonts are read only where a
word starts or the height changes, so this is nearly as fast as reading plain text.
"""

from __future__ import annotations

import ctypes
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, suppress
from itertools import repeat
from typing import Any, NamedTuple

import pypdfium2 as pdfium
import pypdfium2.raw as raw

from miner.libraries import np
from miner.parsing.embedded.accents import compose_accents
from miner.parsing.embedded.characters import code_table
from miner.parsing.embedded.font_dictionaries import FontDictionaries
from miner.parsing.embedded.hidden_text import hidden_words
from miner.parsing.embedded.lines import TextLine
from miner.parsing.embedded.metadata.embedded_statements import LICENCE_KEY
from miner.parsing.embedded.page_lines import MAX_COORDINATE, PageCoordinates, apart, decode, read_lines
from miner.parsing.embedded.pdfium_functions import (
    char_box,
    char_code,
    char_text_object,
    pointer,
)
from miner.parsing.pdf_documents import damaged_pdf

_EN_DASH = 0x2013
_TAB, _LINE_FEED, _RETURN = 9, 10, 13
_GLYPH_LIKE_TAB, _GLYPH_LIKE_FEED, _GLYPH_LIKE_RETURN = 0xE009, 0xE00A, 0xE00D
_SPACE, _UNKNOWN_GLYPH = 32, 0xE000
_MIN_DASH_WIDTH, _MAX_DASH_HEIGHT = 1.5, 0.2  # points; of the width
_IS_WHITE_SPACE = code_table([0, 9, 10, 13, 32, 160, 0xFFFE, 0xAD])


def read_document_info(document: pdfium.PdfDocument) -> dict[str, str]:
    """The values of the document information that are not empty, by key ("Title", "Author" and others)."""
    values = {}
    for key in (*document.METADATA_KEYS, LICENCE_KEY):
        with suppress(UnicodeDecodeError):  # half of a surrogate pair: the value is damaged
            values[key] = document.get_metadata_value(key)
    return {key: value for key, value in values.items() if value}


class PageText(NamedTuple):
    """A page's lines in PDFium's order, with boxes as shown, and the number of hidden words, which no line contains.

    repaired: the fonts of the characters that are not as PDFium gives them, each as often as it has one.
    """

    lines: list[TextLine]
    hidden: int
    repaired: Counter[str]


_NO_TEXT = PageText([], 0, Counter())


def read_pages(document: pdfium.PdfDocument, dictionaries: FontDictionaries | None = None) -> Iterator[PageText]:
    """The text of each page; a damaged page has no lines. `dictionaries`: of the same PDF, for the fonts of symbols."""
    dictionaries = dictionaries or FontDictionaries(b"")
    broken = 0
    for index in range(len(document)):
        try:
            page = document[index]
        except pdfium.PdfiumError:
            broken += 1
            yield _NO_TEXT
            continue
        with closing(page):
            yield _read(page, index + 1, dictionaries)
    if broken == len(document):
        raise damaged_pdf()


def _read(page: pdfium.PdfPage, number: int, dictionaries: FontDictionaries) -> PageText:
    try:
        textpage = page.get_textpage()
    except pdfium.PdfiumError:
        return _NO_TEXT
    with closing(textpage):
        count = textpage.count_chars()
        if count <= 0:
            return _NO_TEXT
        view = PageCoordinates(page)
        codes = _read_codes(textpage.raw, count)
        handle = _pointer_to(textpage.raw)
        seen, ink = _glyphs(handle, codes, view)
        if not len(seen):
            return _NO_TEXT
        words = np.flatnonzero(apart(seen))
        boxes = np.hstack([np.minimum.reduceat(ink[:, :2], words), np.maximum.reduceat(ink[:, 2:], words)])
        starts = seen[words].tolist()
        owners = np.fromiter(map(char_text_object, repeat(handle), starts), dtype=np.uint64, count=len(starts))
        known_owners = seen[words], owners
        hidden = hidden_words(page, owners, boxes, view.boxes)
        if hidden.any():
            is_hidden = np.repeat(hidden, np.diff(words, append=len(seen)))
            codes[seen[is_hidden]] = _SPACE
            seen, ink = seen[~is_hidden], ink[~is_hidden]
        seen, ink, accented = compose_accents(codes, seen, ink)
        repaired: Counter[str] = Counter()
        glyphs = handle, known_owners, codes, seen, ink, view, number, accented
        lines = list(read_lines(*glyphs, repaired, dictionaries))
        return PageText(lines, int(hidden.sum()), repaired)


def _pointer_to(handle: Any) -> Any:
    return pointer(ctypes.cast(handle, ctypes.c_void_p).value)


def _glyphs(textpage: Any, codes: np.ndarray, view: PageCoordinates) -> tuple[np.ndarray, np.ndarray]:
    """Indices and boxes of the characters that have an extent on the page."""
    seen = np.flatnonzero(~_IS_WHITE_SPACE[codes])
    edges, _ = char_box.read(textpage, each=seen.tolist())
    wide = edges[:, 0] != edges[:, 2]
    if not (edges.min(initial=0) > -MAX_COORDINATE and edges.max(initial=0) < MAX_COORDINATE):
        wide &= (np.abs(edges) < MAX_COORDINATE).all(axis=1)
    if not wide.all():
        seen, edges = seen[wide], edges[wide]
    return seen, view.boxes(edges.astype(np.float64))


def _read_codes(handle: object, count: int) -> np.ndarray:
    """The code points of the page's text, one for each of PDFium's characters."""
    buffer = np.zeros(count + 1, dtype=np.uint16)
    read_count = raw.FPDFText_GetText(handle, 0, count, buffer.ctypes.data_as(ctypes.POINTER(ctypes.c_ushort))) - 1
    if read_count == count:
        codes = buffer[:count].astype(np.uint32)
    else:  # some characters have no text: read each separately
        codes = np.fromiter(map(char_code, repeat(_pointer_to(handle)), range(count)), dtype=np.uint32, count=count)
        for i in np.flatnonzero(codes == 2).tolist():
            codes[i] = 0xFFFE if raw.FPDFText_IsHyphen(handle, i) == 1 else 2
        _read_glyphs_without_code(handle, codes)
    _separate_from_line_ends(codes)
    if codes.max() < 0xD800:  # as on most pages: neither surrogates nor what is no code
        return codes
    high = np.flatnonzero((codes[:-1] & 0xFC00) == 0xD800)
    high = high[(codes[high + 1] & 0xFC00) == 0xDC00]
    codes[high] = 0x10000 + ((codes[high] & 0x3FF) << 10) + (codes[high + 1] & 0x3FF)
    codes[high + 1] = 0
    codes[(codes > 0x10FFFF) | ((codes & 0x1FF800) == 0xD800)] = 0xFFFD
    return codes


def _separate_from_line_ends(codes: np.ndarray) -> None:
    """Give glyphs with the code of a line end, as TeX has for "fl", another one; PDFium ends lines with both codes.

    So are glyphs with that of a tab where they begin a word.
    """
    returns, feeds = codes == _RETURN, codes == _LINE_FEED
    lone_returns, lone_feeds = returns.copy(), feeds.copy()
    lone_returns[:-1] &= ~feeds[1:]
    lone_feeds[1:] &= ~returns[:-1]
    codes[lone_returns] = _GLYPH_LIKE_RETURN
    codes[lone_feeds] = _GLYPH_LIKE_FEED
    if (tabs := np.flatnonzero(codes == _TAB)).size:
        before, after = np.append(codes, _SPACE)[tabs - 1], np.append(codes, _SPACE)[tabs + 1]
        is_start = ((before == _SPACE) | (before == _LINE_FEED)) & (after >= ord("a")) & (after <= ord("z"))
        codes[tabs[is_start]] = _GLYPH_LIKE_TAB


def _read_glyphs_without_code(handle: object, codes: np.ndarray) -> None:
    """Set the codes of glyphs whose font does not say what they are: an en dash if as flat as that, else a private one.

    PDFium takes them for gaps and puts spaces beside them, which are removed.
    """
    edges = [ctypes.c_double() for _ in range(4)]
    for at in np.flatnonzero(codes == 0).tolist():
        raw.FPDFText_GetCharBox(handle, at, *edges)
        left, right, bottom, top = (edge.value for edge in edges)
        if right - left > _MIN_DASH_WIDTH and top > bottom:
            is_flat = top - bottom < _MAX_DASH_HEIGHT * (right - left)
            codes[at] = _EN_DASH if is_flat else _UNKNOWN_GLYPH
            for beside in (at + 1,) if is_flat else _spaces_in_word(codes, at):
                if beside < len(codes) and raw.FPDFText_IsGenerated(handle, beside) == 1:
                    codes[beside] = 0


def _spaces_in_word(codes: np.ndarray, at: int) -> list[int]:
    """The spaces beside a glyph that stands between small letters."""
    before, after = codes[max(0, at - 2) : at].tolist(), codes[at + 1 : at + 3].tolist()
    letters = range(ord("a"), ord("z") + 1)
    if len(before) == len(after) == 2 and {*before, *after} - {_SPACE} <= set(letters):
        return [place for place in (at - 1, at + 1) if codes[place] == _SPACE]
    return []


def page_text(handle: object, count: int) -> str:
    """The page's text; one character for each of PDFium's."""
    return decode(_read_codes(handle, count))


def char_boxes(page: pdfium.PdfPage, handle: object, count: int) -> np.ndarray:
    """The box of each character as shown: (count, 4) x0, y0, x1, y1 from the top left corner."""
    edges, _ = char_box.read(_pointer_to(handle), each=range(count))
    return PageCoordinates(page).boxes(edges.astype(np.float64))
