"""A corpus has what a project has of the same papers, whatever the order, and survives what is cut off."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Generator, Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from desktop.jobs.corpus.mine import CorpusMiningOptions, Engine, corpus_settings, mine_corpus, parse_shard
from desktop.jobs.corpus.settle import read_figures, settle_corpus
from desktop.jobs.mining.run import NO_MODEL, mine
from desktop.jobs.results import describe
from miner.corpus import inputs
from miner.corpus.database import opened_shards
from miner.corpus.inputs import find_sources, in_shard
from miner.corpus.locations import Location
from miner.corpus.map_run import Batches, ItemBatch, map_sources, open_mapper, to_batches
from miner.corpus.mapping import MapSettings, unreadable_rows
from miner.corpus.parts import FinishedRanges, MappedPart, Range, claim, read_parts
from miner.corpus.schema import TABLES
from miner.corpus.shards import MANIFEST, check_whole, read_manifest, read_shard
from miner.errors import UnreadableFile, UserError
from miner.installation import is_installed
from miner.parsing.formats import FileKind
from miner.processes.child import ProcessLimits
from miner.processes.pool import Pool
from miner.progress import Progress
from storage.project import Project
from tests.corpus_factory import write_xml_of_pdf
from tests.paper_importer import import_files

SAMPLES = Path(__file__).parents[4] / "desktop" / "samples"
needs_duckdb = pytest.mark.skipif(not is_installed("duckdb"), reason="duckdb, of the extra `corpus`, is not installed")
OPTIONS = CorpusMiningOptions(MapSettings(model=NO_MODEL), workers=1)


@pytest.fixture(scope="module")
def papers(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Lines: a paper thrice with other domains, and papers that share its paragraphs; a PDF, its XML, and a TEI."""
    folder = tmp_path_factory.mktemp("papers")
    paper = json.loads((SAMPLES / "ecology" / "late-mowing.jsonl").read_text().splitlines()[0])
    lines = [paper, {**paper, "domain": "botany"}, {**paper, "domain": "zoology"}]
    for number in range(5):
        sections = [
            {**one, "paragraphs": [text for place, text in enumerate(one["paragraphs"]) if place % 3 != number % 3]}
            for one in paper["sections"]
        ]
        lines.append({**paper, "title": f"Mowing again, part {number}", "sections": sections})
    for name, some in (("a.jsonl", lines[::2]), ("b.jsonl", [*lines[1::2], {"title": "nothing"}])):
        (folder / name).write_text("".join(json.dumps(line) + "\n" for line in some))
    for sample in ("coastal/wrack-lines.pdf", "reading/whispering.tei.xml"):
        (folder / Path(sample).name).write_bytes((SAMPLES / sample).read_bytes())
    write_xml_of_pdf(folder)
    return folder


class HerePool(Pool[ItemBatch, Batches]):
    """Maps in this process: workers take a while to start."""

    def __init__(self) -> None:
        self._map = open_mapper(OPTIONS.settings)

    def run(self, items: Iterable[ItemBatch], *, on_poll: Callable[[], None] | None = None) -> Generator[Any]:
        for batch in items:
            yield batch, self._map(batch.items)


@pytest.fixture(scope="module")
def pool() -> HerePool:
    return HerePool()


def mapped(pool: HerePool, papers: Path, out: Path, *shards: str) -> list[MappedPart]:
    """The parts that were written, when these shards were mapped one after the other."""
    place, found = Location.of(str(out)), list[MappedPart]()
    claim(place, corpus_settings(OPTIONS.settings))
    for shard in shards or ("1/1",):
        sources = in_shard(find_sources([str(papers)]), *parse_shard(shard))
        found += map_sources(sources, place, pool, FinishedRanges(read_parts(place)))
    return [part for part in found if part.papers]


def rows(out: Path, table: str) -> list[dict[str, Any]]:
    place = Location.of(str(out))
    manifest = read_manifest(place)
    assert manifest is not None
    return [row for shard in manifest.shards for row in read_shard(place, shard, table).to_pylist()]


def shard_files(out: Path) -> dict[str, bytes]:
    return {str(path.relative_to(out)): path.read_bytes() for path in (out / "shards").rglob("*.parquet")}


@needs_duckdb
def test_shards_hold_what_a_project_stores(pool: HerePool, papers: Path, tmp_path: Path) -> None:
    out = tmp_path / "corpus"
    mapped(pool, papers, out)
    settled = settle_corpus(str(out)).work(Progress())
    assert (settled.papers, settled.copies, settled.linked) == (8, 1, 1)
    assert settled.shared >= 5
    with Project.create(tmp_path / "one.pairwright") as project:
        for kind, suffix in (
            (FileKind.JATS, ".nxml"),
            (FileKind.TEI, ".xml"),
            (FileKind.PAPERS, ".jsonl"),
            (FileKind.PDF, ".pdf"),
        ):
            import_files(project, [(path, kind) for path in sorted(papers.glob(f"*{suffix}"))], None)
        done = mine(project, workers=1, model=NO_MODEL).work(Progress())
        with project.read_transaction() as stores:
            md5s = stores.papers.md5s()
            pairs = [(md5, place, pair) for md5 in md5s for place, pair in enumerate(stores.pairs.of_paper(md5))]
            summaries = {one.md5: one for one in stores.papers.summaries()}
    found = rows(out, "pairs")
    assert [(row["md5"], row["ordinal"], row["key"]) for row in found] == [
        (md5, place, pair.key) for md5, place, pair in pairs
    ]
    assert [(row["premise"], row["hypothesis"], row["phrase"]) for row in found] == [
        (pair.premise, pair.hypothesis, pair.phrase) for _, _, pair in pairs
    ]
    assert {row["md5"]: row["domain"] for row in rows(out, "papers")} == {
        md5: one.domain for md5, one in summaries.items()
    }
    assert "botany" in {one.domain for one in summaries.values()}
    kept = dict.fromkeys(map(str, done.funnel.kept), 0)
    for row in rows(out, "funnel"):
        if row["outcome"] == "kept":
            kept[row["strategy"]] += row["count"]
    assert kept == dict(done.funnel.kept)
    manifest = read_manifest(Location.of(str(out)))
    assert manifest is not None
    assert manifest.run == done.run
    assert [row["code"] for row in rows(out, "files") if row["code"]] == ["bad_line"]


@needs_duckdb
def test_shards_are_the_same_from_any_order_and_after_damage(
    pool: HerePool, papers: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, other = tmp_path / "one", tmp_path / "other"
    mapped(pool, papers, one)
    with monkeypatch.context() as small:  # each line is in the share of another task
        small.setattr(inputs, "_LARGE", 1_000)
        small.setattr(inputs, "_BLOCK", 1)
        mapped(pool, papers, other, "3/3", "1/3", "2/3")
        assert not mapped(pool, papers, other, "2/3")
    for out in (one, other):
        settle_corpus(str(out)).work(Progress())
    assert shard_files(one) == shard_files(other)

    cut = max((other / "map" / "pairs").iterdir(), key=lambda path: path.stat().st_size)
    cut.write_bytes(cut.read_bytes()[:100])
    left = settle_corpus(str(other)).work(Progress())
    assert left.damaged == 1
    assert "1 part is damaged and left out" in describe(left).notes[0]
    assert len(mapped(pool, papers, other)) == 1
    assert settle_corpus(str(other)).work(Progress()).damaged == 0
    assert shard_files(one) == shard_files(other)
    assert not mapped(pool, papers, other)

    half = next((other / "shards" / "pairs").iterdir())
    half.write_bytes(half.read_bytes()[:50])
    place = Location.of(str(other))
    manifest = read_manifest(place)
    assert manifest is not None
    with pytest.raises(UserError, match=r"1 of \d shards"):
        check_whole(place, manifest)
    assert settle_corpus(str(other)).work(Progress()).written == 1
    assert shard_files(one) == shard_files(other)

    (other / MANIFEST).write_text('{"run": 3}')
    with pytest.raises(UserError, match="cannot be read"):
        read_manifest(place)
    settle_corpus(str(other)).work(Progress())
    assert shard_files(one) == shard_files(other)
    assert (one / MANIFEST).read_bytes() == (other / MANIFEST).read_bytes()

    shard = manifest.shards[0]
    path = other / shard.path("pairs")
    assert read_shard(place, shard, "pairs", ("md5", "key")).num_rows == shard.sizes["pairs"].rows
    path.write_bytes(path.read_bytes()[:40] + b"?" * 500 + path.read_bytes()[540:])
    with pytest.raises(UserError, match="is missing or damaged"):
        read_shard(place, shard, "pairs")
    with pytest.raises(UserError, match="is missing or damaged"), opened_shards(place, manifest) as database:
        database.execute("SELECT * FROM pairs").fetchall()


@needs_duckdb
def test_new_papers_write_what_changes(pool: HerePool, papers: Path, tmp_path: Path) -> None:
    first = papers / "wrack-lines.pdf"
    out = tmp_path / "corpus"
    mapped(pool, first, out)
    assert settle_corpus(str(out)).work(Progress()).written == 1
    before = set(shard_files(out))
    mapped(pool, papers, out)
    settled = settle_corpus(str(out)).work(Progress())
    assert len(set(shard_files(out)) & before) == len(TABLES) * (settled.shards - settled.written)
    figures = read_figures(str(out)).work(Progress())
    assert sum(row[-1] for row in figures.counts.pairs) == settled.pairs
    assert figures.counts.failed == (("bad_line", 1),)


def misbehaving() -> Callable[[ItemBatch], Batches]:
    def map_items(batch: ItemBatch) -> Batches:
        for item in batch.items:
            if b"crash" in item.content:
                os._exit(3)
            if b"hang" in item.content:
                time.sleep(600)
        return to_batches(unreadable_rows(item, UnreadableFile("read", "It was read.")) for item in batch.items)

    return map_items


@pytest.mark.slow
def test_a_paper_that_crashes_or_hangs_is_a_row(tmp_path: Path) -> None:
    words = [f"fine {number}" for number in range(40)]
    words[7], words[20] = "crash", "hang"
    (tmp_path / "some.jsonl").write_text("".join(f"{word}\n" for word in words))
    out = Location.of(str(tmp_path / "corpus"))
    pool = Pool(misbehaving, workers=2, limits=ProcessLimits(seconds=1))
    sources = find_sources([str(tmp_path / "some.jsonl")])
    try:
        [part] = map_sources(sources, out, pool, FinishedRanges([]))
    finally:
        pool.close()
    found = pq.read_table(tmp_path / "corpus" / "map" / "files" / f"{part.name}.parquet").to_pylist()
    codes = {row["number"]: row["code"] for row in found}
    assert len(found) == len(codes) == 40
    assert {number: code for number, code in codes.items() if code != "read"} == {
        8: "crash",
        21: "timeout",
    }
    assert FinishedRanges(read_parts(out)).has_all(sources[0])


def test_a_source_is_finished_when_no_paper_of_it_is_missing() -> None:
    [source] = find_sources([str(SAMPLES / "ecology" / "late-mowing.jsonl")])

    def finished(*ranges: tuple[int, int, bool]) -> FinishedRanges:
        some = [Range(source.path, source.stamp, *one) for one in ranges]
        return FinishedRanges([MappedPart("p", (one,), 0, 0, 0) for one in some])

    assert finished((0, 4, False), (5, 9, True)).has_all(source)
    assert finished((5, 9, True), (0, 4, False), (10, 9, True)).has_all(source)
    assert not finished((0, 4, False)).has_all(source)
    assert not finished((0, 4, False), (6, 9, True)).has_all(source)
    assert finished((5, 9, True)).has(source, 5)
    assert not finished((5, 9, True)).has(source, 4)


@needs_duckdb
@pytest.mark.slow
@pytest.mark.skipif(not is_installed("ray"), reason="ray, of the extra `scale`, is not installed")
def test_ray_gives_the_same_shards(papers: Path, tmp_path: Path) -> None:
    one = tmp_path / "one"
    mine_corpus([str(papers)], str(one), OPTIONS).work(Progress())
    options = CorpusMiningOptions(OPTIONS.settings, Engine.RAY, actors=2)
    mine_corpus([str(papers)], str(tmp_path / "ray"), options).work(Progress())
    for out in (one, tmp_path / "ray"):
        settle_corpus(str(out)).work(Progress())
    assert shard_files(one) == shard_files(tmp_path / "ray")


def test_what_is_no_corpus_is_refused(pool: HerePool, tmp_path: Path, papers: Path) -> None:
    with pytest.raises(UserError, match="is no corpus"):
        read_figures(str(tmp_path)).work(Progress())
    mapped(pool, papers / "wrack-lines.pdf", tmp_path)
    with pytest.raises(UserError, match="not settled"):
        read_figures(str(tmp_path)).work(Progress())
    changed = replace(corpus_settings(OPTIONS.settings), language_model="another")
    with pytest.raises(UserError, match="other settings"):
        claim(Location.of(str(tmp_path)), changed)
    settings = json.loads((tmp_path / "corpus.json").read_text())
    (tmp_path / "corpus.json").write_text(json.dumps({**settings, "schema": 99}))
    with pytest.raises(UserError, match="tables of version 99"):
        read_figures(str(tmp_path)).work(Progress())
    for text in ("0/3", "4/3", "three"):
        with pytest.raises(UserError, match="is no shard"):
            parse_shard(text)
    assert set(TABLES) == {"papers", "paragraphs", "pairs", "funnel", "files"}
