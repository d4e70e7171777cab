"""Atomic files: they are written completely or not at all."""

from __future__ import annotations

import os
import re
import secrets
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

_TEMPORARY_NAME = re.compile(r"\.pairwright-[0-9a-f]{16}\.part(-wal|-shm|-journal)?")
_ABANDONED_AFTER_S = 24 * 3600.0


@contextmanager
def atomic_file(path: Path, *, shared: bool = False, durable: bool = True) -> Iterator[Path]:
    """A temporary path to write to; when the block ends, the file is on disk and replaces `path`.

    If the block raises, or the disk fails, `path` stays as it was. `shared`: several programs may write the file at
    once, so each uses a temporary path of its own; otherwise the next program overwrites what a killed one has left.
    `durable=False`: do not wait for the disk; after a power cut the file may be the earlier one. `OSError` as the
    system raises it.
    """
    part = temporary_path(path.parent) if shared else path.with_name(f"{path.name}.part")
    try:
        if part.is_symlink():  # it came with the folder: writing to it would change a file elsewhere
            part.unlink()
        yield part
        if durable:
            sync_file(part)
        part.replace(path)
        if durable:
            sync_folder(path.parent)
    finally:
        with suppress(OSError):  # it has become the file, or it cannot be deleted
            part.unlink()


def temporary_path(folder: Path, prefix: str = ".pairwright-") -> Path:
    """An unused path in `folder` for a file that is not complete yet."""
    return folder / f"{prefix}{secrets.token_hex(8)}.part"


def delete_abandoned(folder: Path, name: re.Pattern[str] = _TEMPORARY_NAME) -> None:
    """Delete unfinished files that killed programs have left in a folder: of such a name, unchanged for a day."""
    with suppress(OSError):  # a folder that cannot be read
        for path in list(folder.iterdir()):
            with suppress(OSError):  # deleted meanwhile, or of another user
                if name.fullmatch(path.name) and time.time() - path.stat().st_mtime > _ABANDONED_AFTER_S:
                    path.unlink()


def make_folder(folder: Path) -> None:
    """Create a folder, and those above it that are missing, unless it is there; their names are on disk then.

    Without that a power cut may take away a new folder with all files in it, although each of them was flushed.
    """
    missing = []
    above = folder
    while not above.exists() and above != above.parent:
        missing.append(above)
        above = above.parent
    folder.mkdir(parents=True, exist_ok=True)
    for new in missing:
        with suppress(PermissionError):  # a folder that can be written to, but not read
            sync_folder(new.parent)


def sync_file(path: Path) -> None:
    """Flush the content of a file to disk."""
    with path.open("r+b") as file:
        os.fsync(file.fileno())


def sync_folder(folder: Path) -> None:
    """Flush the entries of a folder to disk."""
    if os.name != "posix":  # on Windows folders cannot be opened, and renames are not buffered
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
