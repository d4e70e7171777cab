"""The shards of a settled corpus, and the manifest that lists them.

    shards/manifest.json                     the note, written last: it names a complete set of shards at any time
    shards/TABLE/PREFIX-CONTENT.parquet      the rows of papers whose MD5 begins with PREFIX, sorted

A file that is no paper is in the shard of the MD5 of its path. CONTENT is a digest, so that shards whose papers and
pairs are the same keep their files.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from miner import codec
from miner.corpus.locations import Location
from miner.corpus.schema import SCHEMA_VERSION, TABLES
from miner.errors import UserError
from miner.libraries import pa, pq

MANIFEST = "shards/manifest.json"
ROW_GROUP = 20_000  # rows
_DELETERS = 16


class Size(NamedTuple):
    rows: int
    bytes: int


@dataclass(frozen=True, slots=True)
class ShardCounts:
    """The contents of a shard, or of several: values of some columns, with the number of rows last.

    papers: domain, year ("" for none), language. pairs: domain, strategy, distant label ("" for none). funnel:
    strategy, outcome, reason. failed: code. linked: kind of file, of those that are other forms of a paper.
    """

    papers: tuple[tuple[str, str, str, int], ...] = ()
    pairs: tuple[tuple[str, str, str, int], ...] = ()
    funnel: tuple[tuple[str, str, str, int], ...] = ()
    failed: tuple[tuple[str, int], ...] = ()
    linked: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Shard:
    """The rows of the papers whose MD5s begin with `prefix`. sizes: of its files, by table."""

    prefix: str
    content: str
    sizes: Mapping[str, Size]
    counts: ShardCounts = ShardCounts()

    def path(self, table: str) -> str:
        """The path of the table's file in the corpus."""
        return f"shards/{table}/{self.prefix}-{self.content}.parquet"


@dataclass(frozen=True, slots=True)
class ShardManifest:
    """All shards, by prefix. run: what a project's mining run of these papers would be called (`mining_run_id`)."""

    run: str
    shards: tuple[Shard, ...] = ()
    schema: int = SCHEMA_VERSION
    counts: ShardCounts = field(default_factory=ShardCounts)


def read_manifest(out: Location, *, missing_ok: bool = False) -> ShardManifest | None:
    """The note of the shards. `UserError` where the corpus is not settled, or by another version."""
    try:
        text = out.child(MANIFEST).read()
    except FileNotFoundError:
        if missing_ok:
            return None
        what = f"{out.shown} is not settled: there are no shards."
        raise UserError(what, hint=f"Settle it first: pairwright corpus settle {out.shown}") from None
    try:
        found = codec.decode(ShardManifest, text)
    except ValueError as exc:
        raise UserError(f"{out.shown}/{MANIFEST} cannot be read: {exc}.", hint="Settle the corpus again.") from exc
    if found.schema != SCHEMA_VERSION:
        what = f"The shards of {out.shown} have version {found.schema}; this program reads version {SCHEMA_VERSION}."
        raise UserError(what, hint="Settle the corpus again, or use the program that made it.")
    return found


def write_manifest(out: Location, manifest: ShardManifest) -> None:
    """Write the note, then delete the files of shards that are in it no more."""
    out.child(MANIFEST).write(codec.encode(manifest, indent=1).encode())
    wanted = {shard.path(table) for shard in manifest.shards for table in TABLES}
    gone = [name for file in out.child("shards").files() if (name := f"shards/{file.path}") not in {*wanted, MANIFEST}]
    with ThreadPoolExecutor(_DELETERS) as threads:
        list(threads.map(lambda name: out.child(name).delete(), gone))


def is_whole(shard: Shard, files: Mapping[str, int]) -> bool:
    """Whether all files of a shard are there; files: sizes in bytes, by path below `shards`."""
    return all(files.get(shard.path(table).partition("/")[2]) == shard.sizes[table].bytes for table in TABLES)


def check_whole(out: Location, manifest: ShardManifest) -> None:
    """Raises `UserError` where files of shards are missing or cut off."""
    files = {file.path: file.size for file in out.child("shards").files()}
    broken = [shard.prefix for shard in manifest.shards if not is_whole(shard, files)]
    if broken:
        what = f"{len(broken):,} of {len(manifest.shards):,} shards of {out.shown} are missing or cut off: "
        what += f"{', '.join(broken[:5])}{', …' if len(broken) > 5 else ''}."
        raise UserError(what, hint=f"Make them again: pairwright corpus settle {out.shown}")


def read_shard(
    out: Location, shard: Shard, table: str, columns: Sequence[str] | None = None, filter: Any = None
) -> pa.Table:
    """A table's rows in a shard, in their order; `filter`: as pyarrow's. `UserError` where the file is damaged."""
    with _opened(out, shard, table) as stream:
        found = pq.read_table(stream, columns=None if columns is None else list(columns), filters=filter)
    if not set(columns or TABLES[table].names) <= set(found.column_names):
        raise _other_columns(out, shard, table)
    return found


def read_groups(out: Location, shard: Shard, table: str, first: str, last: str) -> Iterator[pa.Table]:
    """A table's rows in a shard in their order, but for groups of rows that can have no MD5 from `first` to `last`.

    One group is in memory at a time. `UserError` where the file is damaged.
    """
    names = TABLES[table].names
    with _opened(out, shard, table) as stream:
        file = pq.ParquetFile(stream)
        if not set(names) <= set(file.schema_arrow.names):
            raise _other_columns(out, shard, table)
        for number in range(file.num_row_groups):
            group = file.metadata.row_group(number)
            columns = (group.column(place) for place in range(group.num_columns))
            limits = next((column.statistics for column in columns if column.path_in_schema == "md5"), None)
            ends = (limits.min, limits.max) if limits is not None and limits.has_min_max else (first, last)
            if str(ends[0]) > last or str(ends[1]) < first:
                continue
            rows = file.read_row_group(number, names)
            try:
                rows = rows.select(names).cast(TABLES[table])
            except (ValueError, pa.ArrowException) as exc:
                raise _other_columns(out, shard, table) from exc
            yield rows


@contextmanager
def _opened(out: Location, shard: Shard, table: str) -> Iterator[Any]:
    location = out.child(shard.path(table))
    try:
        with location.opened() as stream:
            yield stream
    except (FileNotFoundError, pa.ArrowInvalid) as exc:
        out.check_exists()
        what = f"The shard {location.shown} is missing or damaged."
        raise UserError(what, hint=f"Make it again: pairwright corpus settle {out.shown}") from exc


def _other_columns(out: Location, shard: Shard, table: str) -> UserError:
    place = out.child(shard.path(table)).shown
    return UserError(f"The shard {place} has other columns.", hint="Settle the corpus again.")


def write_table(location: Location, table: str, batches: Iterator[pa.RecordBatch]) -> Size:
    """Write rows, given in their order, as a file of a shard."""
    schema = TABLES[table]
    rows = 0
    with location.writing() as stream:
        with pq.ParquetWriter(stream, schema, compression="zstd", store_schema=False) as writer:
            for batch in rebatched(batches, schema):
                writer.write_table(batch, row_group_size=ROW_GROUP)
                rows += batch.num_rows
        return Size(rows, stream.tell())


def rebatched(batches: Iterator[pa.RecordBatch], schema: pa.Schema) -> Iterator[pa.Table]:
    """The rows in tables of `ROW_GROUP` rows, whatever their grouping, so that equal rows make equal files."""
    waiting, rows = list[pa.RecordBatch](), 0
    for batch in batches:
        waiting.append(batch)
        rows += batch.num_rows
        if rows >= ROW_GROUP:
            table = pa.Table.from_batches(waiting).cast(schema)
            whole = rows - rows % ROW_GROUP
            yield table.slice(0, whole)
            waiting, rows = table.slice(whole).to_batches(), rows - whole
    if rows:
        yield pa.Table.from_batches(waiting).cast(schema)


def total(
    shards: Sequence[Shard], of: Callable[[ShardCounts], Sequence[tuple[Any, ...]]]
) -> tuple[tuple[Any, ...], ...]:
    """The sums of the shards' counts, sorted."""
    sums: dict[tuple[Any, ...], int] = {}
    for shard in shards:
        for *key, count in of(shard.counts):
            sums[tuple(key)] = sums.get(tuple(key), 0) + count
    return tuple((*key, count) for key, count in sorted(sums.items()))
