"""Connections to a project file as SQLite's authors advise for files of others (sqlite.org/security.html)."""

from __future__ import annotations

import sqlite3
from pathlib import Path

_GUARDS = "trusted_schema = OFF", "cell_size_check = ON"


def connect(path: Path, *, mode: str = "rw", patience: float = 5.0) -> sqlite3.Connection:
    """A connection in autocommit mode, usable from any thread, one at a time. `mode` as in SQLite's URIs."""
    connection = sqlite3.connect(
        f"{path.resolve().as_uri()}?mode={mode}",
        uri=True,
        timeout=patience,
        isolation_level=None,
        check_same_thread=False,
    )
    return guarded(connection)


def guarded(connection: sqlite3.Connection) -> sqlite3.Connection:
    """The connection, in which the file's own triggers and views may call nothing that reaches beyond the file."""
    for pragma in _GUARDS:
        connection.execute(f"PRAGMA {pragma}")
    return connection
