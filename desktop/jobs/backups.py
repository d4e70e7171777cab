"""Jobs that list, make and restore backups of a project."""

from __future__ import annotations

import logging
import time
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from desktop.translation import tr
from miner.errors import UserError
from miner.processes.locks import ProgramLock
from miner.progress import Cancelled, Job, Progress
from storage import backups as backup_files
from storage.backups import Backup
from storage.file_checks import check_project_file

log = logging.getLogger(__name__)

# Limits of the backup at closing. One that takes longer is made when the project is next open. Larger projects are
# not tried, as the check of a copy cannot be interrupted.
MAX_CLOSE_SECONDS, _MAX_CLOSE_BYTES = 3.0, 250_000_000


@dataclass(frozen=True, slots=True)
class Backups:
    """The backups of a project, the newest first. `rolling` of them are automatic, in `folder`; `size`: their bytes."""

    project: Path
    found: tuple[Backup, ...]
    rolling: int
    size: int
    newest: datetime | None
    folder: Path


@dataclass(frozen=True, slots=True)
class RestoredProject:
    """A project that was restored from a backup.

    previous: where its former file is now; None if there was none. is_own: the file is a backup of the project, as far
    as can be told, and not any other project's.
    """

    project: Path
    backup: Backup
    previous: Path | None
    is_own: bool = True


def backups(project: Path) -> Job[Backups]:
    """The backups of a project."""

    def work(progress: Progress) -> Backups:
        rolling = backup_files.list_rolling_backups(project)
        size = sum(backup.size for backup in rolling)
        found = tuple(backup_files.list_backups(project))
        newest = rolling[0].at if rolling else None
        return Backups(project, found, len(rolling), size, newest, backup_files.backup_folder(project))

    return Job(tr("Looking for backups"), work)


def back_up(project: Path, *, daily: bool = False) -> Job[Backup | None]:
    """Make a backup if the project has changed since the last one; None if none was needed.

    daily: only if there is no backup of today.
    """

    def work(progress: Progress) -> Backup | None:
        now = datetime.now(UTC)
        if not (backup_files.is_due_today(project, now) if daily else backup_files.is_due(project)):
            return None
        return backup_files.back_up(project, now, lambda: progress.tick(0, may_wait=False))

    return Job(tr("Backing up {name}", name=project.name), work)


def back_up_at_close(project: Path) -> None:
    """Make a backup as `back_up` does, within `MAX_CLOSE_SECONDS`; errors are only logged."""
    end = time.monotonic() + MAX_CLOSE_SECONDS

    def check_time() -> None:
        if time.monotonic() > end:
            raise Cancelled

    try:
        if backup_files.is_due(project) and project.stat().st_size <= _MAX_CLOSE_BYTES:
            backup_files.back_up(project, datetime.now(UTC), check_time)
    except Cancelled:
        log.info("the backup of %s would take too long now; it is made when the project is next open", project)
    except (UserError, OSError) as exc:
        log.warning("%s", exc)


def project_lock(project: Path) -> ProgramLock:
    """The lock that a window holds while it has the project open."""
    real = project.resolve()
    return ProgramLock(real.with_name(f".{real.name}.lock"))


def is_own_backup(project: Path, path: Path) -> Job[bool]:
    """Whether a file is a backup of this project; `UserError` if it is no project at all."""

    def work(progress: Progress) -> bool:
        check_project_file(path)
        return backup_files.find_backup(project.resolve(), path) is not None

    return Job(tr("Looking for backups"), work)


def restore(project: Path, backup: Path) -> Job[RestoredProject]:
    """Replace a project by a backup; its former file is kept. `UserError` if the project is open somewhere."""

    def work(progress: Progress) -> RestoredProject:
        real = project.resolve()
        lock: ProgramLock | None = project_lock(real)
        assert lock is not None
        try:
            is_ours = lock.acquire()
        except OSError:
            lock, is_ours = None, True  # the folder cannot be written; `restore` will report it
        if not is_ours:
            raise UserError(
                tr("{project} is open in a window.", project=project),
                hint=tr("Close it there, then restore the backup."),
            )
        try:
            check_project_file(backup)
            own = backup_files.find_backup(real, backup)
            selected = own or backup_files.other_copy(backup)
            previous = backup_files.restore(real, backup, datetime.now(UTC))
            return RestoredProject(project, selected, previous, is_own=own is not None)
        finally:
            if lock is not None:
                lock.release()

    return Job(tr("Restoring {name}", name=project.name), work)
