"""Checks of a file before it is opened as a project, and the files that SQLite keeps beside it."""

from __future__ import annotations

import os
import re
import stat
import struct
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

from miner.errors import UserError
from miner.installation import UPDATE_HINT
from miner.paths import PROJECT_SUFFIX, exists, is_folder
from miner.processes.computer_locks import ComputerLock
from storage import migrations
from storage.claims import UnlockableDrive, can_be_locked, claim
from storage.connections import connect
from storage.errors import damaged_error, find_damage, translate_errors
from storage.integrity.leftover_wal import check_leftover_wal

BUSY_TIMEOUT_S = 20.0  # how long to wait for another program's transaction
_FULL_CHECK_MAX_BYTES = 50_000_000  # checked in a fraction of a second
# The tables that are checked in a larger project. Its backups are checked in full (`storage.backups`).
_SMALL_TABLES = ("settings", "papers", "files", "sections", "mining_runs", "actions", "models", "training_runs")
_SUFFIX_HINT = f"A project's name ends in {PROJECT_SUFFIX}."
_VERSION = re.compile(r"(?!0000)\d{4}", re.ASCII)


def check_project_file(path: Path, *, busy_timeout_s: float = BUSY_TIMEOUT_S) -> str:
    """The schema version of a project that can be opened. Raises `UserError` for other files: see `Project.open`."""
    _check_header(path)
    wal, journal = companion_path(path, "-wal"), companion_path(path, "-journal")
    tables = () if path.stat().st_size <= _FULL_CHECK_MAX_BYTES else _SMALL_TABLES
    check_leftover_wal(path, wal, journal, tables=tables, busy_timeout_s=busy_timeout_s)
    with translate_errors(path):
        return _check_content(path, tables, busy_timeout_s)


class _Header(NamedTuple):
    """The fields of the first 100 bytes by which a file is recognised (sqlite.org/fileformat.html, 1.3)."""

    magic: bytes
    page_size: int
    change_counter: int
    pages: int
    application_id: int
    valid_for: int


def _check_header(path: Path) -> None:
    try:
        if not stat.S_ISREG(path.stat().st_mode):  # reading a pipe or a device may never end
            what = "a folder" if is_folder(path) else "no ordinary file (a pipe, socket or device)"
            raise UserError(f"{path} is {what}, not a Pairwright project.", hint=_SUFFIX_HINT)
        with path.open("rb") as file:
            head = file.read(100)
            size = file.seek(0, os.SEEK_END)
    except FileNotFoundError as exc:
        raise UserError(f"There is no {path}.", hint="`pairwright new` makes a project.") from exc
    except OSError as exc:
        hint = "Allow yourself to read it, or ask whose it is."
        raise UserError(f"{path} cannot be read: {exc.strerror}.", hint=hint) from exc
    if len(head) < 100 or not head.startswith(b"SQLite format 3\0"):
        raise UserError(f"{path} is not a Pairwright project.", hint=_SUFFIX_HINT)
    header = _Header(*struct.unpack(">16s H 6x I I 36x I 20x I 4x", head))
    if header.application_id != migrations.APPLICATION_ID:
        raise UserError(f"{path} is a database, but not a Pairwright project.", hint=_SUFFIX_HINT)
    page_size = 65536 if header.page_size == 1 else header.page_size
    current = header.change_counter == header.valid_for and not exists(companion_path(path, "-wal"))
    if current and size < header.pages * page_size:
        raise damaged_error(path)


def _check_content(path: Path, tables: Sequence[str], busy_timeout_s: float) -> str:
    """The schema version. Raises `UserError` if this program does not know it, or if the schema was changed."""
    with closing(connect(path, mode=reading_mode(path), busy_timeout_s=busy_timeout_s)) as connection:
        version = migrations.version(connection)
        if version is None or not _VERSION.fullmatch(version):
            raise damaged_error(path)
        if version > migrations.HEAD:
            raise UserError(
                f"{path} was made by a newer Pairwright (schema {version}; this one knows {migrations.HEAD}).",
                hint=f"Update Pairwright, then open it again. {UPDATE_HINT}",
            )
        migrations.check_schema(connection, path, version)
        if find_damage(connection, tables):
            raise damaged_error(path)
    return version


def claim_to_read(path: Path) -> ComputerLock | None:
    """As `claim`; None also where the project cannot be locked, but is read as immutable."""
    try:
        return claim(path)
    except UnlockableDrive:
        if is_immutable(path):
            return None
        raise


@contextmanager
def claimed_to_read(path: Path) -> Iterator[None]:
    """Inside, no other computer changes the project."""
    lock = claim_to_read(path)
    try:
        yield
    finally:
        if lock is not None:
            lock.release()


def is_immutable(path: Path) -> bool:
    """Whether nobody has the project open to write, and we cannot write to it: it is read-only, or cannot be locked.

    It is opened as immutable then. Otherwise SQLite would fail to create the WAL's shared files, or would create them
    as read-only as the project, and nobody could write to the project until they are deleted.
    """
    if exists(companion_path(path, "-wal")):
        return False
    return not (_writable(path.resolve().parent) and _writable(path) and can_be_locked(path))


def reading_mode(path: Path) -> str:
    """The mode (`connections.connect`) to read a project in, without leaving files beside it, or changing it.

    A connection that can write moves a WAL that is there into the file when it is closed, also one that damages it; one
    that cannot write leaves a WAL behind.
    """
    if exists(companion_path(path, "-wal")):
        return "ro"
    return "ro&immutable=1" if is_immutable(path) else "rw" if _writable(path) else "ro"


def make_companions_writable(path: Path) -> None:
    """Make the WAL files writable if the project is: they may be older than a `chmod` of the project."""
    for end in ("-wal", "-shm"):
        companion = companion_path(path, end)
        with suppress(OSError):  # missing, or of another user: SQLite reports that
            if _writable(path) and not companion.is_symlink() and not _writable(companion):
                companion.chmod(stat.S_IMODE(path.stat().st_mode))


def companion_path(path: Path, end: str) -> Path:
    """The file that SQLite keeps beside the database under its name + `end`; also if `path` is a link."""
    real = path.resolve()
    return real.with_name(real.name + end)


def can_write(project: Path) -> bool:
    """Whether this account may write a project that is there, and the files that SQLite puts beside it."""
    return _writable(project.resolve().parent) and _writable(project) and can_be_locked(project)


def _writable(path: Path) -> bool:
    return os.access(path, os.W_OK, effective_ids=os.access in os.supports_effective_ids)
