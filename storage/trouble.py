"""What SQLite complains about, said as something a person can act on; the one place where its errors are translated."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy.exc import DBAPIError

from miner.errors import UserError
from miner.paths import exists

_PRIMARY = 0xFF  # the low byte of an extended result code is the code itself


def read_only(path: Path) -> UserError:
    return UserError(
        f"{path} cannot be written.",
        hint="Its folder or file is read-only for you: copy the project to a folder of your own.",
    )


def gone(path: Path, what: str = "moved or deleted") -> UserError:
    return UserError(f"{path} is gone: it was {what} while it was open.", hint="Open it anew.")


def damaged(path: Path) -> UserError:
    return UserError(
        f"{path} is damaged: SQLite cannot read all of it.",
        hint="Restore a backup. `sqlite3 FILE .recover` can save what is left.",
    )


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
