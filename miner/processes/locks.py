"""Locks between programs. The system releases them when the program that holds one ends."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from filelock import FileLock, Timeout

from miner.paths import is_file


class ProgramLock:
    """A lock file, held from `acquire` to `release`, and beside it a note by the holder that others can read."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._note = path.with_name(f"{path.name}-note")  # on Windows nobody can read a locked file
        self._lock = FileLock(path, thread_local=False)

    def acquire(self, note: str = "", *, seconds: float = 0.0) -> bool:
        """Try for `seconds` to get the lock; whether it is ours now. `OSError` where its file cannot be created."""
        for path in (self.path, self._note):
            if path.is_symlink():  # it came with the folder: writing to it would change a file elsewhere
                path.unlink()
        try:
            self._lock.acquire(timeout=seconds)
        except Timeout:
            return False
        try:
            if note:
                self.write_note(note)
        except BaseException:
            self.release()
            raise
        return True

    def write_note(self, note: str) -> None:
        """Replace the note; only for the holder. `OSError` where it cannot be written."""
        self._note.write_text(note, encoding="utf-8", newline="\n")

    def note(self) -> str:
        """The note of the holder; "" without one."""
        if not is_file(self._note):  # reading a pipe that came with the folder would never end
            return ""
        try:
            return self._note.read_text(encoding="utf-8")
        except (OSError, ValueError):
            return ""

    def release(self) -> None:
        """Release the lock and delete its files."""
        for path in (self._note, self.path):
            with suppress(OSError):  # the folder is deleted or read-only; or Windows does not delete a locked file
                path.unlink(missing_ok=True)
        self._lock.release()
