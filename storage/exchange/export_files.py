"""Files of an export, which appear whole or not at all, and the lock of their folder."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from miner.atomic_files import make_folder, replace_file, sync_folder, sync_handle, temporary_path
from miner.errors import UserError
from miner.paths import exists, write_hint
from miner.processes.computer_locks import ComputerLock, HeldElsewhere, NoLocks
from miner.processes.locks import ProgramLock
from miner.processes.network_drives import is_on_network

_PREFIX = ".pairwright-export-"
_TEMPORARY_NAME = re.compile(re.escape(_PREFIX) + r"[0-9a-f]{16}\.part")
_LOCK_NAME = ".pairwright-export.lock"
_CHUNK_BYTES = 1_000_000  # written at once


@dataclass(frozen=True, slots=True)
class WrittenFile:
    """A finished file. size: in bytes."""

    name: str
    rows: int
    size: int
    sha256: str


class WriterThread:
    """Runs one step after the other in a thread, while the caller prepares the next one."""

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1)
        self._step: Future[None] | None = None

    def start(self, step: Callable[[list[bytes]], None], content: list[bytes]) -> None:
        """Run a step once the previous one is done; raises the error of the previous step."""
        self.wait()
        self._step = self._thread.submit(step, content)

    def wait(self) -> None:
        """Wait for the last step; raises its error."""
        if self._step is not None:
            self._step.result()

    def close(self) -> None:
        """Wait until the last step has ended, with or without an error, and end the thread."""
        self._thread.shutdown()


class NewFile:
    """A file being written under a hidden temporary name. `finish` puts it on disk, `publish` gives it its name.

    A thread writes and hashes what was appended, while the caller makes the next rows; errors come with a later call.
    """

    def __init__(self, folder: Path, name: str) -> None:
        assert Path(name).name == name, "a file of the folder, nowhere else"
        self._target = folder / name
        self._rows = self._size = 0
        self._digest = hashlib.sha256()
        self._parts: list[bytes] = []  # to be written
        self._waiting = 0  # their bytes
        self._temporary = temporary_path(folder, _PREFIX)
        self._file = self._temporary.open("xb")
        self._thread = WriterThread()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.discard()

    def discard(self) -> None:
        """Remove the file, unless it was published."""
        self._thread.close()
        with suppress(OSError):  # a full disk raises again on flush; it was reported already
            self._file.close()
        self._temporary.unlink(missing_ok=True)

    def write_lines(self, lines: Sequence[bytes]) -> None:
        self.write(b"\n".join((*lines, b"")), len(lines))

    def write(self, content: bytes, rows: int) -> None:
        """Append `content`, which has this many rows."""
        self._parts.append(content)
        self._waiting += len(content)
        self._rows += rows
        self._size += len(content)
        if self._waiting >= _CHUNK_BYTES:
            self._thread.start(self._write, self._parts)
            self._parts, self._waiting = [], 0

    def _write(self, parts: list[bytes]) -> None:
        content = b"".join(parts)
        self._file.write(content)
        self._digest.update(content)

    @property
    def is_closed(self) -> bool:
        return self._file.closed

    def finish(self) -> WrittenFile:
        """Write everything to disk and close the file."""
        self._thread.wait()
        self._write(self._parts)
        self._file.flush()
        sync_handle(self._file.fileno())
        self._file.close()
        return WrittenFile(self._target.name, self._rows, self._size, self._digest.hexdigest())

    def publish(self) -> None:
        """Give the finished file its name."""
        replace_file(self._temporary, self._target)


def publish(folder: Path, files: Iterable[NewFile]) -> None:
    """Give finished files their names, on disk."""
    for file in files:
        file.publish()
    sync_folder(folder)


@contextmanager
def locked_export_folder(folder: Path) -> Iterator[None]:
    """Create `folder` if it is missing, and lock it for other exports. Raises `UserError` if it cannot be written.

    A new folder goes again if nothing was written into it.
    """
    is_new = False
    try:
        is_new = not exists(folder)
        make_folder(folder)
        with _lock(folder):
            for path in folder.iterdir():
                if _TEMPORARY_NAME.fullmatch(path.name):  # left from an export that was killed
                    path.unlink()
            yield
    except FileExistsError as exc:
        raise UserError(f"{folder} is a file, not a folder.", hint="Choose another folder.") from exc
    except OSError as exc:
        raise UserError(f"{folder} cannot be written: {exc.strerror}.", hint=write_hint(exc)) from exc
    finally:
        if is_new:
            with suppress(OSError):  # it is not empty
                folder.rmdir()


@contextmanager
def _lock(folder: Path) -> Iterator[None]:
    """Inside, no other program exports to this folder, on this computer or another one."""
    lock = ProgramLock(folder / _LOCK_NAME)
    computers = _lock_for_computers(folder)
    try:
        if not lock.acquire():
            hint = "Wait until it is done, or choose another folder."
            raise UserError(f"Another export is being written to {folder}.", hint=hint)
        try:
            yield
        finally:
            lock.release()
    finally:
        if computers is not None:
            computers.release()


def _lock_for_computers(folder: Path) -> ComputerLock | None:
    """The held lock of a folder on a network drive; None for others, and where the drive has no locks at all."""
    if not is_on_network(folder):
        return None
    lock = ComputerLock(folder / f"{_LOCK_NAME}-in-use")
    try:
        lock.acquire()
    except HeldElsewhere as exc:
        where = "another computer" if exc.holder is None else exc.holder.computer
        hint = f"Wait until it is done, or choose another folder. If there is none any more, delete {lock.path}."
        raise UserError(f"An export is being written to {folder} from {where}.", hint=hint) from exc
    except NoLocks:  # whether one is written cannot be told, and the system says why
        return None
    return lock
