"""Settles a corpus: of all its parts, which copies of papers and which pairs count, written as shards.

DuckDB groups what does not fit into memory, and spills to disk; `deciding` makes the decisions.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from miner.corpus.database import OFFLINE, TableWriter, base_address, listed_files, rows_of, translated_errors
from miner.corpus.deciding import MERGED_COLUMNS, MappedCopy, SharedPair, merged_copies, settle_papers
from miner.corpus.forms import FORM_COLUMNS, link_forms
from miner.corpus.locations import Location
from miner.corpus.parts import MappedPart, check_parts, read_settings, remove_leftovers
from miner.corpus.schema import FUNNEL, MAPPED, ORDERS, PAPERS, TABLES
from miner.corpus.shards import (
    Shard,
    ShardCounts,
    ShardManifest,
    is_whole,
    read_manifest,
    total,
    write_manifest,
    write_table,
)
from miner.errors import UserError
from miner.installation import missing_extra
from miner.libraries import duckdb, pa
from miner.mining.identity import mining_run_id
from miner.mining.settings import read_settings as read_mining_settings

_FETCHED = 50_000  # rows
_DIGITS = ((50_000, 1), (20_000_000, 2))  # of a shard's prefix, by the number of papers
_MOST_DIGITS = 3
_GROUP_ROWS = 2_048  # of each shard's rows that wait in memory, in each thread
_TEXTS_PER_PASS = 25_000_000  # pairs whose texts are grouped at once

_ITEM = pa.schema([("part", pa.string()), ("item", pa.int64())])
_MERGED = pa.schema([PAPERS.field("md5"), *(PAPERS.field(name) for name in MERGED_COLUMNS)])
_KEPT = pa.schema([("md5", pa.string()), ("ordinals", pa.list_(pa.int32()))])


@dataclass(frozen=True, slots=True)
class Settled:
    """What was settled.

    papers, pairs: how many the corpus has. copies: papers that were given more than once. linked: PDFs and others that
    are forms of a paper. shared: papers with a pair that another paper has. written: how many shards were written.
    damaged: parts that were left out.
    """

    papers: int
    pairs: int
    copies: int
    linked: int
    shared: int
    written: int
    shards: int
    damaged: int = 0


def settle(
    out: Location,
    on_step: Callable[[int, int, str], None] = lambda done, total, what: None,
    *,
    memory_mb: int = 1_000,
    temporary: Path | None = None,
) -> Settled:
    """Settle the corpus. on_step: how many of how many steps are done, and what comes; may raise to stop.

    memory_mb: for DuckDB. temporary: where it may spill; by default the system's folder. If it is stopped, the corpus
    stays as it was settled before. `UserError` where there is nothing to settle, or no room.
    """
    if error := missing_extra("corpus", "Settling a corpus"):
        raise error
    settings = read_settings(out)
    assert settings is not None
    remove_leftovers(out)
    parts, damaged = check_parts(out)
    if not parts:
        hint = "Mine papers first: pairwright corpus mine PAPERS --out PLACE"
        raise UserError(f"{out.shown} has no finished part.", hint=hint)
    mining = read_mining_settings(settings.mining)
    run = mining_run_id(settings.mining, settings.program, settings.language_model, [settings.splitter])
    with _database(out, memory_mb, temporary) as (database, folder):
        work = _Settling(database, out, parts, folder)
        on_step(0, 5, "papers given twice")
        copies = work.choose_copies()
        on_step(1, 5, "forms of one paper")
        linked = work.join_forms()
        on_step(2, 5, "pairs that papers share")
        shared = work.find_shared() if "duplicate" in mining.filters else 0
        on_step(3, 5, "duplicates")
        work.decide(mining)
        on_step(4, 5, "shards")
        shards, written = work.write_shards(run, on_step)
    pairs = total(shards, lambda counts: counts.pairs)
    papers = total(shards, lambda counts: counts.papers)
    counts = ShardCounts(
        papers,
        pairs,
        total(shards, lambda counts: counts.funnel),
        total(shards, lambda counts: counts.failed),
        total(shards, lambda counts: counts.linked),
    )
    write_manifest(out, ShardManifest(run, tuple(shards), counts=counts))
    sums = [sum(row[-1] for row in rows) for rows in (papers, pairs)]
    return Settled(sums[0], sums[1], copies, linked, shared, written, len(shards), damaged)


@contextmanager
def _database(
    out: Location, memory_mb: int, temporary: Path | None
) -> Iterator[tuple[duckdb.DuckDBPyConnection, Path]]:

    with tempfile.TemporaryDirectory(prefix="pairwright-settle-", dir=temporary) as folder:
        options: dict[str, Any] = {
            "memory_limit": f"{memory_mb}MB",
            "temp_directory": f"{folder}/spill",
            "preserve_insertion_order": "false",
            "partitioned_write_max_open_files": "300",
            "partitioned_write_flush_threshold": "4096",
            **OFFLINE,
        }
        with (
            translated_errors(out, folder, "settle", "Delete the file that is named, mine again, then settle."),
            closing(duckdb.connect(f"{folder}/work.duckdb", config=options)) as database,
        ):
            yield database, Path(folder)


class _Settling:
    """The steps of `settle`, each of which leaves tables to the next ones."""

    def __init__(
        self, database: duckdb.DuckDBPyConnection, out: Location, parts: Sequence[MappedPart], folder: Path
    ) -> None:
        self._database, self._out, self._folder = database, out, folder
        self._pairs = sum(part.pairs for part in parts)
        self._has_passed = False
        base = base_address(database, out)
        for table in MAPPED:
            listed = listed_files(base, (f"map/{table}/{part.name}.parquet" for part in parts))
            database.execute(f"CREATE VIEW mapped_{table} AS SELECT * FROM read_parquet([{listed}])")

    def choose_copies(self) -> int:
        """Tables `passed` (items that do not count) and `merged`; how many papers were given more than once."""
        run = self._database.execute
        run("CREATE TABLE passed (part VARCHAR, item BIGINT)")
        run(f"CREATE TABLE merged AS SELECT md5, {', '.join(MERGED_COLUMNS)} FROM mapped_papers LIMIT 0")
        run("CREATE TABLE given_twice AS SELECT md5 FROM mapped_papers GROUP BY md5 HAVING count(*) > 1")
        [count] = run("SELECT count(*) FROM given_twice").fetchone() or (0,)
        if count:
            columns = ", ".join(MappedCopy._fields)
            query = f"SELECT {columns} FROM mapped_papers SEMI JOIN given_twice USING (md5) ORDER BY ALL"
            with self._writer("passed", _ITEM) as passed, self._writer("merged", _MERGED) as merged:
                for best, others, values in merged_copies(rows_of(self._database, query)):
                    passed.put({"part": copy.part, "item": copy.item} for copy in others)
                    merged.put([{"md5": best.md5, **values}])
        self._has_passed = count > 0
        return int(count)

    def join_forms(self) -> int:
        """Table `linked` (of which paper one is another form), and more in `passed` and `merged`; how many forms."""
        run = self._database.execute
        columns = ", ".join(map(_merged_or_own, [*FORM_COLUMNS, "keys"]))
        papers = (
            f"SELECT {columns} FROM (SELECT * FROM {self._counting('papers')}) AS papers LEFT JOIN merged USING (md5)"
        )
        count = link_forms(self._database, papers, f"SELECT * FROM {self._counting('paragraphs')}")
        if count:
            run("INSERT INTO passed SELECT part, item FROM mapped_papers SEMI JOIN linked USING (md5)")
            self._has_passed = True
        return count

    def _counting(self, table: str) -> str:
        """The rows of a table, of the copies and forms that count."""
        return f"mapped_{table}" + (" ANTI JOIN passed USING (part, item)" if self._has_passed else "")

    def _writer(self, table: str, schema: pa.Schema) -> TableWriter:
        return TableWriter(self._database, table, schema)

    def find_shared(self) -> int:
        """Tables `texts` (pairs of sentences that several pairs have, numbered) and `sharing`; how many papers."""
        run = self._database.execute
        run("CREATE TABLE found_texts (premise_hash BIGINT, hypothesis_hash BIGINT)")
        passes = max(1, -(-self._pairs // _TEXTS_PER_PASS))
        for number in range(passes):
            some = f"WHERE premise_hash % {passes} IN ({number}, {number - passes})" if passes > 1 else ""
            run(f"""
                INSERT INTO found_texts SELECT premise_hash, hypothesis_hash FROM {self._counting("pairs")} {some}
                GROUP BY ALL HAVING count(*) > 1
            """)
        run("CREATE TABLE texts AS SELECT *, row_number() OVER () AS text FROM found_texts")
        run(f"""
            CREATE TABLE sharing AS SELECT DISTINCT md5
            FROM {self._counting("pairs")} SEMI JOIN texts USING (premise_hash, hypothesis_hash)
        """)
        [papers] = run("SELECT count(*) FROM sharing").fetchone() or (0,)
        return int(papers)

    def decide(self, mining: Any) -> None:
        """Tables `kept` (the ordinals that `sharing` papers keep, in order) and `changes` (of their funnels)."""
        run = self._database.execute
        run("CREATE TABLE IF NOT EXISTS sharing (md5 VARCHAR)")
        run("CREATE TABLE IF NOT EXISTS texts (premise_hash BIGINT, hypothesis_hash BIGINT, text BIGINT)")
        run("CREATE TABLE kept (md5 VARCHAR, ordinals INTEGER[])")
        run("CREATE TABLE changes (md5 VARCHAR, strategy VARCHAR, outcome VARCHAR, reason VARCHAR, count INTEGER)")
        [texts] = run("SELECT count(*) FROM texts").fetchone() or (0,)
        query = f"""
            SELECT md5, ordinal, key, strategy, distant_label, coalesce(text, 0)
            FROM (SELECT * FROM {self._counting("pairs")} SEMI JOIN sharing USING (md5))
            LEFT JOIN texts USING (premise_hash, hypothesis_hash) ORDER BY md5, ordinal
        """
        with self._writer("kept", _KEPT) as kept, self._writer("changes", FUNNEL) as changes:
            for paper in settle_papers(map(SharedPair._make, rows_of(self._database, query)), texts, mining):
                kept.put([{"md5": paper.md5, "ordinals": paper.kept}])
                changes.put({"md5": paper.md5, **values} for values in paper.funnel)

    def write_shards(self, run_id: str, on_step: Callable[[int, int, str], None]) -> tuple[list[Shard], int]:
        """Write the shards that have changed; all shards by prefix, and how many were written."""
        contents = self._contents()
        before = None
        with suppress(UserError):  # a manifest that is damaged, or of another version, is replaced
            before = read_manifest(self._out, missing_ok=True)
        files = {file.path: file.size for file in self._out.child("shards").files()}
        known = {
            shard.prefix: shard
            for shard in (before.shards if before and before.run == run_id else ())
            if contents.get(shard.prefix) == shard.content and is_whole(shard, files)
        }
        wanted = sorted(set(contents) - set(known))
        if wanted:
            self._partition(wanted)
        for done, prefix in enumerate(wanted):
            on_step(done, len(wanted), f"shard {prefix}")
            known[prefix] = self._write_shard(prefix, contents[prefix])
        return [known[prefix] for prefix in sorted(known)], len(wanted)

    def _contents(self) -> dict[str, str]:
        """What is in each shard, as a digest, by prefix; makes the views of the tables as they will be in shards."""
        run = self._database.execute
        [papers] = run(f"SELECT count(*) FROM {self._counting('papers')}").fetchone() or (0,)
        digits = next((digits for most, digits in _DIGITS if papers <= most), _MOST_DIGITS)
        for table, query in self._settled_tables().items():
            prefix = "coalesce(md5, md5(path))" if table == "files" else "md5"
            run(f"CREATE VIEW settled_{table} AS SELECT left({prefix}, {digits}) AS prefix, * FROM ({query})")
        columns = ("digest", *MERGED_COLUMNS)
        of_paper = f"concat_ws(chr(0), md5, {', '.join(f'coalesce({name}::VARCHAR, chr(1))' for name in columns)})"
        what = "coalesce(md5, code || chr(0) || reason || chr(0) || hint)"
        of_file = f"concat_ws(chr(0), path, number, name, kind, {what}, own_md5)"
        parts = (
            f"SELECT prefix, {of_paper} AS content FROM settled_papers",
            f"SELECT prefix, {of_file} FROM settled_files",
            f"SELECT left(md5, {digits}), concat_ws(chr(0), md5, ordinals::VARCHAR) FROM kept",
        )
        query = f"SELECT prefix, bit_xor(md5_number(content)) FROM ({' UNION ALL '.join(parts)}) GROUP BY prefix"
        return {prefix: f"{content % 2**64:016x}" for prefix, content in run(query).fetchall()}

    def _settled_tables(self) -> dict[str, str]:
        """By table the query of its rows."""
        papers = ", ".join(map(_merged_or_own, TABLES["papers"].names))
        pairs = ", ".join(f"pairs.{name}" for name in TABLES["pairs"].names if name != "ordinal")
        funnel = "md5, strategy, outcome, reason"
        files = ", ".join(name for name in TABLES["files"].names if name not in ("md5", "own_md5"))
        return {
            "papers": f"""
                SELECT {papers} FROM (SELECT * FROM {self._counting("papers")}) AS papers
                LEFT JOIN merged USING (md5)
            """,
            "paragraphs": f"SELECT {', '.join(TABLES['paragraphs'].names)} FROM {self._counting('paragraphs')}",
            "pairs": f"""
                SELECT {pairs}, coalesce(list_position(ordinals, ordinal) - 1, ordinal)::INTEGER AS ordinal
                FROM (SELECT * FROM {self._counting("pairs")}) AS pairs LEFT JOIN kept ON kept.md5 = pairs.md5
                WHERE kept.md5 IS NULL OR list_contains(ordinals, ordinal)
            """,
            "funnel": f"""
                SELECT {funnel}, sum(count)::INTEGER AS count FROM (
                    SELECT {funnel}, count FROM {self._counting("funnel")} UNION ALL FROM changes
                ) GROUP BY ALL HAVING sum(count) != 0
            """,
            # A file that could not be reached once, and then was read, is no failure any more.
            "files": f"""
                SELECT {files}, coalesce(kept, md5) AS md5, if(kept IS NULL, NULL, md5) AS own_md5 FROM (
                    SELECT *, row_number() OVER (
                        PARTITION BY path, number ORDER BY md5 IS NULL, sha256, code, reason, part
                    ) AS place FROM mapped_files
                ) LEFT JOIN linked USING (md5)
                WHERE place = 1 AND NOT (coalesce(code, '') IN ('missing', 'unreadable') AND number = 0 AND path IN (
                    SELECT path FROM mapped_files WHERE md5 IS NOT NULL
                ))
            """,
        }

    def _partition(self, prefixes: Sequence[str]) -> None:
        """One pass over the parts that leaves the rows of each of these shards in a folder of its own."""
        self._database.execute("CREATE TABLE wanted AS SELECT unnest($1) AS prefix", [list(prefixes)])
        for table in TABLES:
            target = str(self._folder / table).replace("'", "''")
            self._database.execute(f"""
                COPY (SELECT * FROM settled_{table} SEMI JOIN wanted USING (prefix))
                TO '{target}' (FORMAT parquet, COMPRESSION zstd, PARTITION_BY (prefix), ROW_GROUP_SIZE {_GROUP_ROWS})
            """)

    def _write_shard(self, prefix: str, content: str) -> Shard:
        shard = Shard(prefix, content, {})
        sizes, counts = {}, {}
        cursor = self._database.cursor()
        for table, schema in TABLES.items():
            files = self._folder / table / f"prefix={prefix}"
            source = f"read_parquet('{str(files).replace(chr(39), chr(39) * 2)}/*.parquet', hive_partitioning = false)"
            if not files.exists():
                source = f"(SELECT * FROM settled_{table} LIMIT 0)"
            cursor.execute(f"CREATE OR REPLACE TEMP VIEW own_{table} AS FROM {source}")
            query = f"SELECT {', '.join(schema.names)} FROM own_{table} ORDER BY {', '.join(ORDERS[table])}"
            reader = cursor.sql(query).to_arrow_reader(_FETCHED)
            sizes[table] = write_table(self._out.child(shard.path(table)), table, iter(reader))
        for name, query in _COUNTS.items():
            counts[name] = tuple(map(tuple, cursor.execute(f"{query} GROUP BY ALL ORDER BY ALL").fetchall()))
        cursor.close()
        return Shard(prefix, content, sizes, ShardCounts(**counts))


def _merged_or_own(column: str) -> str:
    """A column of `papers`, from `merged` where it has the paper."""
    own = f"papers.{column}"
    return f"if(merged.md5 IS NULL, {own}, merged.{column}) AS {column}" if column in MERGED_COLUMNS else own


_COUNTS = {
    "papers": "SELECT domain, coalesce(year::VARCHAR, ''), language, count(*) FROM own_papers",
    "pairs": """
        SELECT domain, strategy, coalesce(distant_label, ''), count(*) FROM own_pairs JOIN own_papers USING (md5)
    """,
    "funnel": "SELECT strategy, outcome, reason, sum(count)::BIGINT FROM own_funnel",
    "failed": "SELECT code, count(*) FROM own_files WHERE code IS NOT NULL",
    "linked": "SELECT kind, count(*) FROM own_files WHERE own_md5 IS NOT NULL",
}
"""What `ShardCounts` holds of a shard."""
