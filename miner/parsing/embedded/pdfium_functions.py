"""Functions of PDFium that take pointers and plain numbers, for calls per character or object.

ctypes converts nothing here: pointers are converted once, by `pointer`, and passed often; results are read from tables
whose pointers are never converted again. The functions keep Python's global lock, which takes longer than they do.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from itertools import repeat
from typing import Any

import pypdfium2.raw as raw

from miner.libraries import DTypeLike, np

_ADDRESS, _INT, _DOUBLE = ctypes.c_size_t, ctypes.c_int, ctypes.c_double  # an address of 0 is no None so
_TABLE_ROWS = 4096

pointer: Callable[[int | None], Any] = ctypes.c_void_p.from_param
"""An address as an argument of these functions."""


def _plain(function: Any, result: Any) -> Any:
    """The same C function, with arguments that need no conversion."""
    return ctypes.PYFUNCTYPE(result)(ctypes.cast(function, ctypes.c_void_p).value or 0)


class TableFunction:
    """A C function whose last arguments are pointers to results: here these are rows of a table.

    `width`: numbers in a row. `pointers`: the number of pointers to a row, to its first numbers.
    """

    def __init__(self, function: Any, dtype: DTypeLike, width: int, *, pointers: int = 1) -> None:
        self._function = _plain(function, _INT)
        self._table = np.zeros((_TABLE_ROWS, width), dtype=dtype)
        row, number = self._table.strides
        first = self._table.ctypes.data
        self._pointers = [
            list(map(pointer, range(start, start + self._table.nbytes, row)))
            for start in range(first, first + pointers * number, number)
        ]

    def read(self, *fixed: Any, each: Sequence[Any]) -> tuple[np.ndarray, list[int]]:
        """The rows of results, with zeros where there are none, and the values returned, one for each of `each`.

        The arguments are the fixed ones, one of `each`, the pointers to the row.
        """
        rows, returned = [self._table[:0]], list[int]()
        for start in range(0, len(each), _TABLE_ROWS):
            some = each[start : start + _TABLE_ROWS]
            table = self._table[: len(some)]
            table.fill(0)
            returned += map(self._function, *map(repeat, fixed), some, *self._pointers)
            rows.append(table.copy())
        return np.concatenate(rows), returned


# Characters of a text page: page, index.
char_code = _plain(raw.FPDFText_GetUnicode, ctypes.c_uint)
char_box = TableFunction(raw.FPDFText_GetLooseCharBox, np.float32, 4)
char_matrix = TableFunction(raw.FPDFText_GetMatrix, np.float32, 6)
char_origin = TableFunction(raw.FPDFText_GetCharOrigin, np.float64, 2, pointers=2)
char_font_size = _plain(raw.FPDFText_GetFontSize, _DOUBLE)
char_map_error = _plain(raw.FPDFText_HasUnicodeMapError, _INT)
char_text_object = _plain(raw.FPDFText_GetTextObject, _ADDRESS)

# Objects of a page or of a form in it.
page_object = _plain(raw.FPDFPage_GetObject, _ADDRESS)
form_object = _plain(raw.FPDFFormObj_GetObject, _ADDRESS)
object_type = _plain(raw.FPDFPageObj_GetType, _INT)
object_bounds = TableFunction(raw.FPDFPageObj_GetBounds, np.float32, 4, pointers=4)
fill_colour = TableFunction(raw.FPDFPageObj_GetFillColor, np.uint32, 4, pointers=4)
path_draw_mode = TableFunction(raw.FPDFPath_GetDrawMode, np.int32, 2, pointers=2)
text_render_mode = _plain(raw.FPDFTextObj_GetTextRenderMode, _INT)
text_font = _plain(raw.FPDFTextObj_GetFont, _ADDRESS)
clip_path = _plain(raw.FPDFPageObj_GetClipPath, _ADDRESS)
clip_path_count = _plain(raw.FPDFClipPath_CountPaths, _INT)
clip_segment_count = _plain(raw.FPDFClipPath_CountPathSegments, _INT)
clip_segment = _plain(raw.FPDFClipPath_GetPathSegment, _ADDRESS)
segment_type = _plain(raw.FPDFPathSegment_GetType, _INT)
segment_point = TableFunction(raw.FPDFPathSegment_GetPoint, np.float32, 2, pointers=2)
