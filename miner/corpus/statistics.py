"""The figures of the papers' tables for a whole corpus, counted and drawn as in a project that holds all of it.

Which pairs: those that an export holds by default, as long as nobody has answered.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from heapq import heappush, heapreplace
from typing import Any, NamedTuple

from miner.corpus.database import FETCHED
from miner.dataset_statistics import (
    MAX_OF_PART,
    MEASURED_PAIRS,
    DataSetPart,
    DataSetStatistics,
    DrawnPair,
    MeasureSums,
    PairMeasures,
    drawn_of_part,
    measure_pair,
    sum_measures,
)
from miner.libraries import pa
from miner.progress import Progress
from miner.records import Strategy
from miner.splits import random_rank

_HELD = f"distant_label IS NOT NULL AND strategy != '{Strategy.IMPLICIT}'"
_SELECT_KEYS = f"""
    SELECT key, domain, md5, ordinal FROM pairs JOIN papers USING (md5) WHERE {_HELD}
"""
_DRAWN = pa.schema([("md5", pa.string()), ("ordinal", pa.int32())])


class MeasuredPair(NamedTuple):
    """A drawn pair. place: its position, from 1, in the order of the draw over all domains."""

    place: int
    md5: str
    ordinal: int
    domain: str
    label: str
    premise: str
    hypothesis: str
    measures: PairMeasures


@dataclass(frozen=True, slots=True)
class CorpusStatistics:
    """statistics: as of a data set without splits; its drawn pairs' ids are indexes of `pairs`."""

    statistics: DataSetStatistics
    pairs: Sequence[MeasuredPair]

    def sentences(self, ids: Iterable[int]) -> list[tuple[int, str, str]]:
        """(id, premise, hypothesis) of these pairs, by id."""
        return [(id, self.pairs[id].premise, self.pairs[id].hypothesis) for id in sorted(ids)]


def measure_corpus(
    database: Any, progress: Progress, *, seed: int = 1, sample: int = MEASURED_PAIRS
) -> CorpusStatistics:
    """Count all pairs, and measure about `sample` of them, the same pairs that a project with this corpus measures.

    database: as of `opened_shards`.
    """
    query = f"SELECT domain, distant_label, count(*) FROM pairs JOIN papers USING (md5) WHERE {_HELD} GROUP BY ALL"
    counted = database.execute(query).fetchall()
    counts = {DataSetPart(domain, "", label): number for domain, label, number in sorted(counted)}
    heaps: dict[str, list[tuple[int, str, int]]] = {}
    limit, total, done = min(sample, MAX_OF_PART), sum(counts.values()), 0
    for batch in _batches(database.sql(_SELECT_KEYS)):
        progress.tick(done, total, "drawing pairs")
        done += len(batch)
        for key, domain, md5, ordinal in batch:
            drawn = (-random_rank(key, seed=seed), md5, ordinal)
            heap = heaps.setdefault(domain, [])  # its first item is the last of those drawn
            if len(heap) < limit:
                heappush(heap, drawn)
            elif drawn > heap[0]:
                heapreplace(heap, drawn)
    share = drawn_of_part(sample, len(heaps))
    wanted = {(md5, ordinal): -rank for heap in heaps.values() for rank, md5, ordinal in sorted(heap)[::-1][:share]}
    return _measured(counts, wanted, database)


def _measured(
    counts: Mapping[DataSetPart, int], wanted: Mapping[tuple[str, int], int], database: Any
) -> CorpusStatistics:
    drawn = [{"md5": md5, "ordinal": ordinal} for md5, ordinal in wanted]
    database.register("drawn_pairs", pa.Table.from_pylist(drawn, schema=_DRAWN))
    query = """
        SELECT md5, ordinal, domain, distant_label, premise, hypothesis
        FROM pairs SEMI JOIN drawn_pairs USING (md5, ordinal) JOIN papers USING (md5) ORDER BY md5, ordinal
    """
    rows = database.execute(query).fetchall()
    database.unregister("drawn_pairs")
    places = {pair: place for place, pair in enumerate(sorted(wanted, key=wanted.__getitem__), 1)}
    pairs = [
        MeasuredPair(
            places[md5, ordinal], md5, ordinal, domain, label, premise, hypothesis, measure_pair(premise, hypothesis)
        )
        for md5, ordinal, domain, label, premise, hypothesis in rows
    ]
    by_part, by_domain = dict[DataSetPart, list[PairMeasures]](), dict[tuple[str, str], list[DrawnPair]]()
    for id, pair in enumerate(pairs):
        by_part.setdefault(DataSetPart(pair.domain, "", pair.label), []).append(pair.measures)
        order = wanted[pair.md5, pair.ordinal]
        by_domain.setdefault((pair.domain, ""), []).append(DrawnPair(order, id))
    sums: dict[DataSetPart, MeasureSums] = {part: sum_measures(measures) for part, measures in sorted(by_part.items())}
    ordered = {part: tuple(sorted(members)) for part, members in sorted(by_domain.items())}
    return CorpusStatistics(DataSetStatistics(counts, sums, (), ordered), pairs)


def drawn_texts(
    database: Any, limits: Mapping[str, tuple[int, int]], *, seed: int = 1
) -> Iterator[tuple[str, str, str]]:
    """(domain, premise, hypothesis) of pairs of these domains, by paper.

    limits: of each domain that is wanted, about how many pairs are to be drawn, and how many it has.
    """
    shares = {domain: (wanted << 64) // max(pairs, 1) for domain, (wanted, pairs) in limits.items()}
    found = [
        {"md5": md5, "ordinal": ordinal}
        for batch in _batches(database.sql(_SELECT_KEYS))
        for key, domain, md5, ordinal in batch
        if random_rank(key, seed=seed) < shares.get(domain, 0)
    ]
    database.register("drawn_texts", pa.Table.from_pylist(found, schema=_DRAWN))
    query = """
        SELECT domain, premise, hypothesis
        FROM pairs SEMI JOIN drawn_texts USING (md5, ordinal) JOIN papers USING (md5)
    """
    yield from (row for rows in _batches(database.sql(query)) for row in rows)


def _batches(relation: Any) -> Iterator[list[tuple[Any, ...]]]:
    """The rows of a query, a few at a time."""
    for batch in relation.to_arrow_reader(FETCHED):
        yield list(zip(*(column.to_pylist() for column in batch.columns), strict=True))
