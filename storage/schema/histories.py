"""What people did: actions, and answers, marks and mended sentences as append-only histories."""

from __future__ import annotations

from sqlalchemy import ForeignKey, Index, text
from sqlalchemy.orm import Mapped, mapped_column

from storage.schema.base import Base


class ActionRow(Base):
    """One thing a person did. `state`: done; undone; dropped, undone for good; or reversal, an undo or redo itself."""

    __tablename__ = "actions"
    __table_args__ = (Index("actions_by_annotator", "annotator", "state", "id"),)
    id: Mapped[int] = mapped_column(primary_key=True)
    at: Mapped[str]
    annotator: Mapped[str]
    title: Mapped[str]
    state: Mapped[str]
    reverses: Mapped[int | None] = mapped_column(ForeignKey("actions.id"))


class LabelEventRow(Base):
    """An answer given, changed or withdrawn (`new` is None); triggers forbid to change or delete one.

    `via`: answer, or accepted where a suggestion was accepted.
    """

    __tablename__ = "label_events"
    __table_args__ = (
        Index("label_events_by_pair", "pair_key", "annotator", "id"),
        Index("label_events_by_action", "action", sqlite_where=text("action IS NOT NULL")),
    )
    id: Mapped[int] = mapped_column(primary_key=True)
    pair_key: Mapped[str]
    annotator: Mapped[str]
    at: Mapped[str]
    seen: Mapped[str]
    old: Mapped[str | None]
    new: Mapped[str | None]
    action: Mapped[int | None] = mapped_column(ForeignKey("actions.id"))
    via: Mapped[str] = mapped_column(default="answer", server_default="answer")


class MarkEventRow(Base):
    """A flag, a note, tags or why a pair is bad: set, changed or removed (`new` is None). Rows never change."""

    __tablename__ = "mark_events"
    __table_args__ = (
        Index("mark_events_by_pair", "pair_key", "kind", "annotator", "id"),
        Index("mark_events_by_action", "action"),
        Index("mark_events_tags", "pair_key", "annotator", "id", sqlite_where=text("kind = 'tag'")),
    )
    id: Mapped[int] = mapped_column(primary_key=True)
    pair_key: Mapped[str]
    annotator: Mapped[str]
    at: Mapped[str]
    kind: Mapped[str]
    old: Mapped[str | None]
    new: Mapped[str | None]
    action: Mapped[int | None] = mapped_column(ForeignKey("actions.id"))


class TextEventRow(Base):
    """A sentence that a person mended, from `old` to `new`; `field` is premise or hypothesis.

    new: None is the mined text, whatever that is by now. Rows never change.
    """

    __tablename__ = "text_events"
    __table_args__ = (
        Index("text_events_by_pair", "pair_key", "field", "id"),
        Index("text_events_by_action", "action"),
    )
    id: Mapped[int] = mapped_column(primary_key=True)
    pair_key: Mapped[str]
    annotator: Mapped[str]
    at: Mapped[str]
    field: Mapped[str]
    old: Mapped[str]
    new: Mapped[str | None]
    action: Mapped[int | None] = mapped_column(ForeignKey("actions.id"))


class TaxonomyRow(Base):
    """A taxonomy of kinds of reasoning that answers were given by: its file's text, under a digest of it."""

    __tablename__ = "taxonomies"
    digest: Mapped[str] = mapped_column(primary_key=True)
    name: Mapped[str]
    text: Mapped[str]


class KindEventRow(Base):
    """An annotator changed their answers about a pair's kinds from `old` to `new` (JSON by question); NULL is none.

    The other columns follow from `new`. The table is append-only.
    """

    __tablename__ = "kind_events"
    __table_args__ = (
        Index("kind_events_by_pair", "pair_key", "annotator", "id"),
        Index("kind_events_by_action", "action"),
    )
    id: Mapped[int] = mapped_column(primary_key=True)
    pair_key: Mapped[str]
    annotator: Mapped[str]
    at: Mapped[str]
    taxonomy: Mapped[str] = mapped_column(ForeignKey("taxonomies.digest"))
    old: Mapped[str | None]
    new: Mapped[str | None]
    relation: Mapped[str | None]
    categories: Mapped[str]
    direction: Mapped[str | None]
    complete: Mapped[bool]
    action: Mapped[int | None] = mapped_column(ForeignKey("actions.id"))
