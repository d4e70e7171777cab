"""Known models, their training runs and suggestions."""

from __future__ import annotations

from sqlalchemy import REAL, ForeignKey, Index, text
from sqlalchemy.orm import Mapped, mapped_column

from storage.schema.base import Base


class ModelRow(Base):
    """A model, identified by the digest of its files. `card` and `labels` are JSON."""

    __tablename__ = "models"
    id: Mapped[int] = mapped_column(primary_key=True)
    digest: Mapped[str] = mapped_column(unique=True)
    name: Mapped[str]
    kind: Mapped[str]
    folder: Mapped[str]
    card: Mapped[str]
    labels: Mapped[str | None]
    added_at: Mapped[str]


class TrainingRunRow(Base):
    """A training run; `settings` to `versions`, `metrics` and `history` are JSON."""

    __tablename__ = "training_runs"
    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str]
    state: Mapped[str]
    settings: Mapped[str]
    fingerprint: Mapped[str]
    data: Mapped[str]
    versions: Mapped[str]
    started_at: Mapped[str]
    ended_at: Mapped[str | None]
    metrics: Mapped[str]
    history: Mapped[str]
    problem: Mapped[str]
    folder: Mapped[str]
    model_id: Mapped[int | None] = mapped_column(ForeignKey("models.id"))


class SuggestionRunRow(Base):
    """A run of suggestions. state: running, complete (then its suggestions are current) or replaced.

    device: its arithmetic, as `SuggestionRun` says.
    """

    __tablename__ = "suggestion_runs"
    __table_args__ = (
        Index("suggestion_runs_alive", "state", unique=True, sqlite_where=text("state IN ('running', 'complete')")),
    )
    id: Mapped[int] = mapped_column(primary_key=True)
    model_id: Mapped[int] = mapped_column(ForeignKey("models.id"))
    temperature: Mapped[float] = mapped_column(REAL)
    state: Mapped[str]
    device: Mapped[str]
    program: Mapped[str]
    started_at: Mapped[str]
    ended_at: Mapped[str | None]
    pairs: Mapped[int]
    held_out: Mapped[bool]


class SuggestionRow(Base):
    """A model's suggestion for a pair. Numbers are in ten-thousandths; label: an index of `Label`."""

    __tablename__ = "suggestions"
    __table_args__ = (
        Index("suggestions_by_confidence", "run", "confidence", "pair", "label", "doubt"),
        Index("suggestions_by_doubt", "run", "doubt", "pair", "label", "confidence"),
    )
    pair: Mapped[int] = mapped_column(ForeignKey("pairs.id", ondelete="CASCADE"), primary_key=True)
    run: Mapped[int] = mapped_column(ForeignKey("suggestion_runs.id"), primary_key=True)
    label: Mapped[int]
    confidence: Mapped[int]
    contrasting: Mapped[int]
    reasoning: Mapped[int]
    entailment: Mapped[int]
    neutral: Mapped[int]
    doubt: Mapped[int | None]
    margin: Mapped[int | None]
    fold: Mapped[int | None]
