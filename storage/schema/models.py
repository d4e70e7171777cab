"""Known models, their training runs and suggestions."""

from __future__ import annotations

from sqlalchemy.orm import Mapped, mapped_column

from storage.schema.base import Base


class SuggestionRunRow(Base):
    """A run of suggestions. state: running, complete (then its suggestions are current) or replaced.

    device: its arithmetic, as `SuggestionRun` says.
    """

    __tablename__ = "suggestion_runs"
    id: Mapped[int] = mapped_column(primary_key=True)
    model_id: Mapped[int]
    temperature: Mapped[float]
    state: Mapped[str]
    device: Mapped[str]
    program: Mapped[str]
    started_at: Mapped[str]
    ended_at: Mapped[str | None]
    pairs: Mapped[int]
    held_out: Mapped[bool]
