"""Statistics of the current suggestions: confidence, agreement with labels, doubt by phrase and domain."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple

from sqlalchemy import Connection

from miner.records import Label
from miner.splits import HELD_OUT
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
from storage.pairs.filters import NOT_BAD, PairFilter, PairStatus
from storage.pairs.paper_splits import read_paper_split
from storage.pairs.query import PairQueryCompiler


class MatrixCell(NamedTuple):
    """The number of pairs with these labels; "" for none. gold: "" too if all answers are accepted suggestions."""

    distant: str
    suggested: str
    gold: str
    pairs: int


DOUBTED_PERCENT = 50
"""Labels with at least this doubt count as doubted: they are more likely wrong than right."""


@dataclass(frozen=True, slots=True)
class SuggestionSummary:
    """The current suggestions in numbers.

    suggested, missing: how many pairs have a suggestion, or have none; of all current pairs that are not bad.
    confidence: how many suggestions in each of twenty bins from 0 to 1.
    doubted: how many labels of the listed classes are doubted. waiting: how many of these nobody has answered.
    """

    suggested: int
    missing: int
    labels: dict[Label, int]
    confidence: tuple[int, ...]
    doubted: int
    waiting: int


class ClassDoubts(NamedTuple):
    """The doubted labels of a class: those of current pairs, not bad, with a doubt of at least `DOUBTED_PERCENT`.

    doubted: how many, without dev and test papers where the papers are split. waiting: how many of these nobody has
    answered. answered: how many people have settled, without accepted suggestions and without test pairs; wrong:
    how many of these have another gold label.
    """

    doubted: int = 0
    waiting: int = 0
    answered: int = 0
    wrong: int = 0


class GroupDoubt(NamedTuple):
    """The pairs of a phrase or a domain that have a doubt. doubt: the mean, 0 to 1. error: its standard error.

    answered: how many are settled, not counting accepted suggestions. agreed: how many of these have the distant label
    as their gold label.
    """

    group: str
    pairs: int
    doubt: float
    error: float
    answered: int
    agreed: int


class CalibrationPair(NamedTuple):
    """A settled pair (accepted suggestions do not count) with its current suggestion."""

    key: str
    paper: str
    gold: Label
    probabilities: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class AcceptCounts:
    """What accepting the suggestions of a filter's open pairs would change.

    count: the number of pairs. labels: by suggested label. confidence: the mean.
    differing: how many suggestions differ from the distant label. learned: how many pairs the model was trained on,
    without held-out predictions, so that its confidence in them means little.
    """

    count: int
    labels: dict[Label, int]
    confidence: float
    differing: int
    learned: int


_STATUS, _DISTANT, _GOLD = (FACETS[field].sql for field in ("statuses", "distant", "gold"))
_OPEN, _SETTLED, _DISCARDED, _BAD = (
    FACETS["statuses"].code(status)
    for status in (PairStatus.OPEN, PairStatus.SETTLED, PairStatus.DISCARDED, PairStatus.BAD)
)
_BY_PEOPLE = f"{_STATUS} = {_SETTLED} AND NOT ({PACKED_FACETS}) & {MARK_BITS['accepted']}"
SETTLED_BY_PEOPLE = f"""
    FROM pairs INDEXED BY pairs_judged JOIN papers ON papers.id = paper_id {{}}
    WHERE ({IS_ANNOTATED}) AND ({PACKED_FACETS}) & {CURRENT_BIT} AND {_BY_PEOPLE} AND pairs.split IS NOT 'test'
    ORDER BY md5, pairs.ordinal
"""
_AGREED_ON = f"{_STATUS} IN ({_SETTLED}, {_DISCARDED}) AND NOT ({PACKED_FACETS}) & {MARK_BITS['accepted']}"
# Counted in Python, see `storage.pairs.statistics`.
_SELECT_DOUBTS = f"""
    SELECT {{group}}, ({_AGREED_ON}) + ({_BY_PEOPLE} AND {_GOLD} = {_DISTANT}), doubt
    FROM pairs INDEXED BY pairs_in_order CROSS JOIN {SUGGESTIONS_ON_PAIR}
    WHERE ({PACKED_FACETS}) & {CURRENT_BIT} AND {_STATUS} != {_BAD} AND doubt IS NOT NULL
"""
_BINS = 20  # of confidence


class SuggestionStatisticsStore:
    """Counts the current suggestions."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def summary(self, listed: Collection[Label] = tuple(Label)) -> SuggestionSummary:
        """The current suggestions in numbers: counted on an index, without the suggestions for bad pairs.

        listed: the classes whose doubted labels count.
        """
        of_run = f"run = {CURRENT_RUN_ID}"
        label_and_bin = f"suggestions.label * {_BINS} + min(confidence * {_BINS} / {PROBABILITY_SCALE}, {_BINS - 1})"
        query = f"SELECT {label_and_bin} FROM suggestions INDEXED BY suggestions_by_confidence WHERE {of_run}"
        counts = Counter(number for (number,) in driver_connection(self._connection).execute(query))
        query = f"""
            SELECT {label_and_bin} FROM pairs INDEXED BY pairs_judged CROSS JOIN {SUGGESTIONS_ON_PAIR}
            WHERE ({IS_ANNOTATED}) AND {_STATUS} = {_BAD}
        """
        counts.subtract(number for (number,) in driver_connection(self._connection).execute(query))
        bins, labels = [0] * _BINS, dict.fromkeys(Label, 0)
        for number, pairs in counts.items():
            bins[number % _BINS] += pairs
            labels[tuple(Label)[number // _BINS]] += pairs
        missing = self.count_to_score() - sum(bins)
        doubts = [one for label, one in self.doubted_by_class().items() if label in listed]
        doubted, waiting = sum(one.doubted for one in doubts), sum(one.waiting for one in doubts)
        return SuggestionSummary(sum(bins), missing, labels, tuple(bins), doubted, waiting)

    def doubted_by_class(self) -> dict[Label, ClassDoubts]:
        """The doubted labels of each class, counted on the index by doubt."""
        is_listed = "1" if read_paper_split(self._connection) is None else f"coalesce(pairs.split NOT IN {HELD_OUT}, 1)"
        query = f"""
            SELECT {_DISTANT}, {is_listed}, {_STATUS} = {_OPEN},
                ({_BY_PEOPLE}) AND pairs.split IS NOT 'test', {_GOLD} != {_DISTANT}
            FROM suggestions INDEXED BY suggestions_by_doubt CROSS JOIN pairs ON pairs.id = suggestions.pair
            WHERE suggestions.run = {CURRENT_RUN_ID} AND doubt >= ?
                AND ({PACKED_FACETS}) & {CURRENT_BIT} AND {_STATUS} != {_BAD}
        """
        threshold = PROBABILITY_SCALE * DOUBTED_PERCENT // 100
        found = dict.fromkeys(Label, ClassDoubts())
        for row, pairs in Counter(driver_connection(self._connection).execute(query, (threshold,))).items():
            distant, is_listed, is_open, is_answered, differs = row
            label = tuple(Label)[distant - 1]
            before = found[label]
            found[label] = ClassDoubts(
                before.doubted + pairs * is_listed,
                before.waiting + pairs * (is_listed and is_open),
                before.answered + pairs * is_answered,
                before.wrong + pairs * (is_answered and differs),
            )
        return found

    def matrix(self, filter: PairFilter) -> list[MatrixCell]:
        """The filter's pairs counted by distant, suggested and gold label, the largest counts first."""
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
        """Mean doubts by phrase ("" for none) or domain, the highest first."""
        query = _SELECT_DOUBTS.format(group="phrase" if kind == "phrase" else "paper_id")
        counts = Counter(driver_connection(self._connection).execute(query))
        names: dict[Any, str] = {}
        if kind == "domain":
            names = dict(driver_connection(self._connection).execute("SELECT id, domain FROM papers"))
        doubts: dict[str, Counter[int]] = {}
        outcomes: dict[str, Counter[int]] = {}  # 0: not answered, 1: answered, 2: answered as the distant label
        for (group, outcome, doubt), pairs in counts.items():
            name = names[group] if kind == "domain" else group or ""
            doubts.setdefault(name, Counter())[doubt] += pairs
            outcomes.setdefault(name, Counter())[outcome] += pairs
        found = [
            GroupDoubt(name, of.total(), *_mean(of), outcomes[name][1] + outcomes[name][2], outcomes[name][2])
            for name, of in doubts.items()
        ]
        return sorted(found, key=lambda one: (-one.doubt, one.group))

    @translate_decoding_errors()
    def calibration_pairs(self) -> list[CalibrationPair]:
        """By MD5 of the paper, in reading order. Clip the probabilities before taking logarithms: 0 is possible."""
        source = SETTLED_BY_PEOPLE.format(f"CROSS JOIN {SUGGESTIONS_ON_PAIR}")
        rows = self._connection.exec_driver_sql(f"SELECT key, md5, gold, {', '.join(PROBABILITY_COLUMNS)} {source}")
        return [CalibrationPair(key, md5, Label(gold), from_units(numbers)) for key, md5, gold, *numbers in rows]

    def doubted_batches(self, batch_size: int = 20_000) -> Iterator[list[tuple[str, *tuple[int, ...]]]]:
        """Distant label, suggested probabilities (in 1/10,000) of all pairs with a doubt, in batches."""
        query = f"""
            SELECT distant_label, {", ".join(PROBABILITY_COLUMNS)}
            FROM suggestions CROSS JOIN pairs ON pairs.id = suggestions.pair
            WHERE suggestions.run = {CURRENT_RUN_ID} AND doubt IS NOT NULL AND pairs.current AND pairs.status != 'bad'
        """
        rows = driver_connection(self._connection).execute(query)
        while batch := rows.fetchmany(batch_size):
            yield batch

    def accept_counts(self, filter: PairFilter) -> AcceptCounts:
        """What accepting the suggestions of the filter's open pairs would change."""
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
        """How many pairs should have a suggestion: current ones that are not bad."""
        query = PairQueryCompiler(self._connection).for_counts(PairFilter(statuses=NOT_BAD)).select("count(*)")
        return int(self._connection.exec_driver_sql(*query).scalar_one())

    def count_of(self, run: int) -> int:
        """How many suggestions a run has for pairs that are not bad."""
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
