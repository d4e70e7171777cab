"""Connections to SQLite: opened as its authors advise for files of others (sqlite.org/security.html), and stopped."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from sqlalchemy import Connection
from sqlalchemy.exc import OperationalError

from miner.progress import Cancelled, Progress

_GUARDS = "trusted_schema = OFF", "cell_size_check = ON"
_STEPS = 20_000  # of SQLite's machine between two looks at whether to stop; some milliseconds
_PAGES = 2_048  # copied between two looks; some milliseconds too


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


def driver_of(connection: Connection) -> sqlite3.Connection:
    """The driver's own connection, for a million rows: SQLAlchemy's would take as long again as SQLite itself."""
    driver = connection.connection.driver_connection
    assert isinstance(driver, sqlite3.Connection)
    return driver


def copy_database(database: Path, target: Path, look: Callable[[], None] = lambda: None) -> None:
    """The database as it is now, in one file, also while others use it.

    `look` is called every few milliseconds; where it raises, the copy is broken off.
    """
    target.unlink(missing_ok=True)
    with closing(connect(database)) as source, closing(sqlite3.connect(target)) as copy:
        source.execute("BEGIN")  # else it would begin anew when others write meanwhile
        source.execute("SELECT 1 FROM sqlite_master").fetchone()
        source.backup(copy, pages=_PAGES, progress=lambda *_: look())
        source.execute("ROLLBACK")
        copy.execute("PRAGMA journal_mode = DELETE")


@contextmanager
def cancellable(connection: Connection, progress: Progress) -> Iterator[None]:
    """Queries inside end with `Cancelled` when the job is to stop, however long they would take."""
    driver = driver_of(connection)
    driver.set_progress_handler(lambda: int(progress.cancelled), _STEPS)
    try:
        yield
    except (sqlite3.OperationalError, OperationalError):
        if progress.cancelled:
            raise Cancelled from None
        raise
    finally:
        driver.set_progress_handler(None, 0)
