"""The evidence of a pair: its paper, its paragraphs, and the files of the paper."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass, replace
from operator import index
from pathlib import Path
from typing import NamedTuple

from sqlalchemy import ColumnElement, Connection, func, select

from miner.records import Pair, Paragraph, Sentence
from storage import convert
from storage.convert import read_all
from storage.errors import translate_decoding_errors
from storage.papers.files import as_path
from storage.papers.metadata import PAPERS, SUMMARY_COLUMNS, PaperSummary
from storage.schema import FileRow, PairRow, ParagraphRow, SectionRow

_FOLDERS_LIMIT = 200


@dataclass(frozen=True, slots=True)
class PairOrigin:
    """A pair as it was mined, and its paper or data set. current: the pair is still mined."""

    pair: Pair
    current: bool
    paper: PaperSummary


class LocatedParagraph(NamedTuple):
    """A paragraph, its position in the paper, and the title of its section."""

    section: int
    ordinal: int
    title: str
    paragraph: Paragraph


class PaperFile(NamedTuple):
    """A file of a paper, with its SHA-256 when it was last read. line: as in `FileSource`."""

    path: Path
    line: int
    sha256: str | None


class EvidenceStore:
    """Where pairs come from."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    @translate_decoding_errors()
    def origin(self, key: str) -> PairOrigin | None:
        """The pair and its paper; None if the paper was removed or there is no such pair."""
        row = self._connection.execute(select(PairRow.__table__).where(PairRow.key == key)).mappings().first()
        if row is None:
            return None
        query = select(*SUMMARY_COLUMNS).where(PAPERS.c.id == row["paper_id"])
        [paper] = read_all(PaperSummary, self._connection.execute(query))
        pair = convert.pair_from_row(row)
        mined = replace(
            pair,
            premise=row["mined_premise"] or pair.premise,
            hypothesis=row["mined_hypothesis"] or pair.hypothesis,
        )
        if not (isinstance(mined.premise, str) and isinstance(mined.hypothesis, str)):
            raise ValueError("a sentence that is no text")
        return PairOrigin(mined, bool(row["current"]), paper)

    def paragraph(self, md5: str, section: int, ordinal: int) -> LocatedParagraph | None:
        return self._located(md5, ParagraphRow.section == section, ParagraphRow.ordinal == ordinal)

    def paragraph_with(self, md5: str, sentence: str) -> LocatedParagraph | None:
        """The first paragraph of the paper that contains the sentence exactly."""
        return self._located(md5, func.instr(ParagraphRow.text, sentence) > 0)

    def files(self, md5: str) -> list[PaperFile]:
        """The files of a paper: first the file that it is known by, then the others by path."""
        columns = (FileRow.path, FileRow.line, FileRow.sha256)
        query = select(*columns).join(PAPERS, PAPERS.c.id == FileRow.paper_id).where(PAPERS.c.md5 == md5)
        rows = self._connection.execute(query.order_by(FileRow.sha256 != PAPERS.c.sha256, FileRow.path, FileRow.line))
        return [PaperFile(as_path(path), line, sha256) for path, line, sha256 in rows]

    def folders(self) -> list[Path]:
        """The folders that the project's files were in, those with most files first; at most 200."""
        folder = func.rtrim(FileRow.path, func.replace(FileRow.path, os.sep, ""))
        query = select(folder).where(FileRow.line == 0).group_by(folder).order_by(func.count().desc())
        return [as_path(folder) for folder in self._connection.scalars(query.limit(_FOLDERS_LIMIT)) if folder]

    @translate_decoding_errors()
    def _located(self, md5: str, *where: ColumnElement[bool]) -> LocatedParagraph | None:
        columns = (ParagraphRow.section, ParagraphRow.ordinal, SectionRow.title, ParagraphRow.text)
        query = (
            select(*columns, ParagraphRow.after_break, ParagraphRow.sentences, ParagraphRow.spans)
            .join(PAPERS, PAPERS.c.id == ParagraphRow.paper_id)
            .join(
                SectionRow,
                (SectionRow.paper_id == ParagraphRow.paper_id) & (SectionRow.ordinal == ParagraphRow.section),
            )
            .where(PAPERS.c.md5 == md5, *where)
            .order_by(ParagraphRow.section, ParagraphRow.ordinal)
            .limit(1)
        )
        row = self._connection.execute(query).first()
        if row is None:
            return None
        section, ordinal, title, text, after_break, sentences, spans = row
        if not isinstance(text, str):
            raise ValueError("a paragraph that is no text")
        found = tuple(Sentence(index(start), index(end)) for start, end in json.loads(sentences))
        paragraph = Paragraph(text, found, convert.unpack_spans(spans), bool(after_break))
        return LocatedParagraph(section, ordinal, title, paragraph)
