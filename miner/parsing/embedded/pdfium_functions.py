"""Functions of PDFium that take and return plain numbers.

ctypes then converts nothing, and addresses pass straight through `map`: much faster for calls per character or object.
"""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
import pypdfium2.raw as raw

_ADDRESS, _INT, _DOUBLE = ctypes.c_void_p, ctypes.c_int, ctypes.c_double


def _plain(function: Any, result: Any, *arguments: Any) -> Any:
    """The same C function with these types."""
    return ctypes.CFUNCTYPE(result, *arguments)(ctypes.cast(function, ctypes.c_void_p).value or 0)


def row_addresses(table: np.ndarray) -> range:
    """The addresses of a table's rows."""
    return range(table.ctypes.data, table.ctypes.data + table.nbytes, table.strides[0])


# Characters of a text page: page, index, addresses of the results.
char_box = _plain(raw.FPDFText_GetLooseCharBox, _INT, _ADDRESS, _INT, _ADDRESS)
char_matrix = _plain(raw.FPDFText_GetMatrix, _INT, _ADDRESS, _INT, _ADDRESS)
char_origin = _plain(raw.FPDFText_GetCharOrigin, _INT, _ADDRESS, _INT, _ADDRESS, _ADDRESS)
char_font_size = _plain(raw.FPDFText_GetFontSize, _DOUBLE, _ADDRESS, _INT)
char_text_object = _plain(raw.FPDFText_GetTextObject, _ADDRESS, _ADDRESS, _INT)

# Objects of a page or of a form in it.
page_object = _plain(raw.FPDFPage_GetObject, _ADDRESS, _ADDRESS, _INT)
form_object = _plain(raw.FPDFFormObj_GetObject, _ADDRESS, _ADDRESS, ctypes.c_ulong)
object_type = _plain(raw.FPDFPageObj_GetType, _INT, _ADDRESS)
object_bounds = _plain(raw.FPDFPageObj_GetBounds, _INT, *[_ADDRESS] * 5)
fill_colour = _plain(raw.FPDFPageObj_GetFillColor, _INT, *[_ADDRESS] * 5)
path_draw_mode = _plain(raw.FPDFPath_GetDrawMode, _INT, *[_ADDRESS] * 3)
text_render_mode = _plain(raw.FPDFTextObj_GetTextRenderMode, _INT, _ADDRESS)
text_font = _plain(raw.FPDFTextObj_GetFont, _ADDRESS, _ADDRESS)
clip_path = _plain(raw.FPDFPageObj_GetClipPath, _ADDRESS, _ADDRESS)
clip_path_count = _plain(raw.FPDFClipPath_CountPaths, _INT, _ADDRESS)
