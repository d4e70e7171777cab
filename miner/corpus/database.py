"""DuckDB over the files of a corpus, wherever they lie."""

from __future__ import annotations

import os
import tempfile
import threading
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, Self

from miner.corpus.locations import AGAIN, Location, is_of_service, translated
from miner.corpus.schema import TABLES
from miner.corpus.shards import ShardManifest
from miner.errors import UserError
from miner.installation import missing_extra
from miner.libraries import duckdb, pa

OFFLINE: dict[str, Any] = {"autoinstall_known_extensions": "false", "autoload_known_extensions": "false"}
FETCHED = 20_000  # rows
_AT_ONCE = 50_000  # rows that are read or inserted
_SCHEME = "pairwright"  # of the file system that DuckDB reads other file systems by


def base_address(database: duckdb.DuckDBPyConnection, out: Location) -> str:
    """The address of the corpus for DuckDB; registers its file system with DuckDB."""
    if out.is_local:
        return out.path
    if not database.filesystem_is_registered(_SCHEME):
        from fsspec.implementations.arrow import ArrowFSWrapper

        class CorpusFiles(ArrowFSWrapper):  # type: ignore[misc]  # of a library without types
            protocol = (_SCHEME,)

            @classmethod
            def _strip_protocol(cls, path: str) -> str:  # the library's cuts off the bucket
                return path.removeprefix(f"{_SCHEME}://")

            def _open(self, path: str, *_: Any, **__: Any) -> SharedFile:
                return SharedFile(self.fs.open_input_file(path))

        database.register_filesystem(CorpusFiles(out.system))
    return f"{_SCHEME}://{out.path}"


class SharedFile:
    """A file with a position for each thread: DuckDB seeks and reads one file in several threads."""

    def __init__(self, file: Any) -> None:
        self._file = file
        self._own = threading.local()

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        base = {os.SEEK_SET: 0, os.SEEK_CUR: self.tell(), os.SEEK_END: self._file.size()}[whence]
        self._own.position = base + offset
        return self.tell()

    def tell(self) -> int:
        return int(getattr(self._own, "position", 0))

    def read(self, size: int = -1) -> bytes:
        place = self.tell()
        content = bytes(self._file.read_at(size if size >= 0 else self._file.size() - place, place))
        self._own.position = place + len(content)
        return content

    def close(self) -> None:
        self._file.close()


def listed_files(base: str, names: Iterable[str]) -> str:
    """Files as a list of SQL strings."""
    return ", ".join("'{}'".format(f"{base}/{name}".replace("'", "''")) for name in names)


@contextmanager
def opened_shards(out: Location, manifest: ShardManifest, *, memory_mb: int = 1_000) -> Iterator[Any]:
    """A DuckDB connection with a view of each table of a settled corpus, by the table's name.

    It spills to the system's temporary folder. `UserError` where files are damaged, or there is no room.
    """
    if error := missing_extra("corpus", "Reading a corpus by SQL"):
        raise error

    with tempfile.TemporaryDirectory(prefix="pairwright-corpus-") as folder:
        limits = {"memory_limit": f"{memory_mb}MB", "temp_directory": folder}
        hint = f"Make it again: pairwright corpus settle {out.shown}"
        with (
            translated_errors(out, folder, "read", hint),
            closing(duckdb.connect(config={**OFFLINE, **limits})) as database,
        ):
            base = base_address(database, out)
            for table, schema in TABLES.items():
                if manifest.shards:
                    files = listed_files(base, (shard.path(table) for shard in manifest.shards))
                    database.execute(f"CREATE VIEW {table} AS FROM read_parquet([{files}])")
                else:
                    database.register("no_rows", schema.empty_table())
                    database.execute(f"CREATE TABLE {table} AS FROM no_rows")  # which cursors see, too
            yield database


@contextmanager
def translated_errors(out: Location, folder: str, doing: str, damage_hint: str) -> Iterator[None]:
    """Turns errors of DuckDB over a corpus into a `UserError`.

    folder: where it spills. doing: what is done, as a verb. damage_hint: what to do about a damaged file.
    """

    try:
        yield
    except duckdb.Error as exc:
        text = first_line(exc)
        is_full = "No space left" in text or "Could not write" in text
        if is_full or isinstance(exc, duckdb.OutOfMemoryException):
            what = f"There is not enough room to {doing} {out.shown}" + ("." if is_full else f": {text}")
            hint = f"Free some space in {Path(folder).parent}, or set TMPDIR to a folder on a larger disk. {AGAIN}"
            raise UserError(what, hint=hint) from exc
        # What a file system raises, and some damage, have the base class itself.
        if type(exc) is not duckdb.Error and not isinstance(exc, duckdb.IOException | duckdb.InvalidInputException):
            raise
        out.check_exists()
        if is_of_service(str(exc)):
            with translated(out.shown):
                raise OSError(str(exc)) from exc
        what = f"A file of {out.shown} is missing or damaged: {text}"
        raise UserError(what, hint=damage_hint) from exc


def rows_of(database: duckdb.DuckDBPyConnection, query: str) -> Iterator[tuple[Any, ...]]:
    """The rows of a query, fetched a few at a time while other rows are inserted."""
    cursor = database.cursor()
    result = cursor.execute(query)
    while rows := result.fetchmany(_AT_ONCE):
        yield from rows
    cursor.close()


class TableWriter:
    """Inserts rows into a table in batches, also while the connection is being read from; the last batch at its end."""

    def __init__(self, database: duckdb.DuckDBPyConnection, table: str, schema: pa.Schema) -> None:
        self._database, self._table, self._schema = database, table, schema
        self._rows: list[dict[str, Any]] = []

    def put(self, rows: Iterable[dict[str, Any]]) -> None:
        """Insert these rows."""
        self._rows += rows
        if len(self._rows) >= _AT_ONCE:
            self._insert()

    def _insert(self) -> None:
        if self._rows:
            cursor = self._database.cursor()
            cursor.register("given_rows", pa.Table.from_pylist(self._rows, schema=self._schema))
            cursor.execute(f"INSERT INTO {self._table} SELECT {', '.join(self._schema.names)} FROM given_rows")
            cursor.close()
            self._rows = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        if kind is None:
            self._insert()


def first_line(exc: Exception) -> str:
    """The first line of an error by a library."""
    return str(exc).strip().partition("\n")[0]
