"""The histories that an answer file is merged into: of answers about relations, or about kinds of reasoning.

Both have the same interface: an answer is a text, "" for none; `read` decodes it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import NamedTuple, Protocol

from sqlalchemy import Connection

from miner.kinds.questionnaire import PairKinds, kinds
from miner.records import Answer
from storage.annotation.answers import AnswerSource
from storage.annotation.event_times import IS_OWN
from storage.annotation.history import UndoState
from storage.annotation.kinds import KindStore, StoredTaxonomy, answers_of
from storage.convert import read_all, utc_text
from storage.errors import translate_decoding_errors

GivenValue = Answer | PairKinds
"""What an answer says: a relation, or what answers about kinds come to."""

# What a reversal or an undone action did no longer counts.
HOLDS = f"(e.action IS NULL OR (SELECT state FROM actions WHERE id = e.action) = '{UndoState.DONE}')"
_RELATIONS = f"""
    SELECT pair_key, at, coalesce(new, '') AS answer, via AS source, seen, {HOLDS} AS holds, {IS_OWN} AS is_own
    FROM label_events e
    WHERE pair_key IN (SELECT value FROM json_each(?)) AND annotator = ? ORDER BY id
"""
_KINDS = f"""
    SELECT pair_key, at, coalesce(new, '') AS answer, '{AnswerSource.ANSWER}' AS source, '' AS seen,
        {HOLDS} AS holds, {IS_OWN} AS is_own
    FROM kind_events e
    WHERE pair_key IN (SELECT value FROM json_each(?)) AND annotator = ? AND taxonomy = ? ORDER BY id
"""
_INSERT_RELATION = """
    INSERT INTO label_events (pair_key, annotator, at, seen, old, new, action, via) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
"""


class PastAnswer(NamedTuple):
    """An answer in a history. seen: its context (JSON). holds: it was not undone. is_own: as `IS_OWN`."""

    pair_key: str
    at: str
    answer: str
    source: str
    seen: str
    holds: bool
    is_own: bool


class HeldAnswer(NamedTuple):
    """An answer that counts from now on, in place of `before`."""

    pair_key: str
    at: datetime
    seen: str
    before: str
    answer: str
    source: str


class AnswerHistory(Protocol):
    """The answers of annotators to one sort of question."""

    def read(self, text: str) -> GivenValue:
        """What an answer says."""

    def past(self, keys: Sequence[str], annotator: str) -> Iterable[PastAnswer]:
        """All answers of an annotator to these pairs, the oldest first."""

    def append(self, annotator: str, answers: Sequence[HeldAnswer], *, action: int) -> None:
        """Store answers as part of an action."""


def answer_history(connection: Connection, taxonomy: str | None) -> AnswerHistory:
    """The answers by this taxonomy (its digest); those about relations without one."""
    return _Relations(connection) if taxonomy is None else _Kinds(connection, taxonomy)


class _Relations:
    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def read(self, text: str) -> Answer:
        return Answer(text)

    def past(self, keys: Sequence[str], annotator: str) -> Iterable[PastAnswer]:
        rows = self._connection.exec_driver_sql(_RELATIONS, (json.dumps(keys), annotator))
        return list(read_all(PastAnswer, rows))

    def append(self, annotator: str, answers: Sequence[HeldAnswer], *, action: int) -> None:
        rows = []
        for one in answers:
            old, new = one.before or None, one.answer or None
            rows.append((one.pair_key, annotator, utc_text(one.at), one.seen, old, new, action, one.source))
        if rows:
            self._connection.exec_driver_sql(_INSERT_RELATION, rows)


class _Kinds:
    def __init__(self, connection: Connection, taxonomy: str) -> None:
        self._connection, self._store = connection, KindStore(connection)
        self._taxonomy = StoredTaxonomy(taxonomy, self._store.taxonomy(taxonomy))

    @translate_decoding_errors()
    def read(self, text: str) -> PairKinds:
        return kinds(self._taxonomy.taxonomy, answers_of(text))

    def past(self, keys: Sequence[str], annotator: str) -> Iterable[PastAnswer]:
        parameters = (json.dumps(keys), annotator, self._taxonomy.digest)
        return list(read_all(PastAnswer, self._connection.exec_driver_sql(_KINDS, parameters)))

    def append(self, annotator: str, answers: Sequence[HeldAnswer], *, action: int) -> None:
        for one in answers:
            given = answers_of(one.answer) if one.answer else {}
            self._store.answer(self._taxonomy, one.pair_key, annotator, given, one.at, action=action)
