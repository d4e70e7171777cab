"""Normal form of text in the program: NFC, single spaces, no control characters."""

from __future__ import annotations

import re
import unicodedata

_CONTROLS = re.compile("[\x00-\x08\x0e-\x1f\x7f\u200b\u200e\u200f\u202a-\u202e\u2060\ufeff\ufffe\uffff\ud800-\udfff]+")


def tidy(text: str) -> str:
    """The text in NFC with single spaces, trimmed, without control and surrogate characters.

    >>> tidy("  two   words ")
    'two words'
    """
    if not text.isprintable():  # a printable text has no white space but plain spaces, and nothing invisible
        text = _CONTROLS.sub("", text)
        text = " ".join(text.split())
    elif "  " in text or text[:1] == " " or text[-1:] == " ":
        text = " ".join(text.split())
    return text if text.isascii() else unicodedata.normalize("NFC", text)
