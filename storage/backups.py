"""Backups of a project in a folder beside its file: the last ten and one of each month. Also restores a backup."""

from __future__ import annotations

import os
import re
import sqlite3
from collections.abc import Sequence
from contextlib import closing, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import NamedTuple

from miner.atomic_files import atomic_file, delete_abandoned, make_folder, rename, sync_folder
from miner.errors import UserError
from miner.paths import PROJECT_SUFFIX, exists, is_file, is_same_file, write_hint
from storage import migrations
from storage.claims import claimed
from storage.connections import OnStep, connect, copy_database, do_nothing, interruptible
from storage.errors import damaged_error, find_damage, primary_code, translate_errors
from storage.file_checks import check_project_file, companion_path, reading_mode
from storage.integrity.checksums import add_checksums
from storage.integrity.stored_rows import stored_rows

ROLLING_COUNT = 10
_TIME_FORMAT = "%Y-%m-%dT%H-%M-%SZ"  # in UTC, so that the order of names is the order of time
_REPLACED_PREFIX = "replaced "
_ROLLING_NAME = re.compile(r"\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ")
_FIRST_ACTION = "SELECT at, annotator, title FROM actions ORDER BY id LIMIT 1"
_UNFINISHED_NAME = re.compile(rf"{_ROLLING_NAME.pattern}{re.escape(PROJECT_SUFFIX)}\.part(-journal)?")


class Backup(NamedTuple):
    """A copy of the whole project. at: aware; size: in bytes; note: why it was made, "" for rolling backups."""

    path: Path
    at: datetime
    size: int
    note: str = ""


def backup_folder(project: Path) -> Path:
    """The folder of a project's backups, which may not exist yet; beside the file itself if the path is a link."""
    real = project.resolve()
    return real.with_name(f"{real.stem}.backups")


def list_backups(project: Path) -> list[Backup]:
    """Everything that can be restored, newest first: rolling backups, replaced projects, and copies made by updates.

    The project's own file may be damaged or missing.
    """
    before = _paths_starting_with(project.absolute().parent, f"{project.stem}.before-")
    updates = [_other_backup(path, "before an update of Pairwright") for path in before]
    replaced = [
        _other_backup(path, "replaced by a backup")
        for path in _paths_starting_with(backup_folder(project), _REPLACED_PREFIX)
        if not is_same_file(path, project)  # a second name, left by an interrupted `restore`
    ]
    found = [*list_rolling_backups(project), *filter(None, updates), *filter(None, replaced)]
    return sorted(found, key=lambda backup: backup.at, reverse=True)


def list_rolling_backups(project: Path) -> list[Backup]:
    """The rolling backups of a project, newest first."""
    backups: list[Backup] = []
    with suppress(OSError):  # no such folder: no backups
        for path in backup_folder(project).iterdir():
            if path.suffix == PROJECT_SUFFIX and _ROLLING_NAME.fullmatch(path.stem) and not path.is_symlink():
                with suppress(ValueError, OSError):  # not a date; deleted meanwhile
                    at = datetime.strptime(path.stem, _TIME_FORMAT).replace(tzinfo=UTC)
                    backups.append(Backup(path, at, path.stat().st_size))
    return sorted(backups, key=lambda backup: backup.at, reverse=True)


def find_backup(project: Path, path: Path) -> Backup | None:
    """The backup of the project that a file is; None if it is another project's, or nobody can tell whose it is.

    A file that is not among `list_backups` is one if the first action in it is the project's first action, too.
    """
    for backup in list_backups(project):
        if is_same_file(backup.path, path):
            return backup
    first = _first_action(path)
    return other_copy(path) if first is not None and first == _first_action(project) else None


def other_copy(path: Path) -> Backup:
    """A project file that is not among a project's backups; with the time in its name, if it was named as a backup."""
    state = path.stat()
    at = datetime.fromtimestamp(state.st_mtime, UTC)
    if named := _ROLLING_NAME.search(path.stem):
        with suppress(ValueError):  # not a date
            at = datetime.strptime(named[0], _TIME_FORMAT).replace(tzinfo=UTC)
    return Backup(path, at, state.st_size)


def _first_action(path: Path) -> tuple[str, str, str] | None:
    """When, by whom and how the history of a project begins; None without a history, or if the file cannot be read."""
    with suppress(sqlite3.Error, OSError), closing(connect(path, mode=reading_mode(path))) as connection:
        found: tuple[str, str, str] | None = connection.execute(_FIRST_ACTION).fetchone()
        return found
    return None


def is_due(project: Path) -> bool:
    """Whether no backup is of the project as it is: none has its time of change, be that before or after theirs.

    A clock that was wrong once may have put a backup years ahead.
    """
    changed_at = _changed_at_ns(project)
    return changed_at > 0 and all(_modified_at_ns(one.path) != changed_at for one in list_rolling_backups(project))


def is_due_today(project: Path, now: datetime) -> bool:
    """Whether a backup is due, and the project was neither backed up nor changed on the day (UTC) of `now`."""
    day = now.astimezone(UTC).date()
    changed_at = datetime.fromtimestamp(_changed_at_ns(project) / 1e9, UTC)
    made_at = [backup.at for backup in list_rolling_backups(project)]
    return is_due(project) and all(moment.date() != day for moment in (changed_at, *made_at))


def back_up(project: Path, now: datetime, on_step: OnStep = do_nothing) -> Backup:
    """Make a backup, also while others use the project, then delete the rolling backups that are no longer needed.

    Raises `DamagedProject` if the project is damaged; older backups then stay. If `on_step` raises, nothing is made.
    """
    while exists(target := backup_folder(project) / f"{now.astimezone(UTC).strftime(_TIME_FORMAT)}{PROJECT_SUFFIX}"):
        now += timedelta(seconds=1)
    changed_at = _changed_at_ns(project)
    try:
        make_folder(target.parent)
        with claimed(project), translate_errors(project), atomic_file(target) as part:
            copy_database(project, part, on_step)
            with closing(connect(part)) as copy, interruptible(copy, on_step):
                if find_damage(copy) or _has_changed(copy):
                    raise damaged_error(project)
            os.utime(part, ns=(changed_at, changed_at))  # `is_due` compares these
    except OSError as exc:
        what = f"{project} could not be backed up in {target.parent}: {exc.strerror or exc}."
        raise UserError(what, hint=write_hint(exc)) from exc
    delete_abandoned(target.parent, _UNFINISHED_NAME)
    existing = list_rolling_backups(project)
    for old in _superfluous(existing, now):
        with suppress(OSError):  # it is deleted next time
            old.path.unlink()
    return next(backup for backup in existing if backup.path == target)


def _has_changed(copy: sqlite3.Connection) -> bool:
    """Whether pairs or histories are not what was stored; unknown, and so no, in a project that is not updated yet."""
    if migrations.version(copy) != migrations.HEAD:
        return False
    add_checksums(copy)
    return any(True for find in stored_rows(copy).values() for _ in find())


def restore(project: Path, backup: Path, now: datetime) -> Path | None:
    """Replace the project by a backup. Returns where the replaced file is kept now; None if there was none.

    There is a whole project under the name at any moment. Raises `UserError` if the backup is damaged or not a project,
    or if another program has the project open, or another computer has claimed it.
    """
    check_project_file(backup)
    with translate_errors(backup), closing(connect(backup, mode="ro&immutable=1")) as connection:
        if find_damage(connection):
            raise damaged_error(backup)
    kept = None
    try:
        with claimed(project), translate_errors(project), atomic_file(project) as part:
            copy_database(backup, part)
            kept = _set_aside(project, now)
    except OSError as exc:
        if kept is not None:
            _take_back(kept, project)
        what = f"{project} could not be replaced: {exc.strerror or exc}."
        raise UserError(what, hint=write_hint(exc)) from exc
    return kept if kept and exists(kept) else None


def _set_aside(project: Path, now: datetime) -> Path:
    """Give the project's file a second name among the backups, and its WAL, which SQLite would otherwise apply to the
    restored file, only that name.

    Changing to rollback mode removes the WAL. That fails as long as another program has the project open.
    """
    try:
        with closing(connect(project, busy_timeout_s=0.5)) as connection:
            connection.execute("PRAGMA journal_mode = DELETE").fetchone()
    except sqlite3.DatabaseError as exc:
        if primary_code(exc) in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
            hint = "Close it there, then restore the backup."
            raise UserError(f"{project} is open in another program.", hint=hint) from exc
    folder = backup_folder(project)
    make_folder(folder)
    for left in _paths_starting_with(folder, _REPLACED_PREFIX):
        if is_same_file(left, project):  # the second name that an interrupted `restore` has left
            left.unlink()
    kept = folder / f"{_REPLACED_PREFIX}{now.astimezone(UTC).strftime(_TIME_FORMAT)}{PROJECT_SUFFIX}"
    while exists(kept):
        kept = kept.with_name(f"{kept.stem}-{PROJECT_SUFFIX}")
    with suppress(FileNotFoundError):  # there is no project any more
        try:
            kept.hardlink_to(project)
        except OSError:  # a file system without hard links
            rename(project, kept)
    _rename_companions(project, kept)
    sync_folder(folder)  # before the project's own name is given away
    return kept


def _take_back(kept: Path, project: Path) -> None:
    """Undo `_set_aside`."""
    if exists(project):
        kept.unlink(missing_ok=True)
    elif exists(kept):
        rename(kept, project)
    _rename_companions(kept, project)


def _rename_companions(database: Path, target: Path) -> None:
    for end in ("-wal", "-shm", "-journal"):
        with suppress(FileNotFoundError):
            rename(database.with_name(database.name + end), target.with_name(target.name + end))


def _superfluous(backups: Sequence[Backup], now: datetime) -> list[Backup]:
    """All but the last ten and the newest of each month.

    Those from after `now` were made before it, by a clock that was ahead: they come last.
    """
    months = set[tuple[int, int]]()
    superfluous = []
    newest_first = sorted(backups, key=lambda backup: (backup.at <= now, backup.at), reverse=True)
    for position, backup in enumerate(newest_first):
        month = backup.at.year, backup.at.month
        if position >= ROLLING_COUNT and month in months:
            superfluous.append(backup)
        months.add(month)
    return superfluous


def _paths_starting_with(folder: Path, prefix: str) -> list[Path]:
    with suppress(OSError):
        return [path for path in folder.iterdir() if path.name.startswith(prefix)]
    return []


def _other_backup(path: Path, note: str) -> Backup | None:
    with suppress(OSError):
        if path.suffix == PROJECT_SUFFIX and is_file(path) and not path.is_symlink():
            return Backup(path, datetime.fromtimestamp(_modified_at_ns(path) / 1e9, UTC), path.stat().st_size, note)
    return None


def _changed_at_ns(project: Path) -> int:
    """When the project's file or its WAL was last changed, in nanoseconds; 0 if there is none."""
    times = [0]
    for path in (project, companion_path(project, "-wal")):
        with suppress(OSError):
            if path.stat().st_size:
                times.append(_modified_at_ns(path))
    return max(times)


def _modified_at_ns(path: Path) -> int:
    return path.stat().st_mtime_ns
