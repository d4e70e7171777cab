"""Backups of projects: when they are made, what there are, and putting one back."""

from __future__ import annotations

import logging
import time
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from miner.errors import UserError
from miner.processes.locks import ProgramLock
from miner.progress import Cancelled, Job, Progress
from storage import backups as storing
from storage.backups import Backup
from storage.file_checks import check_project_file

log = logging.getLogger(__name__)

# Closing may take so many seconds longer for it. What takes more is made when the project is open again; larger ones
# are not begun, for looking through a copy cannot be broken off.
AT_CLOSE, _AT_CLOSE_BYTES = 3.0, 250_000_000


@dataclass(frozen=True, slots=True)
class Backups:
    """What can be restored of a project, the newest first; rolling ones are in `folder` and take `size` bytes."""

    project: Path
    found: tuple[Backup, ...]
    rolling: int
    size: int
    newest: datetime | None
    folder: Path


@dataclass(frozen=True, slots=True)
class Restored:
    """`kept`: where what was there before is now; None where nothing was."""

    project: Path
    backup: Backup
    kept: Path | None


def backups(project: Path) -> Job[Backups]:
    def work(progress: Progress) -> Backups:
        rolling = storing.list_rolling_backups(project)
        size = sum(backup.size for backup in rolling)
        found = tuple(storing.list_backups(project))
        newest = rolling[0].at if rolling else None
        return Backups(project, found, len(rolling), size, newest, storing.backup_folder(project))

    return Job("Looking for backups", work)


def back_up(project: Path, *, daily: bool = False) -> Job[Backup | None]:
    """Make a backup if the project was written since the last one; `daily`: and not today. None where it was not."""

    def work(progress: Progress) -> Backup | None:
        now = datetime.now(UTC)
        if not (storing.is_due_today(project, now) if daily else storing.is_due(project)):
            return None
        return storing.back_up(project, now, lambda: progress.tick(0, may_wait=False))

    return Job(f"Backing up {project.name}", work)


def back_up_at_close(project: Path) -> None:
    """As `back_up`, for at most so long, and without complaint: there is nobody to hear it."""
    end = time.monotonic() + AT_CLOSE

    def look() -> None:
        if time.monotonic() > end:
            raise Cancelled

    try:
        if storing.is_due(project) and project.stat().st_size <= _AT_CLOSE_BYTES:
            storing.back_up(project, datetime.now(UTC), look)
    except Cancelled:
        log.info("%s is backed up when it is open again: it would have taken too long", project)
    except (UserError, OSError) as exc:
        log.warning("%s", exc)


def restore(project: Path, backup: Path) -> Job[Restored]:
    """Put a backup in the project's place. What was there is kept. `UserError` where the project is open somewhere."""

    def work(progress: Progress) -> Restored:
        real = project.resolve()
        lock: ProgramLock | None = ProgramLock(real.with_name(f".{real.name}.lock"))  # of `desktop.jobs.open_project`
        assert lock is not None
        try:
            is_ours = lock.acquire()
        except OSError:
            lock, is_ours = None, True  # nowhere to put it; restoring will say what that means
        if not is_ours:
            raise UserError(f"{project} is open in a window.", hint="Close it there, then restore the backup.")
        try:
            chosen = next((one for one in storing.list_backups(real) if one.path == backup.absolute()), None)
            if chosen is None:
                check_project_file(backup)
                state = backup.stat()
                chosen = Backup(backup, datetime.fromtimestamp(state.st_mtime, UTC), state.st_size)
            return Restored(project, chosen, storing.restore(real, backup, datetime.now(UTC)))
        finally:
            if lock is not None:
                lock.release()

    return Job(f"Restoring {project.name}", work)
