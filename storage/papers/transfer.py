"""Papers as another project has them: read with checks, as its file may come from anybody, and stored here unchanged.

Nothing is parsed again. The digest begins with that of the text that is stored, whatever the other file says.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields, replace
from operator import attrgetter
from typing import NamedTuple

from sqlalchemy import Connection, func, select

from miner import codec
from miner.parsing.digests import text_digest, with_text
from miner.parsing.formats import FileKind
from miner.records import Paper
from storage.connections import driver_connection
from storage.convert import paragraph_values
from storage.errors import translate_decoding_errors
from storage.mining.runs import invalidate_from
from storage.pairs import paper_splits
from storage.papers.metadata import PaperMetadata
from storage.papers.store import PaperStore
from storage.schema import DATA_SET, PaperRow

_MD5, _SHA256 = re.compile("[0-9a-f]{32}"), re.compile("[0-9a-f]{64}")
_DIGEST = re.compile("[0-9a-f]{16,128}")
_KINDS = frozenset((*FileKind, DATA_SET))
_EDITED = frozenset((*PaperMetadata.__annotations__, "parser", "text"))
_MAX_NUMBER = 10**9
_MAX_PATH_LENGTH = 4096
_FILES = "SELECT path, line, md5, sha256 FROM files WHERE paper_id = ? AND code IS NULL ORDER BY id"
_INSERT_SECTION = "INSERT INTO sections (paper_id, ordinal, title, kind) VALUES (?, ?, ?, ?)"
_INSERT_PARAGRAPH = """
    INSERT INTO paragraphs (paper_id, section, ordinal, text, after_break, sentences, spans)
    VALUES (?, ?, ?, ?, ?, ?, ?)
"""
_INSERT_FILE = """
    INSERT INTO files (paper_id, path, line, md5, sha256) VALUES (?, ?, ?, ?, ?) ON CONFLICT (path, line) DO NOTHING
"""


@dataclass(frozen=True, slots=True)
class PaperColumns:
    """The columns of `papers`, but for those that follow from the project that the paper is in. `ValueError` if one
    cannot be."""

    md5: str
    sha256: str
    kind: str
    title: str
    authors: str
    year: int | None
    doi: str | None
    domain: str
    pages: int | None
    parser: str
    parser_version: str
    splitter: str
    digest: str
    edited: str
    source_md5: str | None
    hidden_words: int
    licence: str
    repaired_characters: int
    repaired_fonts: int
    journal: str
    keywords: str
    language: str
    words: int
    unknown_words: int
    unknown_lines: str
    sources: str
    to_check: str

    def __post_init__(self) -> None:
        is_data_set = self.kind == DATA_SET
        _require(_MD5.fullmatch(self.md5), "a paper's MD5")
        _require(_SHA256.fullmatch(self.sha256) or (is_data_set and not self.sha256), "a paper's SHA-256")
        _require(self.kind in _KINDS, "a kind of paper")
        _require(self.year is None or 0 <= self.year <= 9999, "a paper's year")
        _require(_DIGEST.fullmatch(self.digest), "a paper's digest")
        _require(is_data_set or self.source_md5 is None, "a stand-in")
        _require(self.source_md5 is None or _MD5.fullmatch(self.source_md5), "a paper's MD5")
        numbers = (self.pages or 0, self.hidden_words, self.words, self.unknown_words, self.repaired_characters)
        _require(all(0 <= number <= _MAX_NUMBER for number in (*numbers, self.repaired_fonts)), "a count")
        for names in (self.authors, self.keywords, self.unknown_lines, self.to_check):
            codec.decode(list[str], names)
        _require(_EDITED.issuperset(codec.decode(list[str], self.edited)), "a field that people set")
        codec.decode(dict[str, str], self.sources)


_NAMES = tuple(field.name for field in fields(PaperColumns))
_INSERT_PAPER = f"INSERT INTO papers (id, {', '.join(_NAMES)}) VALUES (?{', ?' * len(_NAMES)})"
_values = attrgetter(*_NAMES)
_SELECT = select(PaperRow.id, *(getattr(PaperRow, name) for name in _NAMES))


class FileReference(NamedTuple):
    """Where a file of a paper was, and its digests; line: as in `FileSource`."""

    path: str
    line: int
    md5: str | None
    sha256: str | None


class PaperCopy(NamedTuple):
    """A paper of another project. identity: the MD5 that its pairs are of; of a stand-in, that of the paper meant."""

    columns: PaperColumns
    paper: Paper
    files: tuple[FileReference, ...]

    @property
    def identity(self) -> str:
        return self.columns.source_md5 or self.columns.md5


@translate_decoding_errors()
def read_copy(connection: Connection, md5: str) -> PaperCopy:
    """The paper with this MD5 of another project, checked; `UndecodableValue` if anything of it cannot be."""
    row = connection.execute(_SELECT.where(PaperRow.md5 == md5)).mappings().one()
    columns = codec.from_data(PaperColumns, {name: row[name] for name in _NAMES})
    files = [FileReference(*file) for file in connection.exec_driver_sql(_FILES, (row["id"],))]
    return checked_copy(columns, PaperStore(connection).get(md5), files)


def checked_copy(columns: PaperColumns, paper: Paper, files: Iterable[FileReference]) -> PaperCopy:
    """The paper with the digest of its text; `ValueError` if its sentences or files cannot be."""
    for section in paper.sections:
        for paragraph in section.paragraphs:
            last = 0
            for start, end in paragraph.sentences:
                _require(last <= start < end <= len(paragraph.text), "a sentence")
                last = end
    found = tuple(files)
    for file in found:
        check_file(file)
    if len(columns.digest) >= len(text_digest(paper)) and columns.kind != DATA_SET:
        columns = replace(columns, digest=with_text(columns.digest, paper))
    return PaperCopy(columns, paper, found)


def check_file(file: FileReference) -> None:
    """Raises `ValueError` if path, line or digests cannot be."""
    path, line, *digests = file
    _require(isinstance(path, str) and 0 < len(path) <= _MAX_PATH_LENGTH and "\0" not in path, "a path")
    _require(isinstance(line, int) and 0 <= line <= _MAX_NUMBER, "a line")
    for digest, pattern in zip(digests, (_MD5, _SHA256), strict=True):
        _require(digest is None or pattern.fullmatch(digest), "a file's digest")


class PaperRows(NamedTuple):
    """New papers, whose ids follow each other, and rows that begin with the id of their paper."""

    columns: Sequence[PaperColumns]
    sections: Sequence[tuple[int, int, str, str]]
    """Ordinal, title and kind."""
    paragraphs: Iterable[tuple[int, int, int, str, bool, str, bytes | None]]
    """Section, ordinal, text, after_break, sentences and spans."""
    files: Iterable[tuple[int, str, int, str | None, str | None]]
    """As `FileReference`."""


def add_copies(connection: Connection, copies: Sequence[PaperCopy]) -> dict[str, int]:
    """Store papers that the project does not have, to be mined; their ids by MD5. A path that is taken is left out."""
    first = next_id(connection)
    sections = [
        (paper, ordinal, section.title, section.kind.value)
        for paper, copy in enumerate(copies, start=first)
        for ordinal, section in enumerate(copy.paper.sections)
    ]
    paragraphs = (
        tuple(row.values())
        for paper, copy in enumerate(copies, start=first)
        for row in paragraph_values(paper, copy.paper)
    )
    files = ((paper, *file) for paper, copy in enumerate(copies, start=first) for file in copy.files)
    return add_rows(connection, first, PaperRows([copy.columns for copy in copies], sections, paragraphs, files))


def next_id(connection: Connection) -> int:
    """The id that the next new paper gets."""
    return int(connection.execute(select(func.coalesce(func.max(PaperRow.id), 0) + 1)).scalar_one())


def add_rows(connection: Connection, first: int, rows: PaperRows) -> dict[str, int]:
    """`add_copies` of rows, which the caller has checked. first: the id of the first paper, from `next_id`."""
    ids = {columns.md5: number for number, columns in enumerate(rows.columns, start=first)}
    papers = ((ids[columns.md5], *_values(columns)) for columns in rows.columns)
    driver = driver_connection(connection)
    driver.executemany(_INSERT_PAPER, papers)
    for statement, some in (
        (_INSERT_SECTION, rows.sections),
        (_INSERT_PARAGRAPH, rows.paragraphs),
        (_INSERT_FILE, rows.files),
    ):
        driver.executemany(statement, some)
    if ids and paper_splits.read_paper_split(connection) is not None:
        paper_splits.refresh_papers(connection, list(ids.values()))
    if mined := [columns.md5 for columns in rows.columns if columns.kind != DATA_SET]:
        invalidate_from(connection, min(mined))
    return ids


def _require(holds: object, what: str) -> None:
    if not holds:
        raise ValueError(f"{what} is not one")
