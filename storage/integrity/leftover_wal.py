"""Whether the WAL beside a project continues that file, or is of another copy of it, on another computer.

A program that synchronises folders takes a project and its WAL for two files, and may bring the WAL of one computer
beside the project of another. SQLite would apply it, whatever it is of: what was done here would be gone without a
word, or pages of both be mixed. Histories only grow, and each transaction seals them (`history_chain`), so a WAL that
continues the file still has the last seal of the file.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from miner.errors import UserError
from storage.connections import connect
from storage.errors import primary_code
from storage.integrity.history_chain import Seal, has_seal, is_sound, last_seal

_HINT = (
    "A program that synchronises folders may have brought it. Close the project on all computers, and move that file "
    "to another folder: then the project opens with all that was done here."
)


def check_leftover_wal(path: Path, wal: Path, journal: Path, *, busy_timeout_s: float) -> None:
    """Raise `UserError` if the WAL, which is there, would take answers or other histories away from the project.

    journal: of SQLite's other way to write, which leaves none beside a WAL. Nothing is changed, and nothing said where
    this cannot be told: of a file without histories, or damaged without its WAL. While the WAL is moved into the file,
    which may have been interrupted, the file alone is a mixture of pages, so a seal counts only if the histories there
    confirm it; then a WAL that makes the file damaged is of another copy, too.
    """
    if not _size(wal):
        return
    if _size(journal):  # SQLite would go by it first, and open nothing to be read alone
        raise UserError(f"{journal} is not of {path.name}, beside which there is a WAL.", hint=_HINT)
    try:
        with closing(connect(path, mode="ro&immutable=1")) as alone:
            if (seal := last_seal(alone)) is None:
                return
            if _continues(path, seal, busy_timeout_s) or not is_sound(alone, seal):
                return
    except (sqlite3.DatabaseError, ValueError, TypeError):
        return  # whoever opens the project says what is wrong
    raise UserError(f"{wal} is of another copy of {path.name}: with it, answers would be missing.", hint=_HINT)


def _continues(path: Path, seal: Seal, busy_timeout_s: float) -> bool:
    """Whether the project with its WAL has the seal; not if their pages do not belong together."""
    try:
        with closing(connect(path, mode="ro", busy_timeout_s=busy_timeout_s)) as with_wal:
            return has_seal(with_wal, seal)
    except sqlite3.DatabaseError as exc:
        if primary_code(exc) != sqlite3.SQLITE_CORRUPT:
            raise
        return False


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0
