"""Atomic files: they are written completely or not at all. What the systems differ in there is here."""

from __future__ import annotations

import os
import re
import secrets
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

_ON_WINDOWS = os.name == "nt"
_CACHED_BY_DRIVE = sys.platform == "darwin"  # `os.fsync` leaves the content in the cache of the drive there
_F_FULLFSYNC = 51  # of fcntl.h there
_WAITS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.4, 0.8)  # seconds between two tries to rename
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
        replace_file(part, path)
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


def make_folder(folder: Path) -> list[Path]:
    """Create a folder, and those above it that are missing, unless it is there; their names are on disk then.

    Returns the folders that were missing, the innermost first.
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
    return missing


def sync_file(path: Path) -> None:
    """Flush the content of a file to disk."""
    with path.open("r+b") as file:
        sync_handle(file.fileno())


def sync_folder(folder: Path) -> None:
    """Flush the entries of a folder to disk."""
    if _ON_WINDOWS:  # folders cannot be opened there, and renames are not buffered
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        sync_handle(handle)
    finally:
        os.close(handle)


def sync_handle(handle: int) -> None:
    """Flush what was written to an open file to disk, on macOS also from the cache of the drive."""
    if _CACHED_BY_DRIVE and sys.platform != "win32":
        import fcntl  # no module of Windows

        with suppress(OSError):  # a file system that cannot, such as a share
            fcntl.fcntl(handle, _F_FULLFSYNC)
            return
    os.fsync(handle)


def replace_file(source: Path, target: Path) -> None:
    """Rename a file to `target`, in place of a file there. `OSError` as the system raises it.

    On Windows a file that is open in a program can be neither renamed nor replaced. Virus scanners and programs that
    synchronise folders open new files for moments, so it is tried for up to 1.6 seconds there.
    """
    _try_again(lambda: source.replace(target))


def rename(source: Path, target: Path) -> None:
    """Rename a file or folder to `target`, where nothing is yet; tried again on Windows as by `replace_file`."""
    _try_again(lambda: source.rename(target))


def _try_again(action: Callable[[], object]) -> None:
    for seconds in _WAITS if _ON_WINDOWS else ():
        try:
            action()
        except PermissionError:  # open elsewhere, or really forbidden: the last try tells
            time.sleep(seconds)
        else:
            return
    action()
