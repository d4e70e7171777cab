"""Upgrades: a project of every schema so far becomes one of today, whatever interrupts it, and its backups restore.

For each schema: every statement of the update fails once, as on a full disk, and the file is then as before; the
update is killed at random moments and steps, and completes; a file of a newer schema is refused in a sentence and stays
byte for byte; a rolling backup that was made at the schema restores, and opens with its answers. Schemas without a
stored file are made of the next older one by the migrations up to them.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from desktop.jobs.backups import restore
from desktop.jobs.results import describe
from miner.errors import UserError
from miner.progress import Progress
from storage import backups, migrations
from storage.connections import apply_guards, connect
from storage.project import Project
from storage.verification import find_changed_rows
from tests.storage.stored_schemas import OLDER, write_project
from tests.torture.budget import Budget, Row
from tests.torture.crashes import Trials, server
from tests.torture.journeys import update_journey

_AT = datetime(2026, 7, 1, tzinfo=UTC)
_MEMORY = next((folder for folder in ("/dev/shm",) if os.access(folder, os.W_OK)), None)
_NEWER = f"{int(migrations.HEAD) + 1:04}"
_SECONDS_OF_KILLS = 30.0  # a part that has as long also kills


def run(budget: Budget) -> Iterator[Row]:
    failures: list[str] = []
    failed = restored = refused = 0
    done: list[str] = []
    with tempfile.TemporaryDirectory(dir=_MEMORY) as name:
        folder = Path(name)
        schemas = [*OLDER]
        budget.draw.shuffle(schemas)
        statements_in_all = 0
        for schema in schemas:
            if budget.is_over:
                break
            path = folder / schema / "p.pairwright"
            path.parent.mkdir()
            write_project(schema, path)
            done.append(schema)
            failures += [f"schema {schema}: {problem}" for problem in _refuse_newer(path)]
            refused += 1
            failures += [f"schema {schema}: {problem}" for problem in _restore_backup(path)]
            restored += 1
            share = budget.part(0.5 / len(schemas))
            total = _count_statements(path)
            statements_in_all += total
            statements = [*range(1, total + 1)]
            share.draw.shuffle(statements)
            for statement in statements:
                if share.is_over:
                    break
                failures += [f"schema {schema}, statement {statement}: {one}" for one in _fail_at(path, statement)]
                failed += 1
        yield Row("schemas updated", ", ".join(sorted(done)))
        yield Row("statements that failed, each in a copy", f"{failed:,} of {statements_in_all:,}")
        yield Row("newer files that were to be refused", str(refused))
        yield Row("backups of older schemas restored", str(restored))
        if budget.seconds >= _SECONDS_OF_KILLS:
            kills, problems = _kill_updates(folder, budget)
            failures += problems
            yield Row("kills of updates", f"{kills:,}")
    for failure in failures[:20]:
        print(failure)
    yield Row(
        "updates that were half done, lost answers, or were not said in a sentence",
        str(len(failures)),
        "0",
        not failures,
    )


def _answers(path: Path) -> list[Any]:
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute("SELECT pair_key, annotator, new FROM label_events ORDER BY id").fetchall()


def _copy(path: Path) -> Path:
    folder = Path(tempfile.mkdtemp(dir=path.parent.parent))
    return Path(shutil.copy(path, folder))


def _refuse_newer(path: Path) -> Iterator[str]:
    """What is wrong when a project that a newer program has updated is opened, in sentences."""
    newer = _copy(path)
    with closing(sqlite3.connect(newer)) as connection, connection:
        connection.execute("UPDATE alembic_version SET version_num = ?", (_NEWER,))
    content = newer.read_bytes()
    try:
        Project.open(newer).close()
        yield "a newer file was opened"
    except UserError as exc:
        if "newer Pairwright" not in str(exc) or not exc.hint:
            yield f"a newer file was refused with: {exc}"
    if newer.read_bytes() != content or [*newer.parent.iterdir()] != [newer]:
        yield "a newer file was changed"
    shutil.rmtree(newer.parent)


def _restore_backup(path: Path) -> Iterator[str]:
    """What is wrong when a rolling backup of an older schema is restored, in sentences."""
    project = _copy(path)
    answers = _answers(project)
    backup = backups.back_up(project, _AT)
    Project.open(project).close()
    with closing(sqlite3.connect(backup.path)) as connection:
        if migrations.version(connection) == migrations.HEAD:
            yield "the backup was updated, too"
    done = restore(project, backup.path).work(Progress())
    if not describe(done).sentence:
        yield "nothing was said of the restored backup"
    yield from _faults(project, answers)
    shutil.rmtree(project.parent)


def _faults(path: Path, answers: list[Any]) -> Iterator[str]:
    """What is wrong with a project after its update, in sentences."""
    try:
        with Project.open(path) as opened:
            yield from opened.check()
            yield from map(str, find_changed_rows(opened))
    except UserError as exc:
        yield f"it cannot be opened: {exc}"
        return
    if _answers(path) != answers:
        yield "answers are others than before"


class _FullDisk(sqlite3.OperationalError):
    """What SQLite says when the disk is full."""


@contextmanager
def _statements(on_statement: Callable[[int], None]) -> Iterator[None]:
    """Inside, `on_statement` is called before each statement of the update, with its number from 1."""
    count = 0

    class CountedCursor(sqlite3.Cursor):
        def execute(self, *arguments: Any) -> Any:
            nonlocal count
            count += 1
            on_statement(count)
            return super().execute(*arguments)

        def executemany(self, *arguments: Any) -> Any:
            nonlocal count
            count += 1
            on_statement(count)
            return super().executemany(*arguments)

    class CountedConnection(sqlite3.Connection):
        def cursor(self, *_: Any) -> sqlite3.Cursor:  # type: ignore[override]
            return super().cursor(CountedCursor)

        def execute(self, *arguments: Any) -> sqlite3.Cursor:
            return self.cursor().execute(*arguments)

        def executemany(self, *arguments: Any) -> sqlite3.Cursor:
            return self.cursor().executemany(*arguments)

    def counted(path: Path, **options: Any) -> sqlite3.Connection:
        connect(path, **options).close()
        connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False, factory=CountedConnection)
        return apply_guards(connection)

    migrations.connect = counted  # type: ignore[attr-defined]
    try:
        yield
    finally:
        migrations.connect = connect  # type: ignore[attr-defined]


def _count_statements(path: Path) -> int:
    total = 0

    def count(number: int) -> None:
        nonlocal total
        total = number

    copy = _copy(path)
    with _statements(count):
        Project.open(copy).close()
    shutil.rmtree(copy.parent)
    return total


def _fail_at(path: Path, statement: int) -> Iterator[str]:
    """What is wrong when a statement of an update fails, in sentences."""

    def fail(number: int) -> None:
        if number == statement:
            error = _FullDisk("database or disk is full")
            error.sqlite_errorcode = sqlite3.SQLITE_FULL
            raise error

    copy = _copy(path)
    content = copy.read_bytes()
    try:
        with _statements(fail):
            Project.open(copy).close()
        yield "the error was passed over"
    except UserError as exc:
        if not str(exc):
            yield "the error is without words"
    except Exception as exc:  # noqa: BLE001  whatever it is, it is counted
        yield f"{type(exc).__name__}: {exc}"
    if copy.read_bytes() != content:
        yield "the file is not as before"
        yield from _faults(copy, _answers(path))
    shutil.rmtree(copy.parent)


def _kill_updates(folder: Path, budget: Budget) -> tuple[int, list[str]]:
    """How often updates were killed, and what was wrong then."""
    problems: list[str] = []
    kills = 0
    with server(folder, workers=False) as calls:
        schemas = [*OLDER]
        trials = {}
        while not budget.is_over:
            schema = budget.draw.choice(schemas)
            if schema not in trials:
                trials[schema] = Trials(update_journey(schema), folder, calls, folder)
            problems += trials[schema].try_once(budget)
        kills = sum(trial.tried.kills for trial in trials.values())
    return kills, problems
