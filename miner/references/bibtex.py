"""BibTeX and BibLaTeX, as Zotero, JabRef, Mendeley and people write them, by bibtexparser.

The text is given to bibtexparser in pieces that begin where a line begins with "@", as it begins again there itself
after an error; so memory does not grow with the file.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import NamedTuple

from bibtexparser.entrypoint import parse_string
from bibtexparser.middlewares.names import parse_single_name_into_parts, split_multiple_persons_names
from bibtexparser.model import (
    Block,
    DuplicateBlockKeyBlock,
    DuplicateFieldKeyBlock,
    Entry,
    ParsingFailedBlock,
    String,
)

from miner.references.file_links import plain_links, split_files
from miner.references.latex import latex_to_text
from miner.references.names import authors
from miner.references.reference import (
    BrokenEntry,
    Reference,
    References,
    check_number,
    plain_doi,
    plain_text,
    plain_year,
    split_keywords,
)

FORMAT = "BibTeX"
_BLOCK_START = re.compile(r"^[ \t]*@\w+[ \t]*[{(]", re.MULTILINE)
_PIECE = 500_000  # characters that are parsed at once, at least
_MAX_ENTRY = 2_000_000  # characters
_MARK = re.compile(r"(?<!\\)[{}\"#]")
_MAX_VALUE_LENGTH = 100_000  # characters: names of 3,000 authors
_USED = frozenset(
    ("title", "subtitle", "author", "year", "date", "doi", "url", "journal", "journaltitle", "booktitle")
) | {"keywords", "keyword", "file", "pdf", "local-url", "crossref"}
_INHERITED = {
    "year": "year",
    "date": "date",
    "journal": "journal",
    "journaltitle": "journaltitle",
    "title": "booktitle",
}


class _RawEntry(NamedTuple):
    """An entry with the fields that are used, without what encloses them, still in LaTeX."""

    line: int
    key: str
    fields: dict[str, str]


def read_bibtex(text: str, on_part: Callable[[int, int], None]) -> References:
    """The entries of a bibliography. `on_part` is called with the characters read, and all, and may raise to stop."""
    strings: dict[str, str] = {}
    entries: list[_RawEntry] = []
    failed: list[BrokenEntry] = []
    with _without_messages():
        for start, line, piece in _pieces(text):
            on_part(start, len(text))
            if len(piece) > _PIECE + _MAX_ENTRY:
                failed.append(BrokenEntry(line, "there is text longer than any entry from here on"))
                continue
            check_number(len(entries) + len(failed))
            for found in parse_string(piece, parse_stack=[]).blocks:
                at = line + (found.start_line or 0)
                block = _repeated(found) or found
                if isinstance(block, String):
                    strings[block.key.lower()] = _value(block.value, strings)
                elif isinstance(block, Entry):
                    entries.append(_RawEntry(at, block.key, _fields(block, strings)))
                elif isinstance(block, ParsingFailedBlock):
                    failed.append(BrokenEntry(at, _reason(block)))
    by_key = {entry.key.lower(): entry.fields for entry in reversed(entries)}
    read = []
    for number, entry in enumerate(entries):
        if number % 500 == 0:
            on_part(len(text), len(text))
        read.append(_reference(entry, by_key))
    return References(FORMAT, tuple(read), tuple(failed))


@contextmanager
def _without_messages() -> Iterator[None]:
    """Without bibtexparser's own messages about broken entries: there may be thousands."""
    log = logging.getLogger("bibtexparser.splitter")
    level = log.level
    log.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        log.setLevel(level)


def _pieces(text: str) -> Iterator[tuple[int, int, str]]:
    """Parts of the text with their first character's position and line, from 1."""
    start, line = 0, 1
    for found in _BLOCK_START.finditer(text):
        if found.start() - start >= _PIECE:
            yield start, line, text[start : found.start()]
            line += text.count("\n", start, found.start())
            start = found.start()
    yield start, line, text[start:]


def _repeated(block: Block) -> Block | None:
    """What bibtexparser refuses because a key or a field comes twice, which is no error here."""
    return block.ignore_error_block if isinstance(block, (DuplicateBlockKeyBlock, DuplicateFieldKeyBlock)) else None


def _reason(block: ParsingFailedBlock) -> str:
    return "it is not closed, or a comma or brace is missing" if block.error else "it cannot be read"


def _fields(entry: Entry, strings: dict[str, str]) -> dict[str, str]:
    fields = {"entrytype": entry.entry_type.lower()}
    for field in entry.fields:
        name = field.key.lower()
        if name in _USED and name not in fields and (value := _value(field.value, strings).strip()):
            fields[name] = value
    return fields


def _value(raw: str, strings: dict[str, str]) -> str:
    """The value without its braces or quotation marks; parts joined by "#", names of strings replaced."""
    raw = raw[:_MAX_VALUE_LENGTH]
    if raw[:1] == "{" and "#" not in raw:
        return raw[1:-1]
    parts, start, depth, quoted = [], 0, 0, False
    for mark in _MARK.finditer(raw):
        if mark[0] == '"' and depth == 0:
            quoted = not quoted
        elif mark[0] == "#" and depth == 0 and not quoted:
            parts.append(raw[start : mark.start()])
            start = mark.end()
        elif mark[0] in "{}":
            depth = max(0, depth + (1 if mark[0] == "{" else -1))
    parts.append(raw[start:])
    return "".join(_part(part.strip(), strings) for part in parts)[:_MAX_VALUE_LENGTH]


def _part(part: str, strings: dict[str, str]) -> str:
    return part[1:-1] if part[:1] in ("{", '"') else strings.get(part.lower(), part)


def _reference(entry: _RawEntry, by_key: dict[str, dict[str, str]]) -> Reference:
    fields = entry.fields
    if parent := by_key.get(fields.get("crossref", "").lower()):
        fields = {own: parent[name] for name, own in _INHERITED.items() if name in parent} | fields
    in_proceedings = fields["entrytype"] in ("inproceedings", "conference")
    journal = next((fields[name] for name in ("journaltitle", "journal") if name in fields), "")
    journal = journal or (fields.get("booktitle", "") if in_proceedings else "")
    title = ": ".join(filter(None, (_text(fields.get(name, "")).rstrip(":") for name in ("title", "subtitle"))))
    return Reference(
        line=entry.line,
        key=plain_text(entry.key),
        title=title,
        authors=_authors(fields.get("author", "")),
        year=plain_year(fields.get("year", ""), fields.get("date", "")),
        doi=plain_doi(latex_to_text(fields.get("doi", "")), latex_to_text(fields.get("url", ""))),
        journal=_text(journal),
        keywords=split_keywords(latex_to_text(fields.get("keywords", fields.get("keyword", "")))),
        files=split_files(fields.get("file", ""))
        + plain_links([fields[name] for name in ("pdf", "local-url") if name in fields]),
    )


def _text(value: str) -> str:
    return plain_text(latex_to_text(value))


def _authors(value: str) -> tuple[str, ...]:
    return authors(_name(name) for name in split_multiple_persons_names(value)) if value else ()


def _name(name: str) -> str:
    parts = parse_single_name_into_parts(name, strict=False)
    return _text(parts.merge_first_name_first)
