"""Papers as JSON lines: title, year, domain, doi, licence, sections[{title, paragraphs[]}], one paper per line.

Lines of S2ORC and peS2o are read as they are published, see `miner.parsing.published_lines`.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import re
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from miner.errors import UnreadableFile
from miner.parsing.licences import find_licence
from miner.parsing.marking import has_formula, mark_citations, mark_formulas
from miner.parsing.parse_ranks import JSON_LINES
from miner.parsing.published_lines import published_fields
from miner.parsing.section_kinds import path_kind
from miner.parsing.text import tidy
from miner.records import FieldSource, Paper, Paragraph, Section
from miner.versions import JSON_LINES_VERSION

_YEAR = re.compile(r"\s*\d{4}\s*")
_MAX_LICENCE_LENGTH = 100
_CHECKED_BYTES = 1024  # at the start of a file
LINE_LIMIT = 20_000_000  # bytes; a long book has 3 MB of text


class JsonLine(NamedTuple):
    """A line of a file, its number from 1, and its bytes."""

    number: int
    content: bytes


def read_json_lines(path: Path) -> Iterator[JsonLine]:
    """The lines that are not blank, of a plain or gzipped file.

    `UnreadableFile` where the file is not text, or the compressed file is damaged.
    """
    number = 0
    try:
        with path.open("rb") as raw:
            zipped = raw.read(2) == b"\x1f\x8b"
            raw.seek(0)
            with gzip.open(raw) if zipped else raw as stream:
                _check_text(path, stream.read(_CHECKED_BYTES))
                stream.seek(0)
                while content := stream.readline(LINE_LIMIT + 1):
                    number += 1
                    if content.strip():
                        yield JsonLine(number, content)
                    # The rest of a line that is too long is skipped.
                    while len(content) > LINE_LIMIT and not content.endswith(b"\n"):
                        content = stream.readline(LINE_LIMIT + 1)
    except (EOFError, zlib.error, gzip.BadGzipFile) as exc:
        raise UnreadableFile(
            "damaged",
            f"{path.name}: the compressed file breaks off or is damaged after line {number:,}.",
            hint="Fetch or compress it again; the papers before the break were read.",
        ) from exc


def _check_text(path: Path, start: bytes) -> None:
    if start.lstrip().startswith(b"%PDF-"):  # only at the start: a paper may mention "%PDF-"
        hint = "Give it a name that ends in .pdf, then add it again."
        raise UnreadableFile("not_a_paper", f"{path.name} is a PDF, whatever its name says.", hint=hint)
    if b"\0" in start:
        hint = "Fetch the file again; papers as JSON lines are plain or gzipped text."
        raise UnreadableFile("not_a_paper", f"{path.name} is not text, whatever its name says.", hint=hint)


def parse_json_line(line: JsonLine) -> Paper:
    """The paper on a line; `UnreadableFile` (`bad_line`) says which field of which line is wrong."""
    try:
        given = _object(line)
        published = published_fields(given)
        fields = given if published is None else published
        sections = _sections(fields)
        marked = _marked(sections)
        year = _year(fields.get("year"))
    except ValueError as exc:
        raise UnreadableFile("bad_line", f"line {line.number:,}: {exc}") from exc
    title, doi = _text(fields.get("title")), _text(fields.get("doi")) or None
    content = _identifying_content(title, year, doi, sections)
    return Paper(
        md5=hashlib.md5(content, usedforsecurity=False).hexdigest(),
        sha256=hashlib.sha256(content).hexdigest(),
        title=title,
        authors=_authors(fields.get("authors")),
        year=year,
        doi=doi,
        domain=_text(fields.get("domain")),
        parser=JSON_LINES,
        parser_version=JSON_LINES_VERSION,
        licence=_licence(fields.get("licence", fields.get("license"))),
        journal=_text(fields.get("journal")),
        sources=() if published is None else (FieldSource("title", published["source"]),),
        sections=marked,
    )


def _object(line: JsonLine) -> dict[str, Any]:
    """The JSON object on the line. `ValueError`, here and in the functions below, says what is wrong."""
    if len(line.content) > LINE_LIMIT:
        raise ValueError(f"longer than {LINE_LIMIT // 1_000_000} MB")
    try:
        fields = json.loads(line.content)
    except UnicodeDecodeError as exc:
        raise ValueError("not UTF-8 text") from exc
    except json.JSONDecodeError as exc:  # its own text counts lines within this one
        raise ValueError(f"not JSON ({exc.msg} at character {exc.pos + 1:,})") from exc
    except (ValueError, RecursionError) as exc:
        raise ValueError(f"not JSON ({exc})") from exc
    if not isinstance(fields, dict):
        raise ValueError("not a JSON object")
    return fields


def _sections(fields: dict[str, Any]) -> tuple[Section, ...]:
    """The sections with prose that counts, at least one."""
    if not isinstance(fields.get("sections"), list):
        raise ValueError("no list of sections")
    sections = tuple(section for section in map(_section, fields["sections"]) if section is not None)
    if not sections:
        raise ValueError("no prose in its sections")
    return sections


def _section(value: object) -> Section | None:
    """The section; None where it has no prose that counts."""
    if not isinstance(value, dict) or not isinstance(value.get("paragraphs"), list):
        raise ValueError("a section without a list of paragraphs")
    if not all(isinstance(text, str) for text in value["paragraphs"]):
        raise ValueError("a paragraph that is not text")
    title = _text(value.get("title"))
    paragraphs = tuple(Paragraph(text) for text in map(tidy, value["paragraphs"]) if text)
    kind = path_kind(title)
    return Section(title, paragraphs, kind) if kind is not None and paragraphs else None


def _marked(sections: Sequence[Section]) -> tuple[Section, ...]:
    """The sections, at least one, with formulas and fused citations marked: see `miner.parsing.marking`.

    A paper's identity is its text before that, so that a later version of the marks does not make it another paper.
    """
    unmarked = [paragraph.text for section in sections for paragraph in section.paragraphs]
    texts = mark_citations(unmarked)
    if texts is unmarked and not any(has_formula(text) for text in texts):
        return tuple(sections)
    marked, start = list[Section](), 0
    for section in sections:
        end = start + len(section.paragraphs)
        if paragraphs := tuple(_paragraphs(texts[start:end])):
            marked.append(replace(section, paragraphs=paragraphs))
        start = end
    if not marked:
        raise ValueError("no prose in its sections")
    return tuple(marked)


def _paragraphs(texts: Sequence[str]) -> Iterator[Paragraph]:
    after_break = False
    for text in texts:
        for number, part in enumerate(mark_formulas(text)):
            after_break = after_break or number > 0
            if part:
                yield Paragraph(part, after_break=after_break)
            after_break = not part


def _year(value: object) -> int | None:
    year = int(value) if isinstance(value, str) and _YEAR.fullmatch(value) else value
    if year is None:
        return None
    if not isinstance(year, int) or not 1000 <= year <= 9999:
        raise ValueError(f"the year {str(year)[:20]!r} is not a year")
    return year


def _authors(value: object) -> tuple[str, ...]:
    return tuple(tidy(name) for name in value if isinstance(name, str)) if isinstance(value, list) else ()


def _licence(value: object) -> str:
    """The licence that the value names, or the value itself if it is a short text."""
    text = _text(value)
    return find_licence(text) or (text if len(text) <= _MAX_LICENCE_LENGTH else "")


def _identifying_content(title: str, year: int | None, doi: str | None, sections: Sequence[Section]) -> bytes:
    """The bytes whose hash identifies the paper: its metadata and text, one field or paragraph per line."""
    lines = [title, str(year), str(doi)]
    for section in sections:
        lines += ["#" + section.title, *(paragraph.text for paragraph in section.paragraphs)]
    return "\n".join(lines).encode()  # `tidy` has removed line feeds


def _text(value: object) -> str:
    """The text, tidied; "" where the value is no text."""
    return tidy(value) if isinstance(value, str) else ""
