"""The project file: create it, open it, close it, and run transactions on it."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Self

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import DBAPIError
from sqlalchemy.pool import ConnectionPoolEntry, NullPool

from miner.atomic_files import delete_abandoned, make_folder, rename, sync_folder, temporary_path
from miner.errors import UserError
from miner.paths import exists, name_problem, write_hint
from miner.processes.computer_locks import ComputerLock
from storage import migrations
from storage.claims import can_be_locked, claim, lost_claim_error
from storage.connections import PATH, connect, driver_connection
from storage.errors import missing_project_error, read_only_error, translate_errors
from storage.file_checks import (
    BUSY_TIMEOUT_S,
    check_project_file,
    claim_to_read,
    companion_path,
    is_immutable,
    make_companions_writable,
)
from storage.integrity import history_chain
from storage.integrity.checksums import add_checksums, fill_checksums
from storage.integrity.commit_chain import add_commit
from storage.stores import Stores

# Page cache of a transaction. Writers return to the same index pages; readers mostly read each page once, and what fits
# the processor's cache is read up to twice as fast.
_WRITE_CACHE_KB, _READ_CACHE_KB = 32_000, 2_000


class Project:
    """An open project file, also a context manager that closes it.

    It may be used by several threads; each transaction has its own connection and belongs to one thread.
    """

    def __init__(
        self,
        path: Path,
        *,
        writable: bool,
        busy_timeout_s: float,
        immutable: bool = False,
        is_being_built: bool = False,
    ) -> None:
        self.path = path
        self.is_being_built = is_being_built
        """Whether it is only there when it is finished (`building`): one transaction at a time, read or write."""
        self.is_whole_after_writes = False
        """Whether each transaction ends with everything in the file itself, so that copying it alone loses nothing."""
        self._writable = writable
        self._busy_timeout_s = busy_timeout_s
        self._write_lock = threading.RLock()  # our own threads wait for each other as long as it takes
        mode = "rw" if writable else "ro&immutable=1" if immutable else "ro"
        self._file, self._mode = path.resolve(), mode
        self._identity = _identity(path)
        self._claim: ComputerLock | None = None  # of a project on a network drive
        self._anchor: sqlite3.Connection | None = None  # to this file, even when it is moved or replaced
        self._schema_version = 0  # SQLite's counter of schema changes, when the schema was last checked
        self._engine = self._create_engine(self._prepare)
        self._writer = self._create_engine(self._prepare_to_write)

    @classmethod
    def create(cls, path: Path, *, busy_timeout_s: float = BUSY_TIMEOUT_S) -> Self:
        """Create a new, empty project, and open it.

        Raises `UserError` if the path exists or cannot be written. The file appears whole or not at all.
        """
        with _unfinished(path) as part:
            with translate_errors(path):
                _write_schema(part)
                _finish(part)
            _publish(part, path)
        return cls.open(path, busy_timeout_s=busy_timeout_s)

    @classmethod
    @contextmanager
    def building(cls, path: Path) -> Iterator[Self]:
        """A new project, moved to its path when the block ends; if the block raises, its file is deleted.

        Until then nothing waits for the disk, and SQLite keeps no WAL, from which it would copy all that is written.
        Raises `UserError` if the path exists or cannot be written.
        """
        with _unfinished(path) as part:
            try:
                with translate_errors(part):
                    _write_schema(part)
                with cls(part, writable=True, busy_timeout_s=BUSY_TIMEOUT_S, is_being_built=True) as project:
                    yield project
                with translate_errors(part):
                    _finish(part)
                _publish(part, path)
            except UserError as exc:
                raise UserError(str(exc).replace(str(part), str(path)), hint=exc.hint) from exc

    @classmethod
    def open(
        cls, path: Path, *, read_only: bool = False, busy_timeout_s: float = BUSY_TIMEOUT_S, is_checked: bool = False
    ) -> Self:
        """Open the project at `path`. An older one is updated; a copy of the old file is kept beside it.

        Raises `UserError` if it is missing, not a project, damaged, newer than this program, in use for longer than
        `busy_timeout_s` seconds, or on a network drive and in use on another computer. Checks what is cheap to check,
        unless it `is_checked` already, by another `Project` in this program; `check` checks everything.
        """
        held = claim_to_read(path) if read_only else claim(path)
        try:
            project = cls._open(path, read_only=read_only, busy_timeout_s=busy_timeout_s, is_checked=is_checked)
        except BaseException:
            if held is not None:
                held.release()
            raise
        project._claim = held
        return project

    @classmethod
    def _open(cls, path: Path, *, read_only: bool, busy_timeout_s: float, is_checked: bool) -> Self:
        if not read_only:
            make_companions_writable(path)
        version = migrations.HEAD if is_checked else check_project_file(path, busy_timeout_s=busy_timeout_s)
        with translate_errors(path):
            if version < migrations.HEAD:
                if read_only:
                    raise UserError(
                        f"{path} was made by an older Pairwright.", hint="Open it for writing, to update it."
                    )
                migrations.back_up(path, path.with_name(f"{path.stem}.before-{migrations.HEAD}{path.suffix}"))
                migrations.upgrade(path)
            immutable = read_only and is_immutable(path)
            project = cls(path, writable=not read_only, busy_timeout_s=busy_timeout_s, immutable=immutable)
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
        """Close the file.

        When the last program closes it, SQLite moves the WAL into it, so that a single file is left.
        """
        if not self.is_there:
            self._checkpoint()
        self._engine.dispose()
        self._writer.dispose()
        if self._anchor is not None:
            self._anchor.close()
            self._anchor = None
        if self._claim is not None:
            self._claim.release()
            self._claim = None

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
        """A writing transaction: committed at the end, rolled back when an exception leaves it.

        There is one writer at a time, so compute before you open one. It is on disk when the block ends, unless it is
        `bulk`, for data that can be computed again: a power cut may undo the last bulk transactions, each as a whole.
        """
        if not self._writable:
            raise read_only_error(self.path)
        if not self.is_there:
            self._checkpoint()
            raise self._gone()
        if self._claim is not None and not self._claim.is_held:
            raise lost_claim_error(self.path)
        synchronous = "OFF" if self.is_being_built else "NORMAL" if bulk else "FULL"
        options = {"begin": "BEGIN IMMEDIATE", "synchronous": synchronous}
        with self._write_lock, translate_errors(self.path), self._writer.connect() as connection:
            connection = connection.execution_options(**options)
            with connection.begin():
                self._check_triggers(connection)
                driver = driver_connection(connection)
                before = driver.total_changes
                yield Stores(connection)
                history_chain.seal_added(driver)
                fill_checksums(driver)
                if driver.total_changes != before:
                    add_commit(driver)
            if self.is_whole_after_writes and self._anchor is not None:
                with suppress(sqlite3.Error):  # the next transaction, or closing, will move it
                    self._anchor.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()

    @contextmanager
    def read_transaction(self) -> Iterator[Stores]:
        """A transaction that only reads: it sees the project as it was at the first read, and blocks nobody."""
        with translate_errors(self.path), self._engine.connect() as connection, connection.begin():
            yield Stores(connection)

    def stamp(self) -> tuple[int, ...]:
        """A value that changes whenever any program writes to the file; () when the file is not there."""
        values: list[int] = []
        if not self.is_there:
            self._checkpoint()
            return ()
        for path in (self._file, companion_path(self._file, "-wal")):
            with suppress(FileNotFoundError):  # no writer has the project open
                state = path.stat()
                values += (state.st_mtime_ns, state.st_size)
        return tuple(values)

    def check(self) -> list[str]:
        """All faults of the file, in sentences. Slow: reads the whole file."""
        with translate_errors(self.path), self._engine.connect() as connection:
            problems = [str(row[0]) for row in connection.exec_driver_sql("PRAGMA integrity_check(20)")]
            problems = [] if problems == ["ok"] else problems
            for table, _, parent, _ in connection.exec_driver_sql("PRAGMA foreign_key_check"):
                problems.append(f"A row of {table} points to a row of {parent} that is not there.")
        if self._writable:
            try:
                with self.transaction() as stores:
                    stores._connection.exec_driver_sql(
                        "INSERT INTO pairs_text (pairs_text, rank) VALUES ('integrity-check', 1)"
                    )
            except (UserError, DBAPIError) as exc:  # what a damaged index says may be any error of SQLite's
                why = exc.orig if isinstance(exc, DBAPIError) else exc
                problems.append(f"The full-text index does not match the pairs: {why}")
        return problems

    def _connect(self) -> sqlite3.Connection:
        if not self.is_there:
            raise self._gone()
        return connect(self._file, mode=self._mode, busy_timeout_s=self._busy_timeout_s)

    def _gone(self) -> UserError:
        what = "replaced by another file" if exists(self.path) else "moved or deleted"
        return missing_project_error(self.path, what)

    def _checkpoint(self) -> None:
        """Move what the WAL holds into the file, wherever the file is now.

        When only the file is moved, its WAL stays behind: the last changes would be missing, and SQLite would apply
        them to whatever file gets the old name. SQLite does not prevent this by itself.
        """
        if self._anchor is not None:
            with self._write_lock, suppress(sqlite3.Error):
                self._anchor.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()

    def _create_engine(self, prepare: Callable[[DBAPIConnection, ConnectionPoolEntry], None]) -> Engine:
        pool = NullPool if "immutable" in self._mode else None  # such a connection would never see changes
        engine = create_engine(f"sqlite:///{self.path}", creator=self._connect, poolclass=pool)
        event.listen(engine, "connect", prepare)
        event.listen(engine, "begin", _begin_transaction)
        return engine

    def _check_triggers(self, connection: Connection) -> None:
        """Check that all triggers are ours before they run: another program may have changed the schema."""
        counter = connection.exec_driver_sql("PRAGMA schema_version").scalar_one()
        if counter != self._schema_version:
            migrations.check_schema(driver_connection(connection), self.path, migrations.HEAD)
            self._schema_version = counter

    def _prepare_to_write(self, connection: DBAPIConnection, entry: ConnectionPoolEntry) -> None:
        self._prepare(connection, entry)
        cursor = connection.cursor()
        cursor.execute("PRAGMA trusted_schema = ON")  # our full-text index needs it; see `_check_triggers`
        cursor.close()

    def _prepare(self, connection: DBAPIConnection, entry: ConnectionPoolEntry) -> None:
        entry.info[PATH] = self.path
        cursor = connection.cursor()
        for pragma in (
            "foreign_keys = ON",
            f"busy_timeout = {int(self._busy_timeout_s * 1000)}",
            "fullfsync = ON",  # of macOS alone: else what is committed stays in the cache of the drive
            *((f"journal_mode = {'MEMORY' if self.is_being_built else 'WAL'}",) if self._writable else ()),
        ):
            cursor.execute(f"PRAGMA {pragma}")
        cursor.close()
        assert isinstance(connection, sqlite3.Connection)
        add_checksums(connection)


@contextmanager
def _unfinished(path: Path) -> Iterator[Path]:
    """A new file beside `path`, for a project until it is moved there; at the end it is deleted if it is still there.

    A folder that was missing is made, and deleted again if it stays empty. Raises `UserError` if the path exists or
    cannot be written.
    """
    _check_new(path)
    try:
        made = make_folder(path.parent)
        delete_abandoned(path.parent)
        part = temporary_path(path.parent)
        part.touch(exist_ok=False)
    except OSError as exc:
        raise UserError(f"{path} cannot be created: {exc.strerror}.", hint=write_hint(exc)) from exc
    try:
        yield part
    finally:
        for file in (part, companion_path(part, "-wal"), companion_path(part, "-shm")):
            with suppress(OSError):  # it has become the project, or is not there; or a virus scanner has it open
                file.unlink()
        for folder in made:
            with suppress(OSError):  # it has the project
                folder.rmdir()


def _check_new(path: Path) -> None:
    """Raise `UserError` if the path exists, or if this system takes no file of that name, or the drive no project."""
    if problem := name_problem(path.name):
        raise UserError(f"{path} cannot be created. {problem}", hint="Choose another name.")
    if exists(path):
        raise UserError(f"{path} exists already.", hint="Choose another name, or open it.")
    if not can_be_locked(path):
        raise UserError(
            f"{path} cannot be created: it would be on a network drive that cannot lock or share files.",
            hint="Choose a folder on a disk of this computer.",
        )


def _identity(path: Path) -> tuple[int, int] | None:
    """The device and inode of a file, by which it is known under any name; None if there is none."""
    try:
        state = path.stat()
    except OSError:
        return None
    return state.st_dev, state.st_ino


def _write_schema(part: Path) -> None:
    with closing(sqlite3.connect(part)) as connection:
        connection.execute(f"PRAGMA application_id = {migrations.APPLICATION_ID}")
    migrations.upgrade(part)


def _finish(part: Path) -> None:
    """Set the file up for use by several connections; it is then on disk."""
    with closing(sqlite3.connect(part)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")


def _publish(part: Path, path: Path) -> None:
    """Give the finished file its name, on disk, unless a file of that name has appeared meanwhile."""
    try:
        path.hardlink_to(part)
    except FileExistsError as exc:
        raise UserError(f"{path} exists already.", hint="Choose another name, or open it.") from exc
    except OSError:  # a file system without hard links
        rename(part, path)
    sync_folder(path.parent)


def _begin_transaction(connection: Connection) -> None:
    options = connection.get_execution_options()
    mode = options.get("synchronous")
    connection.exec_driver_sql(f"PRAGMA cache_size = {-_WRITE_CACHE_KB if mode else -_READ_CACHE_KB}")
    if mode:
        connection.exec_driver_sql(f"PRAGMA synchronous = {mode}")
    connection.exec_driver_sql(options.get("begin", "BEGIN"))
