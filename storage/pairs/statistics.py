"""Statistics of the project's current pairs; each is counted in one pass over one index."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from sqlalchemy import Connection

from miner.records import Funnel, Label, Strategy
from miner.statistics import Bins
from storage.connections import driver_connection
from storage.errors import translate_decoding_errors
from storage.mining.runs import MiningRunState, funnel_from_rows
from storage.pairs.facets import CURRENT_BIT, FACETS, MARK_BITS, PACKED_FACETS
from storage.pairs.filters import PairStatus

WORDS = Bins(width=5, last=60)
PERCENT = Bins(width=10, last=90, top=100)

_COUNTED_BITS = FACETS["statuses"].mask | FACETS["distant"].mask | FACETS["gold"].mask | FACETS["strategies"].mask
_COUNTED_BITS |= MARK_BITS["accepted"]
_MAX_WORDS = (1 << 10) - 1  # what fits 10 bits; longer sentences count as so long

# These read one index alone (`storage.pairs.facets`). The rows are counted in Python: GROUP BY would sort them first
# and take twice as long.
_FROM_PAIRS = "FROM pairs INDEXED BY pairs_in_order"
_SELECT_COUNTED = f"""
    SELECT domain, ({PACKED_FACETS}) & {_COUNTED_BITS}, phrase {_FROM_PAIRS} JOIN papers ON papers.id = paper_id
    WHERE ({PACKED_FACETS}) & {CURRENT_BIT}
"""
_SELECT_GONE = f"""
    SELECT domain, ({PACKED_FACETS}) & {_COUNTED_BITS}, phrase
    FROM pairs INDEXED BY pairs_gone JOIN papers ON papers.id = paper_id WHERE current = 0
"""
_SELECT_WORDS = f"""
    SELECT (({FACETS["labels"].sql} << 10) + min(premise_words, {_MAX_WORDS}) << 10)
        + min(hypothesis_words, {_MAX_WORDS})
    {_FROM_PAIRS} WHERE ({PACKED_FACETS}) & {CURRENT_BIT} {{of_domain}}
"""
_SELECT_OVERLAPS = f"""
    SELECT ({FACETS["labels"].sql} << 7) + overlap {_FROM_PAIRS} WHERE ({PACKED_FACETS}) & {CURRENT_BIT} {{of_domain}}
"""
_OF_DOMAIN = "AND paper_id IN (SELECT id FROM papers WHERE domain = ?)"
_SELECT_FUNNEL = f"""
    SELECT strategy, outcome, reason, sum(count) FROM funnel
    WHERE run = (SELECT number FROM mining_runs WHERE state != '{MiningRunState.REPLACED}') {{of_domain}}
    GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
"""


class PairCount(NamedTuple):
    """The number of `pairs` that are alike in all of this; "" for no label or phrase. status: see `PairStatus`.

    accepted: all answers are accepted suggestions, so the gold label says nothing about how people agree with phrases.
    """

    domain: str
    strategy: Strategy
    distant: str
    phrase: str
    status: str
    gold: str
    pairs: int
    accepted: bool = False

    @property
    def has_majority(self) -> bool:
        """Whether people agree on a label; where it is discarded, it is not the distant one."""
        return self.status in (PairStatus.SETTLED, PairStatus.DISCARDED)

    @property
    def label(self) -> str:
        """The label in an export; "" for none."""
        return {"settled": self.gold, "open": self.distant}.get(self.status, "")


@dataclass(frozen=True, slots=True)
class ClassMeasures:
    """Histograms of one class: sentence lengths in words (bins of `WORDS`), overlap in percent (bins of `PERCENT`).

    pairs: the number of pairs. The means are of the exact values, not of the bins.
    """

    pairs: int
    premise: tuple[int, ...]
    hypothesis: tuple[int, ...]
    overlap: tuple[int, ...]
    mean_premise: float
    mean_hypothesis: float
    mean_overlap: float


class StatisticsStore:
    """Counts pairs for the dashboard."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    @translate_decoding_errors()
    def counts(self) -> list[PairCount]:
        """The current pairs counted by domain, strategy, labels, phrase and status, sorted."""
        return self._counts(_SELECT_COUNTED)

    @translate_decoding_errors()
    def counts_of_gone(self) -> list[PairCount]:
        """The same of the pairs that are no longer mined; there are such only where people have annotated them."""
        return self._counts(_SELECT_GONE)

    def _counts(self, sql: str) -> list[PairCount]:
        kinds = Counter(self._rows(sql))
        found = [
            PairCount(
                domain,
                Strategy(FACETS["strategies"].decode(packed)),
                FACETS["distant"].decode(packed),
                phrase or "",
                FACETS["statuses"].decode(packed),
                FACETS["gold"].decode(packed),
                pairs,
                bool(packed & MARK_BITS["accepted"]),
            )
            for (domain, packed, phrase), pairs in kinds.items()
        ]
        return sorted(found)

    def measures(self, domain: str | None = None) -> Mapping[str, ClassMeasures]:
        """Lengths and overlap of the current pairs by their label in an export, "" for no label.

        domain: None for all domains.
        """
        premises, hypotheses, overlaps = _Histogram(WORDS), _Histogram(WORDS), _Histogram(PERCENT)
        for (packed,), pairs in Counter(self._rows(*_of_domain(domain, _SELECT_WORDS))).items():
            premises.add(packed >> 20, packed >> 10 & _MAX_WORDS, pairs)
            hypotheses.add(packed >> 20, packed & _MAX_WORDS, pairs)
        for (packed,), pairs in Counter(self._rows(*_of_domain(domain, _SELECT_OVERLAPS))).items():
            overlaps.add(packed >> 7, packed & 127, pairs)
        histograms = (premises, hypotheses, overlaps)
        found = {}
        for label in (*Label, ""):
            number = FACETS["labels"].code(label) or 0
            if number in premises.bins:
                bins = (tuple(histogram.bins[number]) for histogram in histograms)
                means = (histogram.mean(number) for histogram in histograms)
                found[str(label)] = ClassMeasures(premises.pairs(number), *bins, *means)  # type: ignore[arg-type]  # both 3
        return found

    def funnel(self, domain: str | None = None) -> Funnel:
        """The funnel of the current mining run (None: of all domains)."""
        return funnel_from_rows(self._rows(*_of_domain(domain, _SELECT_FUNNEL)))

    def _rows(self, sql: str, parameters: tuple[str, ...] = ()) -> Iterator[tuple[Any, ...]]:
        return driver_connection(self._connection).execute(sql, parameters)


class _Histogram:
    """The values of a measure in bins, by the code of the class."""

    def __init__(self, bins: Bins) -> None:
        self._bins = bins
        self.bins: dict[int, list[int]] = {}
        self._totals: Counter[int] = Counter()

    def add(self, label: int, value: int, pairs: int) -> None:
        self.bins.setdefault(label, [0] * len(self._bins))[self._bins.index(value)] += pairs
        self._totals[label] += value * pairs

    def pairs(self, label: int) -> int:
        return sum(self.bins[label])

    def mean(self, label: int) -> float:
        return self._totals[label] / self.pairs(label)


def _of_domain(domain: str | None, sql: str) -> tuple[str, tuple[str, ...]]:
    return (sql.format(of_domain=""), ()) if domain is None else (sql.format(of_domain=_OF_DOMAIN), (domain,))
