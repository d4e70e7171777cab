"""RIS, as Zotero, EndNote and publishers write it, by rispy. Entries are given to it one at a time."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any

from rispy.config import LIST_TYPE_TAGS
from rispy.parser import RisParser

from miner.references.file_links import plain_links
from miner.references.names import authors, name_from_commas
from miner.references.reference import (
    BrokenEntry,
    Reference,
    References,
    check_number,
    plain_doi,
    plain_text,
    plain_year,
    unique,
)

FORMAT = "RIS"
_START = re.compile(r"^TY {0,2}-.*$", re.MULTILINE)
_END = re.compile(r"^ER {0,2}-", re.MULTILINE)
_TAG = re.compile(r"^([A-Z][A-Z0-9]) {0,2}-(?: |$)", re.MULTILINE)
_MAX_ENTRY = 1_000_000  # characters
_LINKS = ("L1", "L4")


def read_ris(text: str, on_part: Callable[[int, int], None]) -> References:
    """The entries of a file. `on_part` is called with the characters read, and all, and may raise to stop."""
    parser = RisParser(list_tags=[*LIST_TYPE_TAGS, *_LINKS], delimiter_tags_mapping={})
    entries: list[Reference] = []
    failed: list[BrokenEntry] = []
    for number, (start, line, content) in enumerate(_records(text)):
        if number % 500 == 0:
            check_number(number)
            on_part(start, len(text))
        if len(content) > _MAX_ENTRY:
            failed.append(BrokenEntry(line, "it is longer than any entry"))
        elif fields := _parse(parser, content):
            entries.append(_reference(line, fields))
        else:
            failed.append(BrokenEntry(line, "it has no line that RIS knows"))
    return References(FORMAT, tuple(entries), tuple(failed))


def _records(text: str) -> Iterator[tuple[int, int, str]]:
    """Position, line and text of each entry: from TY to ER, or to the next TY where ER is missing."""
    line, counted = 1, 0
    starts = [found.start() for found in _START.finditer(text)]
    for start, following in pairwise([*starts, len(text)]):
        line += text.count("\n", counted, start)
        counted = start
        end = _END.search(text, start, following)
        yield start, line, text[start : end.start() if end else following]


def _parse(parser: RisParser, content: str) -> dict[str, Any]:
    """The fields by rispy's names; empty where it finds nothing but the type."""
    content = _TAG.sub(r"\1  - ", content)
    try:
        records = parser.parse_lines(iter([*content.split("\n"), "ER  - "]))
    except (KeyError, AttributeError, TypeError):  # lines that continue nothing
        return {}
    found = records[0] if records else {}
    return found if set(found) - {"type_of_reference", "unknown_tag"} else {}


def _reference(line: int, fields: dict[str, Any]) -> Reference:
    def first(*names: str) -> str:
        return next((text for name in names if (text := plain_text(fields.get(name)))), "")

    names = fields.get("authors") or fields.get("first_authors") or []
    links = [link for name in ("file_attachments1", "figure") for link in fields.get(name, [])]
    return Reference(
        line=line,
        key=first("id"),
        title=first("title", "primary_title"),
        authors=authors(name_from_commas(name) for name in names),
        year=plain_year(first("year"), first("publication_year"), first("date")),
        doi=plain_doi(first("doi"), *map(plain_text, fields.get("urls", []))),
        journal=first("secondary_title", "alternate_title3", "journal_name", "alternate_title2"),
        keywords=unique(fields.get("keywords", [])),
        files=plain_links([part for link in links for part in link.split(";")]),
    )
