"""What SQLite complains about, said as something a person can act on; the one place where its errors are translated."""

from __future__ import annotations

import sqlite3
import struct
import zlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

from sqlalchemy.exc import DBAPIError

from miner.errors import UserError
from miner.paths import exists
from miner.progress import Cancelled
from storage.connections import connect

_OF_VALUES = ("Could not decode to UTF-8", "malformed JSON")  # said of stored values by sqlite3, without a code
_PRIMARY = 0xFF  # the low byte of an extended result code is the code itself


def read_only(path: Path) -> UserError:
    return UserError(
        f"{path} cannot be written.",
        hint="Its folder or file is read-only for you: copy the project to a folder of your own.",
    )


def gone(path: Path, what: str = "moved or deleted") -> UserError:
    return UserError(f"{path} is gone: it was {what} while it was open.", hint="Open it anew.")


class Damaged(UserError):
    """The project file at `path` is not what was written: a backup can take its place."""

    def __init__(self, path: Path, what: str, *, hint: str = "") -> None:
        super().__init__(what, hint=hint)
        self.path = path


class Undecodable(Exception):
    """A stored value is none that was ever written; `translated` makes it `Damaged`."""


def damaged(path: Path) -> Damaged:
    return Damaged(
        path,
        f"{path} is damaged: not all of it can be read.",
        hint="Restore a backup: File > Restore a backup, or `pairwright restore`. "
        "Where there is none, `sqlite3 FILE .recover` can save what is left.",
    )


def find_damage(connection: sqlite3.Connection, tables: Iterable[str] = ()) -> str:
    """What is wrong with the way the file is built, "" where nothing is; of these tables alone where some are named."""
    there = set(connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'"))
    for what in [f"('{table}')" for table in tables if (table,) in there] or ["(1)"]:
        found = connection.execute(f"PRAGMA quick_check {what}").fetchone()
        if found != ("ok",):
            return str(found and found[0])
    return ""


@contextmanager
def decoding() -> Iterator[None]:
    """Making a value of a stored one, where no error of Python's means a bug of ours."""
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
        raise Undecodable(str(exc)) from exc


def foreign(path: Path, parts: Sequence[str]) -> UserError:
    few = ", ".join(part[:60] for part in parts[:3])
    more = f" and {len(parts) - 3:,} more" if len(parts) > 3 else ""
    return UserError(
        f"{path} holds what Pairwright did not make: {few}{more}.",
        hint="It could change what you see and save, so the project is not opened. Ask who gave it to you for another.",
    )


def _user_error(error: sqlite3.Error, path: Path) -> UserError | None:
    """What the person should know, or None when the error is a bug of ours."""
    match getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & _PRIMARY:
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
            return gone(path)
        case sqlite3.SQLITE_READONLY | sqlite3.SQLITE_CANTOPEN | sqlite3.SQLITE_PERM:
            return read_only(path)
        case sqlite3.SQLITE_CORRUPT | sqlite3.SQLITE_NOTADB:
            return damaged(path)
        case _ if str(error).startswith(_OF_VALUES):
            return damaged(path)
    return None


@contextmanager
def translated(path: Path) -> Iterator[None]:
    """Work on the project at `path`, in which the world's troubles are `UserError`s."""
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
    except Undecodable as exc:
        raise damaged(path) from exc
    except (UserError, OSError, Cancelled):
        raise
    except Exception as exc:
        if _is_damaged(path):  # whatever it was: no value that was read can be relied on
            raise damaged(path) from exc
        raise


def _is_damaged(path: Path) -> bool:
    try:
        with closing(connect(path, mode="ro")) as connection:
            return bool(find_damage(connection))
    except sqlite3.Error as exc:
        return getattr(exc, "sqlite_errorcode", 0) & _PRIMARY in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
