"""What people did: actions, and answers, marks and mended sentences as append-only histories."""

from __future__ import annotations

from sqlalchemy.orm import Mapped, mapped_column

from storage.schema.base import Base


class ActionRow(Base):
    """One thing a person did. `state`: done; undone; dropped, undone for good; or reversal, an undo or redo itself."""

    __tablename__ = "actions"
    id: Mapped[int] = mapped_column(primary_key=True)
    at: Mapped[str]
    annotator: Mapped[str]
    title: Mapped[str]
    state: Mapped[str]
    reverses: Mapped[int | None]


class LabelEventRow(Base):
    """An answer given, changed or withdrawn (`new` is None); triggers forbid to change or delete one.

    `via`: answer, or accepted where a suggestion was accepted.
    """

    __tablename__ = "label_events"
    id: Mapped[int] = mapped_column(primary_key=True)
    pair_key: Mapped[str]
    annotator: Mapped[str]
    at: Mapped[str]
    seen: Mapped[str]
    old: Mapped[str | None]
    new: Mapped[str | None]
    action: Mapped[int | None]
    via: Mapped[str]


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
    id: Mapped[int] = mapped_column(primary_key=True)
    pair_key: Mapped[str]
    annotator: Mapped[str]
    at: Mapped[str]
    taxonomy: Mapped[str]
    old: Mapped[str | None]
    new: Mapped[str | None]
    relation: Mapped[str | None]
    categories: Mapped[str]
    direction: Mapped[str | None]
    complete: Mapped[bool]
    action: Mapped[int | None]
