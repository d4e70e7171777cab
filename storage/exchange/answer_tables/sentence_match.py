"""Whether a sentence that came back is the one that was sent, apart from what spreadsheets do to text.

Harmless are: other white space, quotes, dashes and ellipses, other case, signs written as letters or the reverse
("(c)" as ©), compatibility characters, a file read as if it were in another encoding, and characters that an encoding
of a spreadsheet does not have, such as Greek letters in cp1252.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection
from itertools import product

_QUOTES = "'\"`´‘’‚‛“”„‟′″«»‹›ʼ"
_DASHES = "‐‑‒–—―−⁃﹣－"
_REPLACED = str.maketrans(
    {
        **dict.fromkeys(_QUOTES, None),
        **dict.fromkeys(_DASHES, "-"),
        **dict.fromkeys("\u00ad\u200b\u200c\u200d\u2060\ufeff", None),
        "©": "(c)",
        "®": "(r)",
        "→": "->",
        "⇒": "=>",
        "←": "<-",
        "⇐": "<=",
        "⁄": "/",
    }
)
_GAPS = re.compile(r"[\s\x00-\x1f\x7f-\x9f]+")
_DASH_RUN = re.compile(r"-{2,}")
_ARROW = re.compile(r"[-=]+>|<[-=]+")
_ENCODINGS = "cp1252", "mac_roman"  # in which spreadsheets write CSV, beside Unicode
_LOST = "\0"


def same_sentence(sent: Collection[str], returned: str) -> bool:
    """Whether a text is one of those that may have been sent.

    returned: with surrogates for bytes that are not UTF-8.
    """
    if returned in sent:
        return True
    candidates = [_plain(one) for one in readings(returned)]
    if any(_plain(one) in candidates for one in sent):
        return True
    lossy = {_plain(_without_lost(one, *how)) for one in sent for how in product(_ENCODINGS, (1, 2))}
    return any(_LOST in one and _fits(one, candidate) for one in lossy for candidate in candidates)


def readings(text: str) -> list[str]:
    """What a text may have been before it was read in a wrong encoding; without surrogates."""
    if any("\ud800" <= character <= "\udfff" for character in text):
        content = text.encode("utf-8", "surrogateescape" if _is_escaped(text) else "replace")
        return [content.decode(encoding, "replace") for encoding in _ENCODINGS]
    return [text, *filter(None, (_misread(text, encoding) for encoding in _ENCODINGS))]


def _plain(text: str) -> str:
    text = unicodedata.normalize("NFKC", text.translate(_REPLACED)).translate(_REPLACED)
    text = _DASH_RUN.sub("-", _GAPS.sub("", text.replace(_LOST, "\ue000")))
    text = _ARROW.sub(lambda arrow: re.sub(r"[-=]+", arrow[0].strip("<>")[0], arrow[0]), text)
    return text.casefold().replace("\ue000", _LOST)


def _is_escaped(text: str) -> bool:
    return all("\udc80" <= one <= "\udcff" for one in text if "\ud800" <= one <= "\udfff")


def _misread(text: str, encoding: str) -> str:
    """The text whose UTF-8 was read in this encoding; "" if it was not."""
    if text.isascii():
        return ""
    try:
        content = b"".join(_byte(character, encoding) for character in text)
        return content.decode("utf-8")
    except UnicodeError:
        return ""


def _byte(character: str, encoding: str) -> bytes:
    try:
        return character.encode(encoding)
    except UnicodeError:
        return character.encode("latin-1")  # bytes that cp1252 does not define are read as control characters


def _without_lost(text: str, encoding: str, units: int) -> str:
    """The text with marks for characters that an encoding does not have.

    units: marks for a character beyond U+FFFF; Excel counts two, LibreOffice one.
    """
    kept = []
    for character in text:
        if character in _DASHES or unicodedata.normalize("NFKC", character).isascii():
            kept.append(character)
            continue
        try:
            character.encode(encoding)
            kept.append(character)
        except UnicodeError:
            kept.append(_LOST if character < "\U00010000" else _LOST * units)
    return "".join(kept)


def _fits(sent: str, returned: str) -> bool:
    """Whether a text has only ASCII where the sent one has lost characters, and is the same elsewhere."""
    return len(sent) == len(returned) and all(
        mine == theirs or (mine == _LOST and theirs.isascii()) for mine, theirs in zip(sent, returned, strict=True)
    )
