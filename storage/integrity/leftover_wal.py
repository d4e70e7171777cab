"""Whether the WAL beside a project continues that file, or is of another copy of it, on another computer.

A program that synchronises folders takes a project and its WAL for two files, and may bring the WAL of one computer
beside the project of another. SQLite would apply it, whatever it is of: what was done here would be gone without a
word, or pages of both be mixed. Each commit names the one before it (`commit_chain`). Where that says nothing, as with
projects of older schemas: histories only grow, and each transaction seals them (`history_chain`), so a WAL that
continues the file still has the last seal of the file, and damages nothing.

Only connections that cannot write read the two together: any other would move the WAL into the file when it is closed.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from miner.errors import UserError
from storage.connections import connect
from storage.errors import find_damage, primary_code
from storage.integrity.commit_chain import continues, last_commit
from storage.integrity.history_chain import has_seal, is_sound, last_seal

_HINT = (
    "A program that synchronises folders may have brought it. Close the project on all computers, and move that file "
    "to another folder: then the project opens with all that was done here."
)
_TRIES, _BETWEEN_S = 5, 0.05  # another program may move its WAL into the file between two looks


def check_leftover_wal(
    path: Path, wal: Path, journal: Path, *, tables: Sequence[str] = (), busy_timeout_s: float
) -> None:
    """Raise `UserError` if the WAL, which is there, would take anything away from the project.

    journal: of SQLite's other way to write, which leaves none beside a WAL. tables: those that are checked for damage,
    all if none are named. Nothing is changed, and nothing said of a file that is damaged without its WAL: while the WAL
    is moved into the file, which may have been interrupted, the file alone is a mixture of pages.
    """
    if not _size(wal):
        return
    if _size(journal):  # SQLite would go by it first, and open nothing to be read alone
        raise UserError(f"{journal} is not of {path.name}, beside which there is a WAL.", hint=_HINT)
    try:
        is_own = _names_last_commit(path, wal)
        if is_own is None:
            is_own = _continues_histories(path, tables, busy_timeout_s)
        if is_own or not _is_sound(path, tables):
            return
    except (sqlite3.DatabaseError, OSError, ValueError, TypeError):
        return  # whoever opens the project says what is wrong
    raise UserError(f"{wal} is of another copy of {path.name}: with it, work would be missing.", hint=_HINT)


def _names_last_commit(path: Path, wal: Path) -> bool | None:
    """Whether the WAL names the last commit of the file; None where one of them names none."""
    for _ in range(_TRIES):
        with closing(_alone(path)) as alone:
            commit = last_commit(alone)
        if commit is None or (found := continues(wal, commit)) is not False:
            return None if commit is None else found
        time.sleep(_BETWEEN_S)
    return False


def _continues_histories(path: Path, tables: Sequence[str], busy_timeout_s: float) -> bool:
    """Whether the project with its WAL has the last seal of the file, and no damage."""
    with closing(_alone(path)) as alone:
        seal = last_seal(alone)
    try:
        with closing(connect(path, mode="ro", busy_timeout_s=busy_timeout_s)) as with_wal:
            return (seal is None or has_seal(with_wal, seal)) and not find_damage(with_wal, tables)
    except sqlite3.DatabaseError as exc:
        if primary_code(exc) != sqlite3.SQLITE_CORRUPT:
            raise
        return False


def _is_sound(path: Path, tables: Sequence[str]) -> bool:
    """Whether the file alone is a project of which nothing is missing."""
    with closing(_alone(path)) as alone:
        seal = last_seal(alone)
        return not find_damage(alone, tables) and (seal is None or is_sound(alone, seal))


def _alone(path: Path) -> sqlite3.Connection:
    return connect(path, mode="ro&immutable=1")


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0
