"""The project file: creating, opening and closing it, and transactions on it."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager, suppress
from functools import cached_property
from pathlib import Path
from typing import Self, TypeVar

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.pool import ConnectionPoolEntry, NullPool

from miner.atomic_files import temporary_path
from miner.errors import UserError
from miner.paths import PROJECT_SUFFIX, exists, write_hint
from miner.progress import Progress
from storage import migrations
from storage.annotation.answers import LabelStore
from storage.annotation.history import ActionStore
from storage.annotation.marks import MarkStore
from storage.annotation.rounds import RoundStore
from storage.connections import cancellable, connect, driver_of
from storage.errors import gone, read_only, translated
from storage.file_checks import PATIENCE, beside, examine, free_companions, lies_still
from storage.mining.runs import MiningRunStore
from storage.models.evaluation import EvaluationStore
from storage.models.registry import ModelStore
from storage.models.suggestions import SuggestionStore
from storage.models.training_runs import TrainingStore
from storage.pairs.selection import SelectionStore
from storage.pairs.statistics import StatisticStore
from storage.pairs.store import PairStore
from storage.pairs.table import BrowseStore
from storage.papers.edits import PaperEditStore
from storage.papers.evidence import EvidenceStore
from storage.papers.files import FileStore
from storage.papers.parser_cache import ParserCache
from storage.papers.store import PaperStore
from storage.papers.table import PaperTable
from storage.settings import SettingStore

S = TypeVar("S")

SUFFIX = PROJECT_SUFFIX
# Kilobytes of pages a transaction may keep. Writers return to the same index pages; readers mostly pass through once,
# and what fits the processor's cache is read up to twice as fast.
_WRITING_CACHE, _READING_CACHE = 32_000, 2_000


def _store(make: Callable[[Connection], S]) -> cached_property[S]:
    """An attribute of `Stores`, made when it is first read: a transaction uses few of them."""
    return cached_property(lambda stores: make(stores._connection))


class Stores:
    """What the project holds, within one transaction."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection  # for storage's own modules

    papers = _store(PaperStore)
    paper_edits = _store(PaperEditStore)
    files = _store(FileStore)
    paper_table = _store(PaperTable)
    pairs = _store(PairStore)
    pair_table = _store(BrowseStore)
    selection = _store(SelectionStore)
    answers = _store(LabelStore)
    marks = _store(MarkStore)
    actions = _store(ActionStore)
    rounds = _store(RoundStore)
    mining_runs = _store(MiningRunStore)
    parser_cache = _store(ParserCache)
    settings = _store(SettingStore)
    evidence = _store(EvidenceStore)
    statistics = _store(StatisticStore)
    models = _store(ModelStore)
    training_runs = _store(TrainingStore)
    suggestions = _store(SuggestionStore)
    labelled_pairs = _store(EvaluationStore)

    def cancellable(self, progress: Progress) -> AbstractContextManager[None]:
        """Queries inside end with `Cancelled` when the job is to stop, however long they would take."""
        return cancellable(self._connection, progress)


class Project:
    """An open project file.

        with Project.open(path) as project:
            with project.transaction() as stores:
                stores.papers.save(paper, source)
            with project.reading() as stores:
                paper = stores.papers.get(md5)

    Usable from several threads; each transaction has its own connection and belongs to one thread.
    """

    def __init__(self, path: Path, *, writable: bool, patience: float, immutable: bool = False) -> None:
        self.path = path
        self._writable = writable
        self._patience = patience
        self._writing = threading.RLock()  # our own threads wait for each other as long as it takes
        mode = "rw" if writable else "ro&immutable=1" if immutable else "ro"
        self._file, self._mode = path.resolve(), mode
        self._identity = _identity(path)
        self._anchor: sqlite3.Connection | None = None  # to the file itself, also when its name is another's
        self._schema = 0  # the file's counter of changes to its schema, when that was last looked at
        self._engine = self._made_engine(self._prepare)
        self._writer = self._made_engine(self._prepare_to_write)

    @classmethod
    def create(cls, path: Path, *, patience: float = PATIENCE) -> Self:
        """A new, empty project, open; `UserError` where something of that name exists or nothing can be written.

        The file appears whole or not at all.
        """
        if exists(path):
            raise UserError(f"{path} exists already.", hint="Choose another name, or open it.")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            part = temporary_path(path.parent)
            part.touch(exist_ok=False)
        except OSError as exc:
            raise UserError(f"{path} cannot be made: {exc.strerror}.", hint=write_hint(exc)) from exc
        try:
            with translated(path):
                with closing(sqlite3.connect(part)) as connection:
                    connection.execute(f"PRAGMA application_id = {migrations.APPLICATION_ID}")
                migrations.upgrade(part)
                with closing(sqlite3.connect(part)) as connection:
                    connection.execute("PRAGMA journal_mode = WAL")
            _publish(part, path)
        finally:
            with suppress(FileNotFoundError):  # renamed: there is nothing to clear away
                part.unlink()
        return cls.open(path, patience=patience)

    @classmethod
    def open(
        cls, path: Path, *, read_only: bool = False, patience: float = PATIENCE, is_examined: bool = False
    ) -> Self:
        """The project at `path`; an older one is brought up to date, a copy of it kept beside it.

        `UserError` where it is missing, not a project, damaged, newer than this program, or in use for longer than
        `patience` seconds. Looks at what is cheap to look at, unless it `is_examined`: open elsewhere in this program;
        `check` looks at everything.
        """
        if not read_only:
            free_companions(path)
        version = migrations.HEAD if is_examined else examine(path, patience=patience)
        with translated(path):
            if version < migrations.HEAD:
                if read_only:
                    raise UserError(f"{path} is of an older Pairwright.", hint="Open it for writing; that updates it.")
                migrations.back_up(path, path.with_name(f"{path.stem}.before-{migrations.HEAD}{path.suffix}"))
                migrations.upgrade(path)
            project = cls(path, writable=not read_only, patience=patience, immutable=read_only and lies_still(path))
            try:
                with project._engine.connect() as connection:
                    connection.exec_driver_sql("SELECT 1 FROM papers").first()
                if not read_only:
                    project._anchor = project._connect()
                    project._anchor.execute("SELECT 1 FROM papers").fetchone()
            except BaseException:
                project.close()
                raise
        return project

    def close(self) -> None:
        """Let go of the file. The last program to do so leaves one file: SQLite folds the WAL into it."""
        if not self.is_there:
            self._fold()
        self._engine.dispose()
        self._writer.dispose()
        if self._anchor is not None:
            self._anchor.close()
            self._anchor = None

    @property
    def is_there(self) -> bool:
        """False when the file was moved, deleted or replaced while it was open."""
        return self._identity is not None and _identity(self.path) == self._identity

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @contextmanager
    def transaction(self, *, bulk: bool = False) -> Iterator[Stores]:
        """A writing transaction: all of it is kept at the end, or nothing when an exception leaves it.

        There is one writer at a time, so compute first and write then. On disk before the next line, unless `bulk`:
        for what a machine can make again; then a power cut may take the last transactions back (never half of one).
        """
        if not self._writable:
            raise read_only(self.path)
        if not self.is_there:
            self._fold()
            raise self._gone()
        options = {"begin": "BEGIN IMMEDIATE", "synchronous": "NORMAL" if bulk else "FULL"}
        with self._writing, translated(self.path), self._writer.connect() as connection:
            connection = connection.execution_options(**options)
            with connection.begin():
                self._check_triggers(connection)
                yield Stores(connection)

    @contextmanager
    def reading(self) -> Iterator[Stores]:
        """A reading transaction: sees the project as it was at the first read, and holds up nobody."""
        with translated(self.path), self._engine.connect() as connection, connection.begin():
            yield Stores(connection)

    def stamp(self) -> tuple[int, ...]:
        """Differs from an earlier one when anything was written since, by whatever program; () when it is not there."""
        found: list[int] = []
        if not self.is_there:
            self._fold()
            return ()
        for path in (self._file, beside(self._file, "-wal")):
            with suppress(FileNotFoundError):  # no writer has the project open
                state = path.stat()
                found += (state.st_mtime_ns, state.st_size)
        return tuple(found)

    def check(self) -> list[str]:
        """Everything that is wrong with the file, in sentences; slow (reads all of it)."""
        with translated(self.path), self._engine.connect() as connection:
            found = [str(row[0]) for row in connection.exec_driver_sql("PRAGMA integrity_check(20)")]
            found = [] if found == ["ok"] else found
            for table, _, parent, _ in connection.exec_driver_sql("PRAGMA foreign_key_check"):
                found.append(f"A row of {table} points to a row of {parent} that is not there.")
        if self._writable:
            try:
                with self.transaction() as stores:
                    stores._connection.exec_driver_sql(
                        "INSERT INTO pairs_text (pairs_text, rank) VALUES ('integrity-check', 1)"
                    )
            except UserError as exc:
                found.append(f"The full-text index does not match the pairs: {exc}")
        return found

    def _connect(self) -> sqlite3.Connection:
        if not self.is_there:
            raise self._gone()
        return connect(self._file, mode=self._mode, patience=self._patience)

    def _gone(self) -> UserError:
        what = "replaced by another file" if exists(self.path) else "moved or deleted"
        return gone(self.path, what)

    def _fold(self) -> None:
        """Put what the WAL holds into the file, wherever that is now.

        The WAL stays behind when a file is moved, without what was saved last, and would be taken for that of whatever
        has the name next. SQLite itself does not fold it then.
        """
        if self._anchor is not None:
            with self._writing, suppress(sqlite3.Error):
                self._anchor.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()

    def _made_engine(self, prepare: Callable[[DBAPIConnection, ConnectionPoolEntry], None]) -> Engine:
        still = "immutable" in self._mode  # such a connection would not notice that what it has read was changed
        pool = NullPool if still else None
        engine = create_engine(f"sqlite:///{self.path}", creator=self._connect, poolclass=pool)
        event.listen(engine, "connect", prepare)
        event.listen(engine, "begin", _begin)
        return engine

    def _check_triggers(self, connection: Connection) -> None:
        """Triggers run from here on: they must be ours, whoever else has written to the file since it was opened."""
        counter = connection.exec_driver_sql("PRAGMA schema_version").scalar_one()
        if counter != self._schema:
            migrations.check_schema(driver_of(connection), self.path, migrations.HEAD)
            self._schema = counter

    def _prepare_to_write(self, connection: DBAPIConnection, entry: ConnectionPoolEntry) -> None:
        self._prepare(connection, entry)
        cursor = connection.cursor()
        cursor.execute("PRAGMA trusted_schema = ON")  # of ours, the full-text index has triggers: `_check_triggers`
        cursor.close()

    def _prepare(self, connection: DBAPIConnection, _: ConnectionPoolEntry) -> None:
        cursor = connection.cursor()
        for pragma in (
            "foreign_keys = ON",
            f"busy_timeout = {int(self._patience * 1000)}",
            *(("journal_mode = WAL",) if self._writable else ()),
        ):
            cursor.execute(f"PRAGMA {pragma}")
        cursor.close()


def _identity(path: Path) -> tuple[int, int] | None:
    """Which file this is, whatever it is called; None where there is none."""
    try:
        state = path.stat()
    except OSError:
        return None
    return state.st_dev, state.st_ino


def _publish(part: Path, path: Path) -> None:
    """Give the finished file its name, unless another program took it meanwhile."""
    try:
        path.hardlink_to(part)
    except FileExistsError as exc:
        raise UserError(f"{path} exists already.", hint="Choose another name, or open it.") from exc
    except OSError:  # a file system without hard links
        part.rename(path)


def _begin(connection: Connection) -> None:
    options = connection.get_execution_options()
    mode = options.get("synchronous")
    connection.exec_driver_sql(f"PRAGMA cache_size = {-_WRITING_CACHE if mode else -_READING_CACHE}")
    if mode:
        connection.exec_driver_sql(f"PRAGMA synchronous = {mode}")
    connection.exec_driver_sql(options.get("begin", "BEGIN"))
