"""Mining runs and their pairs, lists of pairs, and what people say of a pair's kinds."""

from __future__ import annotations

from typing import cast

from sqlalchemy import Computed, ForeignKey, Index, Table, text
from sqlalchemy.orm import Mapped, mapped_column

from storage.schema.base import Base


class MiningRunRow(Base):
    """Papers up to `mined_to`, in order of MD5, are mined by this run. `totals` is its funnel once done (JSON)."""

    __tablename__ = "mining_runs"
    number: Mapped[int] = mapped_column(primary_key=True)
    id: Mapped[str] = mapped_column(unique=True)
    settings: Mapped[str]
    program: Mapped[str]
    language_model: Mapped[str]
    state: Mapped[str]
    mined_to: Mapped[str]
    totals: Mapped[str | None]


class FunnelRow(Base):
    """The number of a paper's candidates by outcome: candidate (all), kept, or dropped (with the reason)."""

    __tablename__ = "funnel"
    paper_id: Mapped[int] = mapped_column(ForeignKey("papers.id", ondelete="CASCADE"), primary_key=True)
    run: Mapped[int] = mapped_column(ForeignKey("mining_runs.number"))
    strategy: Mapped[str] = mapped_column(primary_key=True)
    outcome: Mapped[str] = mapped_column(primary_key=True)
    reason: Mapped[str] = mapped_column(primary_key=True)
    count: Mapped[int]


class PairRow(Base):
    """A pair of sentences.

    ordinal: the position among the paper's pairs.
    current: false for a pair that is no longer mined, but has answers.
    premise_hash, hypothesis_hash: of the sentences in the paper (`miner.mining.identity.sentence_hash`).
    split: train, dev or test (`storage.pairs.paper_splits`); own_split: what a data set's file says.
    source_id, source_label, source: what a data set's file says of an imported pair (JSON: `exchange.import_rows`).
    overlap: the percentage of the hypothesis' words that the premise has too.
    label: the label that an export has.

    These follow from people's answers and marks (`storage.pairs.status`):
    status: open (no answers), settled (a majority), unsettled (no majority, or for "unclear"), discarded (a majority
    that the rule of gold does not accept) or bad (marked as bad).
    majority: the label that people agree on. gold: the same, unless the rule of gold discards it.
    contested: annotators disagree.
    accepted: every answer is an accepted suggestion.
    flagged, noted: somebody has flagged the pair, or written a note.
    votes: how many answers of annotators count for the gold label.

    These follow from `text_events` (`storage.pairs.mended_texts`); `premise`, `hypothesis`, the counts of words and
    `overlap` are of the mended text, the hashes of the mined one:
    edited: a person has mended premise or hypothesis.
    mined_premise, mined_hypothesis: what was mined, or imported, in place of the mended sentence; None where it holds.

    The indices `pairs_in_order` and `pairs_judged` are missing here: SQLAlchemy cannot read back an expression
    (`storage.pairs.facets`).
    """

    __tablename__ = "pairs"
    __table_args__ = (
        Index("pairs_gone", "current", sqlite_where=text("current = 0")),
        Index("pairs_by_text", "premise_hash", "hypothesis_hash"),
        Index("pairs_with_own_split", "paper_id", "own_split", sqlite_where=text("own_split IS NOT NULL")),
    )
    id: Mapped[int] = mapped_column(primary_key=True)
    key: Mapped[str] = mapped_column(unique=True)
    paper_id: Mapped[int] = mapped_column(ForeignKey("papers.id", ondelete="CASCADE"))
    run: Mapped[int | None] = mapped_column(ForeignKey("mining_runs.number"))
    current: Mapped[bool]
    ordinal: Mapped[int]
    premise: Mapped[str]
    hypothesis: Mapped[str]
    hypothesis_original: Mapped[str]
    strategy: Mapped[str]
    distant_label: Mapped[str | None]
    phrase: Mapped[str | None]
    premise_section: Mapped[int]
    premise_paragraph: Mapped[int]
    premise_sentence: Mapped[int]
    hypothesis_section: Mapped[int]
    hypothesis_paragraph: Mapped[int]
    hypothesis_sentence: Mapped[int]
    page: Mapped[int | None]
    flags: Mapped[str]
    premise_hash: Mapped[int]
    hypothesis_hash: Mapped[int]
    split: Mapped[str | None]
    source_id: Mapped[str | None]
    source_label: Mapped[str | None]
    status: Mapped[str] = mapped_column(default="open", server_default="open")
    gold: Mapped[str | None]
    contested: Mapped[bool] = mapped_column(default=False, server_default="0")
    flagged: Mapped[bool] = mapped_column(default=False, server_default="0")
    noted: Mapped[bool] = mapped_column(default=False, server_default="0")
    premise_words: Mapped[int] = mapped_column(server_default="0")
    hypothesis_words: Mapped[int] = mapped_column(server_default="0")
    overlap: Mapped[int] = mapped_column(server_default="0")
    label: Mapped[str | None] = mapped_column(
        Computed("CASE status WHEN 'settled' THEN gold WHEN 'open' THEN distant_label END", persisted=False)
    )
    accepted: Mapped[bool] = mapped_column(default=False, server_default="0")
    source: Mapped[str | None]
    votes: Mapped[int] = mapped_column(default=0, server_default="0")
    majority: Mapped[str | None]
    edited: Mapped[bool] = mapped_column(default=False, server_default="0")
    mined_premise: Mapped[str | None]
    mined_hypothesis: Mapped[str | None]
    own_split: Mapped[str | None]


class PairListRow(Base):
    """A list of pairs that somebody has put together and named, such as a region of a data map."""

    __tablename__ = "pair_lists"
    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(unique=True)
    made_at: Mapped[str]


class ListedPairRow(Base):
    __tablename__ = "listed_pairs"
    __table_args__ = {"sqlite_with_rowid": False}  # noqa: RUF012
    list: Mapped[int] = mapped_column(ForeignKey("pair_lists.id", ondelete="CASCADE"), primary_key=True)
    pair_key: Mapped[str] = mapped_column(primary_key=True)


class PairKindsRow(Base):
    """What people say of a pair's kinds, as it follows from `kind_events` (`storage.pairs.pair_kinds`).

    annotators: how many answers count. categories: those that at least half of them have; differing: those that some
    have and others do not; each with a space before and after it. relation: the one that most of them give, of several
    the first by name. direction: the one that more than half of them give.
    """

    __tablename__ = "pair_kinds"
    __table_args__ = {"sqlite_with_rowid": False}  # noqa: RUF012
    pair_key: Mapped[str] = mapped_column(primary_key=True)
    annotators: Mapped[int]
    relation: Mapped[str]
    categories: Mapped[str]
    differing: Mapped[str]
    direction: Mapped[str | None]


PAIRS = cast(Table, PairRow.__table__)  # for bulk inserts
