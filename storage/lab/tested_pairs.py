"""The pairs that experiments are tested on, in parts, and the texts of those that the project does not have."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from hashlib import blake2b
from typing import NamedTuple

from sqlalchemy import Connection

from storage.connections import driver_connection
from storage.convert import read_all
from storage.dataset.gold_rule import VOTED_GOLD

_HAS_PAIR_KEY = "length(pair_key) = 32 AND pair_key NOT GLOB '*[^0-9a-f]*'"
"""As `miner.mining.identity.pair_key` makes it; the key of a row of a file has a colon."""


class TestedPair(NamedTuple):
    """A pair of a test part. label: an index of the experiment's classes. words: of both sentences.

    kinds: its kinds of reasoning, with a space between them.
    """

    key: str
    text_hash: bytes
    label: int
    domain: str
    strategy: str
    phrase: str
    words: int
    kinds: str = ""


class TestedText(NamedTuple):
    """The texts of a pair of a test part. key: of the pair, or of the file and the line that it is from."""

    key: str
    text_hash: bytes
    premise: str
    hypothesis: str


class TestPartStore:
    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def enter(self, items: Iterable[TestedPair]) -> int:
        """The id of the test part with these pairs, in this order, which is stored unless it is known."""
        items = list(items)
        digest = _digest(items)
        run = self._connection.exec_driver_sql
        if (known := run("SELECT id FROM test_parts WHERE digest = ?", (digest,)).scalar()) is not None:
            return int(known)
        id = int(run("INSERT INTO test_parts (digest) VALUES (?) RETURNING id", (digest,)).scalar_one())
        driver_connection(self._connection).executemany(
            """INSERT INTO test_items (
                part, position, pair_key, text_hash, class, domain, strategy, phrase, words, kinds
            ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)""",
            ((id, position, *item) for position, item in enumerate(items)),
        )
        return id

    def enter_texts(self, pairs: Iterable[TestedText]) -> None:
        """Store the texts of the pairs among these that the project does not have."""
        driver_connection(self._connection).executemany(
            """INSERT OR IGNORE INTO test_texts (text_hash, premise, hypothesis) SELECT ?2, ?3, ?4
            WHERE NOT EXISTS (SELECT 1 FROM pairs WHERE key = ?1)""",
            pairs,
        )

    def pairs(self, part: int) -> list[TestedPair]:
        """The pairs of a test part, in their order."""
        sql = """SELECT pair_key AS key, text_hash, class AS label, domain, strategy, phrase, words, kinds
            FROM test_items WHERE part = ? ORDER BY position"""
        return list(read_all(TestedPair, driver_connection(self._connection).execute(sql, (part,))))

    def size(self, part: int) -> int:
        """How many pairs a test part has."""
        sql = "SELECT count(*) FROM test_items WHERE part = ?"
        [(number,)] = driver_connection(self._connection).execute(sql, (part,)).fetchall()
        return int(number)

    def outside(self, part: int) -> tuple[int, int]:
        """How many pairs of a test part the project does not have, and how many of these were its own.

        The papers of these were removed, or mined anew without them; the others are pairs of files.
        """
        sql = f"""SELECT count(*), coalesce(sum({_HAS_PAIR_KEY}), 0) FROM test_items
            WHERE part = ? AND NOT EXISTS (SELECT 1 FROM pairs WHERE key = pair_key AND current)"""
        [(outside, removed)] = driver_connection(self._connection).execute(sql, (part,)).fetchall()
        return int(outside), int(removed)

    def count_gold(self, part: int) -> int | None:
        """How many pairs of a test part have a gold label by now; None if the project does not have all of them."""
        if self.outside(part)[0]:
            return None
        sql = f"""SELECT count(*) FROM test_items JOIN pairs ON pairs.key = pair_key
            WHERE part = ? AND {VOTED_GOLD} IS NOT NULL"""
        [(number,)] = driver_connection(self._connection).execute(sql, (part,)).fetchall()
        return int(number)

    def delete_unused(self) -> None:
        """Delete the test parts of no cell, and the texts that only they had."""
        run = self._connection.exec_driver_sql
        run("DELETE FROM test_parts WHERE id NOT IN (SELECT part FROM experiment_cells)")
        run("DELETE FROM test_texts WHERE text_hash NOT IN (SELECT text_hash FROM test_items)")


def _digest(items: Sequence[TestedPair]) -> str:
    digest = blake2b(digest_size=16)
    for item in items:
        digest.update(f"{tuple(item)!r}\n".encode("utf-8", "surrogatepass"))
    return digest.hexdigest()
