"""Locks between programs, which the system lets go of when the program that has one dies."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from filelock import FileLock, Timeout


class ProgramLock:
    """A lock file, held from `take` to `let_go`, and a note of its holder's beside it that others can read."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._note = path.with_name(f"{path.name}-note")  # Windows lets nobody read a file that is locked
        self._lock = FileLock(path, thread_local=False)

    def take(self, note: str = "") -> bool:
        """Whether it is ours now; False while another holds it. `OSError` where no file can be made."""
        for path in (self.path, self._note):
            if path.is_symlink():  # it came with the folder; who writes to it would write elsewhere
                path.unlink()
        try:
            self._lock.acquire(timeout=0)
        except Timeout:
            return False
        try:
            if note:
                self._note.write_text(note, encoding="utf-8")
        except BaseException:
            self.let_go()
            raise
        return True

    def note(self) -> str:
        """What the holder wrote; "" for nothing, or not yet."""
        try:
            return self._note.read_text(encoding="utf-8")
        except (OSError, ValueError):
            return ""

    def let_go(self) -> None:
        """Let others have it; nothing is left behind."""
        for path in (self._note, self.path):
            with suppress(OSError):  # the folder is gone or read-only by now; or Windows, which keeps a locked file
                path.unlink(missing_ok=True)
        self._lock.release()
