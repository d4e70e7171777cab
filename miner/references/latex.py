"""Converts LaTeX commands and braces to plain text, by pylatexenc."""

from __future__ import annotations

import re
from functools import cache, lru_cache

from pylatexenc.latex2text import LatexNodes2Text

_MAX_LENGTH = 2_000  # characters that are given to pylatexenc, which is slow
# A letter with its accent, or an escaped sign: few different ones stand in a bibliography of 50,000 entries.
_SNIPPET = re.compile(
    r"""\\(?:["'`^~=.](?![a-zA-Z]{2})|[uvHckrdbt](?![a-zA-Z]))\s*(?:\{\\?[a-zA-Z]\}|\\[ij](?![a-zA-Z])|[a-zA-Z])"""
    r"""|\\["'`^~=.][a-zA-Z]|\\(?:ss|ae|AE|oe|OE|aa|AA|o|O|l|L|i|j)(?:\{\}|(?![a-zA-Z])\s?)"""
)
_SIGN = re.compile(r"\\([&%_#])")
_COMMAND = re.compile(r"\\(?![&%_#])|\$")
_BARE_SIGN = re.compile(r"(?<!\\)([&%#])")  # which LaTeX would take for something else
_BRACES = re.compile(r"(?<!\\)[{}]")
_LEFT_OVER = re.compile(r"\\[a-zA-Z]+\s?|\\")


def latex_to_text(value: str) -> str:
    r"""The plain text that LaTeX prints for the value.

    >>> latex_to_text(r"{\"U}ber die {DNA} in \textit{E. coli}, M{\"u}ller \& \v{S}koda: 5\% of $\alpha$")
    'Über die DNA in E. coli, Müller & Škoda: 5% of α'
    """
    if "\\" in value:
        value = _SNIPPET.sub(lambda found: _decode(found[0]), value)
    if not _COMMAND.search(value):
        value = _SIGN.sub(r"\1", value)
    elif len(value) <= _MAX_LENGTH:
        value = _decode(_BARE_SIGN.sub(r"\\\1", value))
    else:
        value = _LEFT_OVER.sub("", value)
    return _BRACES.sub("", value).replace("~", " ").replace("---", "—").replace("--", "–")


def _decode(value: str) -> str:
    return _decode_short(value) if len(value) < 16 else _decode_any(value)


@lru_cache(maxsize=10_000)
def _decode_short(value: str) -> str:
    return _decode_any(value)


def _decode_any(value: str) -> str:
    try:
        return str(_decoder().latex_to_text(value))
    except (RecursionError, ValueError, IndexError):  # a few thousand braces in each other; commands without arguments
        return _LEFT_OVER.sub("", value)


@cache
def _decoder() -> LatexNodes2Text:
    return LatexNodes2Text(math_mode="text")
