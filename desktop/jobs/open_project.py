"""Opening a project for one window: who comes second may read it, and learns who has it."""

from __future__ import annotations

import contextlib
import json
import os
import platform
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from miner.errors import UserError
from miner.processes.locks import ProgramLock
from miner.progress import Job, Progress

if TYPE_CHECKING:  # the database takes a while to import; the start page needs none
    from storage.project import Project


class AlreadyOpen(UserError):
    """This very program has the project open."""


@dataclass(frozen=True, slots=True)
class OpenedProject:
    """An open project. `why`: the sentence that says why it can only be read; "" when it can be changed."""

    project: Project
    lock: ProgramLock | None
    why: str = ""

    def close(self, *, back_up: bool = False) -> None:
        """Let go of the file; `back_up`: then make a backup if it was changed, unless that takes long."""
        is_there = self.project.is_there
        self.project.close()
        if back_up and is_there and self.lock is not None:
            from desktop.jobs.backups import back_up_at_close

            back_up_at_close(self.project.path)
        if self.lock is not None:
            self.lock.release()


def open_project(path: Path, *, create: bool = False) -> Job[OpenedProject]:
    """Open a project, or make it: writable unless another window has it or the place is read-only.

    `AlreadyOpen` where this program has it open.
    """

    def work(progress: Progress) -> OpenedProject:
        from miner.parsing.files import unreadable_error
        from storage.project import Project

        if create:
            Project.create(path).close()
        try:
            path.stat()
        except FileNotFoundError as exc:
            raise UserError(
                f"There is no {path}.", hint="It was moved or deleted. Open it from where it is now."
            ) from exc
        except OSError as exc:  # a closed folder, or a name that is too long
            raise unreadable_error(path, exc) from exc
        real = path.resolve()
        lock: ProgramLock | None = ProgramLock(real.with_name(f".{real.name}.lock"))
        assert lock is not None
        try:
            is_ours = lock.acquire(json.dumps({"process": os.getpid(), "host": platform.node()}))
        except OSError:
            is_ours, lock = True, None  # nowhere to put it: the folder is read-only
        if lock is not None and not is_ours:
            return _second(path, lock)
        try:
            if not os.access(path, os.W_OK):
                return _first(Project.open(path, read_only=True), lock, f"{path} is write-protected")
            try:
                return OpenedProject(Project.open(path), lock)
            except UserError as why:
                return _first(_readable(path, why), lock, f"{path} cannot be written")
        except BaseException:
            if lock is not None:
                lock.release()
            raise

    return Job(f"Opening {path.name}", work)


def _first(project: Project, lock: ProgramLock | None, what: str) -> OpenedProject:
    """A project that nobody else has, but that cannot be changed."""
    if lock is not None:
        lock.release()
    return OpenedProject(project, None, f"{what}, so it can only be read here.")


def _second(path: Path, lock: ProgramLock) -> OpenedProject:
    """A project that somebody has: ours to read."""
    from storage.project import Project

    process, host = _holder(lock)
    if (process, host) == (os.getpid(), platform.node()):
        raise AlreadyOpen(f"{path.name} is open in this window.")
    who = _person(process, host) if process else "another program"
    why = f"This project is open in another window ({who}), so it can only be read here. Close it there to change it."
    return OpenedProject(Project.open(path, read_only=True), None, why)


def _person(process: int, host: str) -> str:
    """Whose process that is, as far as can be told."""
    import psutil

    user = ""
    if host == platform.node():
        with contextlib.suppress(psutil.Error):  # gone meanwhile, or not ours to know
            user = psutil.Process(process).username()
    return ", ".join(filter(None, (user, f"process {process} on {host}")))


def _readable(path: Path, why: UserError) -> Project:
    """The project for reading; `why` again when that fails too, for it says what is really wrong."""
    from storage.project import Project

    try:
        return Project.open(path, read_only=True)
    except UserError:
        raise why from None


def _holder(lock: ProgramLock) -> tuple[int, str]:
    """Process and host of who holds a lock; 0 and "" where they did not say."""
    with contextlib.suppress(ValueError, TypeError, KeyError):
        note = json.loads(lock.note())
        return int(note["process"]), str(note["host"])
    return 0, ""
