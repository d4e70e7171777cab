"""The kinds of files that papers come in: their names, endings and order. The one list of them; no parser is loaded."""

from __future__ import annotations

import re
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple


class FileKind(StrEnum):
    PDF = "pdf"
    TEI = "tei"
    PAPERS = "papers"  # JSON lines
    JATS = "jats"  # publishers' XML
    ARCHIVE = "archive"  # of publishers' XML and PDFs; also one XML file of several articles


class PaperFormat(NamedTuple):
    """A kind of file. noun, plural: what people call one and several. suffixes: endings, in lower case.

    can_be_zipped: whether ".gz" may follow.
    """

    kind: FileKind
    noun: str
    plural: str
    suffixes: tuple[str, ...]
    can_be_zipped: bool = False


FORMATS = (
    PaperFormat(FileKind.PDF, "PDF", "PDFs", (".pdf",)),
    PaperFormat(FileKind.JATS, "publisher's XML", "publishers' XML", (".nxml",), True),
    PaperFormat(FileKind.TEI, "TEI file", "TEI files", (".xml", ".tei"), True),
    PaperFormat(FileKind.PAPERS, "file of papers", "files of papers", (".jsonl", ".ndjson"), True),
    PaperFormat(FileKind.ARCHIVE, "archive", "archives", (".tar.gz", ".tgz", ".tar", ".zip")),
)
PDF_LIMIT = 100_000_000  # bytes
TEI_LIMIT = 64_000_000
XML_KINDS = (FileKind.TEI, FileKind.JATS)
"""Which of them a `.xml` is, its root says."""
ONE_PAPER_KINDS = (FileKind.PDF, *XML_KINDS)
ACCEPTED = (
    "PDFs, publishers' XML (JATS: .xml, .nxml), GROBID's TEI (.xml), JSON lines (.jsonl), "
    "or archives of PDFs and publishers' XML (.tar.gz, .zip)"
)
"""What papers are, in words."""
_ENDINGS = {
    ending: format.kind
    for format in FORMATS
    for suffix in format.suffixes
    for ending in ((suffix, suffix + ".gz") if format.can_be_zipped else (suffix,))
}
NAME_PATTERNS = tuple(f"*{ending}" for ending in _ENDINGS)
"""The patterns of a file dialog's filter."""

XML_START = 65_536  # bytes that show what XML it is; a DOCTYPE and comments come first
WRAPPING_ROOTS = (b"pmc-articleset", b"articles", b"OAI-PMH")
"""The root elements of publishers' XML that holds an article, or several, in other elements."""
PROLOG = re.compile(
    rb"\A(?:\xef\xbb\xbf)?\s*(?:<\?.*?\?>\s*|<!--.*?-->\s*|<!DOCTYPE[^\[>]*(?:\[[^\]]*\]\s*)?>\s*)*", re.S
)
"""What may come before the root element."""
_ROOT = re.compile(rb"<(?:[\w.-]+:)?([\w.-]+)")
_OF_JATS = re.compile(rb"article-type|<front\b|<(?:\w+:)?article-meta|JATS|NLM//DTD|<fm\b|journal-meta|archivearticle")


def kind_by_name(path: Path) -> FileKind | None:
    """The kind of file by its ending; `TEI` stands for XML of either kind. None for other files."""
    name = path.name.lower()
    return next((kind for ending, kind in _ENDINGS.items() if name.endswith(ending)), None)


def part_text(path: Path, number: int) -> str:
    """What a part of a file of papers is called: "line 5", "file 5" of an archive, or "article 5" of an XML file."""
    kind = kind_by_name(path)
    return f"{'article' if kind in XML_KINDS else 'file' if kind is FileKind.ARCHIVE else 'line'} {number:,}"


def xml_kind(start: bytes) -> FileKind | None:
    """The kind of an XML document by its first bytes, of which the root element decides; None if it is no paper."""
    if start[:2] in (b"\xff\xfe", b"\xfe\xff"):
        start = start.decode("utf-16", "ignore").encode()
    root = _ROOT.match(start, PROLOG.match(start).end())  # type: ignore[union-attr]  # it matches nothing, too
    name = root[1] if root else b""
    if name == b"art" or (name in (b"article", *WRAPPING_ROOTS) and _OF_JATS.search(start)):
        return FileKind.JATS
    return FileKind.TEI if b"tei-c.org" in start else None
