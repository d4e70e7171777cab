"""The entries of a bibliography, with the values for which papers have fields."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from miner.errors import UnreadableFile
from miner.parsing.text import tidy

MAX_ENTRIES = 500_000
MAX_VALUE_LENGTH = 2_000  # characters of a field; no title is so long
_TAG = re.compile(r"</?(?:i|b|em|strong|sub|sup|span|sc|scp|p|jats:\w{1,20})(?:\s[^<>]{0,200})?/?>", re.I)
_DOI = re.compile(r"\b10\.\d{4,9}/[^\s\"<>]+")
_YEAR = re.compile(r"(?<!\d)(?:1[5-9]|20)\d\d(?!\d)")


@dataclass(frozen=True, slots=True)
class Reference:
    """An entry of a bibliography. `authors` as "Given Family"; `files` as the entry writes them; `line` from 1."""

    line: int
    key: str = ""
    title: str = ""
    authors: tuple[str, ...] = ()
    year: int | None = None
    doi: str | None = None
    journal: str = ""
    keywords: tuple[str, ...] = ()
    files: tuple[str, ...] = ()


class BrokenEntry(NamedTuple):
    """An entry that could not be read: the line where it starts, and why."""

    line: int
    reason: str


@dataclass(frozen=True, slots=True)
class References:
    """The contents of a bibliography; `format`: "BibTeX", "RIS" or "CSL-JSON"."""

    format: str
    entries: tuple[Reference, ...]
    failed: tuple[BrokenEntry, ...] = ()


def check_number(entries: int) -> None:
    """Raises `UnreadableFile` for an unrealistic number of entries: no file may keep the program busy for hours."""
    if entries > MAX_ENTRIES:
        what = f"The file has more than {MAX_ENTRIES:,} references."
        raise UnreadableFile("too_large", what, hint="Export the references in parts.")


def plain_text(value: object) -> str:
    """The value without the HTML that reference managers write in it; "" if it is neither text nor a number.

    >>> plain_text("The <i>E. coli</i> &amp; CO<sub>2</sub>")
    'The E. coli & CO2'
    """
    if isinstance(value, int):
        value = str(value)
    if not isinstance(value, str):
        return ""
    value = value[:MAX_VALUE_LENGTH]
    if "<" in value or "&" in value:
        value = _TAG.sub("", html.unescape(value))
    return tidy(value)


def plain_doi(*texts: str) -> str | None:
    """The first DOI in the texts, such as addresses at doi.org, in lower case.

    >>> plain_doi("https://doi.org/10.1234/AB.12.")
    '10.1234/ab.12'
    """
    for text in texts:
        if found := _DOI.search(text[:MAX_VALUE_LENGTH]):
            return found[0].rstrip(".,;)]}'").lower()
    return None


def plain_year(*texts: str) -> int | None:
    """The first year in the texts, such as dates.

    >>> plain_year("", "2019/05/01/")
    2019
    """
    for text in texts:
        if found := _YEAR.search(text[:MAX_VALUE_LENGTH]):
            return int(found[0])
    return None


def split_keywords(text: str) -> tuple[str, ...]:
    """Keywords that stand in one text, each once.

    >>> split_keywords("sand; wind, slow; sand")
    ('sand', 'wind, slow')
    """
    return unique(text.split(";" if ";" in text else ","))


def unique(texts: Iterable[object]) -> tuple[str, ...]:
    """The texts in plain form, each once, without empty ones."""
    return tuple(dict.fromkeys(filter(None, map(plain_text, texts))))
