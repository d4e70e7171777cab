"""What can be taken away and brought back as a whole: lists of pairs, and the columns of predictions of a file.

Each has a subject in `setup_events`: "list NAME", or "columns CONTENT" with the digest of the file's content. A list
can also be replaced by another of its name: then both `old` and `new` are contents.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection

from storage.connections import driver_connection
from storage.papers.prediction_columns import IS_COLUMN, restore_columns, take_columns

LIST, COLUMNS = "list", "columns"
_CONTENTS = f"SELECT DISTINCT digest ->> 2 FROM predictors WHERE {IS_COLUMN}"
_KEYS = "SELECT pair_key FROM listed_pairs WHERE list = ? ORDER BY pair_key"
# Under one name several lists may have been removed, by an action each; redo removes what is there then.
_LAST_REMOVED = """
    SELECT old FROM setup_events WHERE subject = ?1 AND new IS NULL
        AND (action = ?2 OR action IN (SELECT id FROM actions WHERE reverses = ?2))
    ORDER BY id DESC LIMIT 1
"""


def is_removable(subject: str) -> bool:
    return subject.partition(" ")[0] in (LIST, COLUMNS)


def present_subjects(connection: Connection) -> set[str]:
    """The subjects of everything that can be removed."""
    driver = driver_connection(connection)
    lists = {f"{LIST} {name}" for (name,) in driver.execute("SELECT name FROM pair_lists")}
    return lists | {f"{COLUMNS} {content}" for (content,) in driver.execute(_CONTENTS)}


def remove(connection: Connection, subject: str) -> str:
    """Remove a subject, and return its contents (JSON) for `restore`."""
    kind, _, key = subject.partition(" ")
    if kind == COLUMNS:
        return json.dumps(take_columns(connection, key))
    content = list_content(connection, key)
    assert content is not None
    driver_connection(connection).execute("DELETE FROM pair_lists WHERE name = ?", (key,))
    return content


def list_content(connection: Connection, name: str) -> str | None:
    """The contents (JSON) of a list; None if there is no such list."""
    driver = driver_connection(connection)
    found = driver.execute("SELECT id, made_at FROM pair_lists WHERE name = ?", (name,)).fetchall()
    if not found:
        return None
    [(id, made_at)] = found
    return json.dumps({"made_at": made_at, "keys": [key for (key,) in driver.execute(_KEYS, (id,))]})


def replace_list(connection: Connection, name: str, content: str) -> None:
    """Put other pairs (JSON, as of `list_content`) into a list."""
    driver = driver_connection(connection)
    [(id,)] = driver.execute("SELECT id FROM pair_lists WHERE name = ?", (name,)).fetchall()
    driver.execute("DELETE FROM listed_pairs WHERE list = ?", (id,))
    _enter(connection, id, json.loads(content)["keys"])


def restore(connection: Connection, subject: str, action: int) -> None:
    """Bring back what an action, or its undo or redo, removed last under this subject."""
    kind, _, key = subject.partition(" ")
    driver = driver_connection(connection)
    [(text,)] = driver.execute(_LAST_REMOVED, (subject, action)).fetchall()
    content: Any = json.loads(text)
    if kind == COLUMNS:
        restore_columns(connection, content)
        return
    made: Mapping[str, Any] = content
    statement = "INSERT INTO pair_lists (name, made_at) VALUES (?, ?) RETURNING id"
    [(id,)] = driver.execute(statement, (key, made["made_at"])).fetchall()
    _enter(connection, id, made["keys"])


def _enter(connection: Connection, id: int, keys: Sequence[str]) -> None:
    statement = "INSERT OR IGNORE INTO listed_pairs (list, pair_key) VALUES (?, ?)"
    driver_connection(connection).executemany(statement, ((id, key) for key in keys))
