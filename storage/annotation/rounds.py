"""What a person is to review: the pairs that a round asks about, what is known of each, and how far the round is."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from hashlib import blake2b
from typing import NamedTuple

from sqlalchemy import Connection, RowMapping, delete, insert, select

from miner import codec
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
from storage.pairs.filters import PairFilter, PairOrder, PairStatus, Range, SortColumn, full_text_query
from storage.pairs.query import PairQueryCompiler
from storage.pairs.table import PairTableStore
from storage.schema import RoundPairRow, RoundRow
from storage.sql import Query, SqlClause


class RoundOrder(StrEnum):
    """How a round's pairs are chosen, and in which order they come.

    The last three are of the suggestions: most doubtful first; least certain first; and of the least certain such as
    are unlike each other (`RoundStore.candidates`, which the caller orders).
    """

    RANDOM = "random"
    CLASS_BALANCED = "class_balanced"
    BY_PAPER = "by_paper"
    BY_SEARCH = "by_search"
    DISAGREEMENTS = "disagreements"
    LEAST_CERTAIN = "least_certain"
    ACTIVE = "active"


@dataclass(frozen=True, slots=True)
class Round:
    """Pairs that one annotator set out to answer, and how they were chosen.

    `number` counts the annotator's rounds from 1; `size`: how many were asked for.
    """

    number: int
    order: RoundOrder
    filter: PairFilter
    size: int
    keys: tuple[str, ...]
    seed: int


@dataclass(frozen=True, slots=True)
class ReviewItem:
    """A pair to be reviewed, its paper, and what this annotator has said of it; `others`: how many more answered it."""

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


class RoundCandidate(NamedTuple):
    """A pair for a round, and how uncertain its suggestion is, 0 to 1."""

    key: str
    premise: str
    hypothesis: str
    uncertainty: float


@dataclass(frozen=True, slots=True)
class RoundCounts:
    """What a person answered among some pairs: by answer, in how many seconds, and how often as the phrase says.

    `agreed` of `compared`, those that have a distant label and were answered with a class, not by accepting what a
    model suggested; `bad`: taken out.
    """

    answers: dict[str, int]
    agreed: int
    compared: int
    seconds: float
    bad: int


_OWN_ANSWER = """(
    SELECT new FROM label_events WHERE pair_key = pairs.key AND annotator = :annotator ORDER BY id DESC LIMIT 1
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
        {_OWN_MARK.format(MarkKind.BAD)} AS my_bad
    FROM {_PAIRS_OF_KEYS} JOIN papers ON papers.id = pairs.paper_id LEFT JOIN {SUGGESTIONS_ON_PAIR}
    ORDER BY json_each.key
"""
_UNANSWERED = f"""
    SELECT pairs.key FROM {_PAIRS_OF_KEYS} WHERE pairs.status != 'bad' AND {_OWN_ANSWER} IS NULL ORDER BY json_each.key
"""
_COUNTS = f"""
    SELECT distant_label, status, {_OWN_ANSWER} AS mine, (
        SELECT json_extract(seen, '$.seconds') FROM label_events
        WHERE pair_key = pairs.key AND annotator = :annotator ORDER BY id DESC LIMIT 1
    ) AS seconds, (
        SELECT via FROM label_events WHERE pair_key = pairs.key AND annotator = :annotator ORDER BY id DESC LIMIT 1
    ) AS via FROM {_PAIRS_OF_KEYS}
"""
_ENTER_PAIRS = """
    INSERT INTO round_pairs (round, pair_key, ordinal) SELECT :round, value, json_each.key FROM json_each(:keys)
"""
_CLEAR_SKIPPED = """
    UPDATE round_pairs SET skipped = NULL
    WHERE round = (SELECT id FROM rounds WHERE annotator = :annotator) AND skipped IS NOT NULL
"""
_SKIP = """
    UPDATE round_pairs SET skipped = named.key FROM json_each(:keys) AS named
    WHERE round = (SELECT id FROM rounds WHERE annotator = :annotator) AND pair_key = named.value
"""
_IS_UNANSWERED = """pairs.status != 'bad' AND (
    pairs.status = 'open'
    OR (SELECT new FROM label_events WHERE pair_key = pairs.key AND annotator = ? ORDER BY id DESC LIMIT 1) IS NULL
)"""
_NOT_BAD = frozenset((PairStatus.OPEN, PairStatus.SETTLED, PairStatus.UNSETTLED))
_BALANCE_SAMPLE_FACTOR = 20  # times as many pairs are looked at to balance a round
_MAX_SECONDS_PER_PAIR = 120.0  # seconds that a pair counts at most: who takes longer went for coffee


class RoundStore:
    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._queries = PairQueryCompiler(connection)

    @translate_decoding_errors()
    def current(self, annotator: str) -> Round | None:
        """The annotator's round, also with pairs that are gone by now; None before the first."""
        row = self._connection.execute(select(RoundRow.__table__).where(RoundRow.annotator == annotator)).first()
        if row is None:
            return None
        keys = select(RoundPairRow.pair_key).where(RoundPairRow.round == row.id).order_by(RoundPairRow.ordinal)
        filter, chosen = codec.decode(PairFilter, row.filter), tuple(self._connection.scalars(keys))
        return Round(row.number, RoundOrder(row.pair_order), filter, row.size, chosen, row.seed)

    def start(self, annotator: str, new: Round) -> None:
        """Enter a round; it takes the place of the annotator's last."""
        self._connection.execute(delete(RoundRow).where(RoundRow.annotator == annotator))
        values = {
            "annotator": annotator,
            "number": new.number,
            "pair_order": new.order.value,
            "filter": codec.encode(new.filter.to_data(), ascii_only=True),
            "size": new.size,
            "seed": new.seed,
        }
        id = self._connection.execute(insert(RoundRow).values(**values).returning(RoundRow.id)).scalar_one()
        self._connection.exec_driver_sql(_ENTER_PAIRS, {"round": id, "keys": json.dumps(new.keys)})

    def skip(self, annotator: str, keys: Sequence[str]) -> None:
        """These pairs of the annotator's round come last, in this order, and no others do."""
        parameters = {"annotator": annotator, "keys": json.dumps(list(keys))}
        self._connection.exec_driver_sql(_CLEAR_SKIPPED, {"annotator": annotator})
        self._connection.exec_driver_sql(_SKIP, parameters)

    def skipped(self, annotator: str) -> list[str]:
        """The pairs of the annotator's round that come last, in their order."""
        query = select(RoundPairRow.pair_key).join(RoundRow, RoundRow.id == RoundPairRow.round)
        query = query.where(RoundRow.annotator == annotator, RoundPairRow.skipped.is_not(None))
        return list(self._connection.scalars(query.order_by(RoundPairRow.skipped)))

    def draw(self, filter: PairFilter, annotator: str, order: RoundOrder, size: int, seed: int) -> list[str]:
        """Keys of at most `size` pairs of the filter that are neither bad nor answered by the annotator, in order.

        Keys are digests, so pairs in order of their keys are in random order: a draw begins at a key that the seed
        tells and goes around.
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

    def candidates(self, filter: PairFilter, annotator: str, size: int) -> list[RoundCandidate]:
        """At most `size` pairs of the filter that wait for the annotator, the least certain first."""
        keys = self._first_unanswered(filter, annotator, PairOrder(SortColumn.CONFIDENCE), size)
        query = f"""
            SELECT pairs.key, premise, hypothesis, 1 - confidence * 1.0 / {PROBABILITY_SCALE}
            FROM {_PAIRS_OF_KEYS} JOIN {SUGGESTIONS_ON_PAIR} ORDER BY json_each.key
        """
        rows = self._connection.exec_driver_sql(query, {"keys": json.dumps(keys)})
        return [RoundCandidate(*row) for row in rows]

    def keys_of(self, filter: PairFilter, limit: int) -> list[str]:
        """Keys of the filter's first pairs, by paper and place."""
        query = self._queries.for_rows(filter).order_by("pairs.paper_id, pairs.ordinal").limit_to(limit)
        return self._keys(query)

    @translate_decoding_errors()
    def items(self, keys: Sequence[str], annotator: str) -> list[ReviewItem]:
        """The pairs of `keys` in this order, without those that are gone."""
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
                suggestion=None if row["suggested"] is None else _suggestion(row),
            )
            for row in rows
        ]

    def unanswered(self, keys: Sequence[str], annotator: str) -> list[str]:
        """Those of `keys` that wait for the annotator: there, not bad, not answered."""
        return list(self._connection.exec_driver_sql(_UNANSWERED, _parameters(keys, annotator)).scalars())

    @translate_decoding_errors()
    def counts(self, keys: Sequence[str], annotator: str) -> RoundCounts:
        """What the annotator answered among `keys`."""
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
        """Of the pairs with a doubt, or a suggestion, the first that wait for the annotator."""
        asked = replace(filter, statuses=filter.statuses or _NOT_BAD)
        if order.column is SortColumn.DOUBT:
            asked = replace(asked, doubt=_at_least_zero(filter.doubt))
        else:
            asked = replace(asked, confidence=_at_least_zero(filter.confidence))
        table = PairTableStore(self._connection)
        limit = 2 * size
        while True:  # what the annotator answered already may come first
            ids = table.ids(asked, order, limit)
            waiting = self.unanswered(table.keys(ids), annotator)
            if len(waiting) >= size or len(ids) < limit:
                return waiting[:size]
            limit *= 4

    def _balanced(self, filter: PairFilter, annotator: str, size: int, pivot: str) -> list[str]:
        """As many of each class as the phrases allow, mixed."""
        classes: dict[str | None, list[str]] = {label.value: [] for label in Label} | {None: []}
        drawn = self._drawn(filter, annotator, _BALANCE_SAMPLE_FACTOR * size, pivot)
        for key, label in drawn:
            classes[label].append(key)
        if len(drawn) == _BALANCE_SAMPLE_FACTOR * size:  # there are more: a rare class is looked for by itself
            for label, keys in classes.items():
                if len(keys) < size // len(Label):
                    classes[label] = [key for key, _ in self._drawn(filter, annotator, size, pivot, label=label or "")]
        chosen: list[str] = []
        for place in range(size):
            chosen += [keys[place] for keys in classes.values() if place < len(keys)]
        return sorted(chosen[:size], key=lambda key: (key < pivot, key))

    def _drawn(
        self, filter: PairFilter, annotator: str, size: int, pivot: str, *, label: str | None = None
    ) -> list[tuple[str, str | None]]:
        """Keys and distant labels; `label`: of this class alone ("" for none)."""
        if label is not None:
            if filter.distant and label not in filter.distant:
                return []
            filter = replace(filter, distant=frozenset([label]))
        columns = "pairs.key, pairs.distant_label"
        if few := self._queries.for_rows_if_few(filter):
            rows = self._connection.exec_driver_sql(*few.and_where(_is_unanswered(annotator)).select(columns))
            drawn = sorted(((key, distant) for key, distant in rows), key=lambda row: (row[0] < pivot, row[0]))
            return drawn[:size]
        by_key = SqlClause("pairs INDEXED BY sqlite_autoindex_pairs_1")
        query = Query(by_key, (self._queries.condition(filter), _is_unanswered(annotator)), order="pairs.key")
        found: list[tuple[str, str | None]] = []
        for half in (">=", "<"):
            of_half = query.and_where(SqlClause(f"pairs.key {half} ?", (pivot,))).limit_to(size - len(found))
            found += ((key, distant) for key, distant in self._connection.exec_driver_sql(*of_half.select(columns)))
        return found

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
    """Pairs that wait for the annotator: not bad, and not answered by them where anybody has answered."""
    return SqlClause(_IS_UNANSWERED, (annotator,))


def _at_least_zero(limits: Range | None) -> Range:
    """The same limits, such that what has no number is not within them."""
    low, high = limits or (None, None)
    return low or 0, high


def _suggestion(row: RowMapping) -> Suggestion:
    return suggestion_from_row(row["suggested"], [row[column] for column in SUGGESTION_COLUMNS], row["model"])


def _parameters(keys: Sequence[str], annotator: str) -> dict[str, str]:
    return {"keys": json.dumps(list(keys)), "annotator": annotator}
