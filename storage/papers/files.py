"""The files that people added: the paper of each, or why it could not be read."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from sqlalchemy import Connection, Select, bindparam, delete, func, select, update
from sqlalchemy.dialects import sqlite

from miner import codec
from miner.errors import UnreadableFile
from miner.parsing.files import FileKind
from miner.paths import exists
from miner.records import Paper
from miner.references.same_paper import XML_PARSER
from storage.convert import read_all
from storage.papers.metadata import PAPERS
from storage.schema import DATA_SET, FILES, FileRow

_ESCAPED = re.compile(r"\\x([89a-f][0-9a-f])")

# Built once, because imports store many lines: SQLAlchemy takes longer to build a statement than to run it.
_INSERT = sqlite.insert(FILES)
_STATE = ("md5", "sha256", "paper_id", "code", "reason", "hint", "chosen")
_STORE = _INSERT.on_conflict_do_update(["path", "line"], set_={name: _INSERT.excluded[name] for name in _STATE})
_FAILURES = """
    SELECT path, line, code, coalesce(reason, '') AS reason, coalesce(hint, '') AS hint FROM files
    WHERE code IS NOT NULL ORDER BY path, line
"""
_LINK_FAILED = (
    update(FILES)
    .where(FILES.c.md5 == bindparam("of_md5"), FILES.c.paper_id.is_(None), FILES.c.code != "clash")
    .values(paper_id=bindparam("found"), code=None, reason=None, hint=None, chosen=None)
)


class FileSource(NamedTuple):
    """The source of a paper: a file, or a line of a file (from 1; 0: the whole file)."""

    path: Path
    kind: FileKind
    line: int = 0


@dataclass(frozen=True, slots=True)
class ChosenMetadata:
    """Metadata that a person chose for all papers of a file.

    `domain` and `year` override what a paper says; `default_domain` is for papers without one. Raises ValueError for a
    year that does not have four digits.
    """

    domain: str | None = None
    year: int | None = None
    default_domain: str | None = None

    def __post_init__(self) -> None:
        if self.year is not None and not 1000 <= self.year <= 9999:
            raise ValueError("not a year")


@dataclass(frozen=True, slots=True)
class FailedFile:
    """A file that could not be read. line: as in `FileSource`; code: of the failure."""

    path: str
    line: int
    code: str
    reason: str
    hint: str


class KnownFile(NamedTuple):
    """A file that was read, and the MD5 of its paper."""

    md5: str
    path: Path
    sha256: str | None


class PaperPdf(NamedTuple):
    """A paper's PDF: its SHA-256, and where it was; no paths if the paper came without a PDF."""

    sha256: str
    paths: tuple[Path, ...]


class FileOfPaper(NamedTuple):
    """A file of a paper, with the paper's licence and what made its text. is_pdf: it is the paper's PDF."""

    md5: str
    path: Path
    sha256: str
    is_pdf: bool
    parser_version: str
    licence: str


class FileStore:
    """The files that people added, each with its paper or its failure."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def save_failure(
        self,
        path: Path,
        failed: UnreadableFile,
        *,
        md5: str | None = None,
        sha256: str | None = None,
        line: int = 0,
        chosen: ChosenMetadata | None = None,
    ) -> None:
        """Save why a file could not be read, and the metadata that was chosen for it.

        An earlier success with the same content stays.
        """
        known = None
        if md5 is not None and (paper := self.paper_of(md5)) is not None:
            known = self._connection.scalar(select(PAPERS.c.id).where(PAPERS.c.md5 == paper))
        earlier = select(FileRow.paper_id, FileRow.md5).where(FileRow.path == as_text(path), FileRow.line == line)
        row = self._connection.execute(earlier).first()
        if known is None and row is not None and row.paper_id is not None and md5 in (None, row.md5):
            return
        kept = codec.encode(chosen) if chosen not in (None, ChosenMetadata()) and not known else None
        store_file(self._connection, path, line, md5, sha256, known, None if known else failed, kept)

    def chosen_metadata(self) -> dict[Path, ChosenMetadata]:
        """The metadata chosen for files that failed (or lines of them); without what cannot be decoded."""
        query = select(FileRow.path, FileRow.chosen).where(FileRow.code.is_not(None), FileRow.chosen.is_not(None))
        rows = self._connection.execute(query.order_by(FileRow.path, FileRow.line.desc()))
        chosen_by_path = {}
        for path, chosen in rows:
            with suppress(ValueError):
                chosen_by_path[as_path(path)] = codec.decode(ChosenMetadata, chosen or "")
        return chosen_by_path

    def forget_failures(self, path: Path) -> None:
        """Delete the failures of a file and of its lines, because it is read again."""
        stale = (FileRow.path == as_text(path), FileRow.paper_id.is_(None))
        self._connection.execute(delete(FileRow).where(*stale))

    def is_known_paper(self, path: Path, sha256: str, line: int = 0) -> bool:
        """Whether the file, or a part of it, was read as a paper with this content."""
        here = (FileRow.path == as_text(path), FileRow.line == line, FileRow.sha256 == sha256)
        return self._connection.scalar(select(FileRow.id).where(*here, FileRow.paper_id.is_not(None))) is not None

    def md5s_by_line(self, path: Path) -> dict[int, str]:
        """The MD5s of the papers that were in a file when it was last read, by line."""
        query = select(FileRow.line, FileRow.md5).where(FileRow.path == as_text(path), FileRow.paper_id.is_not(None))
        return {line: md5 for line, md5 in self._connection.execute(query) if md5 is not None}

    def add(self, source: FileSource, md5: str, sha256: str, own_md5: str = "") -> None:
        """Save another location of a paper that the project has; `own_md5`: as for `PaperStore.save`."""
        paper_id = self._connection.scalar(select(PAPERS.c.id).where(PAPERS.c.md5 == md5))
        store_file(self._connection, source.path, source.line, own_md5 or md5, sha256, paper_id, None)

    def paper_of(self, md5: str) -> str | None:
        """The MD5 of the paper that has this MD5 itself or in one of its files; None if there is none."""
        if self._connection.scalar(select(PAPERS.c.id).where(PAPERS.c.md5 == md5)) is not None:
            return md5
        linked = select(PAPERS.c.md5).join(FileRow, FileRow.paper_id == PAPERS.c.id).where(FileRow.md5 == md5)
        return self._connection.scalar(linked.order_by(PAPERS.c.md5).limit(1))

    def add_data_set(self, path: Path, digest: str) -> None:
        """Save the file of a data set, whose name is shown to people. digest: of its stand-in papers."""
        query = select(PAPERS.c.id, PAPERS.c.md5, PAPERS.c.sha256)
        query = query.where(PAPERS.c.kind == DATA_SET, PAPERS.c.digest == digest).order_by(PAPERS.c.id)
        for number, row in enumerate(self._connection.execute(query)):
            store_file(self._connection, path, number, row.md5, row.sha256, row.id, None)

    def move(self, md5: str, old: str, new: Path) -> None:
        """Save that a paper's file was moved. `old`: the path as stored (`as_text`)."""
        paper = select(PAPERS.c.id).where(PAPERS.c.md5 == md5).scalar_subquery()
        stale = (FileRow.path == as_text(new), FileRow.line == 0)  # an earlier paper or failure at the new path
        self._connection.execute(delete(FileRow).where(*stale))
        here = (FileRow.paper_id == paper, FileRow.path == old, FileRow.line == 0)
        self._connection.execute(update(FileRow).where(*here).values(path=as_text(new)))

    def paths_by_paper(self) -> dict[str, tuple[str, ...]]:
        """The paths of each paper's files, by MD5: where they were when they were last read."""
        query = select(PAPERS.c.md5, FileRow.path).join(FileRow, FileRow.paper_id == PAPERS.c.id)
        found: dict[str, tuple[str, ...]] = {}
        for md5, path in self._connection.execute(query.where(FileRow.line == 0).order_by(PAPERS.c.md5, FileRow.path)):
            found[md5] = (*found.get(md5, ()), path)
        return found

    def files_in(self, folder: Path) -> list[KnownFile]:
        """The files of papers that were in a folder or its subfolders."""
        columns = (PAPERS.c.md5, FileRow.path, FileRow.sha256)
        query = select(*columns).join(FileRow, FileRow.paper_id == PAPERS.c.id)
        inside = FileRow.path.startswith(as_text(folder) + os.sep, autoescape=True)
        rows = self._connection.execute(query.where(inside, FileRow.line == 0).order_by(FileRow.path))
        return [KnownFile(md5, as_path(path), sha256) for md5, path, sha256 in rows]

    def failed_paths(self, ids: Sequence[int] | None = None, *, code: str = "") -> list[Path]:
        """The paths of the failed files with these ids (None: of all), each once, sorted. code: of their failure as a
        whole."""
        query = select(FileRow.path).where(FileRow.code.is_not(None)).distinct().order_by(FileRow.path)
        if ids is not None:
            query = query.where(FileRow.id.in_(_json_values(ids)))
        if code:
            query = query.where(FileRow.code == code, FileRow.line == 0)
        return [as_path(path) for path in self._connection.scalars(query)]

    def settle(self, path: Path, md5: str) -> None:
        """Save that a failed file, and all of the same content, is the paper with this MD5, made from it otherwise."""
        paper = select(PAPERS.c.id).where(PAPERS.c.md5 == md5).scalar_subquery()
        here = (FileRow.path == as_text(path)) & (FileRow.line == 0)
        content = select(FileRow.md5).where(here).scalar_subquery()
        values = {"paper_id": paper, "code": None, "reason": None, "hint": None, "chosen": None}
        failed = FileRow.code.is_not(None) & (here | (FileRow.md5 == content))
        self._connection.execute(update(FileRow).where(failed).values(**values))

    def pdfs(self, ids: Sequence[int]) -> list[PaperPdf]:
        """The PDFs of the papers with these ids, ordered by MD5."""
        join = (FileRow.paper_id == PAPERS.c.id) & (FileRow.sha256 == PAPERS.c.sha256) & (PAPERS.c.kind == FileKind.PDF)
        query = select(PAPERS.c.md5, PAPERS.c.sha256, FileRow.path).outerjoin(FileRow, join)
        found: dict[tuple[str, str], list[Path]] = {}
        rows = self._connection.execute(query.where(PAPERS.c.id.in_(_json_values(ids)), PAPERS.c.kind != DATA_SET))
        for md5, sha256, path in rows.all():
            found.setdefault((md5, sha256), []).extend([as_path(path)] if path else [])
        return [PaperPdf(sha256, tuple(paths)) for (_, sha256), paths in sorted(found.items())]

    def of_papers(self, ids: Sequence[int], *, with_linked: bool = False) -> list[FileOfPaper]:
        """The files of the papers with these ids that are one paper each, by the papers' MD5s; TEI before PDFs.

        with_linked: also files whose MD5 is not the paper's: other forms of it (`miner.references.same_paper`), and
        scans whose text was recognised (`settle`).
        """
        is_pdf = (PAPERS.c.kind == FileKind.PDF) & (PAPERS.c.sha256 == FileRow.sha256)
        columns = (PAPERS.c.md5, FileRow.path, FileRow.sha256, is_pdf, PAPERS.c.parser_version, PAPERS.c.licence)
        query = select(*columns).join(FileRow, FileRow.paper_id == PAPERS.c.id)
        query = query.where(PAPERS.c.id.in_(_json_values(ids)), FileRow.line == 0, FileRow.sha256.is_not(None))
        if not with_linked:
            query = query.where(FileRow.md5 == PAPERS.c.md5)
        rows = self._connection.execute(query.order_by(PAPERS.c.md5, is_pdf, FileRow.path))
        return [
            FileOfPaper(md5, as_path(path), sha256 or "", bool(pdf), *more) for md5, path, sha256, pdf, *more in rows
        ]

    def line_paths(self, ids: Sequence[int]) -> list[Path]:
        """The files of JSON lines that the papers with these ids came from, each once, sorted."""
        query = select(FileRow.path).join(PAPERS, PAPERS.c.id == FileRow.paper_id).distinct().order_by(FileRow.path)
        lines = query.where(PAPERS.c.id.in_(_json_values(ids)), PAPERS.c.kind == FileKind.PAPERS, FileRow.line > 0)
        return [as_path(path) for path in self._connection.scalars(lines)]

    def archive_paths(self, ids: Sequence[int]) -> list[Path]:
        """The archives that hold papers with these ids, or publisher's XML of theirs, each once, sorted."""
        query = select(FileRow.path).join(PAPERS, PAPERS.c.id == FileRow.paper_id).distinct().order_by(FileRow.path)
        is_member = (PAPERS.c.parser == XML_PARSER) | (PAPERS.c.kind == FileKind.ARCHIVE)
        members = query.where(PAPERS.c.id.in_(_json_values(ids)), is_member, FileRow.line > 0)
        return [as_path(path) for path in self._connection.scalars(members)]

    def known_sha256(self, path: Path, line: int) -> str | None:
        """The SHA-256 of a file, or of the paper on one of its lines, when it was last read; None if it is unknown."""
        return self._connection.scalar(
            select(FileRow.sha256).where(FileRow.path == as_text(path), FileRow.line == line)
        )

    def failures(self) -> list[FailedFile]:
        """The files that could not be read, ordered by path."""
        return list(read_all(FailedFile, self._connection.exec_driver_sql(_FAILURES)))


def link_file(connection: Connection, source: FileSource, paper: Paper, paper_id: int, own_md5: str = "") -> None:
    """Save that a file is this paper, and so are files of the same content that failed before.

    own_md5: the MD5 of the file, where the paper has another.
    """
    md5 = own_md5 or paper.md5
    store_file(connection, source.path, source.line, md5, paper.sha256, paper_id, None)
    connection.execute(_LINK_FAILED, {"of_md5": md5, "found": paper_id})


def store_file(
    connection: Connection,
    path: Path,
    line: int,
    md5: str | None,
    sha256: str | None,
    paper_id: int | None,
    failed: UnreadableFile | None,
    chosen: str | None = None,
) -> None:
    """Save the state of a file; replaces the earlier one."""
    values = {
        "path": as_text(path),
        "line": line,
        "md5": md5,
        "sha256": sha256,
        "paper_id": paper_id,
        "code": failed and failed.code,
        "reason": failed and str(failed),
        "hint": failed and failed.hint,
        "chosen": chosen,
    }
    connection.execute(_STORE, values)


def _json_values(ids: Sequence[int]) -> Select[tuple[int]]:
    """A subquery of any number of ids, as one parameter."""
    return select(func.json_each(json.dumps(list(ids))).table_valued("value").c.value)


def as_text(path: Path) -> str:
    """A path as text, even if its name is not UTF-8."""
    return os.fsencode(path).decode("utf-8", "backslashreplace")


def as_path(text: str) -> Path:
    """The path of a text by `as_text`. Escaped bytes are restored, unless a file with the escaped name exists."""
    plain = Path(text)
    if not _ESCAPED.search(text) or exists(plain):
        return plain
    content = re.sub(
        rb"\\x([89a-f][0-9a-f])", lambda found: bytes.fromhex(found[1].decode()), text.encode("utf-8", "surrogatepass")
    )
    return Path(os.fsdecode(content))
