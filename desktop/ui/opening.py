"""Opening a project for one window: who comes second may read it, and learns who has it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QLockFile

from miner.errors import UserError
from miner.progress import Job, Progress
from storage.project import Project


@dataclass(frozen=True, slots=True)
class Opened:
    """An open project. `why`: the sentence that says why it can only be read; "" when it can be changed."""

    project: Project
    lock: QLockFile | None
    why: str = ""

    def close(self) -> None:
        self.project.close()
        if self.lock is not None:
            self.lock.unlock()


def open_project(path: Path, *, create: bool = False) -> Job[Opened]:
    """Open a project, or make it: writable unless another window has it or the place is read-only."""

    def work(progress: Progress) -> Opened:
        if create:
            Project.create(path).close()
        if not path.exists():
            raise UserError(f"There is no {path}.", hint="It was moved or deleted. Open it from where it is now.")
        lock = QLockFile(str(path.with_name(f".{path.name}.lock")))
        lock.setStaleLockTime(0)  # whoever has it open for hours still has it; one that died has not
        if not lock.tryLock(0):
            if lock.error() == QLockFile.LockError.LockFailedError:
                known, process, host, _ = _holder(lock)
                who = f"process {process} on {host}" if known else "another program"
                why = f"This project is open in another window ({who}), so it can only be read here."
                return Opened(Project.open(path, read_only=True), None, why)
            lock = None  # nowhere to put it: the folder is read-only
        try:
            return Opened(Project.open(path), lock)
        except UserError:
            if lock is not None:
                lock.unlock()
            try:
                project = Project.open(path, read_only=True)
            except UserError:
                project = None
            if project is None:
                raise
            return Opened(project, None, f"{path} cannot be written, so it can only be read here.")

    return Job(f"Opening {path.name}", work)


def _holder(lock: QLockFile) -> tuple[bool, int, str, str]:
    """Whether it is known who holds a lock; process, host and program."""
    found = lock.getLockInfo()
    if isinstance(found, tuple) and len(found) == 4:
        return bool(found[0]), int(found[1]), str(found[2]), str(found[3])
    return False, 0, "", ""
