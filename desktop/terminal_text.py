"""Text from outside as a terminal may be sent it: a file's name can hold commands to the terminal."""

from __future__ import annotations

import re

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")  # but tab and line feed


def visible(text: str) -> str:
    """The text with control characters, and those that turn the writing direction, as escapes."""
    return _CONTROL.sub(lambda found: ascii(found[0])[1:-1], text)


def one_line(text: str) -> str:
    """`visible`, line feeds and tabs too."""
    return visible(text).replace("\n", "\\n").replace("\t", "\\t")
