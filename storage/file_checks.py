"""Whether a file is a project that this program can open, and what SQLite keeps beside it."""

from __future__ import annotations

import os
import re
import stat
import struct
from contextlib import closing, suppress
from pathlib import Path
from typing import NamedTuple

from miner.errors import UserError
from miner.paths import PROJECT_SUFFIX, exists, is_folder
from storage import migrations
from storage.connections import connect
from storage.errors import damaged, find_damage, translated

PATIENCE = 20.0  # seconds to wait for another program's transaction
_QUICK = 50_000_000  # bytes that are looked through in a fraction of a second
# Of a larger project, what everything else hangs on; its backups are looked through (`storage.backups`).
_SMALL = ("settings", "papers", "files", "sections", "mining_runs", "actions", "models", "training_runs")
_NAMED = f"A project's name ends in {PROJECT_SUFFIX}."
_VERSION = re.compile(r"(?!0000)\d{4}", re.ASCII)


def examine(path: Path, *, patience: float = PATIENCE) -> str:
    """The schema's version of a project that can be opened; else a `UserError`: see `Project.open`."""
    _check_header(path)
    with translated(path):
        return _checked_version(path, patience)


class _Header(NamedTuple):
    """The fields of the first 100 bytes that tell what a file is (sqlite.org/fileformat.html, 1.3)."""

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
            raise UserError(f"{path} is {what}, not a Pairwright project.", hint=_NAMED)
        with path.open("rb") as file:
            head = file.read(100)
            size = file.seek(0, os.SEEK_END)
    except FileNotFoundError as exc:
        raise UserError(f"There is no {path}.", hint="`pairwright new` makes a project.") from exc
    except OSError as exc:
        hint = "Allow yourself to read it, or ask whose it is."
        raise UserError(f"{path} cannot be read: {exc.strerror}.", hint=hint) from exc
    if len(head) < 100 or not head.startswith(b"SQLite format 3\0"):
        raise UserError(f"{path} is not a Pairwright project.", hint=_NAMED)
    header = _Header(*struct.unpack(">16s H 6x I I 36x I 20x I 4x", head))
    if header.application_id != migrations.APPLICATION_ID:
        raise UserError(f"{path} is a database, but not a Pairwright project.", hint=_NAMED)
    page_size = 65536 if header.page_size == 1 else header.page_size
    current = header.change_counter == header.valid_for and not exists(beside(path, "-wal"))
    if current and size < header.pages * page_size:
        raise damaged(path)


def _checked_version(path: Path, patience: float) -> str:
    """The schema's version; `UserError` unless this program knows it and made all of it."""
    mode = "ro&immutable=1" if lies_still(path) else "rw" if _writable(path) else "ro"  # "ro" leaves files behind
    with closing(connect(path, mode=mode, patience=patience)) as connection:
        version = migrations.version(connection)
        if version is None or not _VERSION.fullmatch(version):
            raise damaged(path)
        if version > migrations.HEAD:
            raise UserError(
                f"{path} was made by a newer Pairwright (schema {version}; this one knows {migrations.HEAD}).",
                hint="Update Pairwright, then open it again.",
            )
        migrations.check_schema(connection, path, version)
        if find_damage(connection, () if path.stat().st_size <= _QUICK else _SMALL):
            raise damaged(path)
    return version


def lies_still(path: Path) -> bool:
    """Nobody has it open to write, and we cannot: the folder is read-only, or the file.

    The files that readers of a WAL share could not be made there; or they would be as read-only as the project, and
    nobody could write to it again while they lie there.
    """
    writable = _writable(path.resolve().parent) and _writable(path)
    return not writable and not exists(beside(path, "-wal"))


def free_companions(path: Path) -> None:
    """Let what lies beside the file be written like the file: it is made like that, but may be older than a chmod."""
    for end in ("-wal", "-shm"):
        companion = beside(path, end)
        with suppress(OSError):  # there is none, or it is another's: SQLite will say what that means
            if _writable(path) and not companion.is_symlink() and not _writable(companion):
                companion.chmod(stat.S_IMODE(path.stat().st_mode))


def beside(path: Path, end: str) -> Path:
    """What SQLite keeps beside the file itself, also where `path` is a link to it."""
    real = path.resolve()
    return real.with_name(real.name + end)


def _writable(path: Path) -> bool:
    return os.access(path, os.W_OK, effective_ids=os.access in os.supports_effective_ids)
