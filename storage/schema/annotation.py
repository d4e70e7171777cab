"""Annotators, rounds, assignments, merged answers, and decisions about annotation."""

from __future__ import annotations

from sqlalchemy import ForeignKey, Index, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from storage.schema.base import Base


class AnnotatorRow(Base):
    """A person who annotates. `key` is what histories hold and never changes; `role` says what their answers are."""

    __tablename__ = "annotators"
    id: Mapped[int] = mapped_column(primary_key=True)
    key: Mapped[str] = mapped_column(unique=True)
    name: Mapped[str] = mapped_column(unique=True)
    role: Mapped[str]


class AnnotationRoundRow(Base):
    """Pairs that were drawn for several annotators. `plan` (JSON) says how; `kind`: benchmark, pilot or estimate.

    asks: relation or kinds; taxonomy: of the questions about kinds.
    """

    __tablename__ = "annotation_rounds"
    id: Mapped[int] = mapped_column(primary_key=True)
    uid: Mapped[str] = mapped_column(unique=True)
    number: Mapped[int] = mapped_column(unique=True)
    kind: Mapped[str]
    seed: Mapped[int]
    created_at: Mapped[str]
    plan: Mapped[str]
    is_open: Mapped[bool]
    asks: Mapped[str] = mapped_column(default="relation", server_default="relation")
    taxonomy: Mapped[str | None] = mapped_column(ForeignKey("taxonomies.digest"))


class AnnotationRoundPairRow(Base):
    """A pair of an annotation round, with the domain and distant label that it was drawn for.

    annotator: whose pair it is; None for everybody who answers the round.
    """

    __tablename__ = "annotation_round_pairs"
    __table_args__ = (Index("annotation_round_pairs_by_pair", "pair_key"),)
    round: Mapped[int] = mapped_column(ForeignKey("annotation_rounds.id", ondelete="CASCADE"), primary_key=True)
    pair_key: Mapped[str] = mapped_column(primary_key=True)
    ordinal: Mapped[int]
    domain: Mapped[str]
    label: Mapped[str | None]
    annotator: Mapped[str | None]


class AssignmentRow(Base):
    """An annotator's part of an annotation round. state: open (answered here), sent (as a file) or merged.

    digest: of the keys and texts of the pairs in the file that was sent last (`storage.exchange.answer_files`).
    """

    __tablename__ = "assignments"
    __table_args__ = (UniqueConstraint("round", "annotator"),)
    id: Mapped[int] = mapped_column(primary_key=True)
    uid: Mapped[str] = mapped_column(unique=True)
    round: Mapped[int] = mapped_column(ForeignKey("annotation_rounds.id", ondelete="CASCADE"))
    annotator: Mapped[str]
    state: Mapped[str]
    sent_at: Mapped[str | None]
    merged_at: Mapped[str | None]
    digest: Mapped[str | None]


class MergedAnswerRow(Base):
    """An answer that came in an answer file, "" for one that was withdrawn; it counts until `action` is undone.

    earlier, earlier_at: of a conflict, what the annotator had answered elsewhere when the file was merged.
    """

    __tablename__ = "merged_answers"
    __table_args__ = (
        UniqueConstraint("assignment", "pair_key", "at", "answer"),
        Index("merged_answers_by_action", "action"),
    )
    id: Mapped[int] = mapped_column(primary_key=True)
    assignment: Mapped[int] = mapped_column(ForeignKey("assignments.id", ondelete="CASCADE"))
    pair_key: Mapped[str]
    at: Mapped[str]
    answer: Mapped[str]
    earlier: Mapped[str | None]
    earlier_at: Mapped[str | None]
    action: Mapped[int] = mapped_column(ForeignKey("actions.id"))


class SetupEventRow(Base):
    """A decision about annotation that an action changed, from `old` to `new` (JSON); None: there was, or is, none.

    subject: what it is about, see `storage.annotation.setup`. Rows never change.
    """

    __tablename__ = "setup_events"
    __table_args__ = (Index("setup_events_by_action", "action"),)
    id: Mapped[int] = mapped_column(primary_key=True)
    subject: Mapped[str]
    old: Mapped[str | None]
    new: Mapped[str | None]
    action: Mapped[int] = mapped_column(ForeignKey("actions.id"))


class RoundRow(Base):
    """A queue of an annotator in Review. `filter` (JSON) and `pair_order` say how its pairs were selected.

    turn: highest for the queue that is on, and then for the one that was on before.
    """

    __tablename__ = "rounds"
    __table_args__ = (Index("rounds_by_annotator", "annotator", "turn"),)
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
    round: Mapped[int] = mapped_column(ForeignKey("rounds.id", ondelete="CASCADE"), primary_key=True)
    pair_key: Mapped[str] = mapped_column(primary_key=True)
    ordinal: Mapped[int]
    skipped: Mapped[int | None]
