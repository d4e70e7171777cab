"""Loads a settled corpus into the tables of a database: all of it in one transaction, or nothing.

A later load replaces the rows of changed shards; readers meanwhile see the earlier rows.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Protocol

from miner.corpus.database import FETCHED, listed_files
from miner.corpus.schema import TABLES
from miner.corpus.shards import ShardManifest
from miner.corpus.warehouse_schema import (
    EVENTS,
    FIGURES,
    LOADS,
    SHARDS,
    SINCE,
    WAREHOUSE_TABLES,
    WAREHOUSE_VERSION,
    WarehouseTable,
)
from miner.corpus.warehouse_views import VIEWS
from miner.errors import UserError
from miner.libraries import pa, pc
from miner.progress import Progress, Tick

_PREFIX = re.compile(r"[0-9a-f]{1,8}")
_SCHEMA = re.compile(r"[^\W\d][\w $-]{0,62}")
_PATIENCE = 0.2  # seconds between reports
_REPLACEMENT = 0xFFFD  # stands for the NUL character, which PostgreSQL takes in no text


class Warehouse(Protocol):
    """A database with an open transaction. Errors leave it as `UserError`."""

    refuses_nul: bool

    def prepare_keys(self) -> None:
        """Prepare the database to build the keys of many rows quickly, until the transaction ends."""

    def run(self, sql: str) -> list[tuple[Any, ...]]:
        """Execute a statement; its rows."""

    def insert(self, schema: str, table: str, columns: Sequence[str], reader: pa.RecordBatchReader) -> None:
        """Append rows to a table, by the database's bulk way."""

    def commit(self) -> None:
        """Make the transaction's changes visible."""


@dataclass(frozen=True, slots=True)
class WarehouseSource:
    """A settled corpus, as it is loaded.

    database, base: DuckDB, and its address of the corpus. figures: gives the rows of the tables `FIGURES` but `shards`;
    it runs in a thread of its own while others load. answers: gives the events of people, sorted; answers_digest is
    another one when they have changed. Both are asked only if something has.
    """

    database: Any
    base: str
    manifest: ShardManifest
    figures: Callable[[Progress], dict[str, pa.Table]]
    answers: Callable[[], pa.Table]
    answers_digest: str


@dataclass(frozen=True, slots=True)
class LoadedRows:
    """What a load did. changed: shards that were loaded, of `shards`; rows: how many, by table that was loaded."""

    shards: int
    changed: int
    removed: int
    rows: dict[str, int]


def load_warehouse(
    warehouse: Warehouse, source: WarehouseSource, schema: str, on_step: Callable[[int, int | None, str], None]
) -> LoadedRows:
    """Load a corpus, unless the same shards and answers are loaded already.

    on_step: is called with the number of loaded rows, their total and the step; if it raises, nothing is changed.
    """
    if not _SCHEMA.fullmatch(schema):
        what = f"“{schema}” is no name for a schema."
        raise UserError(what, hint="Begin with a letter, then letters, digits, - and _, 63 characters at most.")
    return _Load(warehouse, source, schema, on_step).run()


def quoted(name: str) -> str:
    """The name as an identifier."""
    return '"{}"'.format(name.replace('"', '""'))


def literal(text: str) -> str:
    """The text as a string of SQL."""
    return "'{}'".format(text.replace("'", "''"))


class _Load:
    """One run of `load_warehouse`."""

    def __init__(
        self,
        warehouse: Warehouse,
        source: WarehouseSource,
        schema: str,
        on_step: Callable[[int, int | None, str], None],
    ) -> None:
        self._warehouse, self._source, self._manifest = warehouse, source, source.manifest
        self._name, self._schema, self._on_step = schema, quoted(schema), on_step
        self._done = self._total = 0

    def run(self) -> LoadedRows:
        is_new = not self._has_tables()
        before = {} if is_new else dict(self._warehouse.run(f"SELECT prefix, content FROM {self._of('shards')}"))
        [(run, digest)] = (
            [("", "")] if is_new else self._warehouse.run(f"SELECT run, answers FROM {self._of('loaded')}")
        )
        # The digest of a shard says which papers are in it; the run says how they were mined.
        if run != self._manifest.run:
            before = dict.fromkeys(before, "")
        wanted = {shard.prefix: shard for shard in self._manifest.shards}
        changed = sorted(prefix for prefix, shard in wanted.items() if before.get(prefix) != shard.content)
        gone = sorted(prefix for prefix in before if prefix not in wanted)
        rows: dict[str, int] = {}
        if is_new or changed or gone:
            self._delete([*(prefix for prefix in changed if prefix in before), *gone])
            rows = {table: sum(wanted[prefix].sizes[table].rows for prefix in changed) for table in TABLES}
            self._load_shards(changed, rows)
        if digest != self._source.answers_digest:
            rows["answers"] = self._write_answers()
        if is_new:
            self._finish_tables()
        if rows:
            self._on_step(self._total, self._total, "committing")
            self._warehouse.commit()
        return LoadedRows(len(wanted), len(changed), len(gone), rows)

    def _load_shards(self, changed: Sequence[str], rows: dict[str, int]) -> None:
        """Copy the rows of these shards, and measure all of them meanwhile."""
        wanted = {shard.prefix: shard for shard in self._manifest.shards}
        self._total = sum(rows.values())
        with _started(self._source.figures) as figures:
            for table in TABLES:
                self._copy(table, [wanted[prefix].path(table) for prefix in changed])
            while not figures.wait(_PATIENCE):
                self._on_step(*figures.tick)
            self._write_figures(figures.result())

    def _of(self, table: str) -> str:
        return f"{self._schema}.{quoted(table)}"

    def _has_tables(self) -> bool:
        """Whether there is a load of this version already; else makes empty tables."""
        query = f"SELECT table_name FROM information_schema.tables WHERE table_schema = {literal(self._name)}"
        run = self._warehouse.run
        there = {str(name) for (name,) in run(query)}
        if LOADS in there:
            versions = run(f"SELECT version FROM {self._of(LOADS)}")
            version = int(versions[0][0]) if versions else 0
            if version == WAREHOUSE_VERSION:
                return True
            if version > WAREHOUSE_VERSION:
                what = f"The tables of the schema {self._name} have version {version}; "
                what += f"this program writes version {WAREHOUSE_VERSION}."
                raise UserError(
                    what, hint="Update Pairwright, or name another schema: --schema NAME. Nothing was changed."
                )
            own = [name for name in (*WAREHOUSE_TABLES, *VIEWS, LOADS) if SINCE.get(name, 1) <= version]
            for name in reversed(own):  # a view before those that it reads
                run(f"DROP {'VIEW' if name in VIEWS else 'TABLE'} IF EXISTS {self._of(name)}")
            there -= {*own}
        if others := sorted(there & {*WAREHOUSE_TABLES, *VIEWS}):
            what = f"The schema {self._name} has tables of its own that are called {', '.join(others)}."
            raise UserError(what, hint="Name another one: --schema NAME. Nothing was changed.")
        if not run(f"SELECT 1 FROM information_schema.schemata WHERE schema_name = {literal(self._name)}"):
            run(f"CREATE SCHEMA {self._schema}")
        for name, table in WAREHOUSE_TABLES.items():
            columns = ", ".join(f"{quoted(column)} {table.sql_type(column)}" for column in table.schema.names)
            run(f"CREATE TABLE {self._of(name)} ({columns})")
        run(f"CREATE TABLE {self._of(LOADS)} (version integer)")
        run(f"INSERT INTO {self._of(LOADS)} VALUES ({WAREHOUSE_VERSION})")
        return False

    def _delete(self, prefixes: Sequence[str]) -> None:
        """Delete the rows of these shards."""
        if not prefixes:
            return
        assert all(map(_PREFIX.fullmatch, prefixes))
        by_digits: dict[int, list[str]] = {}
        for prefix in prefixes:
            by_digits.setdefault(len(prefix), []).append(literal(prefix))
        for table in TABLES:
            md5 = "coalesce(md5, md5(path))" if table == "files" else "md5"
            for digits, some in by_digits.items():
                condition = f"left({md5}, {digits}) IN ({', '.join(some)})"
                self._warehouse.run(f"DELETE FROM {self._of(table)} WHERE {condition}")

    def _copy(self, table: str, files: Sequence[str]) -> None:
        if not files:
            return
        columns = ", ".join(self._selected(WAREHOUSE_TABLES[table], name) for name in TABLES[table].names)
        query = f"SELECT {columns} FROM read_parquet([{listed_files(self._source.base, files)}])"
        reader = self._source.database.sql(query).to_arrow_reader(FETCHED)
        self._warehouse.insert(self._name, table, TABLES[table].names, self._watched(reader, table))

    def _selected(self, table: WarehouseTable, name: str) -> str:
        """A column as the warehouse takes it."""
        kind = table.schema.field(name).type
        value = _without_nul(name, kind) if self._warehouse.refuses_nul else name
        is_json = pa.types.is_nested(kind) and name in table.jsons
        return f"CAST(to_json({value}) AS VARCHAR) AS {name}" if is_json else f"{value} AS {name}"

    def _watched(self, reader: pa.RecordBatchReader, table: str) -> pa.RecordBatchReader:
        """The same rows, which report that they are read."""

        def batches() -> Iterator[pa.RecordBatch]:
            for batch in reader:
                self._on_step(self._done, self._total, f"loading {table}")
                yield batch
                self._done += batch.num_rows

        return pa.RecordBatchReader.from_batches(reader.schema, batches())

    def _write_figures(self, figures: dict[str, pa.Table]) -> None:
        shards = [{"prefix": shard.prefix, "content": shard.content} for shard in self._manifest.shards]
        figures = {**figures, "shards": pa.Table.from_pylist(shards, schema=SHARDS)}
        for name, schema in FIGURES.items():
            self._warehouse.run(f"DELETE FROM {self._of(name)}")
            self._warehouse.insert(self._name, name, schema.names, figures[name].cast(schema).to_reader(FETCHED))

    def _write_answers(self) -> int:
        """Replace the answers and other events of people; returns how many there are."""
        self._on_step(self._total, self._total, "loading answers")
        found = _numbered(self._source.answers())
        if self._warehouse.refuses_nul:
            texts = [name for name in EVENTS.names if pa.types.is_string(EVENTS.field(name).type)]
            plain = {name: pc.replace_substring(found[name], "\0", chr(_REPLACEMENT)) for name in texts}
            found = pa.table({name: plain.get(name, found[name]) for name in EVENTS.names}, schema=EVENTS)
        self._warehouse.run(f"DELETE FROM {self._of('answers')}")
        self._warehouse.insert(self._name, "answers", EVENTS.names, found.to_reader(FETCHED))
        self._warehouse.run(f"UPDATE {self._of('loaded')} SET answers = {literal(self._source.answers_digest)}")
        return int(found.num_rows)

    def _finish_tables(self) -> None:
        """Keys, comments and views: after the rows, as an index is made fastest of all of them."""
        run = self._warehouse.run
        self._warehouse.prepare_keys()
        for number, (name, table) in enumerate(WAREHOUSE_TABLES.items()):
            self._on_step(self._total, self._total, f"index {number + 1} of {len(WAREHOUSE_TABLES)}")
            run(f"ALTER TABLE {self._of(name)} ADD PRIMARY KEY ({', '.join(map(quoted, table.key))})")
            run(f"COMMENT ON TABLE {self._of(name)} IS {literal(table.comment)}")
            for column, comment in table.columns.items():
                run(f"COMMENT ON COLUMN {self._of(name)}.{quoted(column)} IS {literal(comment)}")
        for name, (comment, query) in VIEWS.items():
            run(f"CREATE VIEW {self._of(name)} AS {query.format(schema=self._schema)}")
            run(f"COMMENT ON VIEW {self._of(name)} IS {literal(comment)}")


def _numbered(events: pa.Table) -> pa.Table:
    """The events, which are sorted by pair and then as they happened, with their number among those of the pair."""
    numbers, last = list[int](), None
    for key in events["pair_key"].to_pylist():
        numbers.append(numbers[-1] + 1 if key == last else 1)
        last = key
    return events.append_column("number", pa.array(numbers, pa.int32())).cast(EVENTS)


class _StartedWork:
    """Work in a thread. tick: the progress that it reported last."""

    def __init__(self, work: Callable[[Progress], dict[str, pa.Table]], pool: ThreadPoolExecutor) -> None:
        self.tick = Tick(0, 0)
        self.progress = Progress(self._on_tick)
        self._future: Future[dict[str, pa.Table]] = pool.submit(work, self.progress)

    def _on_tick(self, tick: Tick) -> None:
        self.tick = tick

    def wait(self, seconds: float) -> bool:
        """Wait at most this many seconds, and return whether the work has ended."""
        return bool(wait([self._future], seconds).done)

    def result(self) -> dict[str, pa.Table]:
        """The result of the work; raises its error."""
        return self._future.result()


@contextmanager
def _started(work: Callable[[Progress], dict[str, pa.Table]]) -> Iterator[_StartedWork]:
    """Do the work in a thread of its own; leaving the block stops it."""
    with ThreadPoolExecutor(1) as pool:
        started = _StartedWork(work, pool)
        try:
            yield started
        finally:
            started.progress.cancel()


def _without_nul(value: str, kind: pa.DataType) -> str:
    """The value without NUL characters, as an expression of DuckDB."""
    if pa.types.is_string(kind):
        return f"replace({value}, chr(0), chr({_REPLACEMENT}))"
    if pa.types.is_list(kind) and not pa.types.is_integer(kind.value_type):
        return f"list_transform({value}, lambda one: {_without_nul('one', kind.value_type)})"
    if pa.types.is_struct(kind):
        fields = ((field.name, _without_nul(f"{value}.{field.name}", field.type)) for field in kind)
        return f"struct_pack({', '.join(f'{name} := {field}' for name, field in fields)})"
    return value
