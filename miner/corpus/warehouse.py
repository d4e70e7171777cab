"""Loads a settled corpus into the tables of a database: all of it in one transaction, or nothing.

A later load replaces the rows of the shards that have changed; who reads meanwhile sees the rows of before.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import pyarrow as pa

from miner.corpus.database import FETCHED, listed_files
from miner.corpus.schema import TABLES
from miner.corpus.shards import ShardManifest
from miner.corpus.warehouse_schema import (
    FIGURES,
    LOADS,
    SHARDS,
    VIEWS,
    WAREHOUSE_TABLES,
    WAREHOUSE_VERSION,
    WarehouseTable,
)
from miner.errors import UserError

_PREFIX = re.compile(r"[0-9a-f]{1,8}")
_SCHEMA = re.compile(r"[^\W\d][\w $-]{0,62}")
_REPLACEMENT = 0xFFFD  # stands for the NUL character, which PostgreSQL takes in no text


class Warehouse(Protocol):
    """A database with an open transaction. Errors leave it as `UserError`."""

    refuses_nul: bool

    def run(self, sql: str) -> list[tuple[Any, ...]]:
        """Execute a statement; its rows."""

    def insert(self, schema: str, table: str, columns: Sequence[str], reader: pa.RecordBatchReader) -> None:
        """Append rows to a table, by the database's bulk way."""

    def commit(self) -> None:
        """Make the transaction's changes visible."""


@dataclass(frozen=True, slots=True)
class LoadedRows:
    """What a load did. changed: shards that were loaded, of `shards`; rows: how many that were, by table."""

    shards: int
    changed: int
    removed: int
    rows: dict[str, int]


def load_warehouse(
    warehouse: Warehouse,
    source: Any,
    base: str,
    manifest: ShardManifest,
    figures: Callable[[], dict[str, pa.Table]],
    schema: str,
    on_step: Callable[[int, int, str], None],
) -> LoadedRows:
    """Load a corpus. Nothing is done where the same shards are loaded already.

    source, base: DuckDB, and its address of the corpus. figures: gives the rows of the tables `FIGURES` but `shards`;
    it is asked if anything has changed. on_step: how many rows are loaded of how many, and what is; it may raise to
    stop, and nothing has happened.
    """
    if not _SCHEMA.fullmatch(schema):
        what = f"“{schema}” is no name for a schema."
        raise UserError(what, hint="Begin with a letter, then letters, digits, - and _, 63 characters at most.")
    return _Load(warehouse, source, base, manifest, schema, on_step).run(figures)


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
        source: Any,
        base: str,
        manifest: ShardManifest,
        schema: str,
        on_step: Callable[[int, int, str], None],
    ) -> None:
        self._warehouse, self._source, self._base, self._manifest = warehouse, source, base, manifest
        self._name, self._schema, self._on_step = schema, quoted(schema), on_step
        self._done = self._total = 0

    def run(self, figures: Callable[[], dict[str, pa.Table]]) -> LoadedRows:
        is_new = not self._has_tables()
        before = {} if is_new else dict(self._warehouse.run(f"SELECT prefix, content FROM {self._of('shards')}"))
        # The digest of a shard says which papers are in it; the run says how they were mined.
        if not is_new and self._warehouse.run(f"SELECT run FROM {self._of('loaded')}") != [(self._manifest.run,)]:
            before = dict.fromkeys(before, "")
        wanted = {shard.prefix: shard for shard in self._manifest.shards}
        changed = sorted(prefix for prefix, shard in wanted.items() if before.get(prefix) != shard.content)
        gone = sorted(prefix for prefix in before if prefix not in wanted)
        if not is_new and not changed and not gone:
            return LoadedRows(len(wanted), 0, 0, {})
        if not is_new:
            self._delete([*(prefix for prefix in changed if prefix in before), *gone])
        sizes = {table: sum(wanted[prefix].sizes[table].rows for prefix in changed) for table in TABLES}
        self._total = sum(sizes.values())
        for table in TABLES:
            files = [wanted[prefix].path(table) for prefix in changed]
            self._copy(table, files)
        self._write_figures(figures())
        if is_new:
            self._finish_tables()
        self._on_step(self._total, self._total, "committing")
        self._warehouse.commit()
        return LoadedRows(len(wanted), len(changed), len(gone), sizes)

    def _of(self, table: str) -> str:
        return f"{self._schema}.{quoted(table)}"

    def _has_tables(self) -> bool:
        """Whether there is a load of this version already; else makes empty tables."""
        query = f"SELECT table_name FROM information_schema.tables WHERE table_schema = {literal(self._name)}"
        run = self._warehouse.run
        there = {str(name) for (name,) in run(query)}
        if LOADS in there:
            if run(f"SELECT version FROM {self._of(LOADS)}") == [(WAREHOUSE_VERSION,)]:
                return True
            for view in VIEWS:
                run(f"DROP VIEW IF EXISTS {self._of(view)}")
            for name in (*WAREHOUSE_TABLES, LOADS):
                run(f"DROP TABLE IF EXISTS {self._of(name)}")
        elif others := sorted(there & {*WAREHOUSE_TABLES, *VIEWS}):
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
        query = f"SELECT {columns} FROM read_parquet([{listed_files(self._base, files)}])"
        reader = self._source.sql(query).to_arrow_reader(FETCHED)
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

    def _finish_tables(self) -> None:
        """Keys, comments and views: after the rows, as an index is made fastest of all of them."""
        run = self._warehouse.run
        for number, (name, table) in enumerate(WAREHOUSE_TABLES.items()):
            self._on_step(self._total, self._total, f"index {number + 1} of {len(WAREHOUSE_TABLES)}")
            run(f"ALTER TABLE {self._of(name)} ADD PRIMARY KEY ({', '.join(map(quoted, table.key))})")
            run(f"COMMENT ON TABLE {self._of(name)} IS {literal(table.comment)}")
            for column, comment in table.columns.items():
                run(f"COMMENT ON COLUMN {self._of(name)}.{quoted(column)} IS {literal(comment)}")
        for name, (comment, query) in VIEWS.items():
            run(f"CREATE VIEW {self._of(name)} AS {query.format(schema=self._schema)}")
            run(f"COMMENT ON VIEW {self._of(name)} IS {literal(comment)}")


def _without_nul(value: str, kind: pa.DataType) -> str:
    """The value without NUL characters, as an expression of DuckDB."""
    if pa.types.is_string(kind):
        return f"replace({value}, chr(0), chr({_REPLACEMENT}))"
    if pa.types.is_list(kind) and not pa.types.is_integer(kind.value_type):
        return f"list_transform({value}, lambda one: {_without_nul('one', kind.value_type)})"
    if pa.types.is_struct(kind):
        fields = ((one.name, _without_nul(f"{value}.{one.name}", one.type)) for one in kind)
        return f"struct_pack({', '.join(f'{name} := {field}' for name, field in fields)})"
    return value
