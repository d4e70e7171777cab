"""Files that appear whole or not at all."""

from __future__ import annotations

import hashlib
import os
import re
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Self

import psutil

from miner.errors import UserError
from storage.trouble import umask

_MADE_BY = re.compile(r"\.(\d{1,9})\.[^.]+\.part$")


@dataclass(frozen=True, slots=True)
class Written:
    """A file as written: `size` in bytes."""

    name: str
    rows: int
    size: int
    sha256: str


class NewFile:
    """A file in the making, hidden beside its place under a name of its own: on disk by `finish`, then `publish`."""

    def __init__(self, folder: Path, name: str) -> None:
        self._place = folder / name
        self._rows = self._size = 0
        self._digest = hashlib.sha256()
        handle, part = tempfile.mkstemp(prefix=f".{name}.{os.getpid()}.", suffix=".part", dir=folder)
        self._part = Path(part)
        self._file = open(handle, "wb")  # noqa: PTH123, SIM115  a handle, not a path; closed by `finish` or `__exit__`

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        with suppress(OSError):  # a full disk says so again when the buffer is flushed; it was reported already
            self._file.close()
        self._part.unlink(missing_ok=True)

    def write_lines(self, lines: Sequence[bytes]) -> None:
        content = b"\n".join((*lines, b""))
        self._file.write(content)
        self._digest.update(content)
        self._rows += len(lines)
        self._size += len(content)

    def finish(self) -> Written:
        self._file.flush()
        os.fsync(self._file.fileno())
        self._file.close()
        self._part.chmod(0o666 & ~umask())
        return Written(self._place.name, self._rows, self._size, self._digest.hexdigest())

    def publish(self) -> None:
        self._part.replace(self._place)


def publish(folder: Path, files: Iterable[NewFile]) -> None:
    """Put finished files in their places, for good."""
    for file in files:
        file.publish()
    if os.name == "posix":  # elsewhere a folder cannot be opened, and renames are not buffered
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


@contextmanager
def writing_to(folder: Path) -> Iterator[None]:
    """Makes `folder` where it is missing; what keeps files from being written there is a `UserError`."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        _clear_away(folder)
        yield
    except FileExistsError as exc:
        raise UserError(f"{folder} is a file, not a folder.", hint="Choose another folder.") from exc
    except OSError as exc:
        raise UserError(
            f"{folder} cannot be written: {exc.strerror}.",
            hint="Free some space or choose another folder, then try again.",
        ) from exc


def _clear_away(folder: Path) -> None:
    """Remove what killed exports left unfinished, by the process in its name."""
    for path in folder.glob(".*.part"):
        if (made_by := _MADE_BY.search(path.name)) and not psutil.pid_exists(int(made_by[1])):
            path.unlink(missing_ok=True)
