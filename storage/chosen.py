"""The pairs that a bulk action is about, in a temporary table, so that it can be done piece by piece in SQL."""

from __future__ import annotations

from collections.abc import Iterator

from sqlalchemy import Connection

from storage.filters import PairFilter, where
from storage.verdicts import Scope

_TOGETHER = 20_000  # pairs of a piece: a fraction of a second


def choose(connection: Connection, filter: PairFilter) -> int:
    """Settle which pairs the filter means, before the action changes what it asks; how many."""
    condition, parameters = where(filter)
    connection.exec_driver_sql("DROP TABLE IF EXISTS temp.chosen")
    connection.exec_driver_sql("CREATE TEMP TABLE chosen (place INTEGER PRIMARY KEY, key TEXT NOT NULL)")
    query = f"SELECT pairs.key FROM pairs JOIN papers ON papers.id = pairs.paper_id WHERE {condition} ORDER BY pairs.id"
    return connection.exec_driver_sql(f"INSERT INTO temp.chosen (key) {query}", tuple(parameters)).rowcount


def pieces(count: int) -> Iterator[tuple[int, Scope]]:
    """The chosen pairs, some at a time, each time with how many there are up to and with these."""
    for low in range(0, count, _TOGETHER):
        high = min(low + _TOGETHER, count)
        sql = "SELECT key FROM temp.chosen WHERE place > :low AND place <= :high"
        yield high, Scope(sql, {"low": low, "high": high})


def first(connection: Connection, limit: int) -> tuple[str, ...]:
    """Keys of the first chosen pairs."""
    return tuple(connection.exec_driver_sql("SELECT key FROM temp.chosen ORDER BY place LIMIT ?", (limit,)).scalars())
