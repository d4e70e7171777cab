"""Files that appear whole or not at all."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path


@contextmanager
def whole_file(path: Path, *, shared: bool = False, durable: bool = True) -> Iterator[Path]:
    """Where to write a new file: when the block ends it is whole, on the disk, and takes the place of `path`.

    Where the block or the disk fails, what stood there before stays as it was. `shared`: several programs may write it
    at once, so each writes under a name of its own; otherwise the next one writes over what a killed one has left.
    Not `durable`: nobody waits for the disk, and after a power cut it may be the earlier one again.
    The errors are those of the system.
    """
    part = new_part(path.parent) if shared else path.with_name(f"{path.name}.part")
    try:
        if part.is_symlink():  # it came with the folder; what is written would go elsewhere
            part.unlink()
        yield part
        if durable:
            sync(part)
        part.replace(path)
        if durable:
            sync_folder(path.parent)
    finally:
        with suppress(OSError):  # gone: it has become the file; or it cannot go, and is in nobody's way
            part.unlink()


def new_part(folder: Path, prefix: str = ".pairwright-") -> Path:
    """A name in `folder` that nothing has, for a file in the making."""
    return folder / f"{prefix}{secrets.token_hex(8)}.part"


def sync(path: Path) -> None:
    """Have the content of a file on the disk, not in the system's memory alone."""
    with path.open("r+b") as file:
        os.fsync(file.fileno())


def sync_folder(folder: Path) -> None:
    """Have the names in a folder on the disk."""
    if os.name != "posix":  # elsewhere a folder cannot be opened, and renames are not buffered
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
