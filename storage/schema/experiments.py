"""Experiments, what they test on, and predictions."""

from __future__ import annotations

from sqlalchemy import REAL, ForeignKey
from sqlalchemy.orm import Mapped, mapped_column

from storage.schema.base import Base


class ExperimentRow(Base):
    """An experiment as its file says it (`recipe`, canonical JSON). state: running, done, stopped or failed.

    text, folder: the file as it was written, and the folder that its paths are relative to; "" where it has none.
    forgotten: a person has forgotten it, which can be undone until it is deleted. sources: digests of models and
    vectors that its systems use, as JSON, by the system's index.
    """

    __tablename__ = "experiments"
    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str]
    recipe: Mapped[str]
    text: Mapped[str]
    folder: Mapped[str]
    sources: Mapped[str]
    state: Mapped[str]
    program: Mapped[str]
    started_at: Mapped[str]
    ended_at: Mapped[str | None]
    problem: Mapped[str]
    forgotten: Mapped[bool] = mapped_column(default=False, server_default="0")


class TestPartRow(Base):
    """The pairs that cells are tested on, identified by a digest of their texts and classes."""

    __test__ = False  # no test of pytest's
    __tablename__ = "test_parts"
    id: Mapped[int] = mapped_column(primary_key=True)
    digest: Mapped[str] = mapped_column(unique=True)


class TestItemRow(Base):
    """A pair of a test part. class: an index of the experiment's classes. words: of both sentences.

    kinds: its kinds of reasoning, with a space between them, where a table of the experiment asks for them.
    """

    __test__ = False
    __tablename__ = "test_items"
    __table_args__ = {"sqlite_with_rowid": False}  # noqa: RUF012
    part: Mapped[int] = mapped_column(ForeignKey("test_parts.id", ondelete="CASCADE"), primary_key=True)
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
    __table_args__ = {"sqlite_with_rowid": False}  # noqa: RUF012
    text_hash: Mapped[bytes] = mapped_column(primary_key=True)
    premise: Mapped[str]
    hypothesis: Mapped[str]


class ExperimentCellRow(Base):
    """A cell of an experiment, as `miner.experiments.plan` plans it; it is finished if its key has a result.

    problem: why it is not computed. failure: why its last run came to nothing.
    """

    __tablename__ = "experiment_cells"
    __table_args__ = {"sqlite_with_rowid": False}  # noqa: RUF012
    experiment: Mapped[int] = mapped_column(ForeignKey("experiments.id", ondelete="CASCADE"), primary_key=True)
    position: Mapped[int] = mapped_column(primary_key=True)
    key: Mapped[str]
    run: Mapped[str]
    mapping: Mapped[str]
    system: Mapped[int]
    train: Mapped[str]
    test: Mapped[str]
    seed: Mapped[int]
    part: Mapped[int] = mapped_column(ForeignKey("test_parts.id"))
    problem: Mapped[str]
    failure: Mapped[str]


class PredictorRow(Base):
    """What predicted: a run of a system, or a model. digest: the run's key or the model's digest."""

    __tablename__ = "predictors"
    id: Mapped[int] = mapped_column(primary_key=True)
    digest: Mapped[str] = mapped_column(unique=True)
    title: Mapped[str]
    device: Mapped[str]
    seconds: Mapped[float] = mapped_column(REAL)
    kind: Mapped[str]
    work: Mapped[float] = mapped_column(REAL)
    notes: Mapped[str]
    versions: Mapped[str]
    made_at: Mapped[str]


class PredictionRow(Base):
    """Probabilities of a pair's classes, packed as little-endian float32; all 0 where there was no answer.

    class: the index of the most probable class, -1 where there was no answer.
    """

    __tablename__ = "predictions"
    __table_args__ = {"sqlite_with_rowid": False}  # noqa: RUF012
    predictor: Mapped[int] = mapped_column(ForeignKey("predictors.id", ondelete="CASCADE"), primary_key=True)
    text_hash: Mapped[bytes] = mapped_column(primary_key=True)
    probabilities: Mapped[bytes]
    class_: Mapped[int] = mapped_column("class")


class CellResultRow(Base):
    """A finished cell, by its key: all its pairs have predictions of the predictor."""

    __tablename__ = "cell_results"
    __table_args__ = {"sqlite_with_rowid": False}  # noqa: RUF012
    key: Mapped[str] = mapped_column(primary_key=True)
    predictor: Mapped[int] = mapped_column(ForeignKey("predictors.id", ondelete="CASCADE"))
    finished_at: Mapped[str]
