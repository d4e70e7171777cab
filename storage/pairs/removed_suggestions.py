"""Suggestions for pairs that are removed, so that they come back with their pairs."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from sqlalchemy import Connection

from storage.connections import driver_connection
from storage.pairs.current_suggestions import PROBABILITY_COLUMNS, SuggestionRunState

_COLUMNS = ("run", "label", "confidence", *PROBABILITY_COLUMNS, "doubt", "margin", "fold")
_ALIVE = f"state IN ('{SuggestionRunState.RUNNING}', '{SuggestionRunState.COMPLETE}')"
_SELECT = f"""
    SELECT pairs.key, premise, hypothesis, {", ".join(f"suggestions.{name}" for name in _COLUMNS)}
    FROM json_each(?) AS wanted CROSS JOIN pairs ON pairs.id = wanted.value CROSS JOIN suggestions ON pair = pairs.id
    WHERE suggestions.run IN (SELECT id FROM suggestion_runs WHERE {_ALIVE}) ORDER BY pairs.id, suggestions.run
"""
_RESTORE = f"""
    INSERT OR IGNORE INTO suggestions (pair, {", ".join(_COLUMNS)})
    SELECT id, {", ".join(f":{name}" for name in _COLUMNS)} FROM pairs
    WHERE key = :key AND premise = :premise AND hypothesis = :hypothesis AND current
        AND EXISTS (SELECT 1 FROM suggestion_runs WHERE id = :run AND {_ALIVE})
"""


def suggestions_to_remove(connection: Connection, pairs: Sequence[int]) -> list[dict[str, Any]]:
    """The suggestions for pairs, by id, of the runs that are not replaced; for JSON, so that they can be restored."""
    rows = connection.exec_driver_sql(_SELECT, (json.dumps(list(pairs)),))
    return [dict(row) for row in rows.mappings()]


def restore_suggestions(connection: Connection, removed: Iterable[Mapping[str, Any]]) -> None:
    """Restore what `suggestions_to_remove` has given, for pairs that have the same sentences, of runs still there."""
    driver_connection(connection).executemany(_RESTORE, removed)
