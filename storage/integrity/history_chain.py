"""The histories as a chain of hashes: what was once answered, marked, mended or decided cannot change unseen.

Each transaction that adds to a history ends with a seal: the last id of each history, and a hash of what was added and
of the seal before. A release keeps the hash of its time, so that a history which was written anew, with all its seals,
does not pass for the one that the release was made of.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from hashlib import sha256
from typing import NamedTuple

from storage.connections import OnStep, do_nothing

# A column that is added later must not be hashed for rows that are sealed already.
HISTORIES = {
    "label_events": "id, pair_key, annotator, at, seen, old, new, action, via",
    "mark_events": "id, pair_key, annotator, at, kind, old, new, action",
    "text_events": "id, pair_key, annotator, at, field, old, new, action",
    "kind_events": "id, pair_key, annotator, at, taxonomy, old, new, relation, categories, direction, complete, action",
    "setup_events": "id, subject, old, new, action",
    "paper_events": "id, md5, field, old, new, action",
}
"""Whose rows are sealed, with the columns that are hashed."""
_SELECT_LAST = f"SELECT hash, {', '.join(HISTORIES)} FROM history_seals ORDER BY id DESC LIMIT 1"
_SELECT_UP_TO = f"SELECT hash, {', '.join(HISTORIES)} FROM history_seals WHERE id <= ? ORDER BY id DESC LIMIT 2"
_SELECT_ALL = f"SELECT hash, {', '.join(HISTORIES)} FROM history_seals ORDER BY id"
_SELECT_ENDS = f"SELECT {', '.join(f'(SELECT coalesce(max(id), 0) FROM {table})' for table in HISTORIES)}"
_INSERT = f"INSERT INTO history_seals (hash, {', '.join(HISTORIES)}) VALUES (?{', ?' * len(HISTORIES)})"
_BATCH_ROWS = 1_000

_Ends = tuple[int, ...]  # the last id of each history
_START: tuple[bytes, _Ends] = b"", (0,) * len(HISTORIES)


class Seal(NamedTuple):
    """A seal by its id and its hash; as a text, the hash in hexadecimal."""

    id: int
    hash: bytes

    def __str__(self) -> str:
        return self.hash.hex()


class ChangedHistory(NamedTuple):
    """Rows that are not what was sealed: those of a table with ids from `first` to `last`, or some of them."""

    table: str
    first: int
    last: int

    def is_in(self, connection: sqlite3.Connection) -> bool:
        """Whether a project has these rows, whatever they say."""
        ends = dict(zip(HISTORIES, connection.execute(_SELECT_ENDS).fetchone(), strict=True))
        return bool(ends[self.table] >= self.last)

    def __str__(self) -> str:
        return f"{self.table} {self.first:,}" + (f"-{self.last:,}" if self.last > self.first else "")


def seal_added(connection: sqlite3.Connection) -> None:
    """Seal what the transaction has added to the histories, if anything."""
    before, sealed = _split(connection.execute(_SELECT_LAST).fetchone())
    ends: _Ends = tuple(connection.execute(_SELECT_ENDS).fetchone())
    if ends != sealed:
        connection.execute(_INSERT, (_hash(connection, before, sealed, ends), *ends))


def last_seal(connection: sqlite3.Connection) -> Seal | None:
    """The last seal; None as long as there is no history."""
    row = connection.execute("SELECT id, hash FROM history_seals ORDER BY id DESC LIMIT 1").fetchone()
    return row and Seal(*row)


def has_seal(connection: sqlite3.Connection, seal: Seal) -> bool:
    """Whether a project has this seal."""
    row = connection.execute("SELECT hash FROM history_seals WHERE id = ?", (seal.id,)).fetchone()
    return row is not None and bool(row[0] == seal.hash)


def is_sound(connection: sqlite3.Connection, seal: Seal) -> bool:
    """Whether a seal of the project is the hash of the one before it and of the rows that were added since."""
    rows = connection.execute(_SELECT_UP_TO, (seal.id,)).fetchall()
    _, ends = _split(rows[0])
    return seal.hash == _hash(connection, *_split(rows[1] if len(rows) > 1 else None), ends)


def find_changed_history(connection: sqlite3.Connection, on_step: OnStep = do_nothing) -> Iterator[ChangedHistory]:
    """What is not as it was sealed. A seal covers a transaction, so the rows are named as closely as these were small.

    Rows behind the last seal were not written by this program, and are named too.
    """
    before, sealed = _START
    for row in [*connection.execute(_SELECT_ALL)]:
        on_step()
        stored, ends = _split(row)
        is_growing = all(start <= end for start, end in zip(sealed, ends, strict=True))
        if not is_growing or _hash(connection, before, sealed, ends) != stored:
            yield from _ranges(sealed, ends)
        before, sealed = stored, ends
    yield from _ranges(sealed, tuple(connection.execute(_SELECT_ENDS).fetchone()))


def _ranges(start: _Ends, end: _Ends) -> Iterator[ChangedHistory]:
    for table, first, last in zip(HISTORIES, start, end, strict=True):
        if last != first:
            yield ChangedHistory(table, min(first, last) + 1, max(first, last))


def _split(row: tuple[bytes, *tuple[int, ...]] | None) -> tuple[bytes, _Ends]:
    return _START if row is None else (row[0], tuple(row[1:]))


def _hash(connection: sqlite3.Connection, before: bytes, start: _Ends, end: _Ends) -> bytes:
    """SHA-256 of the seal before and of the rows behind `start`, up to `end`, as JSON."""
    digest = sha256(before)
    for (table, columns), first, last in zip(HISTORIES.items(), start, end, strict=True):
        if last == first:
            continue
        rows = connection.execute(f"SELECT {columns} FROM {table} WHERE id > ? AND id <= ? ORDER BY id", (first, last))
        while batch := rows.fetchmany(_BATCH_ROWS):
            digest.update(f"{table} {json.dumps(batch, separators=(',', ':'))}\n".encode())
    return digest.digest()
