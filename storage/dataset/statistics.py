"""Reads the statistics of a data set: its pairs by split, domain and class, and samples of their sentences."""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from heapq import heappush, heapreplace
from typing import Any

from sqlalchemy import Connection

from miner.dataset_statistics import (
    MAX_OF_PART,
    MEASURED_PAIRS,
    AnnotatedCount,
    DataSetPart,
    DataSetStatistics,
    DrawnPair,
    MeasureSums,
    drawn_of_part,
    measure_pair,
    sum_measures,
)
from miner.progress import Progress
from miner.splits import random_rank
from storage.connections import driver_connection
from storage.dataset.candidates import NOT_ASKED_FOR, select_candidates
from storage.dataset.export_options import ALL_PAIRS, ExportOptions
from storage.dataset.gold_rule import MAJORITY_LABEL, OF_BENCHMARK
from storage.errors import translate_decoding_errors, translated_steps
from storage.pairs.filters import PairFilter
from storage.pairs.judgement import NEEDED_VOTES
from storage.pairs.query import PairQueryCompiler

_BATCH_PAIRS = 1_000
# The gold label of an annotated pair, "" for no consensus; NULL for a pair that is not annotated, or not enough. Pairs
# that one answer corrects are none.
_ANNOTATED_GOLD = f"""CASE
    WHEN pairs.accepted OR NOT pairs.current OR pairs.distant_label IS NULL OR NOT {OF_BENCHMARK} THEN NULL
    WHEN pairs.status = 'unsettled' AND pairs.votes >= {NEEDED_VOTES} THEN ''
    ELSE {MAJORITY_LABEL}
END"""
_NOT_ASKED_FOR = ", ".join(f"'{reason}'" for reason in NOT_ASKED_FOR)
_SELECT_PAIRS = f"""
    SELECT candidates.pair_id, candidates.key, candidates.domain, coalesce(candidates.split, ''),
        coalesce(candidates.label, ''), candidates.reason IS NULL, pairs.distant_label,
        iif(coalesce(candidates.reason, '') IN ({_NOT_ASKED_FOR}), NULL, {_ANNOTATED_GOLD})
    FROM candidates CROSS JOIN pairs ON pairs.id = candidates.pair_id
"""
_SELECT_TEXTS = """
    SELECT candidates.key, candidates.domain, candidates.premise, candidates.hypothesis
    FROM candidates WHERE candidates.reason IS NULL
"""
_SELECT_DRAWN = """
    SELECT pairs.id, premise, hypothesis, coalesce(label, '')
    FROM json_each(?) CROSS JOIN pairs ON pairs.id = json_each.value
"""


class DataSetStatisticsStore:
    """Counts and samples the pairs that an export with certain options holds. Nothing grows with their number."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._driver: sqlite3.Connection = driver_connection(connection)

    @translate_decoding_errors()
    def measure(
        self,
        options: ExportOptions,
        filter: PairFilter = ALL_PAIRS,
        *,
        seed: int = 1,
        sample: int = MEASURED_PAIRS,
        progress: Progress | None = None,
    ) -> DataSetStatistics:
        """The statistics of the pairs that such an export holds and that match `filter`.

        About `sample` pairs are measured, drawn at random, as many from each split of a domain; the `seed` decides
        which.
        """
        select_candidates(self._connection, options, progress)
        condition, params = self._match(filter)
        counts: Counter[tuple[Any, ...]] = Counter()
        heaps: dict[tuple[str, str], list[tuple[int, int]]] = {}
        limit = min(sample, MAX_OF_PART)
        rows: Iterator[tuple[Any, ...]] = self._driver.execute(f"{_SELECT_PAIRS} WHERE {condition}", params)
        for id, key, domain, split, label, is_held, distant, gold in rows:
            counts[domain, split, label, is_held, distant, gold] += 1
            if not limit or not is_held:
                continue
            order = -random_rank(key, seed=seed)
            heap = heaps.get((domain, split))  # its first item is the last of those drawn
            if heap is None:
                heaps[domain, split] = [(order, id)]
            elif len(heap) < limit:
                heappush(heap, (order, id))
            elif order > heap[0][0]:
                heapreplace(heap, (order, id))
        pairs: Counter[DataSetPart] = Counter()
        annotated: Counter[tuple[str, str, str, str]] = Counter()
        for (domain, split, label, is_held, distant, gold), number in counts.items():
            if is_held:
                pairs[DataSetPart(domain, split, label)] += number
            if gold is not None:
                annotated[domain, split, distant, gold] += number
        share = drawn_of_part(sample, len(heaps))
        drawn = {
            part: tuple(DrawnPair(-order, id) for order, id in sorted(heap, reverse=True)[:share])
            for part, heap in sorted(heaps.items())
        }
        return DataSetStatistics(
            dict(sorted(pairs.items())),
            self._measure_drawn(drawn),
            tuple(AnnotatedCount(*kind, number) for kind, number in sorted(annotated.items())),
            drawn,
        )

    @translated_steps
    def sentences(self, ids: Iterable[int]) -> Iterator[tuple[int, str, str]]:
        """(id, premise, hypothesis) of these pairs, by id; deleted pairs are left out."""
        for batch in _batches(sorted(ids)):
            for id, premise, hypothesis, _ in self._driver.execute(_SELECT_DRAWN, (json.dumps(batch),)).fetchall():
                yield id, premise, hypothesis

    @translated_steps
    def texts(
        self,
        options: ExportOptions,
        filter: PairFilter = ALL_PAIRS,
        *,
        split: str | None = None,
        limits: Mapping[str, tuple[int, int]],
        seed: int = 1,
    ) -> Iterator[tuple[str, str, str]]:
        """(domain, premise, hypothesis) of pairs of the data set, by paper. split: None for all.

        limits: of each domain that is wanted, about how many pairs are to be drawn, and how many it has.
        """
        select_candidates(self._connection, options)
        condition, params = self._match(filter)
        shares = {domain: (wanted << 64) // max(pairs, 1) for domain, (wanted, pairs) in limits.items()}
        query = (
            f"{_SELECT_TEXTS} AND coalesce(candidates.split, '') = coalesce(?, candidates.split, '') AND {condition}"
        )
        rows: Iterator[tuple[Any, ...]] = self._driver.execute(query, (split, *params))
        for key, domain, premise, hypothesis in rows:
            if random_rank(key, seed=seed) < shares.get(domain, 0):
                yield domain, premise, hypothesis

    @translate_decoding_errors()
    def papers_in(self, options: ExportOptions, split: str, limit: int) -> frozenset[str]:
        """The MD5s of papers with pairs in a split of such an export; at most `limit` of them."""
        select_candidates(self._connection, options)
        query = """
            SELECT DISTINCT papers.md5 FROM candidates CROSS JOIN papers ON papers.id = candidates.paper_id
            WHERE candidates.split = ? AND candidates.reason IS NULL LIMIT ?
        """
        return frozenset(md5 for (md5,) in self._driver.execute(query, (split, limit)))

    def _match(self, filter: PairFilter) -> tuple[str, tuple[str | int, ...]]:
        """The filter as a condition over `candidates`, and its parameters."""
        if filter == ALL_PAIRS:
            return "1", ()
        query = PairQueryCompiler(self._connection).for_rows(filter).select("pairs.id")
        return f"candidates.pair_id IN ({query.sql})", query.params

    def _measure_drawn(self, drawn: Mapping[tuple[str, str], tuple[DrawnPair, ...]]) -> dict[DataSetPart, MeasureSums]:
        found: dict[DataSetPart, MeasureSums] = {}
        for (domain, split), members in drawn.items():
            for batch in _batches(sorted(pair.id for pair in members)):
                by_label: dict[str, list[Any]] = {}
                for _, premise, hypothesis, label in self._driver.execute(_SELECT_DRAWN, (json.dumps(batch),)):
                    by_label.setdefault(label, []).append(measure_pair(premise, hypothesis))
                for label, measures in by_label.items():
                    stratum = DataSetPart(domain, split, label)
                    found[stratum] = found.get(stratum, MeasureSums()) + sum_measures(measures)
        return dict(sorted(found.items()))


def _batches(ids: Sequence[int]) -> Iterator[Sequence[int]]:
    return (ids[start : start + _BATCH_PAIRS] for start in range(0, len(ids), _BATCH_PAIRS))
