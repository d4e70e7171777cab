"""Statistics of suggestions: confidence, differences from phrases and people, doubts by phrase and domain."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple

from sqlalchemy import Connection

from miner.records import Label
from storage.connections import driver_connection
from storage.errors import translate_decoding_errors
from storage.pairs.current_suggestions import (
    CURRENT_RUN_ID,
    PROBABILITY_COLUMNS,
    PROBABILITY_SCALE,
    SUGGESTIONS_ON_PAIR,
    from_units,
)
from storage.pairs.facets import CURRENT_BIT, FACETS, IS_ANNOTATED, MARK_BITS, PACKED_FACETS
from storage.pairs.filters import PairFilter, PairStatus
from storage.pairs.query import PairQueryCompiler


class MatrixCell(NamedTuple):
    """How many pairs have these labels; "" for none. `gold` is without accepted suggestions."""

    distant: str
    suggested: str
    gold: str
    pairs: int


DOUBTED_PERCENT = 80
"""Percent: from here on a label is counted as doubted. By half, every third label would be, most of them rightly given;
in SciNLI's own annotation 14 % of distant labels were wrong."""


@dataclass(frozen=True, slots=True)
class SuggestionSummary:
    """The shown suggestions in numbers: `suggested` + `missing` are the current pairs that are not bad.

    `confidence`: how many in each twentieth from 0 to 1; `doubted`: a doubt of at least `DOUBTED_PERCENT`, `waiting`:
    those of them that nobody has answered.
    """

    suggested: int
    missing: int
    labels: dict[Label, int]
    confidence: tuple[int, ...]
    doubted: int
    waiting: int


class GroupDoubt(NamedTuple):
    """The pairs of a phrase or a domain that have a doubt: how many, the mean doubt, 0 to 1, and its standard error.

    `answered` of them people settled themselves, `agreed` so as the distant label says.
    """

    group: str
    pairs: int
    doubt: float
    error: float
    answered: int
    agreed: int


class CalibrationPair(NamedTuple):
    """A pair people settled themselves (accepted suggestions do not count), with its shown suggestion."""

    key: str
    paper: str
    gold: Label
    probabilities: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class AcceptCounts:
    """What accepting the suggestions of a filter's open pairs would mean: how many, and their mean confidence.

    `differing`: they say other than the distant label. `learned`: the model had learned that label, and no fold judged
    the pair, so that its confidence there says little.
    """

    count: int
    labels: dict[Label, int]
    confidence: float
    differing: int
    learned: int


_STATUS, _DISTANT, _GOLD = (FACETS[field].sql for field in ("statuses", "distant", "gold"))
_OPEN, _SETTLED, _BAD = (
    FACETS["statuses"].code(status) for status in (PairStatus.OPEN, PairStatus.SETTLED, PairStatus.BAD)
)
_NOT_BAD = frozenset((PairStatus.OPEN, PairStatus.SETTLED, PairStatus.UNSETTLED))
_BY_PEOPLE = f"{_STATUS} = {_SETTLED} AND NOT ({PACKED_FACETS}) & {MARK_BITS['accepted']}"
SETTLED_BY_PEOPLE = f"""
    FROM pairs INDEXED BY pairs_judged JOIN papers ON papers.id = paper_id {{}}
    WHERE ({IS_ANNOTATED}) AND ({PACKED_FACETS}) & {CURRENT_BIT} AND {_BY_PEOPLE} ORDER BY md5, pairs.ordinal
"""
# Counted in Python, as `storage.pairs.statistics` does: grouping by phrase would sort all rows first.
_DOUBTS = f"""
    SELECT {{group}}, ({_BY_PEOPLE}) + ({_BY_PEOPLE} AND {_GOLD} = {_DISTANT}), doubt
    FROM pairs INDEXED BY pairs_in_order CROSS JOIN {SUGGESTIONS_ON_PAIR}
    WHERE ({PACKED_FACETS}) & {CURRENT_BIT} AND {_STATUS} != {_BAD} AND doubt IS NOT NULL
"""
_BINS = 20


class SuggestionStatistics:
    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def summary(self) -> SuggestionSummary:
        """Counted in one pass over an index, minus what it counts of bad pairs."""
        of_run = f"run = {CURRENT_RUN_ID}"
        packed = f"suggestions.label * {_BINS} + min(confidence * {_BINS} / {PROBABILITY_SCALE}, {_BINS - 1})"
        query = f"SELECT {packed} FROM suggestions INDEXED BY suggestions_by_confidence WHERE {of_run}"
        counts = Counter(number for (number,) in driver_connection(self._connection).execute(query))
        doubted = f"SELECT count(*) FROM suggestions INDEXED BY suggestions_by_doubt WHERE {of_run} AND doubt >= ?"
        doubts = waiting = self._connection.exec_driver_sql(
            doubted, (PROBABILITY_SCALE * DOUBTED_PERCENT // 100,)
        ).scalar_one()
        judged = f"""
            SELECT {packed}, {_STATUS} = {_BAD}, coalesce(doubt, 0) >= {PROBABILITY_SCALE * DOUBTED_PERCENT // 100}
            FROM pairs INDEXED BY pairs_judged CROSS JOIN {SUGGESTIONS_ON_PAIR}
            WHERE ({IS_ANNOTATED}) AND {_STATUS} != {_OPEN}
        """
        for number, is_bad, is_doubted in driver_connection(self._connection).execute(judged):
            counts[number] -= is_bad
            doubts -= is_bad and is_doubted
            waiting -= is_doubted
        bins, labels = [0] * _BINS, dict.fromkeys(Label, 0)
        for number, pairs in counts.items():
            bins[number % _BINS] += pairs
            labels[tuple(Label)[number // _BINS]] += pairs
        missing = self.count_to_score() - sum(bins)
        return SuggestionSummary(sum(bins), missing, labels, tuple(bins), doubts, waiting)

    def matrix(self, filter: PairFilter) -> list[MatrixCell]:
        """The filter's pairs counted by distant label, suggestion and gold label, the largest counts first."""
        mask = FACETS["distant"].mask | FACETS["gold"].mask | MARK_BITS["accepted"]
        query = PairQueryCompiler(self._connection).for_counts(filter).join(f"LEFT JOIN {SUGGESTIONS_ON_PAIR}")
        rows = driver_connection(self._connection).execute(
            *query.select(f"({PACKED_FACETS}) & {mask}, suggestions.label")
        )
        counts: Counter[tuple[str, str, str]] = Counter()
        for (packed, label), pairs in Counter(rows).items():
            gold = "" if packed & MARK_BITS["accepted"] else FACETS["gold"].decode(packed)
            counts[FACETS["distant"].decode(packed), "" if label is None else PROBABILITY_COLUMNS[label], gold] += pairs
        return [MatrixCell(*labels, pairs) for labels, pairs in counts.most_common()]

    def by_group(self, kind: Literal["phrase", "domain"]) -> list[GroupDoubt]:
        """The doubts by phrase ("": none) or domain, the most doubtful first."""
        query = _DOUBTS.format(group="phrase" if kind == "phrase" else "paper_id")
        counts = Counter(driver_connection(self._connection).execute(query))
        names: dict[Any, str] = {}
        if kind == "domain":
            names = dict(driver_connection(self._connection).execute("SELECT id, domain FROM papers"))
        doubts: dict[str, Counter[int]] = {}
        people: dict[str, Counter[int]] = {}
        for (group, said, doubt), pairs in counts.items():
            name = names[group] if kind == "domain" else group or ""
            doubts.setdefault(name, Counter())[doubt] += pairs
            people.setdefault(name, Counter())[said] += pairs
        found = [
            GroupDoubt(name, of.total(), *_mean(of), people[name][1] + people[name][2], people[name][2])
            for name, of in doubts.items()
        ]
        return sorted(found, key=lambda one: (-one.doubt, one.group))

    @translate_decoding_errors()
    def calibration_pairs(self) -> list[CalibrationPair]:
        """By paper and place. The probabilities are as stored, to a ten-thousandth: clip before taking logarithms."""
        source = SETTLED_BY_PEOPLE.format(f"CROSS JOIN {SUGGESTIONS_ON_PAIR}")
        rows = self._connection.exec_driver_sql(f"SELECT key, md5, gold, {', '.join(PROBABILITY_COLUMNS)} {source}")
        return [CalibrationPair(key, md5, Label(gold), from_units(numbers)) for key, md5, gold, *numbers in rows]

    def doubted(self, together: int = 20_000) -> Iterator[list[tuple[str, *tuple[int, ...]]]]:
        """Distant label and shown probabilities, in ten-thousandths, of all pairs that have a doubt; in batches."""
        query = f"""
            SELECT distant_label, {", ".join(PROBABILITY_COLUMNS)}
            FROM suggestions CROSS JOIN pairs ON pairs.id = suggestions.pair
            WHERE suggestions.run = {CURRENT_RUN_ID} AND doubt IS NOT NULL AND pairs.current AND pairs.status != 'bad'
        """
        rows = driver_connection(self._connection).execute(query)
        while piece := rows.fetchmany(together):
            yield piece

    def accept_counts(self, filter: PairFilter) -> AcceptCounts:
        """What accepting the suggestions of the filter's open pairs would mean."""
        if filter.statuses and PairStatus.OPEN not in filter.statuses:
            return AcceptCounts(0, dict.fromkeys(Label, 0), 0.0, 0, 0)
        open_pairs = PairQueryCompiler(self._connection).for_counts(
            replace(filter, statuses=frozenset([PairStatus.OPEN]))
        )
        labels = ", ".join(f"total(suggestions.label = {number})" for number in range(len(PROBABILITY_COLUMNS)))
        differing = f"total({_DISTANT} NOT IN (0, suggestions.label + 1))"
        learned = f"total({_DISTANT} != 0 AND doubt IS NULL)"
        query = open_pairs.join(f"CROSS JOIN {SUGGESTIONS_ON_PAIR}").select(
            f"total(confidence), {differing}, {learned}, {labels}"
        )
        confidence, other, known, *counts = self._connection.exec_driver_sql(*query).one()
        count = int(sum(counts))
        by_label = dict(zip(Label, map(int, counts), strict=True))
        mean = confidence / count / PROBABILITY_SCALE if count else 0.0
        return AcceptCounts(count, by_label, mean, int(other), int(known))

    def count_to_score(self) -> int:
        wanted = PairQueryCompiler(self._connection).for_counts(PairFilter(statuses=_NOT_BAD)).select("count(*)")
        return int(self._connection.exec_driver_sql(*wanted).scalar_one())

    def count_of(self, run: int) -> int:
        """How many suggestions the run has, without those of bad pairs."""
        query = f"""
            SELECT (SELECT count(*) FROM suggestions INDEXED BY suggestions_by_confidence WHERE run = :run) - (
                SELECT count(*) FROM pairs INDEXED BY pairs_judged CROSS JOIN suggestions
                WHERE ({IS_ANNOTATED}) AND {_STATUS} = {_BAD} AND suggestions.pair = pairs.id AND suggestions.run = :run
            )
        """
        return int(self._connection.exec_driver_sql(query, {"run": run}).scalar_one())


def _mean(doubts: Counter[int]) -> tuple[float, float]:
    """The mean and its standard error, 0 to 1."""
    pairs = doubts.total()
    mean = sum(doubt * count for doubt, count in doubts.items()) / pairs
    squares = sum((doubt - mean) ** 2 * count for doubt, count in doubts.items())
    error = (squares / (pairs - 1) / pairs) ** 0.5 if pairs > 1 else 0.0
    return mean / PROBABILITY_SCALE, error / PROBABILITY_SCALE
