"""Experiments, what they test on, and predictions."""

from __future__ import annotations

from sqlalchemy.orm import Mapped, mapped_column

from storage.schema.base import Base


class TestPartRow(Base):
    """The pairs that cells are tested on, identified by a digest of their texts and classes."""

    __test__ = False  # no test of pytest's
    __tablename__ = "test_parts"
    id: Mapped[int] = mapped_column(primary_key=True)
    digest: Mapped[str]


class TestItemRow(Base):
    """A pair of a test part. class: an index of the experiment's classes. words: of both sentences.

    kinds: its kinds of reasoning, with a space between them, where a table of the experiment asks for them.
    """

    __test__ = False
    __tablename__ = "test_items"
    part: Mapped[int] = mapped_column(primary_key=True)
    position: Mapped[int] = mapped_column(primary_key=True)
    pair_key: Mapped[str]
    text_hash: Mapped[bytes]
    class_: Mapped[int] = mapped_column("class")
    domain: Mapped[str]
    strategy: Mapped[str]
    phrase: Mapped[str]
    words: Mapped[int]
    kinds: Mapped[str]


class TestTextRow(Base):
    """The texts of a test pair that the project does not have."""

    __test__ = False
    __tablename__ = "test_texts"
    text_hash: Mapped[bytes] = mapped_column(primary_key=True)
    premise: Mapped[str]
    hypothesis: Mapped[str]


class CellResultRow(Base):
    """A finished cell, by its key: all its pairs have predictions of the predictor."""

    __tablename__ = "cell_results"
    key: Mapped[str] = mapped_column(primary_key=True)
    predictor: Mapped[int]
    finished_at: Mapped[str]
