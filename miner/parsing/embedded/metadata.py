"""Title, authors, year and DOI of a PDF: from its document information, checked against its first pages."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from miner.parsing.embedded.lines import TextLine, most_frequent

_DOI = re.compile(r"\b10\.\d{4,9}/[^\s\"<>,;]+")
_ARXIV = re.compile(
    r"arXiv:\d{4}\.\d{4,5}(?:v\d+)?\s+\[[\w.-]+\]\s+\d{1,2}\s+\w{3}\s+(\d{4})|arXiv:(\d{2})\d{2}\.\d{4,5}"
)
_DATE_STATEMENT = re.compile(
    r"(?:published(?: online)?|accepted|©|\(c\)|copyright|proceedings|conference|volume|vol\.?|received)"
    r"\D{0,60}?\b((?:19[5-9]|20[0-4])\d)\b",
    re.I,
)
_YEAR = re.compile(r"(?<![\d.-])((?:19[5-9]|20[0-4])\d)(?![\d-])")
_CREATION_YEAR = re.compile(r"D:((?:19|20)\d\d)")
_IMPRINT = re.compile(r"arxiv:|\bjournal\b|\bvol\b|\bissn\b|\bdoi\b|https?:|@", re.I)
_UNTITLED = re.compile(
    r"untitled|microsoft word|\.(?:docx?|pdf|tex|dvi|indd|qxd)\b|^(?:title|doi|arxiv|paper|article)\W*\w*$", re.I
)


class PdfMetadata(NamedTuple):
    title: str
    authors: tuple[str, ...]
    year: int | None
    doi: str | None


def read_metadata(document_info: Mapping[str, str], pages: Sequence[Sequence[TextLine]]) -> PdfMetadata:
    """Metadata from the document information and the lines of all pages, furniture and rotated text included."""
    first = next((lines for lines in pages if any(line.text for line in lines)), ())
    opening_lines = [line for lines in pages[:2] for line in lines]
    text = "\n".join(line.text for line in first)
    return PdfMetadata(
        _stated_title(document_info.get("Title", ""), text) or _printed_title(first),
        _authors(document_info.get("Author", ""), text),
        _year(document_info, opening_lines),
        _doi(document_info, opening_lines),
    )


def _words(text: str) -> set[str]:
    return set(re.findall(r"[^\W\d_]{3,}", text.casefold()))


def _stated_title(stated: str, text: str) -> str:
    """The title in the document information, if it is a title and is on the first page; otherwise ""."""
    stated = " ".join(stated.split())
    words = _words(stated)
    if (
        len(words) < 3
        or _UNTITLED.search(stated)
        or _IMPRINT.search(stated)
        or len(words - _words(text)) > 0.2 * len(words)
    ):
        return ""
    return stated


def _printed_title(lines: Sequence[TextLine]) -> str:
    """The first group of lines in the largest type, bold before plain, that makes a title.

    Two words may be a journal's name: they are the title only where nothing else is larger than the text.
    """
    upright = [line for line in lines if line.upright and line.text]
    body = most_frequent((line.size, len(line.text)) for line in upright)
    two_words = ""
    types = {(line.size, line.bold > 0.9) for line in upright}
    for size, bold in sorted(types, reverse=True):
        if two_words and size <= body:
            return two_words
        group = _first_group(upright, size, bold=bold)
        title = " ".join(line.text for line in group)
        if not _is_legible(title):
            continue  # a font without a Unicode table
        if _is_title(title, len(group)):
            return title
        if not two_words and size > body and len(group) == 1 and _has_two_words(title):
            two_words = title
    return two_words


def _first_group(lines: Sequence[TextLine], size: float, *, bold: bool) -> list[TextLine]:
    """The first lines of this size and weight that follow one another."""
    group: list[TextLine] = []
    for line in lines:
        same = abs(line.size - size) < 0.3 and (line.bold > 0.9) == bold and not _IMPRINT.search(line.text)
        if same and (not group or 0 <= line.baseline - group[-1].baseline < 2 * size):
            group.append(line)
        elif group:
            break
    return group


def _is_legible(title: str) -> bool:
    return sum(letter.isalnum() or letter in " -:,.'’" for letter in title) >= 0.9 * len(title)


def _has_two_words(title: str) -> bool:
    return len(title.split()) == len(_words(title)) == 2


def _is_title(title: str, lines: int) -> bool:
    return lines <= 6 and len(title.split()) >= 3 and 12 <= len(title) <= 300 and len(_words(title)) >= 2


def _authors(stated: str, text: str) -> tuple[str, ...]:
    """The authors in the document information, if all their names are on the first page."""
    names = [" ".join(name.split()) for name in re.split(r";|,|&|\band\b", stated)]
    names = [name for name in names if name]
    page = _words(text)
    if not names or not all(len(name.split()) >= 2 and _words(name) and _words(name) <= page for name in names):
        return ()
    return tuple(names)


def _year(document_info: Mapping[str, str], lines: Sequence[TextLine]) -> int | None:
    for line in lines:
        if match := _ARXIV.search(line.text):
            return int(match[1] or f"20{match[2]}")
    for line in lines:
        if match := _DATE_STATEMENT.search(line.text):
            return int(match[1])
    for line in lines:
        if _IMPRINT.search(line.text) and (match := _YEAR.search(line.text)):
            return int(match[1])
    created = _CREATION_YEAR.match(document_info.get("CreationDate", ""))
    return int(created[1]) if created else None


def _doi(document_info: Mapping[str, str], lines: Sequence[TextLine]) -> str | None:
    """The first DOI on the opening pages, lower-cased, as DOIs do not care."""
    for text in (*(line.text for line in lines), *document_info.values()):
        if match := _DOI.search(text):
            return match[0].rstrip(".)]}").lower()
    return None
