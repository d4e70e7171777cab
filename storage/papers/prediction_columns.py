"""Columns of imported files that hold somebody's predictions: how they are stored, and how they go with their file."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from sqlalchemy import Connection

from storage.connections import driver_connection

_COLUMN = "column"

# Digests of runs are no JSON. `iif` looks at its condition first, while AND may be in any order.
IS_COLUMN = f"iif(json_valid(digest), digest ->> 0 = '{_COLUMN}', 0)"
"""SQL: whether a predictor is a column of an imported file."""
COLUMN_NAME = "iif(json_valid(digest), digest ->> 1, '')"
"""SQL: the name of the column that a predictor is."""

_FIELDS = ("digest", "title", "device", "seconds", "kind", "work", "notes", "versions", "made_at")
_OF_FILE = f"""
    SELECT id, {", ".join(_FIELDS)} FROM predictors
    WHERE {IS_COLUMN} AND iif(json_valid(digest), digest ->> 2, '') = ? ORDER BY id
"""
_PREDICTIONS = "SELECT text_hash, probabilities, class FROM predictions WHERE predictor = ? ORDER BY text_hash"
_INSERT_PREDICTION = "INSERT INTO predictions (predictor, text_hash, probabilities, class) VALUES (?, ?, ?, ?)"
_INSERT = f"""
    INSERT INTO predictors ({", ".join(_FIELDS)}) VALUES ({", ".join("?" * len(_FIELDS))})
    ON CONFLICT (digest) DO NOTHING RETURNING id
"""


def column_predictor(column: str, content: str) -> str:
    """The digest of a column of an imported file as a predictor. content: the digest of the file's content."""
    return json.dumps([_COLUMN, column, content], ensure_ascii=False)


def take_columns(connection: Connection, content: str) -> list[dict[str, Any]]:
    """Delete the predictions of the columns of a file with this content; for JSON, so that they can be restored."""
    driver = driver_connection(connection)
    found = []
    for id, *values in driver.execute(_OF_FILE, (content,)).fetchall():
        rows = driver.execute(_PREDICTIONS, (id,)).fetchall()
        predictions = [(hash.hex(), packed.hex(), number) for hash, packed, number in rows]
        found.append({"predictor": dict(zip(_FIELDS, values, strict=True)), "predictions": predictions})
        driver.execute("DELETE FROM predictors WHERE id = ?", (id,))
    return found


def restore_columns(connection: Connection, taken: Iterable[Mapping[str, Any]]) -> None:
    """Restore what `take_columns` has given, unless the file has been imported again."""
    driver = driver_connection(connection)
    for one in taken:
        values = [one["predictor"][name] for name in _FIELDS]
        for [id] in driver.execute(_INSERT, values).fetchall():
            rows = [(id, bytes.fromhex(hash), bytes.fromhex(row), number) for hash, row, number in one["predictions"]]
            driver.executemany(_INSERT_PREDICTION, rows)
