"""Locks between computers that share a folder: the programs of one computer hold one together, others are told.

What the system grants as a lock on a network drive may hold among the programs of one computer alone. So the lock is a
file that can be made only once, on any drive, and names its computer. The programs of that computer share it by the
system's own locks; who ends last deletes it, and if all were killed, the next one takes it over.
"""

from __future__ import annotations

import errno
import hashlib
import json
import mmap
import os
import platform
import sys
import time
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

if sys.platform != "win32":
    import fcntl

_MACHINE_ID = Path("/etc/machine-id")  # of Linux: many computers may have one name, such as "localhost"
_WAIT_SECONDS = 2.0  # for one that comes or goes at this moment
_PAUSE_SECONDS = 0.02
_BYTES = 1_000
_FLAGS = os.O_RDWR | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
_BUSY = (errno.EAGAIN, errno.EACCES)


class Holder(NamedTuple):
    """Who holds a lock. computer, machine: its name and what tells it from others of that name; since: local time."""

    computer: str
    machine: str
    user: str
    since: str

    @property
    def is_here(self) -> bool:
        return (self.computer, self.machine) == this_computer()


class HeldElsewhere(Exception):
    """The programs of another computer hold the lock; `holder` is None if it cannot be read who."""

    def __init__(self, holder: Holder | None) -> None:
        super().__init__(holder)
        self.holder = holder


class NoLocks(Exception):
    """The drive cannot lock files, or share them in memory, even among the programs of this computer."""


class ComputerLock:
    """A lock that the programs of one computer share. path: of its file, which is there while it is held."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._file = -1

    def acquire(self) -> None:
        """Hold the lock. Raises `HeldElsewhere`, `NoLocks`, or `OSError` where its file cannot be made."""
        note = _note()
        end, seen = time.monotonic() + _WAIT_SECONDS, _seen_empty(self.path)
        while not self._try(note):
            if time.monotonic() > end:
                if seen is not None and seen == _seen_empty(self.path):  # killed before it named itself
                    self.path.unlink(missing_ok=True)
                    end, seen = time.monotonic() + _WAIT_SECONDS, None
                    continue
                if (holder := self.holder()) is None:  # cut off by a crash, or not of ours
                    raise HeldElsewhere(None)
                if holder.is_here:
                    self.path.unlink(missing_ok=True)
                raise NoLocks
            time.sleep(_PAUSE_SECONDS)

    def holder(self) -> Holder | None:
        """Who is named in the file; None if it is not there, or names nobody."""
        with suppress(OSError):
            file = os.open(self.path, _FLAGS & ~os.O_RDWR | os.O_RDONLY)
            try:
                return _read(file)
            finally:
                os.close(file)
        return None

    @property
    def is_held(self) -> bool:
        """Whether it is still ours: a person may have deleted its file, so that another computer could take it."""
        return self._file >= 0 and _is_at(self._file, self.path)

    def release(self) -> None:
        """Let go of the lock; its file is deleted if no other program of this computer holds it."""
        file, self._file = self._file, -1
        if file >= 0:
            _leave(file, self.path)

    def _try(self, note: bytes) -> bool:
        """Whether the lock is ours now; if not, somebody comes or goes at this moment."""
        is_new = True
        try:
            file = os.open(self.path, _FLAGS | os.O_CREAT | os.O_EXCL, 0o666)
        except FileExistsError:
            is_new = False
            if _delete_abandoned(self.path):
                return False
            try:
                file = os.open(self.path, _FLAGS)
            except FileNotFoundError:
                return False
        try:
            if is_new:
                _write(file, note)
            elif (holder := _read(file)) is None:
                os.close(file)
                return False
            elif not holder.is_here:
                raise HeldElsewhere(holder)
            if _join(file, self.path, note):
                self._file = file
                return True
            _leave(file, self.path)
        except BaseException:
            is_mine = is_new and _is_at(file, self.path)
            os.close(file)
            if is_mine:
                with suppress(OSError):  # the drive is gone
                    self.path.unlink()
            raise
        return False


def this_computer() -> tuple[str, str]:
    """The name of this computer, and what tells it from others of that name, as far as the system says."""
    machine = ""
    with suppress(OSError):
        if text := _MACHINE_ID.read_bytes().strip():  # not to be given away: machine-id(5)
            machine = hashlib.sha256(b"pairwright " + text).hexdigest()[:16]
    return platform.node(), machine


def _read(file: int) -> Holder | None:
    """Who is named in the file; None if nobody is (yet), or it is locked against reading at this moment."""
    with suppress(OSError, ValueError, TypeError, KeyError):
        os.lseek(file, 0, os.SEEK_SET)
        note = json.loads(os.read(file, 4 * _BYTES))
        return Holder(*(str(note[name]) for name in Holder._fields))
    return None


def _note() -> bytes:
    """What the file says of this program; always of one size, so that one write replaces another."""
    import getpass  # for network drives alone

    user = ""
    with suppress(OSError, KeyError, ImportError):  # Windows without its variables, an account without a name
        user = getpass.getuser()
    holder = Holder(*this_computer(), user, datetime.now().astimezone().isoformat(" ", "minutes")[:16])
    return json.dumps(holder._asdict()).encode().ljust(_BYTES)


def _write(file: int, note: bytes) -> None:
    if hasattr(os, "fchmod"):
        with suppress(OSError):  # it is another user's
            os.fchmod(file, 0o666)  # who may write to the folder shares the lock, whatever our mask
    os.lseek(file, 0, os.SEEK_SET)
    os.write(file, note)


def _seen_empty(path: Path) -> tuple[int, int] | None:
    """What tells an empty file from a later one at the path; None if it has content, or is not there."""
    with suppress(OSError):
        state = path.stat(follow_symlinks=False)
        if not state.st_size:
            return state.st_ino, state.st_ctime_ns
    return None


def _is_at(file: int, path: Path) -> bool:
    """Whether an open file is still the one at the path."""
    try:
        return os.path.samestat(os.fstat(file), path.stat(follow_symlinks=False))
    except OSError:
        return False


# Where a file that is open can be deleted, the programs of a computer know of each other by the system's locks on it.
# On Windows, which does not delete it, it is enough that it is open.

if sys.platform == "win32":

    def _join(file: int, path: Path, note: bytes) -> bool:
        return _is_at(file, path)

    def _leave(file: int, path: Path) -> None:
        os.close(file)
        with suppress(OSError):  # other programs hold it
            path.unlink()

    def _delete_abandoned(path: Path) -> bool:
        """Delete the file if the programs of this computer that held it were killed."""
        with suppress(OSError):
            file = os.open(path, _FLAGS)
            try:
                holder = _read(file)
            finally:
                os.close(file)
            if holder is not None and holder.is_here:
                path.unlink()
                return True
        return False

else:

    def _join(file: int, path: Path, note: bytes) -> bool:
        """Hold the file together with others; False if it is locked at this moment, or was deleted."""
        if _lock(file, fcntl.LOCK_EX):
            _write(file, note)  # as nobody holds it: it is new, or all were killed
        if not (_lock(file, fcntl.LOCK_SH) and _is_at(file, path)):
            return False
        other = os.open(path, _FLAGS)
        try:
            if _lock(other, fcntl.LOCK_EX):  # although we hold it
                raise NoLocks
        finally:
            os.close(other)
        try:
            mmap.mmap(file, 0).close()
        except (OSError, ValueError) as exc:  # it cannot be shared, or is empty now
            raise NoLocks from exc
        return True

    def _leave(file: int, path: Path) -> None:
        try:
            with suppress(OSError, NoLocks):  # the drive is gone
                fcntl.flock(file, fcntl.LOCK_UN)  # first, so that of two that leave at once one is the last
                if _lock(file, fcntl.LOCK_EX) and _is_at(file, path):
                    path.unlink()
        finally:
            os.close(file)

    def _delete_abandoned(path: Path) -> bool:
        return False

    def _lock(file: int, kind: int) -> bool:
        """Whether the file is locked now; False if another holds it."""
        try:
            fcntl.flock(file, kind | fcntl.LOCK_NB)
        except OSError as exc:
            if exc.errno in _BUSY:
                return False
            raise NoLocks from exc
        return True
