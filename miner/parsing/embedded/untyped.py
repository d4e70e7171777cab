"""PDFium's functions taking and giving plain numbers, so that addresses pass straight through `map`."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
import pypdfium2.raw as raw


def untyped(function: Any, answer: Any, *arguments: Any) -> Any:
    """The same C function with these types."""
    return ctypes.CFUNCTYPE(answer, *arguments)(ctypes.cast(function, ctypes.c_void_p).value or 0)


def slots(table: np.ndarray) -> range:
    """The addresses of a table's rows."""
    return range(table.ctypes.data, table.ctypes.data + table.nbytes, table.strides[0])


text_object = untyped(raw.FPDFText_GetTextObject, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int)
