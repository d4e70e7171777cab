"""Files that appear whole or not at all."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from miner.atomic_files import sync_folder, temporary_path
from miner.errors import UserError
from miner.paths import write_hint
from miner.processes.locks import ProgramLock

_PREFIX = ".pairwright-export-"
_PART = re.compile(re.escape(_PREFIX) + r"[0-9a-f]{16}\.part")
_LOCK = ".pairwright-export.lock"


@dataclass(frozen=True, slots=True)
class WrittenFile:
    """A file as written: `size` in bytes."""

    name: str
    rows: int
    size: int
    sha256: str


class NewFile:
    """A file in the making, hidden beside its place under a name of its own: on disk by `finish`, then `publish`."""

    def __init__(self, folder: Path, name: str) -> None:
        assert Path(name).name == name, "a file of the folder, nowhere else"
        self._place = folder / name
        self._rows = self._size = 0
        self._digest = hashlib.sha256()
        self._part = temporary_path(folder, _PREFIX)
        self._file = self._part.open("xb")

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

    def finish(self) -> WrittenFile:
        self._file.flush()
        os.fsync(self._file.fileno())
        self._file.close()
        return WrittenFile(self._place.name, self._rows, self._size, self._digest.hexdigest())

    def publish(self) -> None:
        self._part.replace(self._place)


def publish(folder: Path, files: Iterable[NewFile]) -> None:
    """Put finished files in their places, for good."""
    for file in files:
        file.publish()
    sync_folder(folder)


@contextmanager
def locked_export_folder(folder: Path) -> Iterator[None]:
    """Makes `folder` where it is missing, and keeps other exports out of it; what prevents writing is a `UserError`."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with _alone(folder):
            for path in folder.iterdir():
                if _PART.fullmatch(path.name):  # of an export that was killed: nobody writes it any more
                    path.unlink()
            yield
    except FileExistsError as exc:
        raise UserError(f"{folder} is a file, not a folder.", hint="Choose another folder.") from exc
    except OSError as exc:
        raise UserError(f"{folder} cannot be written: {exc.strerror}.", hint=write_hint(exc)) from exc


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Within, no other program exports to this folder."""
    lock = ProgramLock(folder / _LOCK)
    if not lock.acquire():
        hint = "Wait until it is done, or choose another folder."
        raise UserError(f"Another export is being written to {folder}.", hint=hint)
    try:
        yield
    finally:
        lock.release()
