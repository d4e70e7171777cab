"""Finds the sentences of an export that are nearly the same."""

from __future__ import annotations

import json
import sqlite3
import threading
from collections import OrderedDict
from collections.abc import Iterator, Sequence

from miner.mining.identity import normalise_text
from miner.near_duplicates import NearDuplicateFinder
from miner.progress import Progress
from storage.dataset.sentences import WRITTEN_HASH, WRITTEN_PREMISE_HASH

NEAR_GROUPS = "hash INTEGER PRIMARY KEY, first INTEGER"
"""The columns of `temp.near_groups`: the hash of a sentence with near-duplicates, and the one that stands for them."""
_NOTE = "Comparing sentences"
_TICK = 20_000  # sentences
_REMEMBERED_RESULTS = 4
# Each sentence once, in the order in which pairs are stored, so that their texts are read in one pass.
_INSERT_SENTENCES = f"""
    INSERT INTO near_sentences (hash, pair_id, side)
    SELECT hash, min(place) / 3, min(place) % 3 FROM (
        SELECT {WRITTEN_PREMISE_HASH} AS hash, 3 * pair_id AS place FROM candidates WHERE {{compared}}
        UNION ALL SELECT {WRITTEN_HASH}, 3 * pair_id + 1 FROM candidates WHERE {{compared}}
        UNION ALL SELECT hypothesis_hash, 3 * pair_id + 2 FROM candidates WHERE {{compared}}
    ) GROUP BY hash ORDER BY 2, 3
"""
_TEXTS = """
    SELECT number, hash, CASE side WHEN 0 THEN premise WHEN 1 THEN hypothesis ELSE hypothesis_original END AS text
    FROM near_sentences CROSS JOIN pairs ON pairs.id = pair_id
"""
_Groups = list[tuple[int, int]]  # rows of `near_groups`
_Fingerprint = tuple[int | None, ...]


class _Results:
    """A cache of the last results by their input, since a preview is counted again for every change of its options."""

    def __init__(self) -> None:
        self._groups: OrderedDict[_Fingerprint, _Groups] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, fingerprint: _Fingerprint) -> _Groups | None:
        with self._lock:
            return self._groups.get(fingerprint)

    def put(self, fingerprint: _Fingerprint, groups: _Groups) -> None:
        with self._lock:
            self._groups[fingerprint] = groups
            while len(self._groups) > _REMEMBERED_RESULTS:
                self._groups.popitem(last=False)


_results = _Results()


def find_near_duplicates(driver: sqlite3.Connection, progress: Progress, compared: str = "reason IS NULL") -> None:
    """Fill `temp.near_groups` from the sentences of the exported `candidates`, as they are written and in the paper.

    compared: a condition, for other candidates than those that are exported.

    The view `candidates` is that of `storage.dataset.candidates`, or one with the same columns; so is the table.
    """
    driver.execute("DROP TABLE IF EXISTS temp.near_sentences")
    driver.execute("""
        CREATE TEMP TABLE near_sentences (number INTEGER PRIMARY KEY, hash INTEGER, pair_id INTEGER, side INTEGER)
    """)
    driver.execute(_INSERT_SENTENCES.format(compared=compared))
    # The hashes are random, so that the sum of their halves tells sets of sentences apart.
    query = "SELECT count(*), sum(hash >> 32), sum(hash & 4294967295) FROM near_sentences"
    fingerprint: _Fingerprint = driver.execute(query).fetchone()
    groups = _results.get(fingerprint)
    if groups is None:
        groups = group_texts(driver, _TEXTS, progress)
        _results.put(fingerprint, groups)
    driver.execute("DELETE FROM near_groups")
    driver.executemany("INSERT OR IGNORE INTO near_groups VALUES (?, ?)", groups)
    driver.execute("DROP TABLE temp.near_sentences")


def group_texts(driver: sqlite3.Connection, texts: str, progress: Progress) -> list[tuple[int, int]]:
    """Rows of `near_groups` for the rows of the query `texts`: number from 1 without gaps, hash, text."""
    finder = NearDuplicateFinder()
    [total] = driver.execute(f"SELECT count(*) FROM ({texts})").fetchone()

    def normalised() -> Iterator[str]:
        for done, (text,) in enumerate(driver.execute(f"SELECT text FROM ({texts}) ORDER BY number")):
            if done % _TICK == 0:
                progress.tick(done, total, _NOTE)
            yield normalise_text(text)

    def read(numbers: Sequence[int]) -> dict[int, str]:
        query = f"SELECT number - 1, text FROM ({texts}) WHERE number IN (SELECT value + 1 FROM json_each(?))"
        return {number: normalise_text(text) for number, text in driver.execute(query, (json.dumps(numbers),))}

    finder.add(normalised())
    groups = finder.find_groups(read, on_step=lambda _: progress.tick(total, total, _NOTE))
    hashes: dict[int, int] = {}
    members = sorted(groups)
    for first in range(0, len(members), _TICK):
        query = f"SELECT number - 1, hash FROM ({texts}) WHERE number IN (SELECT value + 1 FROM json_each(?))"
        hashes |= driver.execute(query, (json.dumps(members[first : first + _TICK]),)).fetchall()
    lowest: dict[int, int] = {}  # whatever the order of the texts
    for number, group in groups.items():
        lowest[group] = min(hashes[number], lowest.get(group, hashes[number]))
    return [(hashes[number], lowest[group]) for number, group in groups.items()]
