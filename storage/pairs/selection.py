"""The pairs of a bulk action, in a temporary table, so that the action can run batch by batch in SQL."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from sqlalchemy import Connection

from storage.pairs import judgement
from storage.pairs.filters import PairFilter
from storage.pairs.judgement import PairScope, keys_scope
from storage.pairs.query import PairQueryCompiler

ProgressCallback = Callable[[int, int], None]  # (done, total), in pairs; it may raise to stop
_BATCH_SIZE = 20_000  # pairs; a batch takes a fraction of a second


@dataclass(frozen=True, slots=True)
class PairSelection:
    """`count` pairs in order of keys, as they were when they were selected. There is one selection at a time."""

    connection: Connection
    count: int

    def for_each_batch(self, act: Callable[[PairScope], int], tick: ProgressCallback) -> int:
        """Call `act`, which adds events, with all pairs in batches, then refresh the pairs; the sum of its results."""
        result = 0
        for done, scope in self._batches():
            tick(done // 3, self.count)
            result += act(scope)
        self.refresh(tick)
        return result

    def refresh(self, tick: ProgressCallback) -> None:
        """Refresh the pairs' status, see `storage.pairs.judgement`."""
        steps = 2 * max(1, -(-self.count // _BATCH_SIZE))
        for step, _ in enumerate(judgement.refresh_scopes(self.connection, (scope for _, scope in self._batches()))):
            tick(min(self.count, self.count // 3 + 2 * self.count * (step + 1) // (3 * steps)), self.count)
        tick(self.count, self.count)

    def first_keys(self, limit: int) -> tuple[str, ...]:
        """The keys of the first `limit` pairs by id."""
        query = "SELECT selection.key FROM temp.selection ORDER BY pair LIMIT ?"
        return tuple(self.connection.exec_driver_sql(query, (limit,)).scalars())

    def _batches(self) -> Iterator[tuple[int, PairScope]]:
        """Up to which pair each batch goes, and its pairs."""
        for low in range(0, self.count, _BATCH_SIZE):
            high = min(low + _BATCH_SIZE, self.count)
            sql = "SELECT key FROM temp.selection WHERE place > :low AND place <= :high"
            yield high, PairScope(sql, {"low": low, "high": high})


class SelectionStore:
    """Selects pairs; each selection replaces the one before."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def of_filter(self, filter: PairFilter) -> PairSelection:
        """Select the filter's pairs."""
        query = PairQueryCompiler(self._connection).for_rows(filter).order_by("pairs.key").select("pairs.key, pairs.id")
        return self._put(query.sql, query.params)

    def of_keys(self, keys: Sequence[str]) -> PairSelection:
        """Select the pairs with these keys; keys that are not in the project are ignored."""
        return self.of_scope(keys_scope(keys))

    def of_scope(self, scope: PairScope) -> PairSelection:
        """Select the pairs of a scope."""
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
