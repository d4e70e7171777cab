"""What a font's name says of its type: bold, italic, mathematical."""

from __future__ import annotations

import ctypes
import re
from functools import lru_cache
from typing import Any, NamedTuple

import pypdfium2.raw as raw

_BOLD = re.compile(r"bold|black|heavy|demi|semib|cmbx|sfbx|[-,]bd?\b|-medi\b|medi(?:ital)?$|\.bi?$|-b[it]?$|TB$", re.I)
_ITALIC = re.compile(r"ital|obli|cmti|sfti|slant|-it\b|-i$|\.b?i$|TI$", re.I)
_MATHS = re.compile(
    r"(?i:cmmi|cmsy|cmex|cmbsy|msbm|msam|math|symbol|eufm|mtex|tx(?:sy|mi|ex)|pxmi|rtxmi|rsfs)|MTMI|MTSY"
)
_NUMBER_IN_NAME = re.compile(r"\d{3}")
_FORCE_BOLD = 1 << 18


class Font(NamedTuple):
    """The name of a font without the prefix of a subset, and what it says of the type."""

    name: str
    bold: bool
    italic: bool
    maths: bool


_NO_FONT = Font("", False, False, False)
_BOLD_WEIGHT = 700  # of 100 to 900, as in OpenType
_MAX_NAME_LENGTH = 256  # bytes


def read_font(address: int | None) -> Font:
    """The font at this address of PDFium's; a font without a name for 0 or None."""
    if not address:
        return _NO_FONT
    handle = ctypes.cast(address, raw.FPDF_FONT)
    name = font_name(handle).split("+", 1)[-1]
    bold, italic, maths = _style_in(name)
    bold = bold or bool(raw.FPDFFont_GetFlags(handle) & _FORCE_BOLD)
    if not bold and _NUMBER_IN_NAME.search(name):  # the last criterion: PDFium guesses weights from stems
        bold = raw.FPDFFont_GetWeight(handle) >= _BOLD_WEIGHT
    return Font(name, bold, italic, maths)


def font_name(handle: Any) -> str:
    """The whole name of PDFium's font, with the prefix of a subset."""
    buffer = ctypes.create_string_buffer(_MAX_NAME_LENGTH)
    raw.FPDFFont_GetBaseFontName(handle, buffer, _MAX_NAME_LENGTH)
    return buffer.value.decode("utf-8", "replace")


@lru_cache(maxsize=1024)  # each page reads its fonts anew
def _style_in(name: str) -> tuple[bool, bool, bool]:
    """Whether the name says bold, italic, mathematical."""
    return bool(_BOLD.search(name)), bool(_ITALIC.search(name)), bool(_MATHS.search(name))
