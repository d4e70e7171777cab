"""The kinds of files that papers come in: all that is known of each but its parser. No parser is loaded."""

from __future__ import annotations

import re
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

from miner.errors import UnreadableFile


class FileKind(StrEnum):
    PDF = "pdf"
    TEI = "tei"
    PAPERS = "papers"  # JSON lines
    JATS = "jats"  # publishers' XML
    ARCHIVE = "archive"  # of publishers' XML and PDFs; also one XML file of several articles


class PaperFormat(NamedTuple):
    """A kind of file.

    noun, plural: what people call one and several. form: what a paper of it came as. accepted: what papers are, its
    part of `ACCEPTED`. suffixes: endings, in lower case. can_be_zipped: whether ".gz" may follow.
    turn: when a project imports it, among the kinds.
    limit: bytes that a file may have, which is one paper; None for files of many papers, which are read in pieces.
    too_large_hint: what to do with a larger one.
    """

    kind: FileKind
    noun: str
    plural: str
    form: str
    accepted: str
    suffixes: tuple[str, ...]
    turn: int
    limit: int | None
    too_large_hint: str = ""
    can_be_zipped: bool = False


PDF_LIMIT = 100_000_000  # bytes
TEI_LIMIT = 64_000_000
_XML_HINT = "One paper is not so long: make a file of each, or add their PDFs."
FORMATS = (
    PaperFormat(
        FileKind.PDF,
        noun="PDF",
        plural="PDFs",
        form="PDF",
        accepted="PDFs",
        suffixes=(".pdf",),
        turn=5,  # last, as a GROBID server may fail
        limit=PDF_LIMIT,
        too_large_hint="Save it with smaller pictures, or split it.",
    ),
    PaperFormat(
        FileKind.JATS,
        noun="publisher's XML",
        plural="publishers' XML",
        form="publisher's XML",
        accepted="publishers' XML (JATS: .xml, .nxml)",
        suffixes=(".nxml",),
        turn=1,  # first, with that in archives, so that PDFs are linked to it
        limit=TEI_LIMIT,
        too_large_hint=_XML_HINT,
        can_be_zipped=True,
    ),
    PaperFormat(
        FileKind.TEI,
        noun="TEI file",
        plural="TEI files",
        form="TEI",
        accepted="GROBID's TEI (.xml)",
        suffixes=(".xml", ".tei"),
        turn=3,  # before PDFs, so that the PDF of one is known
        limit=TEI_LIMIT,
        too_large_hint=_XML_HINT,
        can_be_zipped=True,
    ),
    PaperFormat(
        FileKind.PAPERS,
        noun="file of papers",
        plural="files of papers",
        form="structured text",
        accepted="JSON lines (.jsonl)",
        suffixes=(".jsonl", ".ndjson"),
        turn=4,
        limit=None,
        can_be_zipped=True,
    ),
    PaperFormat(
        FileKind.ARCHIVE,
        noun="archive",
        plural="archives",
        form="publisher's XML",
        accepted="archives of PDFs and publishers' XML (.tar.gz, .zip)",
        suffixes=(".tar.gz", ".tgz", ".tar", ".zip"),
        turn=2,
        limit=None,
    ),
)
"""In the order in which they are named."""
FORMAT_OF = {format.kind: format for format in FORMATS}
IMPORT_ORDER = tuple(format.kind for format in sorted(FORMATS, key=lambda format: format.turn))
"""In which a project imports files, whatever their order."""
XML_KINDS = (FileKind.TEI, FileKind.JATS)
"""Which of them a `.xml` is, its root says."""
ONE_PAPER_KINDS = tuple(format.kind for format in FORMATS if format.limit is not None)
ACCEPTED = f"{', '.join(format.accepted for format in FORMATS[:-1])}, or {FORMATS[-1].accepted}"
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
_ENDINGS_OF_PAPERS = (".nxml", ".tei", ".tei.xml")
_ROOT = re.compile(rb"<(?:[\w.-]+:)?([\w.-]+)")
_OF_JATS = re.compile(rb"article-type|<front\b|<(?:\w+:)?article-meta|JATS|NLM//DTD|<fm\b|journal-meta|archivearticle")


def kind_by_name(path: Path) -> FileKind | None:
    """The kind of file by its ending; `TEI` stands for XML of either kind. None for other files."""
    name = path.name.lower()
    return next((kind for ending, kind in _ENDINGS.items() if name.endswith(ending)), None)


def names_xml_of_papers(path: Path) -> bool:
    """Whether a file's name says that it is a paper, where `.xml` alone may be anything."""
    return path.name.lower().removesuffix(".gz").endswith(_ENDINGS_OF_PAPERS)


def check_size(what: str, size: int, kind: FileKind, limit: int | None = None) -> None:
    """Raise `UnreadableFile` if a file has more bytes than its kind may, or than `limit`. what: begins the message."""
    limit = FORMAT_OF[kind].limit if limit is None else limit
    if limit is not None and size > limit:
        raise UnreadableFile(
            "too_large",
            f"{what} has {size / 1e6:,.0f} MB; the limit is {limit / 1e6:,.0f} MB.",
            hint=FORMAT_OF[kind].too_large_hint,
        )


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
