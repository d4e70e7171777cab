"""Which commit of a project is the last one, and whether a WAL continues from it.

Each transaction that changes something gives the one row of `last_commit` a new random token, and keeps that of the
commit before. The page of that row is in the WAL once for each commit, so the WAL continues a file if one of these
pages names the file's own last commit: as the one before the first, or, where a part of the WAL was moved into the file
already, as itself.
"""

from __future__ import annotations

import sqlite3
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

_BYTES = 16  # of a token
_NEXT = f"UPDATE last_commit SET previous = substr(token, 1, {_BYTES}), token = randomblob({_BYTES})"
_SELECT = """
    SELECT token, rootpage, (SELECT page_size FROM pragma_page_size) FROM last_commit, sqlite_master
    WHERE type = 'table' AND name = 'last_commit'
"""
# sqlite.org/fileformat.html, section 4: the header of a WAL, and that of each frame, which a page follows.
_WAL_HEADER, _FRAME_HEADER = struct.Struct(">4I 8s 2I"), struct.Struct(">2I 8s 2I")
_MAGIC = 0x377F0682  # or 1 more


class Commit(NamedTuple):
    """The last commit of a file: its token, the number of the page that has it, and the size of a page in bytes."""

    token: bytes
    page: int
    page_size: int


def add_commit(connection: sqlite3.Connection) -> None:
    """Name the commit that is to come."""
    connection.execute(_NEXT)


def last_commit(connection: sqlite3.Connection) -> Commit | None:
    """The last commit; None in a project of a schema that did not name them."""
    try:
        row = connection.execute(_SELECT).fetchone()
    except sqlite3.OperationalError:
        return None
    return row and Commit(*row)


def continues(wal: Path, commit: Commit) -> bool | None:
    """Whether a WAL continues a file with this last commit; None if the WAL names no commit."""
    named = None
    for page in _pages(wal, commit):
        # The row is the only one, and SQLite begins to fill a page at its end: there are both tokens.
        if commit.token in (page[-2 * _BYTES : -_BYTES], page[-_BYTES:]):
            return True
        named = False
    return named


def _pages(wal: Path, commit: Commit) -> Iterator[bytes]:
    """The contents of the page of the last commit in a WAL, in order."""
    with wal.open("rb") as file:
        head = file.read(_WAL_HEADER.size)
        if len(head) < _WAL_HEADER.size:
            return
        magic, _, page_size, _, salts, *_ = _WAL_HEADER.unpack(head)
        if magic not in (_MAGIC, _MAGIC + 1) or page_size != commit.page_size:
            return
        while len(frame := file.read(_FRAME_HEADER.size)) == _FRAME_HEADER.size:
            number, _, of_frame, *_ = _FRAME_HEADER.unpack(frame)
            if of_frame != salts:  # left over from before the WAL was begun anew
                return
            if number == commit.page:
                yield file.read(page_size)
            else:
                file.seek(page_size, 1)
