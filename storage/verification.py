"""Whether a project's content is what was stored; if not, which rows changed, and which backup has them as they were.

SQLite's own check finds damaged pages. This finds another letter in a sentence, another label, answer or split.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

from miner.errors import UserError
from miner.processes.isolated import run_isolated
from miner.progress import Cancelled, Progress
from storage.backups import Backup, list_rolling_backups
from storage.connections import PATH, OnStep, do_nothing, driver_connection, interruptible
from storage.errors import RESTORE_HINT, DamagedProject, translate_decoding_errors
from storage.integrity.checksums import row_names
from storage.integrity.history_chain import ChangedHistory
from storage.integrity.stored_rows import CHECKED_TABLES, Finder, Subject, stored_rows
from storage.pairs import judgement, mended_texts, pair_kinds, paper_splits
from storage.project import Project
from storage.stores import Stores

_SELECT_TABLES = "SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%' ORDER BY name"
# From so many bytes on a process is worth its start: threads of one process wait for each other within SQLite.
_LARGE_FILE = 100_000_000
_NAMED = 3  # rows that a sentence names
_DERIVED_SPLITS = (Subject.PAPER_SPLITS, Subject.SPLITS)
_DECIDE_SPLITS = (Subject.TABLES, Subject.SETTINGS, Subject.PAPERS, Subject.PAIRS, Subject.RELEASES)


class ChangedRows(NamedTuple):
    """Rows that are not what was stored: their names, such as keys of pairs or MD5s of papers, or rows of histories."""

    subject: Subject
    rows: tuple[str | ChangedHistory, ...]

    def __str__(self) -> str:
        named = ", ".join(map(str, self.rows[:_NAMED]))
        more = f" and {len(self.rows) - _NAMED:,} more" if len(self.rows) > _NAMED else ""
        return f"{self.subject} are not what was stored: {named}{more}."


def find_changed_rows(project: Project, on_step: OnStep = do_nothing, *, texts: bool = True) -> list[ChangedRows]:
    """All rows that are not what was stored. texts: also read the texts of all papers, which takes longest."""
    with project.read_transaction() as stores:
        connection = stores._connection
        driver = driver_connection(connection)
        finders: dict[Subject, Finder] = {
            Subject.TABLES: lambda: _damaged_tables(driver),
            **stored_rows(driver, on_step),
            Subject.SENTENCES: lambda: mended_texts.find_changed(connection),
            Subject.LABELS: lambda: judgement.find_changed(connection),
            Subject.KINDS: lambda: pair_kinds.find_changed(connection),
            Subject.PAPER_SPLITS: lambda: paper_splits.find_changed_papers(connection),
            Subject.SPLITS: lambda: paper_splits.find_changed_pairs(connection),
        }
        if texts:
            finders[Subject.TEXTS] = lambda: stores.papers.find_changed(on_step)
        found: list[ChangedRows] = []
        for subject, find in finders.items():
            if subject in _DERIVED_SPLITS and any(one.subject in _DECIDE_SPLITS for one in found):
                continue  # what they would be compared with has changed
            with interruptible(driver, on_step), translate_decoding_errors():
                if rows := tuple(find()):
                    found.append(ChangedRows(subject, rows))
        return found


def _damaged_tables(driver: sqlite3.Connection) -> Iterator[str]:
    """The tables whose rows and indices differ, from which exports read too, and those whose rows others miss."""
    for (table,) in driver.execute(_SELECT_TABLES).fetchall():
        if driver.execute(f"PRAGMA integrity_check('{table}')").fetchone() != ("ok",):
            yield table
    yield from sorted({parent for _, _, parent, _ in driver.execute("PRAGMA foreign_key_check")})


class _StoppableProgress(Progress):
    """The progress of another job's part, which can be cancelled alone."""

    def __init__(self, whole: Progress) -> None:
        super().__init__()
        self._whole = whole

    @property
    def cancelled(self) -> bool:
        return super().cancelled or self._whole.cancelled

    @property
    def paused(self) -> bool:
        return self._whole.paused and not self.cancelled

    def raise_if_cancelled(self) -> None:
        if self.cancelled:
            raise Cancelled


@contextmanager
def verifying(project: Project, progress: Progress) -> Iterator[Callable[[], None]]:
    """Verify a project beside other work; what is given waits for the result, and raises as `require_whole`.

    It is to be called before the data that was read meanwhile leaves the project. An error inside the block, which
    damage may have caused, becomes that of the damage; if the block refuses its work, it does not wait.
    """
    stoppable = _StoppableProgress(progress)
    with ThreadPoolExecutor(1, thread_name_prefix="verification") as executor:
        verified = executor.submit(require_whole, project, stoppable)
        try:
            yield verified.result
        except (UserError, Cancelled):
            stoppable.cancel()
            raise
        except Exception:
            verified.result()
            raise


def require_whole(project: Project, progress: Progress) -> None:
    """Raise `DamagedProject` if anything is not what was stored, before data leaves the project."""
    if project.is_there and project.path.stat().st_size >= _LARGE_FILE:
        changed = run_isolated(_find_in_file, project.path, progress, subject="The verification")
    else:
        changed = find_changed_rows(project, progress.raise_if_cancelled)
    if changed:
        raise changed_error(project.path, changed)


def _find_in_file(path: Path, emit: Callable[[object], None], progress: Progress) -> list[ChangedRows]:
    """`find_changed_rows` in a process of its own."""
    with Project.open(path, read_only=True, is_checked=True) as project:
        return find_changed_rows(project, progress.raise_if_cancelled)


def require_whole_results(stores: Stores) -> None:
    """Raise `DamagedProject` if stored results of experiments are not what was stored, before they are shown.

    Of all experiments: of a row with another key, nobody can tell which experiment it is of.
    """
    connection = stores._connection
    if rows := tuple(stored_rows(driver_connection(connection))[Subject.EXPERIMENTS]()):
        raise changed_error(connection.info[PATH], [ChangedRows(Subject.EXPERIMENTS, rows)])


def changed_error(path: Path, changed: Sequence[ChangedRows]) -> DamagedProject:
    """The error that names the changed rows, and the newest backup that has them as they were."""
    hint = RESTORE_HINT
    if backup := _whole_backup(path, changed):
        hint = f"The backup of {backup.at:%Y-%m-%d %H:%M} UTC has them as they were. {hint}"
    what = " ".join(map(str, changed))
    return DamagedProject(path, f"{path} is damaged. {what}", hint=hint)


def _whole_backup(path: Path, changed: Sequence[ChangedRows]) -> Backup | None:
    """The newest backup that has all of the changed rows as they were; older schemas have no checksums to tell."""
    reads_texts = any(rows.subject is Subject.TEXTS for rows in changed)
    for backup in list_rolling_backups(path):
        with suppress(UserError), Project.open(backup.path, read_only=True) as copy:
            also_changed = {rows.subject: {*rows.rows} for rows in find_changed_rows(copy, texts=reads_texts)}
            if all(_has(copy, rows) and not {*rows.rows} & also_changed.get(rows.subject, set()) for rows in changed):
                return backup
    return None


def _has(copy: Project, changed: ChangedRows) -> bool:
    """Whether a backup has all of the rows, whatever they say."""
    with copy.read_transaction() as stores:
        driver = driver_connection(stores._connection)
        names = {row for row in changed.rows if isinstance(row, str)}
        ranges = [row for row in changed.rows if not isinstance(row, str)]
        present: Iterable[str] = names
        match changed.subject:
            case Subject.PAPERS | Subject.PAPER_SPLITS | Subject.TEXTS:
                present = stores.papers.text_digests()
            case Subject.PAIRS | Subject.SENTENCES | Subject.LABELS | Subject.KINDS | Subject.SPLITS:
                present = stores.pairs.present([*names])
            case subject if subject in CHECKED_TABLES:
                present = {name for table in CHECKED_TABLES[subject] for name in row_names(driver, table)}
        return names <= {*present} and all(rows.is_in(driver) for rows in ranges)
