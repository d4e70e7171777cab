"""One computer at a time uses a project on a network drive: its programs hold a file beside it, others are told.

SQLite's WAL needs memory that all who use a project share, so they must be on one computer, whatever locks the drive
has. Projects on disks of this computer have no such file.
"""

from __future__ import annotations

import errno
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from miner.errors import UserError
from miner.paths import write_hint
from miner.processes.computer_locks import ComputerLock, HeldElsewhere, Holder, NoLocks
from miner.processes.network_drives import is_on_network

_SUFFIX = ".in-use"
_CANNOT_WRITE = (errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOENT, errno.ENOTDIR)  # so we change nothing there


class UnlockableDrive(UserError):
    """The project is on a network drive whose files cannot be locked or shared, so it can only be read there."""


def claim(project: Path) -> ComputerLock | None:
    """Claim a project for this computer, until the lock is released; None if its drive needs no claim.

    Raises `UserError` if another computer uses it, and `UnlockableDrive`.
    """
    real = project.resolve()
    if not is_on_network(real.parent):
        return None
    lock = ComputerLock(real.with_name(real.name + _SUFFIX))
    try:
        lock.acquire()
    except HeldElsewhere as exc:
        raise _held_error(project, lock.path, exc.holder) from None
    except NoLocks:
        raise UnlockableDrive(
            f"{project} is on a network drive that cannot lock or share files, so changes could damage it.",
            hint=f"Copy it to a disk of this computer, with {real.name}-wal if that is there, and work there.",
        ) from None
    except OSError as exc:
        if (holder := lock.holder()) is not None and not holder.is_here:
            raise _held_error(project, lock.path, holder) from None
        if exc.errno not in _CANNOT_WRITE:
            raise UserError(f"{lock.path} cannot be written: {exc.strerror}.", hint=write_hint(exc)) from exc
        return None
    return lock


@contextmanager
def claimed(project: Path) -> Iterator[None]:
    """Inside, this computer alone uses the project; raises as `claim`."""
    lock = claim(project)
    try:
        yield
    finally:
        if lock is not None:
            lock.release()


def can_be_locked(project: Path) -> bool:
    """Whether programs can keep out of each other's way in the project's folder."""
    try:
        with claimed(project):
            return True
    except UnlockableDrive:
        return False
    except UserError:
        return True


def lost_claim_error(project: Path) -> UserError:
    """The error of a program whose claim a person has deleted."""
    return UserError(
        f"{project.name}{_SUFFIX} was deleted while {project.name} was open here, so another computer may use it now.",
        hint="Nothing more is saved here: close the project, and open it again when no other computer uses it.",
    )


def _held_error(project: Path, file: Path, holder: Holder | None) -> UserError:
    who = "another computer" if holder is None else f"{holder.user or 'somebody'} on {holder.computer}"
    since = f" since {holder.since}" if holder is not None else ""
    return UserError(
        f"{project} is in use by {who}{since}, and one computer at a time can use a project on a network drive.",
        hint=f"Close it there. If no Pairwright is running there any more, delete {file}, and open it again.",
    )
