"""Translates errors of SQLite and SQLAlchemy into `UserError`s that a person can act on."""

from __future__ import annotations

import os
import sqlite3
import struct
import time
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from functools import wraps
from pathlib import Path
from typing import ParamSpec, TypeVar

from sqlalchemy.exc import DBAPIError

from miner.errors import UserError
from miner.paths import ANSWERS_SUFFIX, exists, system_error
from miner.progress import Cancelled
from storage.connections import connect

_P = ParamSpec("_P")
_T = TypeVar("_T")

RESTORE_HINT = "Restore a backup: File > Restore a backup, or `pairwright restore`."
# sqlite3 gives no code for damaged values; our functions in SQL raise for text alone that is no UTF-8.
_VALUE_MESSAGES = ("Could not decode to UTF-8", "malformed JSON", "user-defined function raised exception")
# nor for a full-text index, or a file, that says of itself that it is another
_FORMAT_MESSAGES = ("invalid fts5 file format", "unsupported file format")
# Of a table, SQLite says more: which constraint failed, and where the error is in the SQL.
_INDEX_MESSAGES = ("constraint failed", "SQL logic error")
_TYPES = {"INTEGER": "integer", "BOOLEAN": "integer", "REAL": "real", "TEXT": "text", "BLOB": "blob"}
_MAX_CHECK_SECONDS, _CHECK_STEPS = 20.0, 100_000
_SQLITE_FILES = 8  # more than it opens at once: the project, its WAL, the index of that, temporary ones, folders
_PRIMARY_CODE_MASK = 0xFF  # the low byte of an extended result code


def read_only_error(path: Path) -> UserError:
    return UserError(
        f"{path} cannot be written.",
        hint="Its folder or file is read-only for you: copy the project to a folder of your own.",
    )


def missing_project_error(path: Path, what: str = "moved or deleted") -> UserError:
    return UserError(f"{path} is gone: it was {what} while it was open.", hint="Open it again.")


class DamagedProject(UserError):
    """The project file at `path` is damaged; it can be replaced by a backup."""

    def __init__(self, path: Path, what: str, *, hint: str = "") -> None:
        super().__init__(what, hint=hint)
        self.path = path


class UndecodableValue(Exception):
    """A stored value cannot be decoded. `translate_errors` turns this into `DamagedProject`."""


def damaged_error(path: Path) -> DamagedProject:
    is_sent = path.name.endswith(ANSWERS_SUFFIX)
    hint = "Ask the person who sent it for the file again." if is_sent else RESTORE_HINT
    hint += " Where there is none, `sqlite3 FILE .recover` can save what is left."
    return DamagedProject(path, f"{path} is damaged: not all of it can be read.", hint=hint)


def find_damage(connection: sqlite3.Connection, tables: Iterable[str] = ()) -> str:
    """SQLite's own check of the file: what is wrong, "" if nothing is. Checks only these tables if some are named."""
    there = set(connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'"))
    for what in [f"('{table}')" for table in tables if (table,) in there] or ["(1)"]:
        found = connection.execute(f"PRAGMA quick_check {what}").fetchone()
        if found != ("ok",):
            return str(found and found[0])
    return ""


def find_foreign_value(connection: sqlite3.Connection) -> str:
    """A table with a value of another type than its column's, or a row that refers to none; "" if there is none.

    Only another program stores such values; SQLite's own check does not mind them.
    """
    tables = [name for _, name, kind, *_ in connection.execute("PRAGMA table_list") if kind == "table"]
    for table in tables:
        columns = [(name, _TYPES.get(kind)) for _, name, kind, *_ in connection.execute(f"PRAGMA table_info({table})")]
        wrong = [f"typeof(\"{name}\") NOT IN ('{own}', 'null')" for name, own in columns if own is not None]
        if wrong and connection.execute(f'SELECT 1 FROM "{table}" WHERE {" OR ".join(wrong)} LIMIT 1').fetchone():
            return str(table)
    found = connection.execute("PRAGMA foreign_key_check").fetchone()
    return "" if found is None else str(found[0])


@contextmanager
def translate_decoding_errors() -> Iterator[None]:
    """Around the decoding of stored values: Python's errors mean damaged data here, not a bug, and are translated."""
    try:
        yield
    except (
        ValueError,
        TypeError,
        LookupError,
        AttributeError,
        ArithmeticError,
        RecursionError,
        struct.error,
        zlib.error,
    ) as exc:
        raise UndecodableValue(str(exc)) from exc


def translated_steps(function: Callable[_P, Iterator[_T]]) -> Callable[_P, Iterator[_T]]:
    """`translate_decoding_errors` for a generator, whose body runs after its call has ended."""

    @wraps(function)
    def steps(*arguments: _P.args, **named: _P.kwargs) -> Iterator[_T]:
        with translate_decoding_errors():
            yield from function(*arguments, **named)

    return steps


def foreign_schema_error(path: Path, parts: Sequence[str]) -> UserError:
    examples = ", ".join(part[:60] for part in parts[:3])
    more = f" and {len(parts) - 3:,} more" if len(parts) > 3 else ""
    return UserError(
        f"{path} contains what Pairwright did not create: {examples}{more}.",
        hint="It could change what you see and save, so the project is not opened. Ask who gave it to you for another.",
    )


def primary_code(error: sqlite3.Error) -> int:
    """SQLite's code of the error, without the details that an extended code adds."""
    return int(getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR)) & _PRIMARY_CODE_MASK


def _user_error(error: sqlite3.Error, path: Path) -> UserError | None:
    """The error to show; None when the error is a bug of ours."""
    match primary_code(error):
        case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED:
            return UserError(
                f"{path} is being written by another program.",
                hint="Wait for the other Pairwright to finish, or close it, then try again. Nothing was lost.",
            )
        case sqlite3.SQLITE_FULL:
            return UserError(f"The disk of {path} is full.", hint="Free some space, then try again.")
        case sqlite3.SQLITE_IOERR:
            return UserError(
                f"{path} could not be read or written: {error}.",
                hint="The disk is full or failing, or the drive is gone. Put that right, then try again.",
            )
        case sqlite3.SQLITE_CANTOPEN if not exists(path):
            return missing_project_error(path)
        case sqlite3.SQLITE_CANTOPEN if limit := _limit_of_files(path):
            return limit
        case sqlite3.SQLITE_READONLY | sqlite3.SQLITE_CANTOPEN | sqlite3.SQLITE_PERM:
            return read_only_error(path)
        case sqlite3.SQLITE_CORRUPT | sqlite3.SQLITE_NOTADB:
            return damaged_error(path)
        case _ if str(error).startswith(_VALUE_MESSAGES) or any(one in str(error) for one in _FORMAT_MESSAGES):
            return damaged_error(path)
        case sqlite3.SQLITE_CONSTRAINT | sqlite3.SQLITE_ERROR if str(error) in _INDEX_MESSAGES or _is_damaged(path):
            return damaged_error(path)
    return None


def _limit_of_files(path: Path) -> UserError | None:
    """The error for a project that the system lets nobody open more files for; SQLite does not tell the reason.

    Not the project itself is opened: where one handle of a file is closed, POSIX drops all locks on it.
    """
    try:
        with ExitStack() as opened:
            for _ in range(_SQLITE_FILES):
                opened.enter_context(Path(os.devnull).open("rb"))
    except OSError as exc:
        return system_error(OSError(exc.errno, exc.strerror, str(path)))
    return None


@contextmanager
def translate_errors(path: Path) -> Iterator[None]:
    """Around work on the project at `path`: raises `UserError` for a full disk, a damaged file and the like."""
    try:
        yield
    except DBAPIError as exc:
        if isinstance(exc.orig, sqlite3.Error) and (error := _user_error(exc.orig, path)):
            raise error from exc
        raise
    except sqlite3.Error as exc:
        if error := _user_error(exc, path):
            raise error from exc
        raise
    except UndecodableValue as exc:
        raise damaged_error(path) from exc
    except (UserError, OSError, Cancelled):
        raise
    except Exception as exc:
        if _is_damaged(path):  # then the error may come from damaged values
            raise damaged_error(path) from exc
        raise


def _is_damaged(path: Path) -> bool:
    """Whether a look at the whole file finds damage; False if that takes too long."""
    end = time.monotonic() + _MAX_CHECK_SECONDS
    try:
        with closing(connect(path, mode="ro")) as connection:
            connection.set_progress_handler(lambda: time.monotonic() > end, _CHECK_STEPS)
            return bool(find_damage(connection) or find_foreign_value(connection))
    except sqlite3.Error as exc:
        return primary_code(exc) in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
    except UnicodeDecodeError:  # the name of a table
        return True
