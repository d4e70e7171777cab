"""Papers of the project, and the files they came from."""

from __future__ import annotations

import json
import os
import re
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any, NamedTuple, TypedDict, Unpack

from sqlalchemy import Connection, RowMapping, delete, func, insert, select, update
from sqlalchemy.dialects import sqlite

from miner.errors import Unreadable
from miner.parsing.files import Kind
from miner.records import Paper
from storage import convert
from storage.models import DATA_SET, PARAGRAPHS, FileRow, PairRow, PaperRow, ParagraphRow, SectionRow
from storage.pairs import forget_machine_pairs
from storage.runs import step_back

_VERSION = re.compile(r"\d{1,4}(\.\d{1,4}){0,3}(?=$|\s)", re.ASCII)
_PREFERENCE = {"grobid": 2, "embedded": 0}  # of two parses of one PDF; anything else stands between

_SUMMARY = (
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
)


class Source(NamedTuple):
    """Where a paper came from: a file, or a line of one (from 1; 0 is the whole file)."""

    path: Path
    kind: Kind
    line: int = 0


class Saved(StrEnum):
    """What `save` found."""

    NEW = "new"
    KNOWN = "known"
    REPLACED = "replaced"


class Metadata(TypedDict, total=False):
    title: str
    authors: tuple[str, ...]
    year: int | None
    doi: str | None
    domain: str


@dataclass(frozen=True, slots=True)
class PaperSummary:
    """A paper without its prose. `kind`: what `sha256` is of."""

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


@dataclass(frozen=True, slots=True)
class FailedFile:
    path: str
    line: int
    code: str
    reason: str
    hint: str


class PaperStore:
    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def save(self, paper: Paper, source: Source) -> Saved:
        """Keep a paper and where it came from; the same content again changes nothing.

        What is kept does not depend on the order of arrival: the prose of the better parse (GROBID's before the
        embedded parser's, then the later version's), file hash and pages of the PDF when one came. Metadata a person
        set stays. A PDF with the MD5 of another one (somebody forged it) is kept as a failed file; it is `KNOWN`.
        """
        columns = (PaperRow.id, PaperRow.digest, PaperRow.edited, *_SUMMARY)
        old = self._connection.execute(select(*columns).where(PaperRow.md5 == paper.md5)).first()
        if old is None:
            values: dict[str, Any] = {
                "md5": paper.md5,
                "kind": source.kind.value,
                "domain": paper.domain,
                "edited": "[]",
            }
            values |= _file_values(paper) | _parse_values(paper)
            statement = insert(PaperRow).values(**values).returning(PaperRow.id)
            paper_id = self._connection.execute(statement).scalar_one()
            self._insert_prose(paper_id, paper)
            self._link(source, paper, paper_id)
            step_back(self._connection, paper.md5)
            return Saved.NEW
        if source.kind is Kind.PDF and old.kind == Kind.PDF and old.sha256 != paper.sha256:
            clash = Unreadable("clash", "Another PDF of this project has the same MD5 but other content.")
            self._put_file(source.path, source.line, paper.md5, paper.sha256, None, clash)
            return Saved.KNOWN
        digest = convert.paper_digest(paper)
        better = _better(paper, digest, old)
        values = {} if old.domain else {"domain": paper.domain}
        same = digest == old.digest and paper.sha256 < old.sha256  # two TEIs of one prose: either, but always the same
        if source.kind is Kind.PDF or ((better or same) and old.kind != Kind.PDF):
            values |= {"kind": source.kind.value, **_file_values(paper)}
        if better:
            edited = json.loads(old.edited)
            values |= {key: value for key, value in _parse_values(paper).items() if key not in edited}
            self._connection.execute(delete(SectionRow).where(SectionRow.paper_id == old.id))
            self._insert_prose(old.id, paper)
            forget_machine_pairs(self._connection, old.id)
            step_back(self._connection, paper.md5)
        if values:
            self._connection.execute(update(PaperRow).where(PaperRow.id == old.id).values(**values))
        self._link(source, paper, old.id)
        return Saved.REPLACED if better else Saved.KNOWN

    def save_failure(
        self, path: Path, failed: Unreadable, *, md5: str | None = None, sha256: str | None = None, line: int = 0
    ) -> None:
        """Remember why a file is no paper. Never takes back an earlier success with the same content."""
        known = None
        if md5 is not None:
            known = self._connection.scalar(select(PaperRow.id).where(PaperRow.md5 == md5))
        earlier = select(FileRow.paper_id, FileRow.md5).where(FileRow.path == _text(path), FileRow.line == line)
        row = self._connection.execute(earlier).first()
        if known is None and row is not None and row.paper_id is not None and md5 in (None, row.md5):
            return
        self._put_file(path, line, md5, sha256, known, None if known else failed)

    def forget_lines(self, path: Path) -> None:
        """Forget which lines of a file were no papers: it is read anew."""
        stale = (FileRow.path == _text(path), FileRow.line > 0, FileRow.paper_id.is_(None))
        self._connection.execute(delete(FileRow).where(*stale))

    def add_file(self, source: Source, md5: str, sha256: str) -> None:
        """Remember that a paper that is there already lies here too."""
        paper_id = self._connection.scalar(select(PaperRow.id).where(PaperRow.md5 == md5))
        self._put_file(source.path, source.line, md5, sha256, paper_id, None)

    def set_sentences(self, paper: Paper) -> None:
        """Give a stored paper's paragraphs the sentences of `paper`: the same prose, split otherwise."""
        row = self._connection.execute(select(PaperRow.id).where(PaperRow.md5 == paper.md5)).one()
        self._connection.execute(delete(SectionRow).where(SectionRow.paper_id == row.id))
        self._insert_prose(row.id, paper)
        values = {"digest": convert.paper_digest(paper), "splitter": paper.splitter}
        self._connection.execute(update(PaperRow).where(PaperRow.id == row.id).values(**values))
        step_back(self._connection, paper.md5)

    def by_md5(self, md5: str) -> PaperSummary | None:
        row = self._connection.execute(select(*_SUMMARY).where(PaperRow.md5 == md5)).mappings().first()
        return None if row is None else _summary(row)

    def by_sha256(self, sha256: str) -> PaperSummary | None:
        """The paper that a file with this content gave, whichever of its files that is."""
        query = (
            select(*_SUMMARY).join(FileRow, FileRow.paper_id == PaperRow.id).where(FileRow.sha256 == sha256).limit(1)
        )
        row = self._connection.execute(query).mappings().first()
        return None if row is None else _summary(row)

    def get(self, md5: str) -> Paper:
        """The whole paper; KeyError when there is none."""
        row = self._connection.execute(select(PaperRow.id, *_SUMMARY).where(PaperRow.md5 == md5)).mappings().first()
        if row is None:
            raise KeyError(md5)
        paper_id = row["id"]
        sections = select(SectionRow.ordinal, SectionRow.title, SectionRow.kind).where(SectionRow.paper_id == paper_id)
        prose = (ParagraphRow.text, ParagraphRow.after_break, ParagraphRow.sentences, ParagraphRow.spans)
        paragraphs = select(ParagraphRow.section, *prose).where(ParagraphRow.paper_id == paper_id)
        return convert.paper(
            row,
            self._connection.execute(sections.order_by(SectionRow.ordinal)),
            self._connection.execute(paragraphs.order_by(ParagraphRow.section, ParagraphRow.ordinal)),
        )

    def in_order(self) -> list[str]:
        """The MD5s of all papers, ascending: the order of identity, in which everything is mined and exported."""
        return list(self._connection.scalars(_papers(PaperRow.md5).order_by(PaperRow.md5)))

    def summaries(self) -> list[PaperSummary]:
        """All papers, in order of identity."""
        rows = self._connection.execute(_papers(*_SUMMARY).order_by(PaperRow.md5))
        return [_summary(row) for row in rows.mappings()]

    def count(self) -> int:
        return self._connection.scalar(_papers(func.count())) or 0

    def sentence_count(self) -> int:
        return self._connection.scalar(select(func.sum(func.json_array_length(ParagraphRow.sentences)))) or 0

    def splitters(self) -> list[str]:
        """The sentence parameters that papers of the project were split with, each once, in order."""
        return list(self._connection.scalars(_papers(PaperRow.splitter).distinct().order_by(PaperRow.splitter)))

    def domains(self) -> dict[str, int]:
        """How many papers each domain has."""
        query = _papers(PaperRow.domain, func.count()).group_by(PaperRow.domain).order_by(PaperRow.domain)
        return dict(self._connection.execute(query).all())

    def paths(self, md5: str) -> list[str]:
        """Where files of this paper were last seen."""
        query = select(FileRow.path).join(PaperRow, PaperRow.id == FileRow.paper_id).where(PaperRow.md5 == md5)
        return list(self._connection.scalars(query.order_by(FileRow.path)))

    def failures(self) -> list[FailedFile]:
        """Files that are no paper, by path."""
        columns = (FileRow.path, FileRow.line, FileRow.code, FileRow.reason, FileRow.hint)
        query = select(*columns).where(FileRow.code.is_not(None)).order_by(FileRow.path, FileRow.line)
        return [
            FailedFile(path, line, code or "", reason or "", hint or "")
            for path, line, code, reason, hint in self._connection.execute(query)
        ]

    def failure_counts(self) -> dict[str, int]:
        """How many files failed, by code."""
        query = select(FileRow.code, func.count()).where(FileRow.code.is_not(None)).group_by(FileRow.code)
        return {code or "": count for code, count in self._connection.execute(query.order_by(FileRow.code))}

    def set_metadata(self, md5: str, **changes: Unpack[Metadata]) -> None:
        """What a person says about a paper; no later parse overwrites it. KeyError when there is no such paper."""
        row = self._connection.execute(select(PaperRow.id, PaperRow.edited).where(PaperRow.md5 == md5)).first()
        if row is None:
            raise KeyError(md5)
        values: dict[str, Any] = dict(changes)  # column values
        if "authors" in changes:
            values["authors"] = json.dumps(changes["authors"], ensure_ascii=False)
        edited = json.dumps(sorted({*json.loads(row.edited), *changes}))
        self._connection.execute(update(PaperRow).where(PaperRow.id == row.id).values(edited=edited, **values))

    def remove(self, md5: str) -> bool:
        """Take a paper, its files and its pairs out; answers stay in the history. Whether there was one."""
        step_back(self._connection, md5)
        paper_id = self._connection.scalar(select(PaperRow.id).where(PaperRow.md5 == md5))
        if paper_id is None:
            return False
        self._connection.execute(
            delete(PairRow).where(PairRow.paper_id == paper_id)
        )  # before the cascade: one statement
        return self._connection.execute(delete(PaperRow).where(PaperRow.id == paper_id)).rowcount > 0

    def _insert_prose(self, paper_id: int, paper: Paper) -> None:
        sections = [
            {"paper_id": paper_id, "ordinal": ordinal, "title": section.title, "kind": section.kind.value}
            for ordinal, section in enumerate(paper.sections)
        ]
        paragraphs = list(convert.paragraph_values(paper_id, paper))
        if sections:
            self._connection.execute(insert(SectionRow), sections)
        if paragraphs:
            self._connection.execute(insert(PARAGRAPHS), paragraphs)

    def _link(self, source: Source, paper: Paper, paper_id: int) -> None:
        """Say that a file is this paper, and that files of the same content which failed before are it too."""
        self._put_file(source.path, source.line, paper.md5, paper.sha256, paper_id, None)
        same = (FileRow.md5 == paper.md5, FileRow.paper_id.is_(None), FileRow.code != "clash")
        found = {"paper_id": paper_id, "code": None, "reason": None, "hint": None}
        self._connection.execute(update(FileRow).where(*same).values(**found))

    def _put_file(
        self,
        path: Path,
        line: int,
        md5: str | None,
        sha256: str | None,
        paper_id: int | None,
        failed: Unreadable | None,
    ) -> None:
        values = {
            "md5": md5,
            "sha256": sha256,
            "paper_id": paper_id,
            "code": failed and failed.code,
            "reason": failed and str(failed),
            "hint": failed and failed.hint,
        }
        statement = sqlite.insert(FileRow).values(path=_text(path), line=line, **values)
        self._connection.execute(statement.on_conflict_do_update(["path", "line"], set_=values))


def _papers(*columns: Any) -> Any:  # SQLAlchemy types a select by its columns, one overload a count
    return select(*columns).select_from(PaperRow).where(PaperRow.kind != DATA_SET)


def _text(path: Path) -> str:
    """A path as text, also where its name is not UTF-8."""
    return os.fsencode(path).decode("utf-8", "backslashreplace")


def _better(paper: Paper, digest: str, old: Any) -> bool:  # `old`: a row
    """Whether a parse takes the place of the stored one; by its rank, else the splitter now in use, else the digest."""
    if digest == old.digest:
        return False
    if (new_rank := _rank(paper)) != (old_rank := _rank(old)):
        return bool(new_rank > old_rank)
    return bool(paper.splitter != old.splitter or digest > old.digest)


def _rank(parse: Any) -> tuple[Any, ...]:  # a Paper, or a row with its columns
    """What makes one parse of a PDF better than another: the parser, its version, our reader of it, our splitter."""
    version, _, read_by = parse.parser_version.partition(", reader ")
    versions = (version, read_by, parse.splitter)
    return (_PREFERENCE.get(parse.parser, 1), *map(_numbers, versions))


def _numbers(version: str) -> tuple[int, ...]:
    """The numbers a version begins with; one that is no version, as a server may claim, comes before all others."""
    found = _VERSION.match(version)
    return tuple(map(int, found[0].split("."))) if found else (-1,)


def _file_values(paper: Paper) -> dict[str, Any]:
    """The columns that say which file it is."""
    return {"sha256": paper.sha256, "pages": paper.pages}


def _parse_values(paper: Paper) -> dict[str, Any]:
    """The columns that a parser fills."""
    return {
        "title": paper.title,
        "authors": json.dumps(paper.authors, ensure_ascii=False),
        "year": paper.year,
        "doi": paper.doi,
        "parser": paper.parser,
        "parser_version": paper.parser_version,
        "splitter": paper.splitter,
        "digest": convert.paper_digest(paper),
    }


def _summary(row: RowMapping) -> PaperSummary:
    return PaperSummary(**{**row, "authors": tuple(json.loads(row["authors"]))})
