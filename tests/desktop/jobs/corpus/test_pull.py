"""A project that was pulled from a corpus is as one that was mined from the same papers, and gives answers back."""

from __future__ import annotations

import json
import re
import shutil
from datetime import datetime, timedelta, tzinfo
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from desktop.jobs.corpus.pull import PulledCorpus, pull_corpus
from desktop.jobs.corpus.push import push_project
from desktop.jobs.exchange.rebuild import rebuild
from desktop.jobs.mining.run import NO_MODEL, load_mining_state, mine
from desktop.jobs.review import answers
from desktop.jobs.review.mending import mend
from miner.corpus.locations import Location
from miner.corpus.schema import TABLES
from miner.corpus.shards import read_manifest
from miner.errors import UserError
from miner.installation import is_installed
from miner.parsing.formats import FileKind
from miner.progress import Cancelled, Progress
from miner.records import Answer
from storage.annotation.annotators import Role
from storage.annotation.answers import NewAnswer
from storage.annotation.marks import FLAG_VALUE, MarkKind
from storage.dataset.export_options import ExportOptions, Preset
from storage.exchange.corpus_rows import ShardRows
from storage.exchange.pair_export import export_pairs
from storage.pairs.judgement import keys_scope
from storage.pairs.mended_texts import SentenceField
from storage.project import Project
from storage.settings import CORPUS
from tests.corpus_factory import make_corpus, write_papers
from tests.paper_importer import import_files
from tests.scripted_annotators import AT

pytestmark = pytest.mark.skipif(not is_installed("duckdb"), reason="duckdb, of the extra `corpus`, is not installed")


@pytest.fixture(scope="module")
def papers(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("papers")
    write_papers(folder)
    return folder


@pytest.fixture(scope="module")
def settled(papers: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("corpora") / "corpus"
    make_corpus(papers, out)
    return out


@pytest.fixture
def corpus(settled: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(settled, tmp_path / "corpus"))


def pull(corpus: Path, project: Path, *where: str, papers: int | None = None, seed: int = 0) -> PulledCorpus:
    return pull_corpus(str(corpus), project, where, papers, seed).work(Progress())


def exported(project: Project, folder: Path, options: ExportOptions) -> dict[str, bytes]:
    export_pairs(project, folder, options, Progress())
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def md5s_of(path: Path) -> set[str]:
    with Project.open(path) as project, project.read_transaction() as stores:
        return set(stores.papers.md5s())


def table(project: Project, query: str) -> list[Any]:
    with project.read_transaction() as stores:
        return [tuple(row) for row in stores._connection.exec_driver_sql(query)]


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


def test_rows_are_taken_paper_by_paper_from_groups_of_any_size(corpus: Path) -> None:
    out = Location.of(str(corpus))
    manifest = read_manifest(out)
    assert manifest is not None
    shard = max(manifest.shards, key=lambda one: one.sizes["papers"].rows)
    paths = {table: corpus / shard.path(table) for table in TABLES}
    whole = {table: pq.read_table(path).cast(TABLES[table]) for table, path in paths.items()}
    md5s = whole["papers"]["md5"].to_pylist()
    for table, path in paths.items():
        pq.write_table(whole[table], path, row_group_size=3)
    for chosen in (md5s, md5s[1:], md5s[-1:]):
        rows = ShardRows(out, shard, chosen)
        for md5 in chosen:
            for table, found in rows.take([md5]).items():
                assert found.to_pylist() == [row for row in whole[table].to_pylist() if row["md5"] == md5]
    backwards = whole["funnel"].sort_by([("md5", "descending")])
    for table, other in (("funnel", backwards), ("papers", whole["papers"][1:])):
        pq.write_table(other, paths[table])
        with pytest.raises(ValueError, match=r"in their order|is missing"):
            ShardRows(out, shard, md5s).take(md5s)
        pq.write_table(whole[table], paths[table])


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


def answer(project: Project, name: str, days: int, *answers: tuple[str, Answer]) -> None:
    with project.transaction() as stores:
        key = stores.annotators.ensure(name, Role.ANNOTATOR).key
        stores.answers.append([NewAnswer(pair, key, AT + timedelta(days=days), one) for pair, one in answers])


def answers_in(project: Project) -> list[Any]:
    return table(
        project,
        "SELECT pair_key, name, new FROM label_events e JOIN annotators a ON a.key = e.annotator ORDER BY 1, 2, e.id",
    )


def test_answers_of_two_laptops_come_together(corpus: Path, tmp_path: Path) -> None:
    first, second = (pull(corpus, tmp_path / f"{name}.pairwright").project for name in ("one", "two"))
    with Project.open(first) as one, Project.open(second) as two:
        with one.read_transaction() as stores:
            a, b, c, d = stores.pairs.keys_with_prefix("", limit=4)
        answer(one, "Ada", 1, (a, Answer.NEUTRAL), (b, Answer.ENTAILMENT))
        answer(two, "Ada", 2, (a, Answer.REASONING))
        answer(two, "Ben", 2, (a, Answer.NEUTRAL), (c, Answer.UNCLEAR))
        with two.transaction() as stores:
            ben = stores.annotators.find("Ben")
            assert ben is not None
            action = stores.actions.begin(ben.key, "Note", AT)
            stores.marks.put(keys_scope([d]), ben.key, MarkKind.NOTE, "odd", AT, action=action)
            stores.texts.mend(d, ben.key, {SentenceField.PREMISE: "A mended sentence."}, AT, action=action)
        pushed = push_project(one, str(corpus)).work(Progress()).pushed
        assert (pushed.events, pushed.known, pushed.elsewhere, pushed.people) == (2, 0, 0, ("Ada",))
        pushed = push_project(two, str(corpus)).work(Progress()).pushed
        assert (pushed.events, pushed.conflict_count) == (5, 1)
        [conflict] = pushed.conflicts
        assert (conflict.name, conflict.conflict.pair_key, conflict.conflict.holds) == ("Ada", a, Answer.REASONING)
        files = sorted((corpus / "answers").iterdir())
        for project in (two, one):
            again = push_project(project, str(corpus)).work(Progress()).pushed
            assert (again.events, again.file) == (0, "")
        assert sorted((corpus / "answers").iterdir()) == files
        for name in ("new", "one"):
            pulled = pull(corpus, tmp_path / f"{name}.pairwright").pulled
            with Project.open(tmp_path / f"{name}.pairwright") as there:
                assert answers_in(there)[:1] == [(a, "Ada", "neutral")]
                assert {(key, who): new for key, who, new in answers_in(there)} == {
                    (a, "Ada"): "reasoning",
                    (b, "Ada"): "entailment",
                    (a, "Ben"): "neutral",
                    (c, "Ben"): "unclear",
                }
                with there.read_transaction() as stores:
                    assert stores.texts.of_pair(d).premise == "A mended sentence."
                    assert [event.new for event in stores.marks.history(d)] == ["odd"]
                assert push_project(there, str(corpus)).work(Progress()).pushed.events == 0
            assert pulled.answers.conflict_count == (name == "one")


def test_a_project_without_answers_pushes_none(corpus: Path, tmp_path: Path) -> None:
    first, second = (pull(corpus, tmp_path / f"{name}.pairwright").project for name in ("one", "two"))
    with Project.open(first) as one, Project.open(second) as two:
        with one.read_transaction() as stores:
            [key] = stores.pairs.keys_with_prefix("", limit=1)
        answer(one, "Ada", 1, (key, Answer.NEUTRAL))
        push_project(one, str(corpus)).work(Progress())
        pushed = push_project(two, str(corpus)).work(Progress()).pushed
        assert (pushed.events, pushed.known, pushed.file) == (0, 0, "")


def test_an_answer_that_is_withdrawn_elsewhere_is_withdrawn_here(corpus: Path, tmp_path: Path) -> None:
    first, second = (pull(corpus, tmp_path / f"{name}.pairwright").project for name in ("one", "two"))
    with Project.open(first) as one, Project.open(second) as two:
        with one.read_transaction() as stores:
            [key] = stores.pairs.keys_with_prefix("", limit=1)
        for given in (Answer.NEUTRAL, None):
            with one.transaction() as stores:
                who = stores.annotators.ensure("Ada", Role.ANNOTATOR).key
                stores.answers.append([NewAnswer(key, who, AT + timedelta(days=1 + (given is None)), given)])
            push_project(one, str(corpus)).work(Progress())
            pull(corpus, second)
        assert [new for _, _, new in answers_in(two)] == ["neutral", None]


def test_what_was_undone_after_it_was_pushed_is_undone_everywhere(corpus: Path, tmp_path: Path) -> None:
    first, second = (pull(corpus, tmp_path / f"{name}.pairwright").project for name in ("one", "two"))

    def exchange() -> tuple[int, list[Any], list[Any]]:
        """Push from one and pull into both; how many events were pushed, and what both projects have then."""
        pushed = push_project(one, str(corpus)).work(Progress()).pushed.events
        for path in (first, second):
            pull(corpus, path)
        assert push_project(one, str(corpus)).work(Progress()).pushed.events == 0
        assert push_project(two, str(corpus)).work(Progress()).pushed.events == 0
        return pushed, state(one), state(two)

    def state(project: Project) -> list[Any]:
        return table(project, f"SELECT premise, gold, flagged FROM pairs WHERE key = '{key}'")

    with Project.open(first) as one, Project.open(second) as two:
        with one.read_transaction() as stores:
            [key] = stores.pairs.keys_with_prefix("", limit=1)
        before = state(one)
        with one.transaction() as stores:
            ada = stores.annotators.ensure("Ada", Role.ANNOTATOR).key
        mend(one, key, ada, {SentenceField.PREMISE: "Mended by Ada."}).work(Progress())
        answers.answer(one, [key], ada, Answer.UNCLEAR).work(Progress())
        answers.answer(one, [key], ada, Answer.NEUTRAL).work(Progress())
        answers.mark(one, [key], ada, MarkKind.FLAG, FLAG_VALUE).work(Progress())
        after = [("Mended by Ada.", "neutral", 1)]
        assert exchange() == (4, after, after)
        for _ in range(4):
            answers.undo(one, ada).work(Progress())
        assert exchange() == (3, before, before)
        for _ in range(4):
            answers.redo(one, ada).work(Progress())
        assert exchange() == (3, after, after)
        answers.undo(two, "Ben").work(Progress())  # Ben's undo of a pull takes nothing back from Ada
        assert push_project(two, str(corpus)).work(Progress()).pushed.events == 0


def push(project: Project, corpus: Path) -> int:
    """How many events were new to the corpus."""
    return push_project(project, str(corpus)).work(Progress()).pushed.events


def with_ada(path: Path) -> tuple[Project, str, str]:
    """An open project, the key of Ada, who is new, and of a pair."""
    project = Project.open(path)
    with project.transaction() as stores:
        [key] = stores.pairs.keys_with_prefix("", limit=1)
        return project, stores.annotators.ensure("Ada", Role.ANNOTATOR).key, key


def test_two_laptops_of_one_person_agree_after_an_undo_on_one(corpus: Path, tmp_path: Path) -> None:
    first, second = (pull(corpus, tmp_path / f"{name}.pairwright").project for name in ("one", "two"))
    one, ada, key = with_ada(first)
    two, _, _ = with_ada(second)
    with one, two:
        gold = f"SELECT gold FROM pairs WHERE key = '{key}'"
        for project, given in ((one, Answer.NEUTRAL), (two, Answer.CONTRASTING)):
            answers.answer(project, [key], ada, given).work(Progress())
            push(project, corpus)
        answers.undo(one, ada).work(Progress())
        pull(corpus, first)
        assert table(one, gold) == [(None,)]  # what was undone does not come back before the undo is pushed, either
        push(one, corpus)
        for path in (first, second):
            pull(corpus, path)
        assert table(one, gold) == table(two, gold) == [(None,)]
        assert (push(one, corpus), push(two, corpus)) == (0, 0)


def test_answers_that_differ_are_exchanged_once(corpus: Path, tmp_path: Path) -> None:
    first, second = (pull(corpus, tmp_path / f"{name}.pairwright").project for name in ("one", "two"))
    one, ada, key = with_ada(first)
    two, _, _ = with_ada(second)
    with one, two:
        for project, given in ((one, Answer.NEUTRAL), (two, Answer.CONTRASTING)):
            answers.answer(project, [key], ada, given).work(Progress())
        assert (push(one, corpus), push(two, corpus)) == (1, 1)
        for _ in range(2):
            for path in (first, second):
                pull(corpus, path)
            assert (push(one, corpus), push(two, corpus)) == (0, 0)


def test_undoing_a_pull_takes_nothing_back_from_others(corpus: Path, tmp_path: Path) -> None:
    first, second = (pull(corpus, tmp_path / f"{name}.pairwright").project for name in ("one", "two"))
    one, ada, key = with_ada(first)
    with one, Project.open(second) as two:
        with two.transaction() as stores:
            ben = stores.annotators.ensure("Ben", Role.ANNOTATOR).key
        mend(two, key, ben, {SentenceField.PREMISE: "Mended by Ben."}).work(Progress())
        push(two, corpus)
        answers.undo(two, ben).work(Progress())
        push(two, corpus)
        pull(corpus, first)
        mend(one, key, ada, {SentenceField.PREMISE: "Mended by Ada."}).work(Progress())
        push(one, corpus)
        pull(corpus, second)
        undone = answers.undo(two, ben).work(Progress())
        assert undone is not None
        assert undone.title.startswith("Pull answers")
        push(two, corpus)
        pull(corpus, first)
        assert table(one, f"SELECT premise FROM pairs WHERE key = '{key}'") == [("Mended by Ada.",)]


def test_an_expert_who_comes_back_by_a_redo_gives_no_votes(corpus: Path, tmp_path: Path) -> None:
    first, second = (pull(corpus, tmp_path / f"{name}.pairwright").project for name in ("one", "two"))
    with Project.open(first) as one, Project.open(second) as two:
        with one.transaction() as stores:
            expert = stores.annotators.ensure("Eva", Role.EXPERT).key
            [key] = stores.pairs.keys_with_prefix("", limit=1)
        answers.answer(one, [key], expert, Answer.NEUTRAL).work(Progress())
        push(one, corpus)
        pull(corpus, second)
        status = f"SELECT status, gold, votes FROM pairs WHERE key = '{key}'"
        before = table(two, status)
        answers.undo(two, "Ben").work(Progress())
        answers.redo(two, "Ben").work(Progress())
        assert table(two, status) == before == [("open", None, 0)]


def test_a_clock_that_is_set_back_loses_no_redo(corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = pull(corpus, tmp_path / "one.pairwright").project
    days = iter((10, 9, 8))

    class Clock(datetime):
        @classmethod
        def now(cls, tz: tzinfo | None = None) -> Clock:
            return cls(2030, 1, next(days), tzinfo=tz)

    monkeypatch.setattr("desktop.jobs.review.answers.datetime", Clock)
    one, ada, key = with_ada(first)
    with one:
        answers.answer(one, [key], ada, Answer.NEUTRAL).work(Progress())
        assert push(one, corpus) == 1
        answers.undo(one, ada).work(Progress())
        assert push(one, corpus) == 1
        answers.redo(one, ada).work(Progress())
        assert push(one, corpus) == 1
        pull(corpus, first)
        assert table(one, f"SELECT gold FROM pairs WHERE key = '{key}'") == [("neutral",)]


def test_answers_from_anybody_are_checked(corpus: Path, tmp_path: Path) -> None:
    pulled = pull(corpus, tmp_path / "p.pairwright").project
    with Project.open(pulled) as project:
        with project.read_transaction() as stores:
            [key] = stores.pairs.keys_with_prefix("", limit=1)
        answer(project, "Ada", 1, (key, Answer.NEUTRAL))
        push_project(project, str(corpus)).work(Progress())
    [file] = (corpus / "answers").iterdir()
    rows = pq.read_table(file)
    for column, value in (
        ("value", "no answer"),
        ("annotator", "a\nb"),
        ("annotator", "imported 01"),
        ("role", "king"),
        ("at", "yesterday"),
        ("what", "kinds"),
        ("pair_key", "x"),
    ):
        [row] = rows.to_pylist()
        pq.write_table(pa.Table.from_pylist([row | {column: value}], schema=rows.schema), file)
        with pytest.raises(UserError, match="never writes"):
            pull(corpus, tmp_path / "new.pairwright")
    file.write_bytes(b"no table")
    with pytest.raises(UserError, match="are damaged"):
        pull(corpus, tmp_path / "new.pairwright")
    file.rename(file.with_name(f"2{file.name[1:]}"))
    with pytest.raises(UserError, match="have version 2"):
        pull(corpus, tmp_path / "new.pairwright")
    assert not (tmp_path / "new.pairwright").exists()
