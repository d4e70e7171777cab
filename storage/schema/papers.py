"""The papers, their files and text, edits of people, and kept answers of parsers."""

from __future__ import annotations

from typing import cast

from sqlalchemy import Table
from sqlalchemy.orm import Mapped, mapped_column

from storage.schema.base import Base


class PaperRow(Base):
    """One paper, or one imported data set. `kind` says what `sha256` is of: pdf, tei, papers or dataset.

    digest: of the text, then of the metadata as parsed (`miner.parsing.digests.paper_digest`), so that a different
    parse is noticed.
    edited: the names of the metadata that a person set (JSON), which no parse overwrites.
    source_md5: of a stand-in, the MD5 of the paper that it stands for, by which it is ordered, split and exported.
    split: train, dev or test, by the split of the project's papers (`storage.pairs.paper_splits`).
    hidden_words: how many words were left out because they are invisible on the pages.
    repaired_characters, repaired_fonts: how many characters the fonts had wrong, and how many fonts.
    words, unknown_words, unknown_lines: how many words could be looked up and are no words, and the worst lines (JSON).
    sources: where each field's value comes from (JSON, by field).
    to_check: the names of what the parser was not sure of (JSON, see `miner.parsing.checks`). A person who sets or
    confirms it has it in `edited`.

    The index `papers_in_order`, of `source_md5` or `md5`, is missing here: SQLAlchemy cannot read back an expression.
    """

    __tablename__ = "papers"
    id: Mapped[int] = mapped_column(primary_key=True)
    md5: Mapped[str]
    sha256: Mapped[str]
    kind: Mapped[str]
    title: Mapped[str]
    authors: Mapped[str]
    year: Mapped[int | None]
    doi: Mapped[str | None]
    domain: Mapped[str]
    pages: Mapped[int | None]
    parser: Mapped[str]
    parser_version: Mapped[str]
    splitter: Mapped[str]
    digest: Mapped[str]
    edited: Mapped[str]
    source_md5: Mapped[str | None]
    hidden_words: Mapped[int]
    licence: Mapped[str]
    repaired_characters: Mapped[int]
    repaired_fonts: Mapped[int]
    split: Mapped[str | None]
    journal: Mapped[str]
    keywords: Mapped[str]
    language: Mapped[str]
    words: Mapped[int]
    unknown_words: Mapped[int]
    unknown_lines: Mapped[str]
    sources: Mapped[str]
    to_check: Mapped[str]


class FileRow(Base):
    """A file that was added, or a line of one (0: the whole file): its paper, or why it could not be read.

    chosen: the metadata that a person chose for a failed file (`ChosenMetadata`, JSON).
    """

    __tablename__ = "files"
    id: Mapped[int] = mapped_column(primary_key=True)
    path: Mapped[str]
    line: Mapped[int]
    md5: Mapped[str | None]
    sha256: Mapped[str | None]
    paper_id: Mapped[int | None]
    code: Mapped[str | None]
    reason: Mapped[str | None]
    hint: Mapped[str | None]
    chosen: Mapped[str | None]


class SectionRow(Base):
    __tablename__ = "sections"
    paper_id: Mapped[int] = mapped_column(primary_key=True)
    ordinal: Mapped[int] = mapped_column(primary_key=True)
    title: Mapped[str]
    kind: Mapped[str]


class ParagraphRow(Base):
    """`sentences` is JSON, [[start, end], ...]; `spans` is packed by `miner.parsing.spans.pack_spans`."""

    __tablename__ = "paragraphs"
    id: Mapped[int] = mapped_column(primary_key=True)
    paper_id: Mapped[int]
    section: Mapped[int]
    ordinal: Mapped[int]
    text: Mapped[str]
    after_break: Mapped[bool]
    sentences: Mapped[str]
    spans: Mapped[bytes | None]


class PaperEventRow(Base):
    """A field of a paper that a person changed: one of `PaperMetadata`, or `edited` itself.

    old, new: JSON, a list with the value; of `edited` the list of names.
    """

    __tablename__ = "paper_events"
    id: Mapped[int] = mapped_column(primary_key=True)
    md5: Mapped[str]
    field: Mapped[str]
    old: Mapped[str | None]
    new: Mapped[str | None]
    action: Mapped[int | None]


class RemovedPaperRow(Base):
    """A removed paper: its rows by table as gzipped JSON (part 0), and its pairs in batches (parts from 1)."""

    __tablename__ = "removed_papers"
    action: Mapped[int] = mapped_column(primary_key=True)
    md5: Mapped[str] = mapped_column(primary_key=True)
    part: Mapped[int] = mapped_column(primary_key=True)
    content: Mapped[bytes]


class ParserOutputRow(Base):
    __tablename__ = "parser_outputs"
    key: Mapped[str] = mapped_column(primary_key=True)
    sha256: Mapped[str]
    content: Mapped[bytes]


class ParserFailureRow(Base):
    __tablename__ = "parser_failures"
    key: Mapped[str] = mapped_column(primary_key=True)
    code: Mapped[str]
    reason: Mapped[str]
    hint: Mapped[str]


DATA_SET = "dataset"  # the kind of a stand-in paper for the pairs of an imported file

# For bulk inserts.
PAPERS, SECTIONS, PARAGRAPHS = (cast(Table, row.__table__) for row in (PaperRow, SectionRow, ParagraphRow))
FILES = cast(Table, FileRow.__table__)
