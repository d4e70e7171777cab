"""Corpora: mapping against a plain pool, settling, pulling, and loading against `COPY`; each in its own process."""

from __future__ import annotations

import json
import multiprocessing
import resource
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from importlib.util import find_spec
from pathlib import Path

Figures = dict[str, float]
SETTLED = (1_000_000, 4_000_000)  # pairs


def measure(shared: Path) -> Iterator[tuple[str, str, str, str, bool | None]]:
    papers = shared / "data" / "papers"
    with tempfile.TemporaryDirectory(prefix="pairwright-bench-") as folder:
        scratch = Path(folder)
        corpus = scratch / "corpus"
        yield from _mapping(papers, corpus, scratch)
        yield from _settling(corpus, scratch)
        yield from _pulling(corpus, scratch)
        yield from _loading(corpus)


def _mapping(papers: Path, corpus: Path, scratch: Path) -> Iterator[tuple[str, str, str, str, bool | None]]:
    plain = _child("map_by_plain_pool", scratch / "none", papers)
    against = f"the same function in a plain pool of two that keeps nothing; {plain['papers']:,} papers"
    ours = _child("map_by_processes", corpus, papers)
    ratio = plain["seconds"] / ours["seconds"]
    yield "corpus mine, two processes, papers a second", f"{ratio:.2f} x", ">= .8 x", against, ratio >= 0.8
    if find_spec("ray") is None:
        yield "corpus mine, Ray with two actors", "not measured", ">= .6 x", "Ray is not installed", None
        return
    ray = _child("map_by_ray", scratch / "ray", papers)
    ratio = plain["seconds"] / ray["seconds"]
    yield "corpus mine, Ray with two actors, papers a second", f"{ratio:.2f} x", ">= .6 x", against, ratio >= 0.6


def _settling(corpus: Path, scratch: Path) -> Iterator[tuple[str, str, str, str, bool | None]]:
    settled = _child("settle_corpus", corpus)
    yield (
        "settle, CPU time",
        f"{settled['cpu']:.1f} s",
        "-",
        f"{settled['pairs']:,} pairs with their papers' text",
        None,
    )
    found = []
    for pairs in SETTLED:
        place = scratch / f"synthetic-{pairs}"
        _child("make_synthetic", place, pairs)
        found.append(_child("settle_corpus", place))
        shutil.rmtree(place)
    fewer, more = found
    growth = (more["cpu"] / SETTLED[1]) / (fewer["cpu"] / SETTLED[0])
    text = f"{growth:.2f} x (with start)"
    against = f"{SETTLED[1]:,} synthetic pairs against {SETTLED[0]:,}"
    yield "settle, CPU time of a pair", text, "<= 1.2 x", against, growth <= 1.2
    text = f"{more['megabytes']:,.0f} MB"
    yield "settle, peak memory", text, "<= 2,000 MB", f"{SETTLED[1]:,} synthetic pairs", more["megabytes"] <= 2_000


def _pulling(corpus: Path, scratch: Path) -> Iterator[tuple[str, str, str, str, bool | None]]:
    pulled = _child("pull", corpus, scratch / "pulled.pairwright")
    rate = pulled["pairs"] / pulled["seconds"]
    bare = _child("copy_rows", scratch / "pulled.pairwright", scratch / "bare.db")
    against = f"all {pulled['papers']:,} papers, {pulled['pairs']:,} pairs, into a new project"
    yield "pull, pairs a second", f"{rate:,.0f}", ">= 100,000", against, rate >= 100_000
    ratio = pulled["seconds"] / bare["seconds"]
    against = "SQLite copying the same papers, paragraphs and pairs into tables without indexes"
    yield "pull, time", f"{ratio:.1f} x", "-", against, None
    yield "pull, peak memory", f"{pulled['megabytes']:,.0f} MB", "-", f"{pulled['papers']:,} papers", None


def _loading(corpus: Path) -> Iterator[tuple[str, str, str, str, bool | None]]:
    from tests.postgres import PROGRAMS

    name, goal = "load into PostgreSQL, time", "<= 1.5 x"
    if PROGRAMS is None or find_spec("adbc_driver_postgresql") is None:
        yield name, "not measured", goal, "PostgreSQL or its driver is not installed", None
        return
    found = _child("load", corpus)
    ratio = found["seconds"] / found["copy"]
    against = f"`COPY` of the same {found['rows']:,} rows alone, binary"
    yield name, f"{ratio:.2f} x", goal, against, ratio <= 1.5
    yield name, f"{found['seconds'] / (found['copy'] + found['keys']):.2f} x", "-", "`COPY`, then primary keys", None


def _child(function: str, *arguments: object) -> Figures:
    command = [sys.executable, "-m", "tests.bench.corpora", function, *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(done.stderr)
    found: Figures = json.loads(done.stdout.splitlines()[-1])
    return found


def map_by_plain_pool(_: str, *files: str) -> Figures:
    from miner.corpus.inputs import find_sources, read_items

    items = (item for source in find_sources(files) for item in read_items(source))
    with multiprocessing.get_context("spawn").Pool(2, _open_mapper) as pool:
        return {"papers": sum(pool.imap_unordered(_map, items, chunksize=16))}


def _open_mapper() -> None:
    from miner.corpus.mapping import MapSettings, PaperMapper

    global _mapper
    _mapper = PaperMapper(MapSettings())


def _map(item: object) -> int:
    return len(_mapper.map(item)["files"])


def map_by_processes(out: str, *files: str) -> Figures:
    from desktop.jobs.corpus.mine import CorpusMiningOptions, mine_corpus
    from miner.progress import Progress

    return {"papers": mine_corpus(files, out, CorpusMiningOptions(workers=2)).work(Progress()).papers}


def map_by_ray(out: str, *files: str) -> Figures:
    from desktop.jobs.corpus.mine import CorpusMiningOptions, Engine, mine_corpus
    from miner.progress import Progress

    options = CorpusMiningOptions(engine=Engine.RAY, workers=1, actors=2)
    return {"papers": mine_corpus(files, out, options).work(Progress()).papers}


def make_synthetic(out: str, pairs: str) -> Figures:
    from tests.bench.synthetic_corpus import write_corpus

    write_corpus(Path(out), int(pairs))
    return {}


def settle_corpus(out: str) -> Figures:
    from miner.corpus.locations import Location
    from miner.corpus.settle import settle

    return {"pairs": settle(Location.of(out)).pairs}


def pull(corpus: str, project: str) -> Figures:
    from desktop.jobs.corpus.pull import pull_corpus
    from miner.progress import Progress

    pulled = pull_corpus(corpus, Path(project)).work(Progress()).pulled
    return {"papers": pulled.papers, "pairs": pulled.pairs}


def copy_rows(project: str, file: str) -> Figures:
    """SQLite's own speed for the rows that are most of a project."""
    with closing(sqlite3.connect(file, isolation_level=None)) as connection:
        connection.execute("PRAGMA synchronous = OFF")
        connection.execute("PRAGMA journal_mode = OFF")
        connection.execute("ATTACH ? AS project", (project,))
        for table in ("papers", "sections", "paragraphs", "pairs", "funnel"):
            connection.execute(f"CREATE TABLE {table} AS SELECT * FROM project.{table}")
    return {}


def load(corpus: str) -> Figures:
    """The load without samples, which take their time by themselves; `copy` and `keys`: seconds of these alone."""
    from desktop.jobs.corpus.load import LoadOptions, load_corpus
    from miner.corpus.schema import ORDERS, TABLES
    from miner.progress import Progress
    from tests.postgres import postgres

    with postgres() as server, tempfile.TemporaryDirectory(dir=server.folder) as folder:
        options = LoadOptions(sentences=0, tokenizer=None)
        load_corpus(corpus, server.url, options).work(Progress())  # warms the caches, and makes what is copied
        server.psql("CREATE SCHEMA bare")
        for table in TABLES:
            server.psql(f"\\copy pairwright.{table} to '{folder}/{table}' binary")
            server.psql(f"CREATE TABLE bare.{table} AS SELECT * FROM pairwright.{table} LIMIT 0")
        server.psql("DROP SCHEMA pairwright CASCADE")
        started = time.perf_counter()
        loaded = load_corpus(corpus, server.url, options).work(Progress())
        seconds = time.perf_counter() - started

        def each(statement: Callable[[str], str]) -> float:
            started = time.perf_counter()
            for table in TABLES:
                server.psql(statement(table))
            return time.perf_counter() - started

        copy = each(lambda table: f"\\copy bare.{table} from '{folder}/{table}' binary")
        keys = each(lambda table: f"ALTER TABLE bare.{table} ADD PRIMARY KEY ({', '.join(ORDERS[table])})")
    return {"seconds": seconds, "copy": copy, "keys": keys, "rows": sum(loaded.rows.values())}


def main(function: str, arguments: Sequence[str]) -> None:
    started = time.perf_counter()
    found = globals()[function](*arguments)
    seconds = time.perf_counter() - started
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    cpu = sum(one.ru_utime + one.ru_stime for one in used)
    json.dump({"seconds": seconds, "cpu": cpu, "megabytes": used[0].ru_maxrss // 1000, **found}, sys.stdout)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
