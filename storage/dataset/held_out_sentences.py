"""Keeps the project's splits apart in an export: no sentence of dev or test, or nearly one, is in train."""

from __future__ import annotations

import sqlite3

from miner.mining.identity import sentence_hash
from miner.progress import Progress
from miner.splits import HELD_OUT
from storage.dataset.export_options import UNCOUNTED
from storage.dataset.near_duplicates import find_near_duplicates
from storage.dataset.sentences import HASH_COLUMNS, HASHES, every_sentence
from storage.dataset.splits import NEAR_DUPLICATE, OTHER_SPLIT

# What pairs of train are compared with: all pairs of dev and test papers, whether or not they have a gold label by now,
# so that train stays as it is when more of them get one. Pairs of dev are compared with those of test that are written.
_COMPARED = f"(reason IS NULL OR split IN {HELD_OUT} AND reason NOT IN ('no_longer_mined', '{UNCOUNTED}'))"
_PROTECTED = {"train": f"split IN {HELD_OUT}", "dev": "split = 'test' AND is_written"}


def drop_shared_sentences(driver: sqlite3.Connection, progress: Progress) -> None:
    """Drop pairs of `candidates` that share a sentence with a more protected split: from train, and from dev for test.

    A sentence that is nearly the same counts as the same one.
    """
    driver.create_function("sentence_hash", 1, sentence_hash, deterministic=True)
    find_near_duplicates(driver, progress, _COMPARED)
    driver.execute("DROP TABLE IF EXISTS temp.compared")
    driver.execute(f"""
        CREATE TEMP TABLE compared AS
        SELECT pair_id, split, reason IS NULL AS is_written, {HASH_COLUMNS} FROM candidates WHERE {_COMPARED}
    """)
    for reason in (OTHER_SPLIT, NEAR_DUPLICATE):
        if reason == NEAR_DUPLICATE:
            _merge_near_duplicates(driver)
        for split, protected in _PROTECTED.items():
            _drop(driver, reason, split, protected)
    driver.execute("DROP TABLE temp.compared")


def _merge_near_duplicates(driver: sqlite3.Connection) -> None:
    """Give all sentences that are nearly the same one hash."""
    for name in HASHES:
        driver.execute(f"""
            UPDATE temp.compared SET {name} = (SELECT first FROM temp.near_groups WHERE hash = {name})
            WHERE {name} IN (SELECT hash FROM temp.near_groups)
        """)


def _drop(driver: sqlite3.Connection, reason: str, split: str, protected: str) -> None:
    """Drop the written pairs of a split that share a sentence with the pairs of a condition."""
    driver.execute("DROP TABLE IF EXISTS temp.protected_sentences")
    driver.execute("CREATE TEMP TABLE protected_sentences (sentence INTEGER PRIMARY KEY)")
    driver.execute(f"""
        INSERT OR IGNORE INTO protected_sentences
        WITH taken AS (SELECT * FROM temp.compared WHERE {protected})
        SELECT sentence FROM ({every_sentence("split", "taken")})
    """)
    shares = " OR ".join(f"{name} IN protected_sentences" for name in HASHES)
    driver.execute(
        f"""
        INSERT OR IGNORE INTO dropped
        SELECT pair_id, ? FROM temp.compared WHERE split = ? AND is_written AND ({shares})
        """,
        (reason, split),
    )
    driver.execute("DROP TABLE temp.protected_sentences")
