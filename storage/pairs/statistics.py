"""What the project's current pairs look like in numbers; each counted in one pass over one index."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from sqlalchemy import Connection

from miner.records import DropReason, Funnel, Label, Strategy
from miner.statistics import Bins
from storage.connections import driver_connection
from storage.mining.runs import MiningRunState
from storage.pairs.facets import CURRENT_BIT, FACETS, MARK_BITS, PACKED_FACETS

WORDS = Bins(width=5, last=60)
PERCENT = Bins(width=10, last=90, top=100)

_KIND = FACETS["statuses"].mask | FACETS["distant"].mask | FACETS["gold"].mask | FACETS["strategies"].mask
_KIND |= MARK_BITS["accepted"]
_LONGEST = (1 << 10) - 1  # words; longer sentences count as so long

# These read one index alone (`storage.pairs.facets`), row by row: counting in Python takes half the time of GROUP BY,
# which sorts all rows first.
_PAIRS = "FROM pairs INDEXED BY pairs_in_order"
_COUNTS = f"""
    SELECT domain, ({PACKED_FACETS}) & {_KIND}, phrase {_PAIRS} JOIN papers ON papers.id = paper_id
    WHERE ({PACKED_FACETS}) & {CURRENT_BIT}
"""
_WORDS = f"""
    SELECT (({FACETS["labels"].sql} << 10) + min(premise_words, {_LONGEST}) << 10) + min(hypothesis_words, {_LONGEST})
    {_PAIRS} WHERE ({PACKED_FACETS}) & {CURRENT_BIT} {{of_domain}}
"""
_OVERLAPS = f"""
    SELECT ({FACETS["labels"].sql} << 7) + overlap {_PAIRS} WHERE ({PACKED_FACETS}) & {CURRENT_BIT} {{of_domain}}
"""
_OF_DOMAIN = "AND paper_id IN (SELECT id FROM papers WHERE domain = ?)"
_FUNNEL = f"""
    SELECT strategy, outcome, reason, sum(count) FROM funnel
    WHERE run = (SELECT number FROM mining_runs WHERE state != '{MiningRunState.REPLACED}') {{of_domain}}
    GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
"""


class PairCount(NamedTuple):
    """So many `pairs` of one kind; "" where there is no label, phrase or gold label. `status`: see `PairRow`.

    `accepted`: the gold label is of accepted suggestions alone, and says nothing of how people agree with phrases.
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
    def label(self) -> str:
        """What an export would say, "" for nothing."""
        return {"settled": self.gold, "open": self.distant}.get(self.status, "")


@dataclass(frozen=True, slots=True)
class ClassMeasures:
    """The pairs of one class by the lengths of their sentences (bins of `WORDS`) and their overlap (bins of `PERCENT`).

    The means are of the values themselves: words, words, percent.
    """

    pairs: int
    premise: tuple[int, ...]
    hypothesis: tuple[int, ...]
    overlap: tuple[int, ...]
    mean_premise: float
    mean_hypothesis: float
    mean_overlap: float


class StatisticsStore:
    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def counts(self) -> list[PairCount]:
        """All current pairs by domain, strategy, labels, phrase and status."""
        kinds = Counter(self._rows(_COUNTS))
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
        """Lengths and overlap of the current pairs (of one domain) by the label an export would give; "" for none."""
        premises, hypotheses, overlaps = _Spread(WORDS), _Spread(WORDS), _Spread(PERCENT)
        for (packed,), pairs in Counter(self._rows(*_of(domain, _WORDS))).items():
            premises.add(packed >> 20, packed >> 10 & _LONGEST, pairs)
            hypotheses.add(packed >> 20, packed & _LONGEST, pairs)
        for (packed,), pairs in Counter(self._rows(*_of(domain, _OVERLAPS))).items():
            overlaps.add(packed >> 7, packed & 127, pairs)
        spreads = (premises, hypotheses, overlaps)
        found = {}
        for label in (*Label, ""):
            number = FACETS["labels"].code(label) or 0
            if number in premises.bins:
                bins = (tuple(spread.bins[number]) for spread in spreads)
                means = (spread.mean(number) for spread in spreads)
                found[str(label)] = ClassMeasures(premises.pairs(number), *bins, *means)  # type: ignore[arg-type]  # both 3
        return found

    def _rows(self, sql: str, parameters: tuple[str, ...] = ()) -> Iterator[tuple[Any, ...]]:
        return driver_connection(self._connection).execute(sql, parameters)

    def funnel(self, domain: str | None = None) -> Funnel:
        """What became of all candidates (of one domain's papers) of the run whose pairs the project holds."""
        candidates: dict[Strategy, int] = {}
        kept: dict[Strategy, int] = {}
        dropped: dict[DropReason, int] = {}
        for strategy, outcome, reason, count in self._connection.exec_driver_sql(*_of(domain, _FUNNEL)):
            if outcome == "dropped":
                dropped[DropReason(Strategy(strategy), reason)] = count
            else:
                (kept if outcome == "kept" else candidates)[Strategy(strategy)] = count
        return Funnel(candidates, kept, dropped)


class _Spread:
    """How a measure's values lie, by the number of a class."""

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


def _of(domain: str | None, sql: str) -> tuple[str, tuple[str, ...]]:
    return (sql.format(of_domain=""), ()) if domain is None else (sql.format(of_domain=_OF_DOMAIN), (domain,))
