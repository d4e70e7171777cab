"""Locks between programs; the system releases them when the program that holds one dies."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from filelock import FileLock, Timeout

from miner.paths import is_file


class ProgramLock:
    """A lock file, held from `acquire` to `release`, and beside it a note by its holder that others can read."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._note = path.with_name(f"{path.name}-note")  # Windows lets nobody read a file that is locked
        self._lock = FileLock(path, thread_local=False)

    def acquire(self, note: str = "", *, seconds: float = 0.0) -> bool:
        """Whether it is ours, after so many seconds at most. `OSError` where its file cannot be made."""
        for path in (self.path, self._note):
            if path.is_symlink():  # it came with the folder; who writes to it would write elsewhere
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
        """For the holder. `OSError` where it cannot be written."""
        self._note.write_text(note, encoding="utf-8")

    def note(self) -> str:
        """What the holder wrote; "" for nothing, or not yet."""
        if not is_file(self._note):  # a pipe that came with the folder would never end
            return ""
        try:
            return self._note.read_text(encoding="utf-8")
        except (OSError, ValueError):
            return ""

    def release(self) -> None:
        """Let others have it; nothing is left behind."""
        for path in (self._note, self.path):
            with suppress(OSError):  # the folder is gone or read-only by now; or Windows, which keeps a locked file
                path.unlink(missing_ok=True)
        self._lock.release()
