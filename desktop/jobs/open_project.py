"""Opens a project for one window at a time; a second window can only read it, and says who has opened it."""

from __future__ import annotations

import contextlib
import json
import os
import platform
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from desktop.translation import tr
from miner.errors import UserError
from miner.processes.locks import ProgramLock
from miner.progress import Job, Progress

if TYPE_CHECKING:  # the database takes a while to import, and the start page needs none
    from storage.annotation.sent_assignments import SentAssignment
    from storage.project import Project


@dataclass(frozen=True, slots=True)
class OpenedProject:
    """An open project. `read_only_reason`: why it can only be read, as a sentence; "" if it can be changed.

    assignment: the assignment that an answer file is for; None for other projects. is_elsewhere: another window has the
    project, which can only be read for that reason.
    """

    project: Project
    lock: ProgramLock | None
    read_only_reason: str = ""
    assignment: SentAssignment | None = None
    is_elsewhere: bool = False

    def close(self, *, back_up: bool = False) -> None:
        """Close the file and release its lock; `back_up`: first back it up if it has changed and that is quick."""
        is_there = self.project.is_there
        self.project.close()
        if back_up and is_there and self.lock is not None:
            from desktop.jobs.backups import back_up_at_close

            back_up_at_close(self.project.path)
        if self.lock is not None:
            self.lock.release()


def open_project(path: Path, *, create: bool = False) -> Job[OpenedProject]:
    """Open a project, or create it; read-only if another window has it open or its file or folder is write-protected.

    `UserError` if this process has it open.
    """

    def work(progress: Progress) -> OpenedProject:
        opened = _open(path, create=create)
        try:
            return _with_assignment(opened)
        except BaseException:
            opened.close()
            raise

    return Job(tr("Opening {name}", name=path.name), work)


def _with_assignment(opened: OpenedProject) -> OpenedProject:
    from storage.settings import ASSIGNMENT

    with opened.project.read_transaction() as stores:
        assignment = stores.settings.get(ASSIGNMENT)
    opened.project.is_whole_after_writes = assignment is not None  # people send it while it is open
    return replace(opened, assignment=assignment)


def _open(path: Path, *, create: bool) -> OpenedProject:
    from desktop.jobs.backups import project_lock
    from miner.parsing.files import unreadable_error
    from storage.project import Project

    if create:
        Project.create(path).close()
    try:
        path.stat()
    except FileNotFoundError as exc:
        raise UserError(
            tr("There is no {path}.", path=path), hint=tr("It was moved or deleted. Open it from its new place.")
        ) from exc
    except OSError as exc:  # a closed folder, or a name that is too long
        raise unreadable_error(path, exc) from exc
    lock: ProgramLock | None = project_lock(path)
    assert lock is not None
    try:
        is_ours = lock.acquire(json.dumps({"process": os.getpid(), "host": platform.node()}))
    except OSError:
        is_ours, lock = True, None  # the folder is read-only, so there can be no lock
    if lock is not None and not is_ours:
        return _open_locked(path, lock)
    try:
        if not os.access(path, os.W_OK):
            return _open_unlocked(Project.open(path, read_only=True), lock, tr("{path} is write-protected", path=path))
        try:
            return OpenedProject(Project.open(path), lock)
        except UserError as exc:
            return _open_unlocked(_open_read_only(path, exc), lock, _why_not_written(path, exc))
    except BaseException:
        if lock is not None:
            lock.release()
        raise


def _open_unlocked(project: Project, lock: ProgramLock | None, what: str) -> OpenedProject:
    """A project that is not open elsewhere, but cannot be changed."""
    if lock is not None:
        lock.release()
    return OpenedProject(project, None, tr("{what}, so it is read-only.", what=what))


def _why_not_written(path: Path, error: UserError) -> str:
    from storage.claims import UnlockableDrive

    if isinstance(error, UnlockableDrive):
        return tr("{path} is on a network drive that cannot lock or share files", path=path)
    return tr("{path} cannot be written", path=path)


def _open_locked(path: Path, lock: ProgramLock) -> OpenedProject:
    """A project that another window has open: only for reading."""
    from storage.project import Project

    process, host = _lock_holder(lock)
    if (process, host) == (os.getpid(), platform.node()):
        raise UserError(tr("{name} is open in this window.", name=path.name))
    who = _process_text(process, host) if process else tr("another program")
    reason = tr(
        "This project is open in another window ({who}), so it is read-only. Close it there to change it.", who=who
    )
    return OpenedProject(Project.open(path, read_only=True), None, reason, is_elsewhere=True)


def _process_text(process: int, host: str) -> str:
    """The user and number of a process, as far as they are known."""
    import psutil

    user = ""
    if host == platform.node():
        with contextlib.suppress(psutil.Error):  # it has ended, or its user is hidden from us
            user = psutil.Process(process).username()
    return ", ".join(filter(None, (user, tr("process {process} on {host}", process=process, host=host))))


def _open_read_only(path: Path, error: UserError) -> Project:
    """Open the project for reading; if that fails too, raise `error`, which opening it for writing raised."""
    from storage.project import Project

    try:
        return Project.open(path, read_only=True)
    except UserError:
        raise error from None


def _lock_holder(lock: ProgramLock) -> tuple[int, str]:
    """Process number and host of the program that holds a lock; 0 and "" if its note cannot be read."""
    with contextlib.suppress(ValueError, TypeError, KeyError):
        note = json.loads(lock.note())
        return int(note["process"]), str(note["host"])
    return 0, ""
