"""Mining runs and their pairs, lists of pairs, and what people say of a pair's kinds."""

from __future__ import annotations

from typing import cast

from sqlalchemy import Table
from sqlalchemy.orm import Mapped, mapped_column

from storage.schema.base import Base


class MiningRunRow(Base):
    """Papers up to `mined_to`, in order of MD5, are mined by this run. `totals` is its funnel once done (JSON)."""

    __tablename__ = "mining_runs"
    number: Mapped[int] = mapped_column(primary_key=True)
    id: Mapped[str]
    settings: Mapped[str]
    program: Mapped[str]
    language_model: Mapped[str]
    state: Mapped[str]
    mined_to: Mapped[str]
    totals: Mapped[str | None]


class FunnelRow(Base):
    """The number of a paper's candidates by outcome: candidate (all), kept, or dropped (with the reason)."""

    __tablename__ = "funnel"
    paper_id: Mapped[int] = mapped_column(primary_key=True)
    run: Mapped[int]
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
    id: Mapped[int] = mapped_column(primary_key=True)
    key: Mapped[str]
    paper_id: Mapped[int]
    run: Mapped[int | None]
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
    status: Mapped[str]
    gold: Mapped[str | None]
    contested: Mapped[bool]
    flagged: Mapped[bool]
    noted: Mapped[bool]
    premise_words: Mapped[int]
    hypothesis_words: Mapped[int]
    overlap: Mapped[int]
    label: Mapped[str | None]
    accepted: Mapped[bool]
    source: Mapped[str | None]
    votes: Mapped[int]
    majority: Mapped[str | None]
    edited: Mapped[bool]
    mined_premise: Mapped[str | None]
    mined_hypothesis: Mapped[str | None]
    own_split: Mapped[str | None]


class PairListRow(Base):
    """A list of pairs that somebody has put together and named, such as a region of a data map."""

    __tablename__ = "pair_lists"
    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str]
    made_at: Mapped[str]


PAIRS = cast(Table, PairRow.__table__)  # for bulk inserts
