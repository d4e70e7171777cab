"""The databases that a corpus is loaded into, by URL: PostgreSQL, and files of DuckDB.

PostgreSQL by ADBC: its wheels (Apache-2.0) bring libpq, so that a password file, a service file and TLS work as in
psql, and rows go from Arrow into binary COPY without becoming Python objects. A password is in no message.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from typing import Any
from urllib.parse import unquote

from miner.corpus.database import OFFLINE, first_line
from miner.corpus.warehouse import Warehouse, quoted
from miner.errors import UserError
from miner.installation import extra_error, is_installed
from miner.libraries import duckdb, pa
from miner.paths import expand_home

_PASSWORD = re.compile(r"(?<=://)\S*@|(?i:password=)[^\s&'\"]*")
_WAIT_SECONDS = 10  # for a server that does not answer
_MORE = re.compile(r" (?:DETAIL:|HINT:|CONTEXT:|LINE \d+:|Query was:|\. SQLSTATE:)")  # after the server's sentence
NOTHING_CHANGED = "The tables are as they were before."
_HINTS = (  # by SQLSTATE or by words of the message
    (
        ("28P01", "28000", "password authentication failed", "no password supplied", "no pg_hba.conf entry"),
        "The server does not accept the user or the password",
        "Set PGPASSWORD or write ~/.pgpass, and check the user in postgresql://USER@HOST/DATABASE.",
    ),
    (
        ("3D000",),
        "There is no such database",
        "Create it: createdb NAME, or name another one: postgresql://HOST/DATABASE.",
    ),
    (
        ("42501",),
        "The user may not do this",
        "Have its owner say: GRANT CREATE ON DATABASE … TO …, load as the user who made the tables, or name a schema "
        "of the user's own: --schema NAME.",
    ),
    (("25006",), "The database can only be read", "Name the server that is written to rather than its copy."),
    (
        ("42P01", "42703"),
        "A table of the last load is not as it was loaded",
        "Drop the schema, so that it is loaded anew, or name another one: --schema NAME.",
    ),
    (
        ("53300", "too many connections", "too many clients"),
        "The server takes no more connections",
        "Load again later.",
    ),
    (("53100", "No space left"), "The server's disk is full", "Free some space there, then load again."),
    (("2BP01",), "Other views or tables depend on those of an older version", "Drop them, or name another --schema."),
    (
        ("could not translate host name", "Connection refused", "timeout expired", "No route to host", "unreachable"),
        "The server cannot be reached",
        "Check the host and the port, and that the server listens there: psql URL.",
    ),
    (("08", "57P", "server closed the connection"), "The connection was lost", "Load again."),
)


def without_password(url: str) -> str:
    """The URL as it may be shown."""
    return _PASSWORD.sub(lambda found: "" if found[0].endswith("@") else f"{found[0][:9]}…", url)


@contextmanager
def opened_warehouse(url: str) -> Iterator[Warehouse]:
    """The database of a URL, in a transaction that is rolled back unless it is committed.

    `postgresql://…`, `duckdb:///path` or a file that ends with `.duckdb`. `UserError` for others.
    """
    scheme, separator, rest = url.partition("://")
    if separator and scheme in ("postgresql", "postgres"):
        with _Postgres(url) as warehouse:
            yield warehouse
    elif (separator and scheme == "duckdb") or (not separator and url.endswith(".duckdb")):
        with _DuckdbFile(rest.removeprefix("/") if separator and _is_drive(rest) else rest or url) as warehouse:
            yield warehouse
    else:
        what = f"{without_password(url)} is no database that a corpus can be loaded into."
        raise UserError(what, hint="Write postgresql://HOST/DATABASE, or a file such as corpus.duckdb.")


def _is_drive(path: str) -> bool:
    return re.match(r"/[A-Za-z]:", path) is not None


class _Postgres:
    refuses_nul = True

    def __init__(self, url: str) -> None:
        if not is_installed("adbc_driver_postgresql"):
            raise extra_error("corpus", "adbc-driver-postgresql", "Loading into PostgreSQL")
        from adbc_driver_postgresql import dbapi

        self._dbapi, self._url = dbapi, url
        mark = "&" if "?" in url else "?"
        timeout = "" if "connect_timeout" in url else f"{mark}connect_timeout={_WAIT_SECONDS}"
        with self._translated():
            self._connection = dbapi.connect(url + timeout)
        [[lock]] = self.run("SELECT pg_try_advisory_xact_lock(hashtext('pairwright corpus load'))")
        if not lock:
            self._connection.close()
            what = f"Another load into {without_password(url)} is at work."
            raise UserError(what, hint="Load again when it has ended.")

    def __enter__(self) -> _Postgres:
        return self

    def __exit__(self, *_: object) -> None:
        """Leave without the changes that were not committed."""
        self._connection.close()

    def run(self, sql: str) -> list[tuple[Any, ...]]:
        with self._translated(), closing(self._connection.cursor()) as cursor:
            cursor.execute(sql)
            return list(cursor.fetchall()) if cursor.description else []

    def prepare_keys(self) -> None:
        self.run("SET LOCAL maintenance_work_mem = '256MB'")  # more than the usual 64 MB: several processes sort

    def insert(self, schema: str, table: str, columns: Sequence[str], reader: pa.RecordBatchReader) -> None:
        with (
            _own_errors(reader) as watched,
            self._translated(),
            closing(self._connection.cursor()) as cursor,
        ):
            cursor.adbc_ingest(table, watched, mode="append", db_schema_name=schema)

    def commit(self) -> None:
        with self._translated():
            self._connection.commit()

    @contextmanager
    def _translated(self) -> Iterator[None]:
        try:
            yield
        except self._dbapi.Error as exc:
            raise _postgres_error(exc, self._url) from None  # the error may quote the URL


def _postgres_error(exc: Any, url: str) -> UserError:
    text = " ".join(without_password(str(exc)).split())
    for secret in _secrets(url):
        text = text.replace(secret, "…")
    state = getattr(exc, "sqlstate", None) or ""
    shown = without_password(url)
    for marks, what, hint in _HINTS:
        if any(mark in text or (state and state.startswith(mark)) for mark in marks if mark):
            return UserError(f"{what}: {shown}. {_reason(text)}", hint=f"{hint} {NOTHING_CHANGED}")
    if "does not exist" in text and "database" in text:
        _, what, hint = _HINTS[1]
        return UserError(f"{what}: {shown}. {_reason(text)}", hint=f"{hint} {NOTHING_CHANGED}")
    return UserError(f"{shown} cannot be loaded into. {_reason(text)}", hint=NOTHING_CHANGED)


def _reason(text: str) -> str:
    """The message of the server or libpq, without the text that the driver adds."""
    found = re.search(r"(?:FATAL|ERROR): *(.*)", text)
    text = _MORE.split(found[1] if found else text, maxsplit=1)[0]
    return f"({text[:300].rstrip(' .')})"


def _secrets(url: str) -> list[str]:
    """The passwords in a URL, as they are written and as they are meant."""
    written = [url.partition("://")[2].rpartition("@")[0].partition(":")[2]]
    written += re.findall(r"(?i)password=([^&\s]*)", url)
    return sorted({secret for text in written for secret in (text, unquote(text)) if secret}, key=len, reverse=True)


@contextmanager
def _own_errors(reader: pa.RecordBatchReader) -> Iterator[pa.RecordBatchReader]:
    """The same rows; what reading them raises leaves the block as it is, though a database makes a text of it."""
    failures = list[BaseException]()

    def batches() -> Iterator[pa.RecordBatch]:
        try:
            yield from reader
        except BaseException as exc:
            failures.append(exc)
            raise

    try:
        yield pa.RecordBatchReader.from_batches(reader.schema, batches())
    except UserError:
        if failures:
            raise failures[0] from None
        raise


_DUCKDB_HINTS = (  # by words of the message
    ("lock", "Close the program that has it open."),
    ("No space left", "Free some space, then load again."),
    ("valid DuckDB", "It is another kind of file: name a new one."),
    ("Extension", "It is another kind of file: name a new one."),
    ("Is a directory", "It is a folder: name a file in it."),
    ("No such file or directory", "Make its folder first."),
    ("Permission denied", "Name a file in a folder of your own."),
    ("newer", "It was written by a newer DuckDB: name a new file."),
)


class _DuckdbFile:
    refuses_nul = False

    def __init__(self, path: str) -> None:

        self._path, self._duckdb = expand_home(path).absolute(), duckdb
        with self._translated():
            self._database = duckdb.connect(str(self._path), config=OFFLINE)
            self._database.execute("BEGIN")

    def __enter__(self) -> _DuckdbFile:
        return self

    def __exit__(self, *_: object) -> None:
        self._database.close()

    def run(self, sql: str) -> list[tuple[Any, ...]]:
        with self._translated():
            return list(self._database.execute(sql).fetchall())

    def prepare_keys(self) -> None:
        """Nothing is to be done."""

    def insert(self, schema: str, table: str, columns: Sequence[str], reader: pa.RecordBatchReader) -> None:
        with _own_errors(reader) as watched, self._translated():
            self._database.register("given_rows", watched)
            listed = ", ".join(map(quoted, columns))
            self._database.execute(
                f"INSERT INTO {quoted(schema)}.{quoted(table)} ({listed}) SELECT {listed} FROM given_rows"
            )
            self._database.unregister("given_rows")

    def commit(self) -> None:
        with self._translated():
            self._database.execute("COMMIT")

    @contextmanager
    def _translated(self) -> Iterator[None]:
        try:
            yield
        except self._duckdb.Error as exc:
            text = first_line(exc)
            hint = next((hint for words, hint in _DUCKDB_HINTS if words in text), "")
            what = f"{self._path} cannot be loaded into: {text}"
            raise UserError(what, hint=f"{hint} {NOTHING_CHANGED}".strip()) from exc
