"""A project that was pulled from a corpus is as one that was mined from the same papers, and gives answers back."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from desktop.jobs.corpus.pull import pull_corpus
from desktop.jobs.exchange.rebuild import rebuild
from desktop.jobs.mining.run import NO_MODEL, load_mining_state, mine
from miner.corpus.locations import Location
from miner.corpus.schema import TABLES
from miner.corpus.shards import read_manifest
from miner.errors import UserError
from miner.installation import is_installed
from miner.parsing.formats import FileKind
from miner.progress import Cancelled, Progress
from storage.dataset.export_options import ExportOptions, Preset
from storage.exchange.corpus_rows import ShardRows
from storage.exchange.pair_export import export_pairs
from storage.project import Project
from storage.settings import CORPUS
from tests.desktop.jobs.corpus.pull_helpers import pull, table
from tests.paper_importer import import_files
from tests.scripted_annotators import AT

pytestmark = pytest.mark.skipif(not is_installed("duckdb"), reason="duckdb, of the extra `corpus`, is not installed")


def exported(project: Project, folder: Path, options: ExportOptions) -> dict[str, bytes]:
    export_pairs(project, folder, options, Progress())
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def md5s_of(path: Path) -> set[str]:
    with Project.open(path) as project, project.read_transaction() as stores:
        return set(stores.papers.md5s())


def test_all_papers_give_what_adding_and_mining_gives(settled: Path, papers: Path, tmp_path: Path) -> None:
    pulled = pull(settled, tmp_path / "pulled.pairwright")
    assert (pulled.is_new, pulled.is_foreign, pulled.pulled.papers) == (True, False, 8)
    with Project.create(tmp_path / "mined.pairwright") as mined, Project.open(pulled.project) as project:
        for kind, suffix in (
            (FileKind.JATS, ".nxml"),
            (FileKind.TEI, ".xml"),
            (FileKind.PAPERS, ".jsonl"),
            (FileKind.PDF, ".pdf"),
        ):
            import_files(mined, [(path, kind) for path in sorted(papers.glob(f"*{suffix}"))], None)
        run = mine(mined, workers=1, model=NO_MODEL).work(Progress())
        schema = "SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY 1, 2"
        assert table(project, schema) == table(mined, schema)
        assert project.check() == []
        assert table(project, "PRAGMA journal_mode") == [("wal",)]
        again = mine(project, workers=1, model=NO_MODEL).work(Progress())
        assert (again.mined, again.run, again.funnel) == (0, run.run, run.funnel)
        state = load_mining_state(project).work(Progress())
        assert (state.pending, state.has_mined(state.settings)) == (0, True)
        for preset in (Preset.FULL, Preset.SCINLI):
            options = ExportOptions(preset=preset, card=True)
            there = exported(mined, tmp_path / f"mined-{preset}", options)
            here = exported(project, tmp_path / f"pulled-{preset}", options)
            origin = json.loads(here["manifest.json"])["corpora"][0]
            assert (origin["place"], origin["where"], origin["papers"]) == ("corpus", [], None)
            differing = {name for name in there if there[name] != here[name]}
            assert differing == {"manifest.json", "README.md", "SHA256SUMS", "receipt.json"}
            assert there.keys() == here.keys()
            added = set(here["README.md"].splitlines()) - set(there["README.md"].splitlines())
            assert [line[:23] for line in added] == [b"- Pulled from the corpus"[:23]]
        files = "SELECT path, line, files.md5, files.sha256, papers.md5 FROM files JOIN papers ON papers.id = paper_id"
        linked = [row for row in table(project, f"{files} ORDER BY 1, 2") if row[2] != row[4]]
        assert [Path(path).name for path, *_ in linked] == ["wrack-lines.pdf"]
        assert linked == [row for row in table(mined, f"{files} ORDER BY 1, 2") if row[2] != row[4]]
        for name in ("papers", "paragraphs", "sections"):
            columns = [one[1] for one in table(project, f"SELECT * FROM pragma_table_info('{name}')")]
            shown = ", ".join(f"{name}.{one}" for one in columns if one not in ("id", "paper_id"))
            join = "" if name == "papers" else f"JOIN papers ON papers.id = {name}.paper_id"
            query = f"SELECT papers.md5, {shown} FROM {name} {join} ORDER BY 1, 2, 3"
            assert table(project, query) == table(mined, query)


@pytest.mark.slow
def test_a_data_set_of_all_papers_can_be_made_again_from_them(settled: Path, papers: Path, tmp_path: Path) -> None:
    with Project.open(pull(settled, tmp_path / "p.pairwright").project) as project:
        exported(project, tmp_path / "out", ExportOptions(card=True))
    again = rebuild(tmp_path / "out" / "manifest.json", papers, tmp_path / "again", workers=1).work(Progress())
    assert again.papers == 8


def test_samples_are_nested_and_have_what_was_asked_for(settled: Path, tmp_path: Path) -> None:
    some = [pull(settled, tmp_path / f"{number}.pairwright", papers=number, seed=3) for number in (2, 4)]
    small, large = (md5s_of(one.project) for one in some)
    assert (len(small), len(large)) == (2, 4)
    assert small < large
    more = pull(settled, some[0].project, papers=4, seed=3)
    assert (more.pulled.papers, more.pulled.known, more.is_new) == (2, 2, False)
    assert md5s_of(some[0].project) == large
    with Project.open(some[0].project) as project:
        assert mine(project, workers=1, model=NO_MODEL).work(Progress()).mined == 0
        with project.read_transaction() as stores:
            assert [one.papers for one in stores.settings.get(CORPUS)] == [2, 4]
        exported(project, tmp_path / "out", ExportOptions(card=True))
    with pytest.raises(UserError, match="some papers of the corpus corpus") as refused:
        rebuild(tmp_path / "out" / "manifest.json", tmp_path, tmp_path / "again").work(Progress())
    assert "--papers 2 --seed 3" in refused.value.hint
    chosen = pull(settled, tmp_path / "c.pairwright", "domain=zoology", "domain=botany", "year=2019-2021")
    with Project.open(chosen.project) as project:
        assert table(project, "SELECT year, domain FROM papers ORDER BY 1") == [
            (2019, "zoology"),
            (2020, "botany"),
            (2021, "zoology"),
        ]


def test_what_cannot_be_pulled_is_a_sentence(corpus: Path, tmp_path: Path) -> None:
    path = tmp_path / "new.pairwright"
    for where, said, hint in (
        ("domain=psychology", "has domain psychology", r"botany \("),
        ("year=20x", "is no year", "2019-2023"),
        ("title=x", "is no condition", "journal"),
    ):
        with pytest.raises(UserError, match=said) as refused:
            pull(corpus, path, where)
        assert re.search(hint, refused.value.hint)
    progress = Progress(lambda tick: progress.cancel() if tick.note == "pulling" else None)
    with pytest.raises(Cancelled):
        pull_corpus(str(corpus), path).work(progress)
    pairs = max((corpus / "shards" / "pairs").iterdir(), key=lambda file: file.stat().st_size)
    whole = pairs.read_bytes()
    rows = pq.read_table(pairs)
    column = rows.schema.get_field_index("key")
    pq.write_table(rows.set_column(column, "key", rows["hypothesis"]), pairs)
    pairs.write_bytes(pairs.read_bytes()[: len(whole)].ljust(len(whole), b"\0"))
    with pytest.raises(UserError, match=r"damaged|never writes"):
        pull(corpus, path)
    pairs.write_bytes(whole[:100])
    with pytest.raises(UserError, match="missing or cut off"):
        pull(corpus, path)
    (corpus / "shards" / "manifest.json").unlink()
    with pytest.raises(UserError, match="not settled"):
        pull(corpus, path)
    assert sorted(one.name for one in tmp_path.iterdir()) == ["corpus"]


def test_the_folder_of_a_new_project_is_made_and_goes_again_where_nothing_is_pulled(
    settled: Path, tmp_path: Path
) -> None:
    path = tmp_path / "above" / "folder" / "new.pairwright"
    with pytest.raises(UserError, match="has domain psychology"):
        pull(settled, path, "domain=psychology")
    assert list(tmp_path.iterdir()) == []
    assert pull(settled, path, papers=2).pulled.papers == 2
    assert [one.name for one in path.parent.iterdir()] == ["new.pairwright"]


def test_rows_are_taken_paper_by_paper_from_groups_of_any_size(corpus: Path) -> None:
    out = Location.of(str(corpus))
    manifest = read_manifest(out)
    assert manifest is not None
    shard = max(manifest.shards, key=lambda one: one.sizes["papers"].rows)
    paths = {name: corpus / shard.path(name) for name in TABLES}
    whole = {name: pq.read_table(path).cast(TABLES[name]) for name, path in paths.items()}
    md5s = whole["papers"]["md5"].to_pylist()
    for name, path in paths.items():
        pq.write_table(whole[name], path, row_group_size=3)
    for chosen in (md5s, md5s[1:], md5s[-1:]):
        rows = ShardRows(out, shard, chosen)
        for md5 in chosen:
            for name, found in rows.take([md5]).items():
                assert found.to_pylist() == [row for row in whole[name].to_pylist() if row["md5"] == md5]
    backwards = whole["funnel"].sort_by([("md5", "descending")])
    for name, other in (("funnel", backwards), ("papers", whole["papers"][1:])):
        pq.write_table(other, paths[name])
        with pytest.raises(ValueError, match=r"in their order|is missing"):
            ShardRows(out, shard, md5s).take(md5s)
        pq.write_table(whole[name], paths[name])


def test_a_project_of_other_papers_is_refused(corpus: Path, papers: Path, tmp_path: Path) -> None:
    pulled = pull(corpus, tmp_path / "p.pairwright", papers=2)
    manifest = corpus / "shards" / "manifest.json"
    manifest.write_bytes(manifest.read_bytes() + b"\n")
    with pytest.raises(UserError, match="has not only papers that were pulled"):
        pull(corpus, pulled.project)


def test_a_project_whose_papers_were_removed_is_told_why_it_is_refused(corpus: Path, tmp_path: Path) -> None:
    path = pull(corpus, tmp_path / "p.pairwright").project
    with Project.open(path) as project, project.transaction() as stores:
        stores.paper_removals.remove(stores.actions.begin("anna", "Removed a paper", AT), [min(stores.papers.md5s())])
    with pytest.raises(UserError, match="would have to be mined again: some were removed"):
        pull(corpus, path)
