"""Papers as another project has them: read with checks, as its file may come from anybody, and stored here unchanged.

Nothing is parsed again. The digest's first part is computed from the stored text, whatever the other file says.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from operator import attrgetter
from typing import NamedTuple

from sqlalchemy import Connection, func, select

from miner import codec
from miner.parsing.digests import text_digest, with_text
from miner.parsing.formats import FileKind
from miner.records import Paper
from storage.connections import driver_connection
from storage.convert import field_types, paragraph_values, read_all, stored_value
from storage.errors import translate_decoding_errors
from storage.mining.runs import invalidate_from
from storage.pairs import paper_splits
from storage.papers.metadata import PAPERS, PaperMetadata, PaperSummary
from storage.papers.store import PaperStore
from storage.schema import DATA_SET

_MD5, _SHA256 = re.compile("[0-9a-f]{32}"), re.compile("[0-9a-f]{64}")
_DIGEST = re.compile("[0-9a-f]{16,128}")
_KINDS = frozenset((*FileKind, DATA_SET))
_EDITED = frozenset((*PaperMetadata.__annotations__, "parser", "text"))
_MAX_NUMBER = 10**9
_MAX_PATH_LENGTH = 4096
_FILES = """
    SELECT path, line, md5, sha256 FROM files WHERE paper_id = (SELECT id FROM papers WHERE md5 = ?) AND code IS NULL
    ORDER BY id
"""
_INSERT_SECTION = "INSERT INTO sections (paper_id, ordinal, title, kind) VALUES (?, ?, ?, ?)"
_INSERT_PARAGRAPH = """
    INSERT INTO paragraphs (paper_id, section, ordinal, text, after_break, sentences, spans)
    VALUES (?, ?, ?, ?, ?, ?, ?)
"""
_INSERT_FILE = """
    INSERT INTO files (paper_id, path, line, md5, sha256) VALUES (?, ?, ?, ?, ?) ON CONFLICT (path, line) DO NOTHING
"""


_NAMES = tuple(field_types(PaperSummary))
_INSERT_PAPER = f"INSERT INTO papers (id, {', '.join(_NAMES)}) VALUES (?{', ?' * len(_NAMES)})"
_values = attrgetter(*_NAMES)


def check_summary(paper: PaperSummary) -> None:
    """Raise `ValueError` if a value of a paper's row cannot be."""
    is_data_set = paper.kind == DATA_SET
    _require(_MD5.fullmatch(paper.md5), "a paper's MD5")
    _require(_SHA256.fullmatch(paper.sha256) or (is_data_set and not paper.sha256), "a paper's SHA-256")
    _require(paper.kind in _KINDS, "a kind of paper")
    _require(paper.year is None or 0 <= paper.year <= 9999, "a paper's year")
    _require(_DIGEST.fullmatch(paper.digest), "a paper's digest")
    _require(is_data_set or paper.source_md5 is None, "a stand-in")
    _require(paper.source_md5 is None or _MD5.fullmatch(paper.source_md5), "a paper's MD5")
    numbers = (paper.pages or 0, paper.hidden_words, paper.words, paper.unknown_words, paper.repaired_characters)
    _require(all(0 <= number <= _MAX_NUMBER for number in (*numbers, paper.repaired_fonts)), "a count")
    _require(_EDITED.issuperset(paper.edited), "a field that people set")


class FileReference(NamedTuple):
    """Where a file of a paper was, and its digests; line: as in `FileSource`."""

    path: str
    line: int
    md5: str | None
    sha256: str | None


class PaperCopy(NamedTuple):
    """A paper of another project. identity: the MD5 that its pairs are of; of a stand-in, that of the paper meant."""

    summary: PaperSummary
    paper: Paper
    files: tuple[FileReference, ...]

    @property
    def identity(self) -> str:
        return self.summary.source_md5 or self.summary.md5


@translate_decoding_errors()
def read_copy(connection: Connection, md5: str) -> PaperCopy:
    """The paper with this MD5 of another project, checked; `UndecodableValue` if a value is invalid."""
    papers = PaperStore(connection)
    if (stored := papers.summary(md5)) is None:
        raise KeyError(md5)
    summary = codec.from_data(PaperSummary, dict(zip(_NAMES, _values(stored), strict=True)))  # with its types checked
    check_summary(summary)
    return checked_copy(summary, papers.get(md5), read_all(FileReference, connection.exec_driver_sql(_FILES, (md5,))))


def checked_copy(summary: PaperSummary, paper: Paper, files: Iterable[FileReference]) -> PaperCopy:
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
    if len(summary.digest) >= len(text_digest(paper)) and summary.kind != DATA_SET:
        summary = replace(summary, digest=with_text(summary.digest, paper))
    return PaperCopy(summary, paper, found)


def check_file(file: FileReference) -> None:
    """Raises `ValueError` if path, line or digests cannot be."""
    path, line, *digests = file
    _require(isinstance(path, str) and 0 < len(path) <= _MAX_PATH_LENGTH and "\0" not in path, "a path")
    _require(isinstance(line, int) and 0 <= line <= _MAX_NUMBER, "a line")
    for digest, pattern in zip(digests, (_MD5, _SHA256), strict=True):
        _require(digest is None or pattern.fullmatch(digest), "a file's digest")


class PaperRows(NamedTuple):
    """New papers, whose ids follow each other, and rows that begin with the id of their paper."""

    summaries: Sequence[PaperSummary]
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
    return add_rows(connection, first, PaperRows([copy.summary for copy in copies], sections, paragraphs, files))


def next_id(connection: Connection) -> int:
    """The id that the next new paper gets."""
    return int(connection.execute(select(func.coalesce(func.max(PAPERS.c.id), 0) + 1)).scalar_one())


def add_rows(connection: Connection, first: int, rows: PaperRows) -> dict[str, int]:
    """`add_copies` of rows, which the caller has checked. first: the id of the first paper, from `next_id`."""
    ids = {paper.md5: number for number, paper in enumerate(rows.summaries, start=first)}
    papers = ((ids[paper.md5], *map(stored_value, _values(paper))) for paper in rows.summaries)
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
    if mined := [paper.md5 for paper in rows.summaries if paper.kind != DATA_SET]:
        invalidate_from(connection, min(mined))
    return ids


def _require(holds: object, what: str) -> None:
    if not holds:
        raise ValueError(f"{what} is not one")
