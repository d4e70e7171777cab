"""The pairs that a bulk action is about, in a temporary table, so that it can be done piece by piece in SQL."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from sqlalchemy import Connection

from storage.annotation import status
from storage.annotation.status import Scope
from storage.pairs.filters import PairFilter, where

Tick = Callable[[int, int], None]  # (done, total), in pairs; may raise to stop
_TOGETHER = 20_000  # pairs of a piece: a fraction of a second


@dataclass(frozen=True, slots=True)
class Chosen:
    """Pairs settled before an action changes what its filter asks; `count` of them, in order of their keys."""

    connection: Connection
    count: int

    def each(self, act: Callable[[Scope], int], tick: Tick) -> int:
        """Have `act` add to the history of all of them, then bring the pairs up to date; the sum of its results."""
        result = 0
        for done, scope in self._pieces():
            tick((done - scope.parameters["low"]) // 3 + scope.parameters["low"] // 3, self.count)
            result += act(scope)
        self.refresh(tick)
        return result

    def refresh(self, tick: Tick) -> None:
        """Bring the pairs up to date with their history."""
        steps = 2 * max(1, -(-self.count // _TOGETHER))
        for step, _ in enumerate(status.refresh_pieces(self.connection, (scope for _, scope in self._pieces()))):
            tick(min(self.count, self.count // 3 + 2 * self.count * (step + 1) // (3 * steps)), self.count)
        tick(self.count, self.count)

    def first(self, limit: int) -> tuple[str, ...]:
        """Keys of the first, at most `limit`, in the pairs' own order."""
        query = "SELECT chosen.key FROM temp.chosen ORDER BY pair LIMIT ?"
        return tuple(self.connection.exec_driver_sql(query, (limit,)).scalars())

    def _pieces(self) -> Iterator[tuple[int, Scope]]:
        for low in range(0, self.count, _TOGETHER):
            high = min(low + _TOGETHER, self.count)
            sql = "SELECT key FROM temp.chosen WHERE place > :low AND place <= :high"
            yield high, Scope(sql, {"low": low, "high": high})


def choose(connection: Connection, filter: PairFilter) -> Chosen:
    """The pairs of a filter."""
    condition, parameters = where(filter)
    query = f"SELECT pairs.key, pairs.id FROM pairs JOIN papers ON papers.id = pairs.paper_id WHERE {condition}"
    return _keep(connection, query, tuple(parameters))


def choose_scope(connection: Connection, scope: Scope) -> Chosen:
    """The pairs of a scope."""
    query = f"SELECT pairs.key, pairs.id FROM ({scope.sql}) wanted CROSS JOIN pairs ON pairs.key = wanted.key"
    return _keep(connection, query, scope.parameters)


def _keep(connection: Connection, query: str, parameters: object) -> Chosen:
    connection.exec_driver_sql("DROP TABLE IF EXISTS temp.chosen")
    connection.exec_driver_sql("CREATE TEMP TABLE chosen (place INTEGER PRIMARY KEY, key TEXT NOT NULL, pair INTEGER)")
    statement = f"INSERT INTO temp.chosen (key, pair) {query} ORDER BY pairs.key"
    count = connection.exec_driver_sql(statement, parameters).rowcount  # type: ignore[arg-type]  # tuple or dict
    return Chosen(connection, count)
