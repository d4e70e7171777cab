"""Connections to SQLite: opened safely, copied, and interrupted in the middle of a query.

Files may come from others, so they are opened as SQLite's authors advise (sqlite.org/security.html).
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path, PurePath

from sqlalchemy import Connection
from sqlalchemy.exc import OperationalError

from miner.progress import Progress

_PRAGMAS = "trusted_schema = OFF", "cell_size_check = ON"
_INSTRUCTIONS_PER_CALL = 20_000  # of SQLite's virtual machine, between two calls of `on_step`: some milliseconds
_PAGES_PER_CALL = 2_048  # copied between two calls of `on_step`: some milliseconds

OnStep = Callable[[], None]
"""Called every few milliseconds of a long operation; what it raises ends the operation."""


def do_nothing() -> None:
    """An `OnStep` that never ends the operation."""


def connect(path: Path, *, mode: str = "rw", busy_timeout_s: float = 5.0) -> sqlite3.Connection:
    """A connection in autocommit mode, usable from any thread, one at a time. `mode` as in SQLite's URIs."""
    connection = sqlite3.connect(
        f"{uri_of(path.resolve())}?mode={mode}",
        uri=True,
        timeout=busy_timeout_s,
        isolation_level=None,
        check_same_thread=False,
    )
    return apply_guards(connection)


def uri_of(path: PurePath) -> str:
    """The URI by which SQLite opens an absolute path. It knows no servers: a share's name is a part of the path.

    Windows resolves a drive that stands for a share to that share.
    """
    uri = path.as_uri()
    return uri.replace("file://", "file:////", 1) if path.drive.startswith("\\\\") else uri


def apply_guards(connection: sqlite3.Connection) -> sqlite3.Connection:
    """The same connection; the file's own triggers and views may call nothing that reaches beyond the file."""
    for pragma in _PRAGMAS:
        connection.execute(f"PRAGMA {pragma}")
    return connection


PATH = "path"
"""In the `info` of a project's connections: the project's path."""


def driver_connection(connection: Connection) -> sqlite3.Connection:
    """The driver's own connection, for a million rows: SQLAlchemy's rows would double the time that SQLite needs."""
    driver = connection.connection.driver_connection
    assert isinstance(driver, sqlite3.Connection)
    return driver


def copy_database(database: Path, target: Path, on_step: OnStep = do_nothing, *, mode: str = "rw") -> None:
    """Copy the database as it is now into one file, also while others use it. `mode`: see `connect`."""
    target.unlink(missing_ok=True)
    with closing(connect(database, mode=mode)) as source, closing(sqlite3.connect(target)) as copy:
        source.execute("BEGIN")  # without it, the copy would start again whenever somebody writes
        source.execute("SELECT 1 FROM sqlite_master").fetchone()
        source.backup(copy, pages=_PAGES_PER_CALL, progress=lambda *_: on_step())
        source.execute("ROLLBACK")
        copy.execute("PRAGMA journal_mode = DELETE")


@contextmanager
def interruptible(driver: sqlite3.Connection, on_step: OnStep) -> Iterator[None]:
    """Inside, `on_step` is called every few milliseconds of a query; what it raises ends the query and is raised."""
    raised: list[BaseException] = []

    def handler() -> int:
        try:
            on_step()
        except BaseException as exc:  # noqa: BLE001  SQLite would only say that it was interrupted
            raised.append(exc)
        return len(raised)

    driver.set_progress_handler(handler, _INSTRUCTIONS_PER_CALL)
    try:
        yield
    except (sqlite3.OperationalError, OperationalError):
        if raised:
            raise raised[0] from None
        raise
    finally:
        driver.set_progress_handler(None, 0)


@contextmanager
def cancellable(connection: Connection, progress: Progress) -> Iterator[None]:
    """Queries inside end with `Cancelled` when the job is cancelled, however long they would take."""
    with interruptible(driver_connection(connection), progress.raise_if_cancelled):
        yield
