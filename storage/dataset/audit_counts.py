"""What an audit needs of the project: counts of the surface of all pairs, and a draw of pairs with their texts."""

from __future__ import annotations

import heapq
import json
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from hashlib import blake2b
from typing import Any, NamedTuple

from sqlalchemy import Connection

from miner.audit.drawn_pairs import PAIRS_PER_CLASS, AuditPair, groups_by_sentences
from miner.audit.report import AuditedLabels, Measure
from miner.audit.surface import SurfaceCounts
from miner.progress import Progress
from miner.records import HypothesisTrait
from miner.splits import random_rank
from storage.connections import driver_connection
from storage.convert import read_all
from storage.dataset.candidates import select_candidates
from storage.dataset.export_options import ExportOptions
from storage.dataset.gold_rule import GOLD
from storage.errors import translate_decoding_errors
from storage.pairs import traits
from storage.pairs.paper_splits import NAMED, PAPER_MD5

OnRead = Callable[[int], None]
"""Called with the number of pairs read so far, every `_ROWS_PER_CALL`."""

_ROWS_PER_CALL = 20_000
_IDS_PER_QUERY = 5_000
_OF_ALL = "FROM pairs WHERE pairs.current AND pairs.status <> 'bad'"
_SOURCES = {  # the label, and the pairs
    AuditedLabels.EXPORTED: (
        "exported_label",
        """
            FROM (SELECT pair_id, label AS exported_label FROM candidates WHERE reason IS NULL) AS exported
            CROSS JOIN pairs ON pairs.id = pair_id WHERE 1
        """,
    ),
    AuditedLabels.GOLD: (GOLD, _OF_ALL),
    AuditedLabels.DISTANT: ("pairs.distant_label", _OF_ALL),
}
_SELECT_STATE = """
    SELECT (SELECT count(*) FROM pairs), (SELECT max(id) FROM pairs), (SELECT max(number) FROM mining_runs),
        (SELECT max(id) FROM label_events), (SELECT max(id) FROM mark_events), (SELECT max(id) FROM text_events),
        (SELECT json_group_array(value) FROM (
            SELECT value FROM settings WHERE key IN ('gold', 'gold everywhere', 'split', 'targets') ORDER BY key
        ))
"""


class _DrawnTexts(NamedTuple):
    """A pair that was drawn. paper: its MD5, "" for a pair without a paper."""

    key: str
    id: int
    premise: str
    hypothesis: str
    strategy: str
    overlap: int
    premise_hash: int
    hypothesis_hash: int
    paper: str


class AuditStore:
    """Reads the pairs with a label of the source: those of an export, or all current ones that are not bad."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def state(self) -> str:
        """A digest that changes whenever pairs, labels or texts do; cheap."""
        row = tuple(self._connection.exec_driver_sql(_SELECT_STATE).one())
        return blake2b(json.dumps(row).encode(), digest_size=8).hexdigest()

    def select_exported(self, options: ExportOptions, progress: Progress | None = None) -> None:
        """Select the pairs that an export with these options has; call this before reading `AuditedLabels.EXPORTED`."""
        select_candidates(self._connection, options, progress)

    @translate_decoding_errors()
    def surface_counts(self, source: AuditedLabels, domain: str | None, on_read: OnRead) -> SurfaceCounts:
        """Counts of traits, lengths and overlap, by class and strategy; domain None for all. Reads all pairs once."""
        packed_traits = (f"{1 << bit} * ({traits.condition(trait)})" for bit, trait in enumerate(HypothesisTrait))
        columns = f"strategy, premise_words, hypothesis_words, overlap, {' + '.join(packed_traits)}"
        pairs: Counter[tuple[str, str]] = Counter()
        bits: defaultdict[str, Counter[int]] = defaultdict(Counter)
        measures = (Measure.PREMISE_WORDS, Measure.HYPOTHESIS_WORDS, Measure.OVERLAP)
        histograms: dict[Measure, defaultdict[tuple[str, str], Counter[int]]]
        histograms = {measure: defaultdict(Counter) for measure in measures}
        for number, (label, strategy, *values, traits_found) in enumerate(self._rows(source, domain, columns), 1):
            kind = (label, strategy)
            pairs[kind] += 1
            bits[label][traits_found] += 1
            for measure, value in zip(measures, values, strict=True):
                histograms[measure][kind][value] += 1
            if number % _ROWS_PER_CALL == 0:
                on_read(number)
        found: dict[HypothesisTrait, Counter[str]] = {trait: Counter() for trait in HypothesisTrait}
        for label, counts in bits.items():
            for packed, number in counts.items():
                for bit, trait in enumerate(HypothesisTrait):
                    if packed >> bit & 1:
                        found[trait][label] += number
        return SurfaceCounts(pairs, found, {measure: dict(counts) for measure, counts in histograms.items()})

    @translate_decoding_errors()
    def draw(
        self, source: AuditedLabels, domain: str | None, seed: int, on_read: OnRead, most: int = PAIRS_PER_CLASS
    ) -> tuple[tuple[AuditPair, ...], bool]:
        """At most `most` pairs of each class, by key; and whether their papers are known.

        The seed and the pairs' keys decide which, so neither the order of import nor other pairs' ids do.
        """
        heaps: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)  # (minus the rank, id); the last to go first
        for number, (label, id, key) in enumerate(self._rows(source, domain, "pairs.id, pairs.key"), 1):
            rank = -random_rank(key, seed=seed)
            heap = heaps[label]
            if len(heap) < most:
                heapq.heappush(heap, (rank, id))
            elif rank > heap[0][0]:
                heapq.heapreplace(heap, (rank, id))
            if number % _ROWS_PER_CALL == 0:
                on_read(number)
        labels = {id: label for label, heap in heaps.items() for _, id in heap}
        pairs = sorted(self._texts(sorted(labels)))
        has_papers = all(pair.paper for pair in pairs)
        groups = [pair.paper for pair in pairs]
        if not has_papers:
            shared = groups_by_sentences([(pair.premise_hash, pair.hypothesis_hash) for pair in pairs])
            groups = [paper or f"sentences {group}" for paper, group in zip(groups, shared, strict=True)]
        drawn = tuple(
            AuditPair(pair.premise, pair.hypothesis, labels[pair.id], pair.strategy, pair.overlap, group)
            for pair, group in zip(pairs, groups, strict=True)
        )
        return drawn, has_papers

    def _rows(self, source: AuditedLabels, domain: str | None, columns: str) -> Iterator[tuple[Any, ...]]:
        label, pairs = _SOURCES[source]
        of_domain = "" if domain is None else "AND pairs.paper_id IN (SELECT id FROM papers WHERE domain = ?)"
        statement = f"""
            SELECT {label} AS audited, {columns} {pairs} AND audited IS NOT NULL {of_domain}
        """
        return driver_connection(self._connection).execute(statement, () if domain is None else (domain,))

    def _texts(self, ids: list[int]) -> Iterator[_DrawnTexts]:
        statement = f"""
            SELECT pairs.key, pairs.id, premise, hypothesis, strategy, overlap, premise_hash, hypothesis_hash,
                iif({NAMED}, {PAPER_MD5}, '') AS paper
            FROM json_each(?) AS wanted CROSS JOIN pairs ON pairs.id = wanted.value
            CROSS JOIN papers ON papers.id = pairs.paper_id
        """
        for start in range(0, len(ids), _IDS_PER_QUERY):
            part = json.dumps(ids[start : start + _IDS_PER_QUERY])
            yield from read_all(_DrawnTexts, driver_connection(self._connection).execute(statement, (part,)))
