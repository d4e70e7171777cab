"""Rounds of review: how their pairs are drawn, and what the page shows of each. They are stored as `queues`."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from hashlib import blake2b
from typing import NamedTuple, assert_never

from sqlalchemy import Connection

from miner.records import Answer, Label, Pair, Suggestion
from storage import convert
from storage.annotation.answers import AnswerSource
from storage.annotation.marks import MarkKind
from storage.errors import translate_decoding_errors
from storage.pairs.current_suggestions import (
    PROBABILITY_SCALE,
    SUGGESTION_COLUMNS,
    SUGGESTIONS_ON_PAIR,
    suggestion_from_row,
)
from storage.pairs.filters import NOT_BAD, PairFilter, PairOrder, Range, SortColumn, full_text_query
from storage.pairs.judgement import IN_DEV_OR_TEST
from storage.pairs.query import PairQueryCompiler
from storage.pairs.table import PairTableStore
from storage.pairs.tags import split_tags
from storage.sql import Query, SqlClause


class RoundOrder(StrEnum):
    """How the pairs of a round are drawn and sorted.

    BY_SEARCH: the best matches of the filter's text first. DISAGREEMENTS: the most doubted labels first.
    LEAST_CERTAIN: the suggestions with the lowest confidence first. ACTIVE: pairs that differ from each other, drawn by
    the caller from `RoundStore.candidates`. PRECISION: the sample that tells how precise distant labels are, drawn by
    `storage.annotation.precision_draw`.
    ASSIGNED: an assignment of an annotation round. TIES: ties, for an adjudicator. ERRORS: pairs that a system
    misreads, to be tagged. None of these four is drawn by `draw`.
    """

    RANDOM = "random"
    CLASS_BALANCED = "class_balanced"
    BY_PAPER = "by_paper"
    BY_SEARCH = "by_search"
    DISAGREEMENTS = "disagreements"
    LEAST_CERTAIN = "least_certain"
    ACTIVE = "active"
    PRECISION = "precision"
    ASSIGNED = "assigned"
    TIES = "ties"
    ERRORS = "errors"


class QueueKind(StrEnum):
    """Whose choice the pairs of a queue are. OWN: the annotator's. The others are those of `RoundOrder`."""

    OWN = "own"
    ASSIGNED = "assigned"
    TIES = "ties"
    ERRORS = "errors"


class QueueId(NamedTuple):
    """The identity of a queue of an annotator, who has one of each kind, but one for each assigned annotation round.

    number: of the annotation round; 0 for the other kinds.
    """

    kind: QueueKind
    number: int = 0


OWN_QUEUE, TIES_QUEUE, ERRORS_QUEUE = (QueueId(kind) for kind in (QueueKind.OWN, QueueKind.TIES, QueueKind.ERRORS))


@dataclass(frozen=True, slots=True)
class Round:
    """The pairs that an annotator is to answer, and how they were drawn: one of their queues.

    number: of the annotation round, for an assigned one; else it counts the annotator's rounds of this kind from 1.
    size: how many pairs were asked for; there may be fewer.
    """

    number: int
    order: RoundOrder
    filter: PairFilter
    size: int
    keys: tuple[str, ...]
    seed: int

    @property
    def queue(self) -> QueueId:
        return queue_of(self.order, self.number)


def queue_of(order: RoundOrder, number: int) -> QueueId:
    """The queue that a round of this order and number is."""
    if order is RoundOrder.ASSIGNED:
        return QueueId(QueueKind.ASSIGNED, number)
    return QueueId(QueueKind(order) if order in (RoundOrder.TIES, RoundOrder.ERRORS) else QueueKind.OWN)


@dataclass(frozen=True, slots=True)
class ReviewItem:
    """A pair in review. mine, flagged, note, bad, tags: this annotator's. others: how many other annotators answered.

    edited: somebody has mended a sentence.
    """

    pair: Pair
    md5: str
    title: str
    year: int | None
    domain: str
    current: bool
    status: str
    mine: Answer | None
    others: int
    flagged: bool
    note: str | None
    bad: str | None
    suggestion: Suggestion | None = None
    edited: bool = False
    tags: tuple[str, ...] = ()


class RoundCandidate(NamedTuple):
    """A pair that could be in a round. uncertainty: 1 minus the confidence of its suggestion."""

    key: str
    premise: str
    hypothesis: str
    uncertainty: float


@dataclass(frozen=True, slots=True)
class RoundCounts:
    """An annotator's answers to some pairs. answers: how many by answer. seconds: in all. bad: how many bad pairs.

    compared: how many pairs have a distant label and an answer that is a label and no accepted suggestion.
    agreed: in how many of them the two are the same.
    """

    answers: dict[str, int]
    agreed: int
    compared: int
    seconds: float
    bad: int


# A suggestion that somebody accepted is no answer to a pair of dev or test, as in `judgement`.
_OWN_ANSWER = f"""(
    SELECT iif(via = '{AnswerSource.ACCEPTED}' AND {IN_DEV_OR_TEST}, NULL, new) FROM label_events
    WHERE pair_key = pairs.key AND annotator = :annotator ORDER BY id DESC LIMIT 1
)"""
_OWN_MARK = """(
    SELECT new FROM mark_events
    WHERE pair_key = pairs.key AND kind = '{}' AND annotator = :annotator ORDER BY id DESC LIMIT 1
)"""
_PAIRS_OF_KEYS = "json_each(:keys) CROSS JOIN pairs ON pairs.key = json_each.value"
_ITEMS = f"""
    SELECT pairs.*, papers.md5, papers.title, papers.year, papers.domain, {_OWN_ANSWER} AS mine,
        suggestions.label AS suggested, {", ".join(f"suggestions.{column}" for column in SUGGESTION_COLUMNS)}, (
            SELECT name FROM models WHERE id = (SELECT model_id FROM suggestion_runs WHERE id = suggestions.run)
        ) AS model,
        (SELECT count(*) FROM answers WHERE pair_key = pairs.key AND annotator != :annotator) AS others,
        {_OWN_MARK.format(MarkKind.FLAG)} AS my_flag,
        {_OWN_MARK.format(MarkKind.NOTE)} AS my_note,
        {_OWN_MARK.format(MarkKind.BAD)} AS my_bad,
        {_OWN_MARK.format(MarkKind.TAG)} AS my_tags
    FROM {_PAIRS_OF_KEYS} JOIN papers ON papers.id = pairs.paper_id LEFT JOIN {SUGGESTIONS_ON_PAIR}
    ORDER BY json_each.key
"""
_UNANSWERED = f"""
    SELECT pairs.key FROM {_PAIRS_OF_KEYS} WHERE pairs.status != 'bad' AND {_OWN_ANSWER} IS NULL ORDER BY json_each.key
"""
_UNTAGGED = f"""
    SELECT pairs.key FROM {_PAIRS_OF_KEYS}
    WHERE pairs.status != 'bad' AND {_OWN_MARK.format(MarkKind.TAG)} IS NULL ORDER BY json_each.key
"""
_LAST_ANSWERED = """
    SELECT pair_key FROM label_events JOIN pairs ON pairs.key = pair_key WHERE annotator = :annotator AND via = 'answer'
    GROUP BY pair_key ORDER BY max(label_events.id) DESC LIMIT :limit
"""
_COUNTS = f"""
    SELECT distant_label, status, {_OWN_ANSWER} AS mine, (
        SELECT json_extract(seen, '$.seconds') FROM label_events
        WHERE pair_key = pairs.key AND annotator = :annotator ORDER BY id DESC LIMIT 1
    ) AS seconds, (
        SELECT via FROM label_events WHERE pair_key = pairs.key AND annotator = :annotator ORDER BY id DESC LIMIT 1
    ) AS via FROM {_PAIRS_OF_KEYS}
"""
_IS_UNANSWERED = """pairs.status != 'bad' AND (
    pairs.status = 'open'
    OR (SELECT new FROM label_events WHERE pair_key = pairs.key AND annotator = ? ORDER BY id DESC LIMIT 1) IS NULL
)"""
_BALANCE_SAMPLE_FACTOR = 20  # a balanced round is drawn from this many times its size
_MAX_SECONDS_PER_PAIR = 120.0  # annotators who take longer were probably away


class RoundStore:
    """Draws rounds, and reads what Review shows of their pairs."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._queries = PairQueryCompiler(connection)

    def draw(self, filter: PairFilter, annotator: str, order: RoundOrder, size: int, seed: int) -> list[str]:
        """The keys of at most `size` pairs of the filter that are not bad and not answered by the annotator.

        Keys are digests, so sorting by key is a random order. The seed gives the key to start from; after the last key
        the first one follows.
        """
        pivot = blake2b(str(seed).encode(), digest_size=16).hexdigest()
        match order:
            case RoundOrder.RANDOM:
                return [key for key, _ in self._drawn(filter, annotator, size, pivot)]
            case RoundOrder.CLASS_BALANCED:
                return self._balanced(filter, annotator, size, pivot)
            case RoundOrder.BY_PAPER:
                return self._in_order(filter, annotator, size)
            case RoundOrder.BY_SEARCH:
                return self._in_order(filter, annotator, size, best_first=True)
            case RoundOrder.DISAGREEMENTS:
                return self._first_unanswered(filter, annotator, PairOrder(SortColumn.DOUBT, descending=True), size)
            case RoundOrder.LEAST_CERTAIN | RoundOrder.ACTIVE:
                return self._first_unanswered(filter, annotator, PairOrder(SortColumn.CONFIDENCE), size)
            case RoundOrder.PRECISION | RoundOrder.ASSIGNED | RoundOrder.TIES | RoundOrder.ERRORS:
                raise ValueError(f"the pairs of a round in the order {order} are given")
        assert_never(order)

    def candidates(self, filter: PairFilter, annotator: str, size: int) -> list[RoundCandidate]:
        """At most `size` pairs that the annotator has not answered, those with the lowest confidence first."""
        keys = self._first_unanswered(filter, annotator, PairOrder(SortColumn.CONFIDENCE), size)
        query = f"""
            SELECT pairs.key, premise, hypothesis, 1 - confidence * 1.0 / {PROBABILITY_SCALE} AS uncertainty
            FROM {_PAIRS_OF_KEYS} JOIN {SUGGESTIONS_ON_PAIR} ORDER BY json_each.key
        """
        rows = self._connection.exec_driver_sql(query, {"keys": json.dumps(keys)})
        return list(convert.read_all(RoundCandidate, rows))

    def keys_of(self, filter: PairFilter, limit: int) -> list[str]:
        """The keys of the filter's first `limit` pairs, by paper and in reading order."""
        query = self._queries.for_rows(filter).order_by("pairs.paper_id, pairs.ordinal").limit_to(limit)
        return self._keys(query)

    def last_answered(self, annotator: str, limit: int) -> list[str]:
        """The keys of the pairs that the annotator answered last, the last one first."""
        rows = self._connection.exec_driver_sql(_LAST_ANSWERED, {"annotator": annotator, "limit": limit})
        return list(rows.scalars())

    def present(self, keys: Sequence[str]) -> list[str]:
        """The keys among these that are pairs of the project, in this order."""
        query = f"SELECT pairs.key FROM {_PAIRS_OF_KEYS} ORDER BY json_each.key"
        return list(self._connection.exec_driver_sql(query, {"keys": json.dumps(list(keys))}).scalars())

    @translate_decoding_errors()
    def items(self, keys: Sequence[str], annotator: str) -> list[ReviewItem]:
        """What the page shows of these pairs, in this order; keys that are not in the project are left out."""
        rows = self._connection.exec_driver_sql(_ITEMS, _parameters(keys, annotator)).mappings()
        return [
            ReviewItem(
                pair=convert.pair_from_row(row),
                md5=row["md5"],
                title=row["title"],
                year=row["year"],
                domain=row["domain"],
                current=bool(row["current"]),
                status=row["status"],
                mine=Answer(row["mine"]) if row["mine"] else None,
                others=row["others"],
                flagged=row["my_flag"] is not None,
                note=row["my_note"],
                bad=row["my_bad"],
                suggestion=None if row["suggested"] is None else suggestion_from_row(row),
                edited=bool(row["edited"]),
                tags=split_tags(row["my_tags"]),
            )
            for row in rows
        ]

    def unanswered(self, keys: Sequence[str], annotator: str) -> list[str]:
        """The keys, of these, of pairs that are in the project, not bad, and not answered by the annotator."""
        return list(self._connection.exec_driver_sql(_UNANSWERED, _parameters(keys, annotator)).scalars())

    def untagged(self, keys: Sequence[str], annotator: str) -> list[str]:
        """The keys, of these, of pairs that are in the project, not bad, and not tagged by the annotator."""
        return list(self._connection.exec_driver_sql(_UNTAGGED, _parameters(keys, annotator)).scalars())

    @translate_decoding_errors()
    def counts(self, keys: Sequence[str], annotator: str) -> RoundCounts:
        """The annotator's answers to these pairs."""
        answers: dict[str, int] = {}
        agreed = compared = bad = 0
        seconds = 0.0
        for row in self._connection.exec_driver_sql(_COUNTS, _parameters(keys, annotator)):
            bad += row.status == "bad"
            if row.mine is None:
                continue
            answers[row.mine] = answers.get(row.mine, 0) + 1
            seconds += min(row.seconds or 0.0, _MAX_SECONDS_PER_PAIR)
            if row.distant_label is not None and row.mine != Answer.UNCLEAR and row.via == AnswerSource.ANSWER:
                compared += 1
                agreed += row.mine == row.distant_label
        return RoundCounts(answers, agreed, compared, seconds, bad)

    def _first_unanswered(self, filter: PairFilter, annotator: str, order: PairOrder, size: int) -> list[str]:
        """The first unanswered pairs in an order by doubt or confidence, without those that have none."""
        narrowed = replace(filter, statuses=filter.statuses or NOT_BAD)
        if order.column is SortColumn.DOUBT:
            narrowed = replace(narrowed, doubt=_at_least_zero(filter.doubt))
        else:
            narrowed = replace(narrowed, confidence=_at_least_zero(filter.confidence))
        table = PairTableStore(self._connection)
        limit = 2 * size
        while True:  # the first pairs may be answered already
            ids = table.ids(narrowed, order, limit)
            waiting = self.unanswered(table.keys(ids), annotator)
            if len(waiting) >= size or len(ids) < limit:
                return waiting[:size]
            limit *= 4

    def _balanced(self, filter: PairFilter, annotator: str, size: int, pivot: str) -> list[str]:
        """As many pairs of each distant label as there are, up to the same number, mixed."""
        classes: dict[str | None, list[str]] = {label.value: [] for label in Label} | {None: []}
        drawn = self._drawn(filter, annotator, _BALANCE_SAMPLE_FACTOR * size, pivot)
        for key, label in drawn:
            classes[label].append(key)
        if len(drawn) == _BALANCE_SAMPLE_FACTOR * size:  # there are more pairs: look for those of a rare class
            for label, keys in classes.items():
                if len(keys) < size // len(Label):
                    classes[label] = [key for key, _ in self._drawn(filter, annotator, size, pivot, label=label or "")]
        balanced: list[str] = []
        for place in range(size):
            balanced += [keys[place] for keys in classes.values() if place < len(keys)]
        return sorted(balanced[:size], key=lambda key: (key < pivot, key))

    def _drawn(
        self, filter: PairFilter, annotator: str, size: int, pivot: str, *, label: str | None = None
    ) -> list[tuple[str, str | None]]:
        """Keys and distant labels in order of keys from `pivot`; only of this distant label, if given ("" for none)."""
        if label is not None:
            if filter.distant and label not in filter.distant:
                return []
            filter = replace(filter, distant=frozenset([label]))
        columns = "pairs.key, pairs.distant_label"
        if few := self._queries.for_rows_if_few(filter):
            rows = self._connection.exec_driver_sql(*few.and_where(_is_unanswered(annotator)).select(columns))
            drawn = sorted(((key, distant) for key, distant in rows), key=lambda pair: (pair[0] < pivot, pair[0]))
            return drawn[:size]
        by_key = SqlClause("pairs INDEXED BY sqlite_autoindex_pairs_1")
        query = Query(by_key, (self._queries.condition(filter), _is_unanswered(annotator)), order="pairs.key")
        drawn = []
        for half in (">=", "<"):
            of_half = query.and_where(SqlClause(f"pairs.key {half} ?", (pivot,))).limit_to(size - len(drawn))
            drawn += ((key, distant) for key, distant in self._connection.exec_driver_sql(*of_half.select(columns)))
        return drawn

    def _in_order(self, filter: PairFilter, annotator: str, size: int, *, best_first: bool = False) -> list[str]:
        words = full_text_query(filter.text)
        if not words:
            query = self._queries.in_paper_order(filter)
            return self._keys(query.and_where(_is_unanswered(annotator)).limit_to(size))
        by_place = "papers.md5, pairs.ordinal"
        query = self._queries.for_rows(filter).join("JOIN papers ON papers.id = pairs.paper_id").order_by(by_place)
        if best_first:
            tables = "pairs_text JOIN pairs ON pairs.id = pairs_text.rowid JOIN papers ON papers.id = pairs.paper_id"
            ranked = Query(SqlClause(tables), (SqlClause("pairs_text MATCH ?", (words,)),))
            without_text = self._queries.condition(replace(filter, text=""))
            query = ranked.and_where(without_text).order_by(f"pairs_text.rank, {by_place}")
        return self._keys(query.and_where(_is_unanswered(annotator)).limit_to(size))

    def _keys(self, query: Query) -> list[str]:
        return list(self._connection.exec_driver_sql(*query.select("pairs.key")).scalars())


def _is_unanswered(annotator: str) -> SqlClause:
    """The pair is not bad and the annotator has not answered it. An open pair has no answers to look up."""
    return SqlClause(_IS_UNANSWERED, (annotator,))


def _at_least_zero(limits: Range | None) -> Range:
    """The same limits, but with a minimum, so that pairs without a value are excluded."""
    low, high = limits or (None, None)
    return low or 0, high


def _parameters(keys: Sequence[str], annotator: str) -> dict[str, str]:
    return {"keys": json.dumps(list(keys)), "annotator": annotator}
