"""Letters as they are compared: without case and accents."""

from __future__ import annotations

import unicodedata

_SPELLED = str.maketrans({"ø": "o", "ł": "l", "đ": "d", "ı": "i", "æ": "ae", "œ": "oe"})


def plain_letters(text: str) -> str:
    """Case-folded, without accents.

    >>> plain_letters("Łódź ﬁts Straße")
    'lodz fits strasse'
    """
    text = text.casefold()
    if text.isascii():
        return text
    decomposed = unicodedata.normalize("NFKD", text).translate(_SPELLED)
    return "".join(character for character in decomposed if not unicodedata.combining(character))
