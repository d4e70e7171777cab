"""Annotators' marks on pairs (flags, notes, tags, bad pairs): an append-only history."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from sqlalchemy import Connection, select

from storage.convert import read_all, utc_text
from storage.pairs import judgement
from storage.pairs.judgement import PairScope
from storage.pairs.tags import IS_TAGGED, split_tags
from storage.schema import columns_of, table_of


class MarkKind(StrEnum):
    """The kind of a mark. Its value is `FLAG_VALUE` for a flag, the text of a note, a `RejectReason` for a bad pair.

    TAG: why a system's answer is an error; the value lists all tags of the annotator (`storage.annotation.tags`).
    """

    FLAG = "flag"
    NOTE = "note"
    BAD = "bad"
    TAG = "tag"


FLAG_VALUE = "1"


class RejectReason(StrEnum):
    """Why a pair is bad."""

    BROKEN_SENTENCE = "broken_sentence"
    WRONG_BOUNDARY = "wrong_boundary"
    NOT_PROSE = "not_prose"
    OTHER = "other"


def reason_text(reason: str) -> str:
    """The reason why a pair is bad, in words; a reason that a person typed is unchanged.

    >>> reason_text(RejectReason.NOT_PROSE), reason_text("see fig_2")
    ('not prose', 'see fig_2')
    """
    return reason.replace("_", " ") if reason in set(RejectReason) else reason


@dataclass(frozen=True, slots=True)
class MarkEvent:
    """An entry of the history: the annotator changed their mark from `old` to `new`; None is no mark."""

    id: int
    pair_key: str
    annotator: str
    at: datetime
    kind: MarkKind
    old: str | None
    new: str | None


MARK_EVENTS = table_of("mark_events", MarkEvent, action=int | None)
_INSERT_MARK = """
    INSERT INTO mark_events (pair_key, annotator, at, kind, old, new, action)
    WITH wanted AS ({scope}),
    before AS (
        SELECT key, (
            SELECT new FROM mark_events WHERE pair_key = key AND kind = :kind AND annotator = :annotator
            ORDER BY id DESC LIMIT 1
        ) AS old FROM wanted
    )
    SELECT key, :annotator, :at, :kind, old, :new, :action FROM before WHERE old IS NOT :new
"""


_TAG_VALUES = f"SELECT new FROM mark_events e WHERE {IS_TAGGED}"
_TAGS_OF_PAIRS = f"""
    SELECT pair_key, new FROM json_each(:keys) AS wanted CROSS JOIN mark_events e ON e.pair_key = wanted.value
    WHERE {IS_TAGGED} ORDER BY e.id
"""


class MarkStore:
    """The history of marks."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def put(
        self,
        scope: PairScope,
        annotator: str,
        kind: MarkKind,
        value: str | None,
        at: datetime,
        *,
        action: int,
        refresh: bool = True,
    ) -> int:
        """Mark all pairs of `scope`; None removes the annotator's mark. Returns how many marks changed.

        `refresh=False`: the caller refreshes the pairs (`storage.pairs.judgement`).
        """
        values = {
            "annotator": annotator,
            "at": utc_text(at),
            "kind": kind.value,
            "new": value,
            "action": action,
        }
        count = self._connection.exec_driver_sql(
            _INSERT_MARK.format(scope=scope.sql), {**scope.parameters, **values}
        ).rowcount
        if count and refresh:
            judgement.refresh_scope(self._connection, scope)
        return count

    def tags_in_use(self) -> dict[str, int]:
        """All tags that pairs have now, with the number of marks that have each, the most frequent first."""
        values = self._connection.exec_driver_sql(_TAG_VALUES).scalars()
        counts = Counter(tag for value in values for tag in split_tags(value))
        return dict(sorted(counts.items(), key=lambda one: (-one[1], one[0])))

    def tags_of(self, keys: Iterable[str]) -> dict[str, frozenset[str]]:
        """The tags that anybody has given these pairs, by key; pairs without one are left out."""
        found: dict[str, frozenset[str]] = {}
        values = {"keys": json.dumps(list(keys))}
        for key, value in self._connection.exec_driver_sql(_TAGS_OF_PAIRS, values):
            found[key] = found.get(key, frozenset()) | frozenset(split_tags(value))
        return found

    def history(self, pair_key: str) -> list[MarkEvent]:
        """All marks that a pair ever had, the oldest first."""
        query = select(*columns_of(MARK_EVENTS, MarkEvent)).where(MARK_EVENTS.c.pair_key == pair_key)
        return list(read_all(MarkEvent, self._connection.execute(query.order_by(MARK_EVENTS.c.id))))
