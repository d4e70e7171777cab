"""The ledger of merged answer files: when each came, and which conflicts it brought."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

from sqlalchemy import Connection

from storage.annotation.answer_histories import AnswerHistory, answer_history
from storage.annotation.history import UndoState
from storage.annotation.merging import MergeConflict, TimedAnswer
from storage.errors import translate_decoding_errors

_FROM = f"""
    FROM merged_answers m JOIN actions ON actions.id = m.action AND actions.state = '{UndoState.DONE}'
    JOIN assignments ON assignments.id = m.assignment
    JOIN annotation_rounds ON annotation_rounds.id = assignments.round
"""
_MERGES = f"""
    SELECT m.action, m.assignment, actions.at, annotation_rounds.number, coalesce(annotators.name, '') AS name,
        count(DISTINCT m.pair_key) AS pairs
    {_FROM} LEFT JOIN annotators ON annotators.key = assignments.annotator
    GROUP BY m.action, m.assignment ORDER BY m.action DESC, annotation_rounds.number, name
"""
_CONFLICTS = f"""
    SELECT m.action, m.assignment, m.pair_key, m.at, m.answer, m.earlier, m.earlier_at, pairs.hypothesis,
        taxonomy, iif(taxonomy IS NULL, (
            SELECT answer FROM answers WHERE answers.pair_key = m.pair_key AND answers.annotator = assignments.annotator
        ), (
            SELECT new FROM kind_events WHERE pair_key = m.pair_key AND annotator = assignments.annotator
            ORDER BY id DESC LIMIT 1
        )) AS holds
    {_FROM} LEFT JOIN pairs ON pairs.key = m.pair_key WHERE m.earlier IS NOT NULL ORDER BY m.id
"""


@dataclass(frozen=True, slots=True)
class MergedAnswers:
    """The answers that one answer file brought, and that nobody has undone.

    name: of the annotator. pairs: how many the answers are to. conflicts: with the answer that counts
    now, which may be a third one. hypotheses: of the pairs with conflicts that the project still has.
    """

    at: datetime
    round: int
    name: str
    pairs: int
    conflicts: tuple[MergeConflict, ...]
    hypotheses: Mapping[str, str]


class MergeLedger:
    """Reads the ledger that `MergeStore` writes."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    @translate_decoding_errors()
    def merges(self) -> list[MergedAnswers]:
        """What was merged, the latest first."""
        conflicts: dict[tuple[int, int], list[MergeConflict]] = {}
        hypotheses: dict[str, str] = {}
        histories: dict[str | None, AnswerHistory] = {}
        for row in self._connection.exec_driver_sql(_CONFLICTS):
            if row.taxonomy not in histories:
                histories[row.taxonomy] = answer_history(self._connection, row.taxonomy)
            read = histories[row.taxonomy].read
            here = TimedAnswer(_time(row.earlier_at), read(row.earlier))
            there = TimedAnswer(_time(row.at), read(row.answer))
            holds = None if row.holds is None else read(row.holds)
            conflicts.setdefault((row.action, row.assignment), []).append(
                MergeConflict(row.pair_key, here, there, holds)
            )
            hypotheses |= {row.pair_key: row.hypothesis} if row.hypothesis is not None else {}
        found = []
        for row in self._connection.exec_driver_sql(_MERGES):
            own = tuple(conflicts.get((row.action, row.assignment), ()))
            texts = {one.pair_key: hypotheses[one.pair_key] for one in own if one.pair_key in hypotheses}
            found.append(MergedAnswers(_time(row.at), row.number, row.name, row.pairs, own, texts))
        return found


def _time(text: str) -> datetime:
    return datetime.fromisoformat(text).astimezone(UTC)
