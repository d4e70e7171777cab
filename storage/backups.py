"""Rolling backups of a project, beside its file: the last ten and one of each month; and putting one back."""

from __future__ import annotations

import os
import re
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import NamedTuple

from miner.atomic_files import atomic_file
from miner.errors import UserError
from miner.paths import PROJECT_SUFFIX, exists, is_file, write_hint
from storage.connections import connect, copy_database
from storage.errors import damaged, find_damage, translated
from storage.file_checks import beside, examine

KEPT = 10
_TIME = "%Y-%m-%dT%H-%M-%SZ"  # in UTC, so that names stand in order of time
_REPLACED = "replaced "
_NAME = re.compile(r"\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ")
_STEPS = 20_000  # of SQLite's machine between two looks at whether to stop: some milliseconds

Look = Callable[[], None]  # may raise to stop


class Backup(NamedTuple):
    """A whole copy of a project as it was `at` a time (aware), of `size` bytes; `note` where it is no rolling one."""

    path: Path
    at: datetime
    size: int
    note: str = ""


def folder_of(project: Path) -> Path:
    """Where a project's backups lie, whether or not there are any: beside the file itself, where the path is a link."""
    real = project.resolve()
    return real.with_name(f"{real.stem}.backups")


def backups(project: Path) -> list[Backup]:
    """What can be restored, the newest first: rolling backups, what restoring has replaced, what updates have kept.

    The project's own file may be damaged or gone.
    """
    before = _named(project.absolute().parent, f"{project.stem}.before-")
    updates = [_found(path, "before an update of Pairwright") for path in before]
    replaced = [_found(path, "replaced by a backup") for path in _named(folder_of(project), _REPLACED)]
    found = [*rolling(project), *filter(None, updates), *filter(None, replaced)]
    return sorted(found, key=lambda backup: backup.at, reverse=True)


def rolling(project: Path) -> list[Backup]:
    """The rolling backups of a project, the newest first."""
    found: list[Backup] = []
    with suppress(OSError):  # there are none
        for path in folder_of(project).iterdir():
            if path.suffix == PROJECT_SUFFIX and _NAME.fullmatch(path.stem) and not path.is_symlink():
                with suppress(ValueError, OSError):  # no such day; gone meanwhile
                    at = datetime.strptime(path.stem, _TIME).replace(tzinfo=UTC)
                    found.append(Backup(path, at, path.stat().st_size))
    return sorted(found, key=lambda backup: backup.at, reverse=True)


def is_due(project: Path) -> bool:
    """Whether the project was written since its last backup."""
    last = max((_stat_time(backup.path) for backup in rolling(project)), default=0)
    return _written(project) > last


def is_due_today(project: Path, now: datetime) -> bool:
    """Whether it is due, and was neither backed up nor written on the day (UTC) of `now`."""
    day = now.astimezone(UTC).date()
    written = datetime.fromtimestamp(_written(project) / 1e9, UTC)
    last = [backup.at for backup in rolling(project)[:1]]
    return is_due(project) and all(moment.date() < day for moment in (written, *last))


def back_up(project: Path, now: datetime, look: Look = lambda: None) -> Backup:
    """Make a backup, also while others use the project, then delete those that need not be kept any longer.

    `look` is called every few milliseconds; where it raises, nothing is made. `Damaged` where the project is so: then
    no good backup goes.
    """
    while exists(target := folder_of(project) / f"{now.astimezone(UTC).strftime(_TIME)}{PROJECT_SUFFIX}"):
        now += timedelta(seconds=1)
    written = _written(project)
    try:
        target.parent.mkdir(exist_ok=True)
        with translated(project), atomic_file(target) as part:
            copy_database(project, part, look)
            with closing(connect(part)) as made, _looking(made, look):
                if find_damage(made):
                    raise damaged(project)
            os.utime(part, ns=(written, written))  # by which `is_due` knows what it is a copy of
    except OSError as exc:
        what = f"{project} could not be backed up in {target.parent}: {exc.strerror or exc}."
        raise UserError(what, hint=write_hint(exc)) from exc
    made_now = rolling(project)
    for old in _superfluous(made_now):
        with suppress(OSError):  # it goes the next time
            old.path.unlink()
    return next(backup for backup in made_now if backup.path == target)


def restore(project: Path, backup: Path, now: datetime) -> Path | None:
    """Put a backup in the project's place. What was there is kept, at the path that comes back; None for nothing.

    `UserError` where the backup is none or damaged, or another program has the project open.
    """
    examine(backup)
    with translated(backup), closing(connect(backup, mode="ro&immutable=1")) as connection:
        if find_damage(connection):
            raise damaged(backup)
    kept = None
    try:
        with translated(project), atomic_file(project) as part:
            copy_database(backup, part)
            kept = _set_aside(project, now)
    except OSError as exc:
        if kept is not None and not exists(project):
            _rename(kept, project)
        what = f"{project} could not be replaced: {exc.strerror or exc}."
        raise UserError(what, hint=write_hint(exc)) from exc
    return kept if kept and exists(kept) else None


@contextmanager
def _looking(connection: sqlite3.Connection, look: Look) -> Iterator[None]:
    """Queries inside end where `look` raises, with what it raises."""
    raised: list[BaseException] = []

    def step() -> int:
        try:
            look()
        except BaseException as exc:  # noqa: BLE001  SQLite would only say that it was interrupted
            raised.append(exc)
        return len(raised)

    connection.set_progress_handler(step, _STEPS)
    try:
        yield
    except sqlite3.OperationalError:
        if raised:
            raise raised[0] from None
        raise


def _set_aside(project: Path, now: datetime) -> Path:
    """Give the project's file another name, and what SQLite keeps beside it too: it would be taken for the new file's,
    also where the project's own file is gone.

    In rollback mode there is nothing beside it; nobody can go there while another has it open.
    """
    try:
        with closing(connect(project, patience=0.5)) as connection:
            connection.execute("PRAGMA journal_mode = DELETE").fetchone()
    except sqlite3.DatabaseError as exc:
        if getattr(exc, "sqlite_errorcode", 0) & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
            hint = "Close it there, then restore the backup."
            raise UserError(f"{project} is open in another program.", hint=hint) from exc
    folder_of(project).mkdir(exist_ok=True)
    kept = folder_of(project) / f"{_REPLACED}{now.astimezone(UTC).strftime(_TIME)}{PROJECT_SUFFIX}"
    while exists(kept):
        kept = kept.with_name(f"{kept.stem}-{PROJECT_SUFFIX}")
    _rename(project, kept)
    return kept


def _rename(database: Path, to: Path) -> None:
    for end in ("", "-wal", "-shm", "-journal"):
        with suppress(FileNotFoundError):
            database.with_name(database.name + end).rename(to.with_name(to.name + end))


def _superfluous(made: list[Backup]) -> list[Backup]:
    """All but the newest of each month and the last ten; `made` from the newest on."""
    months = set[tuple[int, int]]()
    found = []
    for place, backup in enumerate(made):
        month = backup.at.year, backup.at.month
        if place >= KEPT and month in months:
            found.append(backup)
        months.add(month)
    return found


def _named(folder: Path, start: str) -> list[Path]:
    with suppress(OSError):
        return [path for path in folder.iterdir() if path.name.startswith(start)]
    return []


def _found(path: Path, note: str) -> Backup | None:
    with suppress(OSError):
        if path.suffix == PROJECT_SUFFIX and is_file(path) and not path.is_symlink():
            return Backup(path, datetime.fromtimestamp(_stat_time(path) / 1e9, UTC), path.stat().st_size, note)
    return None


def _written(project: Path) -> int:
    """When the file was written last, or what SQLite will fold into it; in nanoseconds, 0 where there is none."""
    found = [0]
    for path in (project, beside(project, "-wal")):
        with suppress(OSError):
            if path.stat().st_size:
                found.append(_stat_time(path))
    return max(found)


def _stat_time(path: Path) -> int:
    return path.stat().st_mtime_ns
