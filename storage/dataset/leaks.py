"""Looks for leaks: papers and sentences that are in several splits, and sentences that are nearly the same.

It counts what is exported, and relies on nothing that assigned the splits.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from miner.mining.identity import sentence_hash
from miner.progress import Progress
from storage.dataset.near_duplicates import find_near_duplicates
from storage.dataset.sentences import HASH_COLUMNS, every_sentence

LISTED = 5  # leaks of a kind that are named; the others are counted


class Leak(NamedTuple):
    """A paper by its MD5, or a sentence, and the splits that it is in."""

    what: str
    splits: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class LeakReport:
    """How many papers and sentences are in more than one split, and groups of sentences that are nearly the same.

    near_duplicates: None if nobody looked for them. pairs: checked, by split. examples: the first leaks by kind.
    """

    pairs: dict[str, int]
    papers: int
    sentences: int
    near_duplicates: int | None
    examples: dict[str, tuple[Leak, ...]]

    @property
    def is_clean(self) -> bool:
        """Whether no paper and no sentence is in two splits."""
        return not (self.papers or self.sentences)

    @property
    def counts(self) -> dict[str, Any]:
        """As JSON data, for receipts: the order of import decides which leaks are the first."""
        counts = {"papers": self.papers, "sentences": self.sentences, "near_duplicates": self.near_duplicates}
        return {"pairs": self.pairs, **counts}

    def to_data(self) -> dict[str, Any]:
        """As JSON data."""
        examples = {
            kind: [{"what": leak.what, "splits": list(leak.splits)} for leak in leaks]
            for kind, leaks in self.examples.items()
            if leaks
        }
        return {**self.counts, "examples": examples}


def find_leaks(
    driver: sqlite3.Connection, progress: Progress, *, near_duplicates: bool, checked: str = "reason IS NULL"
) -> LeakReport:
    """The leaks of the exported `candidates`. near_duplicates: also look for these, which takes a minute a million.

    checked: a condition, for other candidates than those that are exported.
    """
    driver.create_function("sentence_hash", 1, sentence_hash, deterministic=True)
    driver.execute("DROP TABLE IF EXISTS temp.checked")
    driver.execute(f"""
        CREATE TEMP TABLE checked AS
        SELECT pair_id, split, iif(named, md5, NULL) AS paper, {HASH_COLUMNS} FROM candidates WHERE {checked}
    """)
    sentences = every_sentence("split, pair_id", "temp.checked")
    several = "HAVING min(split) <> max(split) ORDER BY min(pair_id)"
    found = "group_concat(DISTINCT split), min(pair_id)"
    named = "temp.checked WHERE paper IS NOT NULL"
    pairs = dict(driver.execute("SELECT split, count(*) FROM temp.checked GROUP BY split ORDER BY split"))
    papers = driver.execute(f"SELECT paper, {found} FROM {named} GROUP BY 1 {several}").fetchall()
    shared = driver.execute(f"SELECT sentence, {found} FROM ({sentences}) GROUP BY 1 {several}").fetchall()
    near = []
    if near_duplicates:
        find_near_duplicates(driver, progress, checked)
        near = driver.execute(f"""
            SELECT near_groups.first, {found} FROM ({sentences}) JOIN near_groups ON hash = sentence
            GROUP BY 1 {several}
        """).fetchall()
    driver.execute("DROP TABLE temp.checked")
    examples = {
        "papers": [Leak(md5, _splits(splits)) for md5, splits, _ in papers[:LISTED]],
        "sentences": [Leak(_text(driver, *one), _splits(splits)) for *one, splits in _places(shared)],
        "near_duplicates": [Leak(_text(driver, *one), _splits(splits)) for *one, splits in _places(near)],
    }
    return LeakReport(
        pairs,
        len(papers),
        len(shared),
        len(near) if near_duplicates else None,
        {kind: tuple(leaks) for kind, leaks in examples.items()},
    )


def _splits(text: str) -> tuple[str, ...]:
    return tuple(sorted(text.split(",")))


def _places(rows: Sequence[tuple[int, str, int]]) -> list[tuple[int, int, str]]:
    return [(hash, pair_id, splits) for hash, splits, pair_id in rows[:LISTED]]


def _text(driver: sqlite3.Connection, wanted: int, pair_id: int) -> str:
    """The sentence of a pair that has this hash, or stands in its group of near-duplicates."""
    query = "SELECT premise, hypothesis, hypothesis_original FROM pairs WHERE id = ?"
    texts: tuple[str, ...] = driver.execute(query, (pair_id,)).fetchone()
    for text in texts:
        hash = sentence_hash(text)
        group = driver.execute("SELECT first FROM near_groups WHERE hash = ?", (hash,)).fetchone()
        if wanted == hash or (group and wanted == group[0]):
            return text
    return texts[0]
