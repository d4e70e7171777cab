"""What is stored of a paper beside its text: the fields that people may set, and all of them as a summary."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, TypedDict

from sqlalchemy import RowMapping

from storage.errors import translate_decoding_errors
from storage.schema import PaperRow

LISTS = frozenset(("authors", "keywords"))
"""The fields whose columns are JSON lists."""
BY_HAND = "entered by hand"
"""The source of a field that a person has set."""

SUMMARY_COLUMNS = (
    PaperRow.md5,
    PaperRow.sha256,
    PaperRow.kind,
    PaperRow.title,
    PaperRow.authors,
    PaperRow.year,
    PaperRow.doi,
    PaperRow.domain,
    PaperRow.pages,
    PaperRow.parser,
    PaperRow.parser_version,
    PaperRow.splitter,
    PaperRow.hidden_words,
    PaperRow.repaired_characters,
    PaperRow.repaired_fonts,
    PaperRow.licence,
    PaperRow.journal,
    PaperRow.keywords,
    PaperRow.language,
    PaperRow.words,
    PaperRow.unknown_words,
    PaperRow.unknown_lines,
    PaperRow.sources,
    PaperRow.to_check,
    PaperRow.edited,
)


class PaperMetadata(TypedDict, total=False):
    """The metadata that people may set; only what is to be changed."""

    title: str
    authors: tuple[str, ...]
    year: int | None
    doi: str | None
    domain: str
    licence: str
    journal: str
    keywords: tuple[str, ...]
    language: str


@dataclass(frozen=True, slots=True)
class PaperSummary:
    """A paper without its text. kind: the `FileKind` of the file that `sha256` is of.

    to_check: the names of the fields that nobody has checked yet, and `checks.TEXT` for doubtful text.
    edited: the names of the fields that people have set or confirmed.
    """

    md5: str
    sha256: str
    kind: str
    title: str
    authors: tuple[str, ...]
    year: int | None
    doi: str | None
    domain: str
    pages: int | None
    parser: str
    parser_version: str
    splitter: str
    hidden_words: int
    repaired_characters: int
    repaired_fonts: int
    licence: str
    journal: str
    keywords: tuple[str, ...]
    language: str
    words: int
    unknown_words: int
    unknown_lines: tuple[str, ...]
    sources: Mapping[str, str]
    to_check: tuple[str, ...]
    edited: frozenset[str]


_SUMMARY_FIELDS = tuple(one.name for one in fields(PaperSummary))


@translate_decoding_errors()
def summary_from_row(row: RowMapping) -> PaperSummary:
    """From a row with `SUMMARY_COLUMNS`."""
    values: dict[str, Any] = {name: row[name] for name in _SUMMARY_FIELDS}
    for field in (*LISTS, "unknown_lines", "to_check"):
        values[field] = tuple(json.loads(values[field]))
    edited = frozenset(json.loads(row["edited"]))
    unchecked = tuple(name for name in values["to_check"] if name not in edited)
    return PaperSummary(**{**values, "sources": json.loads(row["sources"]), "to_check": unchecked, "edited": edited})
