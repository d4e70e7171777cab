"""The queues of each annotator in Review: one's own, assigned rounds, ties, errors. They stand beside each other."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, Row, delete, insert, select, update

from miner import codec
from storage.annotation.rounds import QueueId, Round, RoundOrder, queue_of
from storage.errors import translate_decoding_errors
from storage.pairs.filters import PairFilter, with_list_renamed
from storage.schema import RoundPairRow, RoundRow

_INSERT_PAIRS = """
    INSERT INTO round_pairs (round, pair_key, ordinal) SELECT :round, value, json_each.key FROM json_each(:keys)
"""
_CLEAR_SKIPPED = "UPDATE round_pairs SET skipped = NULL WHERE round = :round AND skipped IS NOT NULL"
_SKIP = """
    UPDATE round_pairs SET skipped = named.key FROM json_each(:keys) AS named
    WHERE round = :round AND pair_key = named.value
"""
_NEXT_TURN = "SELECT coalesce(max(turn), 0) + 1 FROM rounds WHERE annotator = ?"


class QueueStore:
    """Stores the queues of annotators. An annotator's current queue is the one that was started or resumed last."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def current(self, annotator: str) -> Round | None:
        """The current queue, including pairs that were deleted since; None for an annotator without queues."""
        return next((self._round(row) for _, row in self._rows(annotator)), None)

    def find(self, annotator: str, queue: QueueId) -> Round | None:
        """The annotator's queue with this id, as `current`; None if they have no such queue."""
        row = self._row(annotator, queue)
        return None if row is None else self._round(row)

    def ids(self, annotator: str) -> list[QueueId]:
        """The annotator's queues, the current one first."""
        return [queue for queue, _ in self._rows(annotator)]

    def start(self, annotator: str, new: Round) -> None:
        """Store a queue in place of the annotator's queue with the same id, and switch to it."""
        if (last := self._row(annotator, new.queue)) is not None:
            self._connection.execute(delete(RoundRow).where(RoundRow.id == last.id))
        values = {
            "annotator": annotator,
            "number": new.number,
            "pair_order": new.order.value,
            "filter": codec.encode(new.filter.to_data(), ascii_only=True),
            "size": new.size,
            "seed": new.seed,
            "turn": self._next_turn(annotator),
        }
        id = self._connection.execute(insert(RoundRow).values(**values).returning(RoundRow.id)).scalar_one()
        self._connection.exec_driver_sql(_INSERT_PAIRS, {"round": id, "keys": json.dumps(new.keys)})

    def take_up(self, annotator: str, queue: QueueId) -> bool:
        """Switch to a stored queue, as the annotator left it; False if they have no such queue."""
        if (row := self._row(annotator, queue)) is None:
            return False
        change = update(RoundRow).where(RoundRow.id == row.id)
        self._connection.execute(change.values(turn=self._next_turn(annotator)))
        return True

    def skip(self, annotator: str, queue: QueueId, keys: Sequence[str]) -> None:
        """Put these pairs at the end of a queue, in this order, in place of those skipped before."""
        if (row := self._row(annotator, queue)) is not None:
            self._connection.exec_driver_sql(_CLEAR_SKIPPED, {"round": row.id})
            self._connection.exec_driver_sql(_SKIP, {"round": row.id, "keys": json.dumps(list(keys))})

    def skipped(self, annotator: str, queue: QueueId) -> list[str]:
        """The skipped pairs of a queue, in order."""
        if (row := self._row(annotator, queue)) is None:
            return []
        query = select(RoundPairRow.pair_key).where(RoundPairRow.round == row.id, RoundPairRow.skipped.is_not(None))
        return list(self._connection.scalars(query.order_by(RoundPairRow.skipped)))

    def rename_list(self, name: str, new: str) -> None:
        """Let the filters of all queues name a list of pairs as it is called now."""
        for row in self._connection.execute(select(RoundRow.id, RoundRow.filter)).all():
            with translate_decoding_errors():
                before = codec.decode(PairFilter, row.filter)
            if (after := with_list_renamed(before, name, new)) != before:
                text = codec.encode(after.to_data(), ascii_only=True)
                self._connection.execute(update(RoundRow).where(RoundRow.id == row.id).values(filter=text))

    @translate_decoding_errors()
    def _rows(self, annotator: str) -> list[tuple[QueueId, Row[Any]]]:
        """The annotator's queues, the current one first."""
        query = select(RoundRow.__table__).where(RoundRow.annotator == annotator)
        rows = self._connection.execute(query.order_by(RoundRow.turn.desc(), RoundRow.id.desc()))
        return [(queue_of(RoundOrder(row.pair_order), row.number), row) for row in rows]

    def _row(self, annotator: str, queue: QueueId) -> Row[Any] | None:
        return next((row for other, row in self._rows(annotator) if other == queue), None)

    def _next_turn(self, annotator: str) -> int:
        return int(self._connection.exec_driver_sql(_NEXT_TURN, (annotator,)).scalar_one())

    @translate_decoding_errors()
    def _round(self, row: Row[Any]) -> Round:
        keys = select(RoundPairRow.pair_key).where(RoundPairRow.round == row.id).order_by(RoundPairRow.ordinal)
        filter, pair_keys = codec.decode(PairFilter, row.filter), tuple(self._connection.scalars(keys))
        return Round(row.number, RoundOrder(row.pair_order), filter, row.size, pair_keys, row.seed)
