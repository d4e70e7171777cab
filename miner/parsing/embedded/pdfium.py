"""Reads the text lines of a PDF's pages, with their geometry and fonts, through PDFium.

PDFium's own content order is kept. Two calls a page and one a character give text and boxes; fonts are asked for only where
a word starts or the character box changes, which is what keeps this near the speed of plain text.
"""

from __future__ import annotations

import ctypes
import re
from collections import deque
from collections.abc import Iterator
from itertools import repeat
from typing import NamedTuple

import numpy as np
import pypdfium2 as pdfium
import pypdfium2.raw as raw

from miner.errors import Unreadable
from miner.parsing.embedded.lines import Line, Run, read_line

_BOLD = re.compile(r"bold|black|heavy|demi|semib|cmbx|sfbx|[-,]bd?\b|-medi\b|medi(?:ital)?$|\.bi?$|-b[it]?$|TB$", re.I)
_ITALIC = re.compile(r"ital|obli|cmti|sfti|slant|-it\b|-i$|\.b?i$|TI$", re.I)
_MATHS = re.compile(
    r"(?i:cmmi|cmsy|cmex|cmbsy|msbm|msam|math|symbol|eufm|mtex|tx(?:sy|mi|ex)|pxmi|rtxmi|rsfs)|MTMI|MTSY"
)
_NAMELESS = re.compile(r"\d{3}")
_FORCE_BOLD = 1 << 18
_WHITE = np.array([0, 9, 10, 13, 32, 160, 0xFFFE, 0x2, 0xAD], dtype=np.uint32)

_loose_box = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_int, ctypes.c_void_p)(
    ctypes.cast(raw.FPDFText_GetLooseCharBox, ctypes.c_void_p).value  # untyped, so that addresses pass straight through
)


class Font(NamedTuple):
    name: str
    bold: bool
    italic: bool
    maths: bool


class Page(NamedTuple):
    """A page's lines in content order, boxes in points from the top left corner of the page as shown."""

    number: int
    width: float
    height: float
    lines: list[Line]


def open_pdf(pdf: bytes) -> pdfium.PdfDocument:
    """The document, to be closed by the caller. Unreadable: encrypted, damaged."""
    try:
        return pdfium.PdfDocument(pdf)
    except pdfium.PdfiumError as error:
        if error.err_code in (raw.FPDF_ERR_PASSWORD, raw.FPDF_ERR_SECURITY):
            raise Unreadable(
                "encrypted", "This PDF needs a password.", hint="Save a copy without a password, then add that."
            ) from None
        raise Unreadable("damaged", "This PDF is damaged or cut short.", hint="Download it again.") from None


def read_pages(document: pdfium.PdfDocument) -> Iterator[Page]:
    """Every page in turn; one that PDFium cannot load comes out empty."""
    for index in range(len(document)):
        try:
            page = document[index]
        except pdfium.PdfiumError:
            yield Page(index + 1, 0, 0, [])
            continue
        try:
            yield _read(page, index + 1)
        finally:
            page.close()


def _read(page: pdfium.PdfPage, number: int) -> Page:
    view = _View(page)
    textpage = page.get_textpage()
    try:
        count = textpage.count_chars()
        if count <= 0:
            return Page(number, view.width, view.height, [])
        text, codes = _text(textpage.raw, count)
        edges = np.zeros((count, 4), dtype=np.float32)
        address = edges.ctypes.data
        handle = ctypes.cast(textpage.raw, ctypes.c_void_p).value
        deque(map(_loose_box, repeat(handle), range(count), range(address, address + 16 * count, 16)), maxlen=0)
        boxes = view.boxes(edges.astype(np.float64))
        return Page(number, view.width, view.height, list(_lines(textpage.raw, text, codes, boxes, view, number)))
    finally:
        textpage.close()


def _text(handle: object, count: int) -> tuple[str, np.ndarray]:
    """The page's text and its code points, one for each of PDFium's characters."""
    buffer = np.zeros(count + 1, dtype=np.uint16)
    got = raw.FPDFText_GetText(handle, 0, count, buffer.ctypes.data_as(ctypes.POINTER(ctypes.c_ushort))) - 1
    if got == count:
        codes = buffer[:count].astype(np.uint32)
    else:  # some characters have no text: ask for each
        codes = np.array([raw.FPDFText_GetUnicode(handle, i) for i in range(count)], dtype=np.uint32)
    high = np.flatnonzero((codes[:-1] & 0xFC00) == 0xD800)
    high = high[(codes[high + 1] & 0xFC00) == 0xDC00]
    codes[high] = 0x10000 + ((codes[high] & 0x3FF) << 10) + (codes[high + 1] & 0x3FF)
    codes[high + 1] = 0
    codes[(codes > 0x10FFFF) | ((codes & 0x1FF800) == 0xD800)] = 0xFFFD
    return codes.astype("<u4").tobytes().decode("utf-32-le"), codes


class _View:
    """How a page's own coordinates map to what is shown: crop box and rotation."""

    def __init__(self, page: pdfium.PdfPage) -> None:
        self.left, self.bottom, self.right, self.top = page.get_bbox()
        self.turn = page.get_rotation() % 360
        wide, high = self.right - self.left, self.top - self.bottom
        self.width, self.height = (wide, high) if self.turn in (0, 180) else (high, wide)

    def boxes(self, edges: np.ndarray) -> np.ndarray:
        """FS_RECTF rows (left, top, right, bottom) as x0, y0, x1, y1."""
        left, top, right, bottom = edges.T
        if self.turn == 90:
            rows = (bottom - self.bottom, left - self.left, top - self.bottom, right - self.left)
        elif self.turn == 180:
            rows = (self.right - right, bottom - self.bottom, self.right - left, top - self.bottom)
        elif self.turn == 270:
            rows = (self.top - top, self.right - right, self.top - bottom, self.right - left)
        else:
            rows = (left - self.left, self.top - top, right - self.left, self.top - bottom)
        return np.stack(rows, axis=1)

    def down(self, x: float, y: float) -> float:
        """How far below the top edge a point lies."""
        return {0: self.top - y, 90: x - self.left, 180: y - self.bottom, 270: self.right - x}.get(
            self.turn, self.top - y
        )

    def upright(self, a: float, b: float) -> bool:
        """Whether text written along (a, b) reads from left to right as shown."""
        along, across = {0: (a, b), 90: (b, -a), 180: (-a, -b), 270: (-b, a)}.get(self.turn, (a, b))
        return along > 0 and abs(across) < 0.1 * along


def _lines(handle: object, text: str, codes: np.ndarray, boxes: np.ndarray, view: _View, number: int) -> Iterator[Line]:
    white = np.isin(codes, _WHITE) | (boxes[:, 0] == boxes[:, 2])
    moved = np.ones(len(codes), dtype=bool)
    moved[1:] = white[:-1] | (np.abs(np.diff(boxes[:, 1])) > 0.1) | (np.abs(np.diff(boxes[:, 3])) > 0.1)
    runs = _runs(handle, np.flatnonzero(moved & ~white).tolist(), boxes, view)
    ends = [*(m.start() for m in re.finditer("[\n\ufffe\x02]", text)), len(text)]
    start = at = 0
    for end in ends:
        mine = []
        while at < len(runs) and runs[at].start < end:
            mine.append(runs[at])
            at += 1
        if mine:
            hyphen = end < len(text) and text[end] != "\n"
            yield read_line(text, start, end, mine, boxes, white, number, hyphen)
        start = end + 1


def _runs(handle: object, starts: list[int], boxes: np.ndarray, view: _View) -> list[Run]:
    """Stretches of one font, size and baseline, each from a word's start."""
    fonts: dict[int, Font] = {}
    matrix, x, y = raw.FS_MATRIX(), ctypes.c_double(), ctypes.c_double()
    at_matrix, at_x, at_y = ctypes.byref(matrix), ctypes.byref(x), ctypes.byref(y)
    found: list[Run] = []
    last = None
    font, size, upright = Font("", False, False, False), 0.0, True
    for start, end in zip(starts, [*starts[1:], len(boxes)], strict=True):
        owner = raw.FPDFText_GetTextObject(handle, start)
        address = ctypes.cast(owner, ctypes.c_void_p).value
        if address != last or address is None:
            last = address
            raw.FPDFText_GetMatrix(handle, start, at_matrix)
            size = round(raw.FPDFText_GetFontSize(handle, start) * (matrix.c**2 + matrix.d**2) ** 0.5, 1)
            upright = view.upright(matrix.a, matrix.b)
            font = _font(owner, fonts) if address else Font("", False, False, False)
        raw.FPDFText_GetCharOrigin(handle, start, at_x, at_y)
        # a Type 3 font has a scale of its own: the box tells better
        height = round(float(boxes[start, 3] - boxes[start, 1]) * 2) / 2
        found.append(
            Run(start, end, size if height < 3 * size else height, view.down(x.value, y.value), upright, *font)
        )
    return found


def _font(owner: object, known: dict[int, Font]) -> Font:
    handle = raw.FPDFTextObj_GetFont(owner)
    address = ctypes.cast(handle, ctypes.c_void_p).value
    if not address:
        return Font("", False, False, False)
    if address not in known:
        buffer = ctypes.create_string_buffer(256)
        raw.FPDFFont_GetBaseFontName(handle, buffer, 256)
        name = buffer.value.decode("utf-8", "replace").split("+", 1)[-1]
        bold = bool(_BOLD.search(name)) or bool(raw.FPDFFont_GetFlags(handle) & _FORCE_BOLD)
        if not bold and _NAMELESS.search(name):  # weight is guessed from the stems, so it is the last resort
            bold = raw.FPDFFont_GetWeight(handle) >= 700
        known[address] = Font(name, bold, bool(_ITALIC.search(name)), bool(_MATHS.search(name)))
    return known[address]
