"""The pairs that a bulk action is about, in a temporary table, so that it can be done piece by piece in SQL."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from sqlalchemy import Connection

from storage.pairs import status
from storage.pairs.filters import PairFilter
from storage.pairs.query import PairQueryCompiler
from storage.pairs.status import PairScope, keys_scope

ProgressCallback = Callable[[int, int], None]  # (done, total), in pairs; may raise to stop
_BATCH_SIZE = 20_000  # pairs: a fraction of a second


@dataclass(frozen=True, slots=True)
class PairSelection:
    """`count` pairs in order of their keys, which no later change adds to or takes from; one selection at a time."""

    connection: Connection
    count: int

    def each(self, act: Callable[[PairScope], int], tick: ProgressCallback) -> int:
        """Have `act` add to the history of all of them, then bring the pairs up to date; the sum of its results."""
        result = 0
        for done, scope in self._pieces():
            tick((done - scope.parameters["low"]) // 3 + scope.parameters["low"] // 3, self.count)
            result += act(scope)
        self.refresh(tick)
        return result

    def refresh(self, tick: ProgressCallback) -> None:
        """Bring the pairs up to date with their history."""
        steps = 2 * max(1, -(-self.count // _BATCH_SIZE))
        for step, _ in enumerate(status.refresh_pieces(self.connection, (scope for _, scope in self._pieces()))):
            tick(min(self.count, self.count // 3 + 2 * self.count * (step + 1) // (3 * steps)), self.count)
        tick(self.count, self.count)

    def first(self, limit: int) -> tuple[str, ...]:
        """Keys of the first, at most `limit`, in the pairs' own order."""
        query = "SELECT selection.key FROM temp.selection ORDER BY pair LIMIT ?"
        return tuple(self.connection.exec_driver_sql(query, (limit,)).scalars())

    def _pieces(self) -> Iterator[tuple[int, PairScope]]:
        for low in range(0, self.count, _BATCH_SIZE):
            high = min(low + _BATCH_SIZE, self.count)
            sql = "SELECT key FROM temp.selection WHERE place > :low AND place <= :high"
            yield high, PairScope(sql, {"low": low, "high": high})


class SelectionStore:
    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def of_filter(self, filter: PairFilter) -> PairSelection:
        """The pairs of a filter."""
        wanted = (
            PairQueryCompiler(self._connection).for_rows(filter).order_by("pairs.key").select("pairs.key, pairs.id")
        )
        return self._put(wanted.sql, wanted.params)

    def of_keys(self, keys: Sequence[str]) -> PairSelection:
        """The pairs of `keys`, without those that the project does not hold."""
        return self.of_scope(keys_scope(keys))

    def of_scope(self, scope: PairScope) -> PairSelection:
        """The pairs of a scope."""
        query = f"SELECT pairs.key, pairs.id FROM ({scope.sql}) wanted CROSS JOIN pairs ON pairs.key = wanted.key"
        return self._put(f"{query} ORDER BY pairs.key", scope.parameters)

    def _put(self, query: str, parameters: object) -> PairSelection:
        self._connection.exec_driver_sql("DROP TABLE IF EXISTS temp.selection")
        self._connection.exec_driver_sql(
            "CREATE TEMP TABLE selection (place INTEGER PRIMARY KEY, key TEXT NOT NULL, pair INTEGER)"
        )
        statement = f"INSERT INTO temp.selection (key, pair) {query}"
        count = self._connection.exec_driver_sql(statement, parameters).rowcount  # type: ignore[arg-type]  # tuple or dict
        return PairSelection(self._connection, count)
