"""Annotators, rounds, assignments, merged answers, and decisions about annotation."""

from __future__ import annotations

from sqlalchemy.orm import Mapped, mapped_column

from storage.schema.base import Base


class AnnotationRoundPairRow(Base):
    """A pair of an annotation round, with the domain and distant label that it was drawn for.

    annotator: whose pair it is; None for everybody who answers the round.
    """

    __tablename__ = "annotation_round_pairs"
    round: Mapped[int] = mapped_column(primary_key=True)
    pair_key: Mapped[str] = mapped_column(primary_key=True)
    ordinal: Mapped[int]
    domain: Mapped[str]
    label: Mapped[str | None]
    annotator: Mapped[str | None]


class SetupEventRow(Base):
    """A decision about annotation that an action changed, from `old` to `new` (JSON); None: there was, or is, none.

    subject: what it is about, see `storage.annotation.setup`. Rows never change.
    """

    __tablename__ = "setup_events"
    id: Mapped[int] = mapped_column(primary_key=True)
    subject: Mapped[str]
    old: Mapped[str | None]
    new: Mapped[str | None]
    action: Mapped[int]


class RoundRow(Base):
    """A queue of an annotator in Review. `filter` (JSON) and `pair_order` say how its pairs were selected.

    turn: highest for the queue that is on, and then for the one that was on before.
    """

    __tablename__ = "rounds"
    id: Mapped[int] = mapped_column(primary_key=True)
    annotator: Mapped[str]
    number: Mapped[int]
    pair_order: Mapped[str]
    filter: Mapped[str]
    size: Mapped[int]
    seed: Mapped[int]
    turn: Mapped[int]


class RoundPairRow(Base):
    """A pair of a queue. skipped: its position among the skipped pairs, which come last; None for the others."""

    __tablename__ = "round_pairs"
    round: Mapped[int] = mapped_column(primary_key=True)
    pair_key: Mapped[str] = mapped_column(primary_key=True)
    ordinal: Mapped[int]
    skipped: Mapped[int | None]
