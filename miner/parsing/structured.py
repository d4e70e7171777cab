"""Papers given as JSON lines: title, year, domain, doi, sections[{title, paragraphs[]}], one paper a line."""

from __future__ import annotations

import gzip
import hashlib
import json
import re
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from miner.errors import Unreadable
from miner.parsing.headings import section_kind
from miner.parsing.text import tidy
from miner.records import Paper, Paragraph, Section

PARSER, VERSION = "structured", "1"
_YEAR = re.compile(r"\s*\d{4}\s*")
_START = 1024  # bytes
LINE_LIMIT = 20_000_000  # bytes; a long book has 3 MB of text


class Line(NamedTuple):
    """A line of the file, from 1, and its bytes."""

    number: int
    content: bytes


def read_lines(path: Path) -> Iterator[Line]:
    """The lines that hold something, of a plain or gzipped file.

    `Unreadable` where it is no text, or a compressed file breaks off.
    """
    number = 0
    try:
        with path.open("rb") as raw:
            zipped = raw.read(2) == b"\x1f\x8b"
            raw.seek(0)
            with gzip.open(raw) if zipped else raw as stream:
                _check_text(path, stream.read(_START))
                stream.seek(0)
                while content := stream.readline(LINE_LIMIT + 1):
                    number += 1
                    if content.strip():
                        yield Line(number, content)
                    while len(content) > LINE_LIMIT and not content.endswith(b"\n"):  # the rest of a hopeless line
                        content = stream.readline(LINE_LIMIT + 1)
    except (EOFError, zlib.error, gzip.BadGzipFile) as exc:
        raise Unreadable(
            "damaged",
            f"{path.name}: the compressed file breaks off or is damaged after line {number:,}.",
            hint="Fetch or compress it again; the papers before the break were read.",
        ) from exc


def _check_text(path: Path, start: bytes) -> None:
    if start.lstrip().startswith(b"%PDF-"):  # a paper may speak of it
        hint = "Give it a name that ends in .pdf, then add it again."
        raise Unreadable("not_a_paper", f"{path.name} is a PDF, whatever its name says.", hint=hint)
    if b"\0" in start:
        hint = "Fetch the file again; papers as JSON lines are plain or gzipped text."
        raise Unreadable("not_a_paper", f"{path.name} is not text, whatever its name says.", hint=hint)


def read_paper(line: Line) -> Paper:
    """The paper a line describes; `Unreadable` (`bad_line`) says which field of which line is wrong."""

    def bad(reason: str) -> Unreadable:
        return Unreadable("bad_line", f"line {line.number:,}: {reason}")

    if len(line.content) > LINE_LIMIT:
        raise bad(f"longer than {LINE_LIMIT // 1_000_000} MB")
    try:
        found = json.loads(line.content)
    except UnicodeDecodeError as exc:
        raise bad("not UTF-8 text") from exc
    except (ValueError, RecursionError) as exc:
        raise bad(f"not JSON ({exc})") from exc
    if not isinstance(found, dict):
        raise bad("not a JSON object")
    if not isinstance(found.get("sections"), list):
        raise bad("no list of sections")
    sections = []
    for given in found["sections"]:
        if not isinstance(given, dict) or not isinstance(given.get("paragraphs"), list):
            raise bad("a section without a list of paragraphs")
        if not all(isinstance(text, str) for text in given["paragraphs"]):
            raise bad("a paragraph that is not text")
        title = tidy(_text(given.get("title")))
        texts = [tidy(text) for text in given["paragraphs"]]
        if (kind := section_kind(title)) is not None and any(texts):
            sections.append(Section(title, tuple(Paragraph(text) for text in texts if text), kind))
    if not sections:
        raise bad("no prose in its sections")
    title, doi, year = tidy(_text(found.get("title"))), tidy(_text(found.get("doi"))) or None, found.get("year")
    if isinstance(year, str) and _YEAR.fullmatch(year):
        year = int(year)
    if year is not None and not (isinstance(year, int) and 1000 <= year <= 9999):
        raise bad(f"the year {str(year)[:20]!r} is not a year")
    authors = found.get("authors")
    lines = [title, str(year), str(doi)]
    for section in sections:
        lines += ["#" + section.title, *(paragraph.text for paragraph in section.paragraphs)]
    content = "\n".join(lines).encode()  # tidied text holds no line feed
    return Paper(
        md5=hashlib.md5(content, usedforsecurity=False).hexdigest(),
        sha256=hashlib.sha256(content).hexdigest(),
        title=title,
        authors=tuple(tidy(name) for name in authors if isinstance(name, str)) if isinstance(authors, list) else (),
        year=year,
        doi=doi,
        domain=tidy(_text(found.get("domain"))),
        parser=PARSER,
        parser_version=VERSION,
        sections=tuple(sections),
    )


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""
