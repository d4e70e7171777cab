"""What people change about papers can be taken back, all of it, and done again."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from desktop.jobs.exchange.imports import import_data_sets
from miner.errors import UnreadableFile
from miner.progress import Progress
from miner.records import Answer
from storage.annotation.answers import NewAnswer
from storage.pairs.mended_texts import SentenceField
from storage.papers.metadata import PaperMetadata
from storage.papers.removals import RemovalCounts
from storage.project import Project
from storage.schema import DATA_SET
from tests.storage.factories import add, mine, next_papers, paper, pdf, search
from tests.storage.models.suggestion_factory import current, suggest

AT = datetime(2026, 3, 1, tzinfo=UTC)
A, B = paper("a").md5, paper("b").md5
TABLES = ("papers", "files", "sections", "paragraphs", "funnel", "pairs", "pairs_text")


def edit(project: Project, md5s: list[str], changes: PaperMetadata) -> int:
    with project.transaction() as stores:
        action = stores.actions.begin("mk", "Edited papers", AT)
        return stores.paper_edits.edit(action, md5s, changes)


def remove(project: Project, md5s: list[str], files: tuple[int, ...] = ()) -> RemovalCounts:
    with project.transaction() as stores:
        action = stores.actions.begin("mk", "Removed papers", AT)
        return stores.paper_removals.remove(action, md5s, files)


def undo(project: Project) -> None:
    with project.transaction() as stores:
        assert stores.actions.undo("mk", AT) is not None


def redo(project: Project) -> None:
    with project.transaction() as stores:
        assert stores.actions.redo("mk", AT) is not None


def metadata(project: Project, md5: str) -> tuple[str, int | None, str, tuple[str, ...]]:
    with project.read_transaction() as stores:
        found = stores.papers.summary(md5)
    assert found is not None
    return found.title, found.year, found.domain, found.authors


def content(project: Project) -> dict[str, list[tuple[object, ...]]]:
    """All rows of the papers' tables, but for the ids that give no order."""
    with project.read_transaction() as stores:
        found = {}
        for table in TABLES:
            rows = stores._connection.exec_driver_sql(f"SELECT * FROM {table}").mappings()
            kept = [tuple(value for name, value in row.items() if name != "id") for row in rows]
            found[table] = sorted(kept, key=repr)
        return found


def test_an_edit_of_many_papers_is_undone_and_redone_in_one_step(project: Project) -> None:
    add(project, "ab")
    before = content(project)
    assert edit(project, [A, B], {"domain": "botany", "year": None, "authors": ("C. D.",)}) == 2
    assert metadata(project, A) == ("On a", None, "botany", ("C. D.",))
    undo(project)
    assert content(project) == before
    redo(project)
    assert metadata(project, B) == ("On b", None, "botany", ("C. D.",))
    undo(project)
    assert content(project) == before


def test_a_better_parse_keeps_an_edit_until_it_is_undone(project: Project) -> None:
    add(project, "a")
    edit(project, [A], {"title": "Mine"})
    for version in ("2", "3"):
        with project.transaction() as stores:
            stores.papers.save(paper("a", version=version, text=f"Parse {version}. However, new."), pdf("a"))
        assert metadata(project, A)[0] == ("Mine" if version == "2" else "On a")
        if version == "2":
            undo(project)


def test_papers_are_mined_again_when_their_language_is_set_which_no_later_reading_changes(project: Project) -> None:
    add(project, "abc")
    run = mine(project)
    changed = sorted((A, B))[1]
    pending = [one for one in sorted((A, B, paper("c").md5)) if one >= changed]
    assert edit(project, [changed], {"language": "de"}) == 1
    assert [one.md5 for one in next_papers(project, run)] == pending
    read = replace(paper("a" if changed == A else "b", version="2"), language="en", splitter="9")
    with project.transaction() as stores:
        stores.papers.set_splitter(read)
        stores.papers.save(read, pdf("a" if changed == A else "b"))
        assert stores.papers.get(changed).language == "de"
    mine(project)
    undo(project)
    assert [one.md5 for one in next_papers(project, run)] == pending


def test_a_language_that_splitting_again_finds_is_stored(project: Project) -> None:
    add(project, "a")
    with project.transaction() as stores:
        stores.papers.set_sentences(replace(paper("a"), language="fr", splitter="9"))
        assert stores.papers.get(A).language == "fr"


def test_undo_keeps_later_changes(project: Project) -> None:
    add(project, "ab")
    edit(project, [A, B], {"domain": "botany"})
    with project.transaction() as stores:
        stores.papers.set_metadata(A, domain="zoology")
    undo(project)
    assert (metadata(project, A)[2], metadata(project, B)[2]) == ("zoology", "biology")


def test_setting_the_same_value_is_no_change(project: Project) -> None:
    add(project, "ab")
    edit(project, [A], {"domain": "botany"})
    assert edit(project, [A, B], {"domain": "botany"}) == 1
    undo(project)
    assert (metadata(project, A)[2], metadata(project, B)[2]) == ("botany", "biology")


@pytest.mark.parametrize("together", [2, 2000])
def test_undo_restores_a_removed_paper_with_its_pairs_and_their_index(
    project: Project, together: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("storage.papers.removals._BATCH_PAIRS", together)
    add(project, "abc")
    mine(project)
    with project.transaction() as stores:
        key = stores.pairs.of_paper(A)[0].key
        stores.answers.append([NewAnswer(key, "mk", AT, Answer.REASONING)])
    before = content(project)
    assert remove(project, [A, B]) == RemovalCounts(papers=2, pairs=9, judged=1)
    with project.read_transaction() as stores:
        assert stores.papers.md5s() == [paper("c").md5]
        assert search(stores, A) == []
    undo(project)
    assert content(project) == before
    with project.read_transaction() as stores:
        assert {pair.key for pair in search(stores, A)} <= {pair.key for pair in stores.pairs.of_paper(A)}
        assert stores.papers.get(A) == paper("a")
    assert project.check() == []
    redo(project)
    with project.read_transaction() as stores:
        assert stores.papers.count() == 1


def test_undo_restores_the_suggestions_of_runs_that_are_still_there(project: Project) -> None:
    add(project, "ab")
    mine(project)
    suggest(project)
    before = current(project)
    for lost in (False, True):
        remove(project, [A])
        assert 0 < len(current(project)) < len(before)
        if lost:  # another model's run replaces it meanwhile
            suggest(project, "other")
        undo(project)
        assert (current(project) == before) != lost
    assert project.check() == []


def test_a_sentence_mended_while_its_paper_was_removed_has_no_suggestion(project: Project) -> None:
    add(project, "ab")
    mine(project)
    suggest(project)
    with project.read_transaction() as stores:
        mended = stores.pairs.of_paper(A)[0]
    before = current(project)
    remove(project, [A])
    with project.transaction() as stores:  # as an answer file would
        mends = [(mended.key, SentenceField.PREMISE, mended.premise, "Mended.")]
        stores.texts.import_texts(mends, AT)
    undo(project)
    assert current(project).keys() == before.keys() - {mended.key}


def test_undo_keeps_a_paper_that_was_added_again(project: Project) -> None:
    add(project, "a")
    remove(project, [A])
    with project.transaction() as stores:
        stores.papers.save(paper("a", text="Added anew. However, other prose."), pdf("again"))
        action = stores._connection.exec_driver_sql("SELECT max(id) FROM actions").scalar_one()
        note = stores.paper_edits.undo(action, action)
        assert note == "A paper had been added again meanwhile and stayed as now."
        assert stores.papers.file_paths(A) == ["/papers/again.pdf"]


def test_a_restored_paper_gets_a_new_id_if_its_own_is_in_use(project: Project) -> None:
    add(project, "a")
    remove(project, [A])
    add(project, "b")
    undo(project)
    with project.read_transaction() as stores:
        assert stores.papers.get(A) == paper("a")
        assert stores.papers.get(B) == paper("b")
        assert stores.papers.file_paths(A) == ["/papers/a.pdf"]


def mine_edit_and_take_back(project: Project) -> None:
    mine(project)
    edit(project, [paper("c").md5], {"language": "de"})
    undo(project)


def begin_another_run(project: Project, run: int) -> None:
    mine(project, "other")
    with project.transaction() as stores:
        stores.mining_runs.start("run", "{}", program="test", language_model="")


MEANWHILE: dict[str, Callable[[Project, int], object]] = {
    "nothing": lambda project, run: None,
    "mined": lambda project, run: mine(project),
    "added": lambda project, run: add(project, "d"),
    "edited": lambda project, run: mine_edit_and_take_back(project),
    "other settings": begin_another_run,
}


@pytest.mark.parametrize("meanwhile", MEANWHILE)
def test_restored_papers_are_mined_again_only_if_something_has_happened_meanwhile(
    project: Project, meanwhile: str
) -> None:
    add(project, "abc")
    run = mine(project)
    before = content(project)
    remove(project, [min(A, B)])
    assert next_papers(project, run)
    MEANWHILE[meanwhile](project, run)
    undo(project)
    with project.read_transaction() as stores:
        assert (stores.mining_runs.count_pending(run) > 0) == (meanwhile != "nothing")
    assert mine(project) == run
    assert meanwhile == "added" or content(project) == before


def test_a_data_set_that_is_removed_again_gives_back_the_pairs_that_it_hid(project: Project, tmp_path: Path) -> None:
    add(project, "ab")
    mine(project)
    with project.read_transaction() as stores:
        pairs = [pair for md5 in (A, B) for pair in stores.pairs.of_paper(md5)]
    rows = [{"sentence1": one.premise, "sentence2": one.hypothesis, "label": "neutral"} for one in pairs]
    remove(project, [A, B])
    (tmp_path / "rows.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    import_data_sets(project, [tmp_path / "rows.jsonl"], "").work(Progress())
    add(project, "ab")
    run = mine(project)
    with project.read_transaction() as stores:
        query = f"SELECT md5 FROM papers WHERE kind = '{DATA_SET}'"
        [data_set] = stores._connection.exec_driver_sql(query).scalars()
        assert not stores.pairs.of_paper(A)
    remove(project, [data_set])
    undo(project)
    redo(project)
    assert mine(project) == run
    with project.read_transaction() as stores:
        assert stores.pairs.of_paper(A)


def test_failed_files_that_are_removed_first_have_nothing_mined_again(project: Project) -> None:
    add(project, "ab")
    run = mine(project)
    with project.transaction() as stores:
        stores.files.save_failure(Path("/papers/x.pdf"), UnreadableFile("scan", "No text.", hint="Run OCR."))
        [number] = stores._connection.exec_driver_sql("SELECT id FROM files WHERE code IS NOT NULL").scalars()
        action = stores.actions.begin("mk", "Removed papers", AT)
        stores.paper_removals.remove(action, [], [number])
        stores.paper_removals.remove(action, [A])
    undo(project)
    assert not next_papers(project, run)


def test_an_action_that_removes_several_times_is_undone_whole(project: Project) -> None:
    add(project, "abc")
    run = mine(project)
    with project.transaction() as stores:
        for name in "xy":
            stores.files.save_failure(Path(f"/papers/{name}.pdf"), UnreadableFile("scan", "No text.", hint="Run OCR."))
        numbers = [id for (id,) in stores._connection.exec_driver_sql("SELECT id FROM files WHERE code IS NOT NULL")]
    before = content(project)
    with project.transaction() as stores:
        action = stores.actions.begin("mk", "Removed papers", AT)
        for md5, number in zip((A, B), numbers, strict=True):
            stores.paper_removals.remove(action, [md5], [number])
    undo(project)
    assert content(project) == before
    assert not next_papers(project, run)


def test_failed_files_are_removed_and_restored(project: Project) -> None:
    with project.transaction() as stores:
        stores.files.save_failure(Path("/papers/scan.pdf"), UnreadableFile("scan", "No text layer.", hint="Run OCR."))
        number = stores._connection.exec_driver_sql("SELECT id FROM files").scalar_one()
    assert remove(project, [], (number,)) == RemovalCounts(files=1)
    with project.read_transaction() as stores:
        assert stores.files.failures() == []
    undo(project)
    with project.read_transaction() as stores:
        [back] = stores.files.failures()
        assert (back.path, back.hint) == ("/papers/scan.pdf", "Run OCR.")
    redo(project)
    with project.read_transaction() as stores:
        assert stores.files.failures() == []


def test_a_paper_without_files_is_restored(project: Project) -> None:
    add(project, "a")
    with project.transaction() as stores:
        stores._connection.exec_driver_sql("DELETE FROM files")
    remove(project, [A])
    undo(project)
    with project.read_transaction() as stores:
        assert stores.papers.get(A) == paper("a")


def test_actions_without_an_annotator_are_undone(project: Project) -> None:
    add(project, "a")
    with project.transaction() as stores:
        action = stores.actions.begin("", "Removed a paper", AT)
        stores.paper_removals.remove(action, [A])
    undo(project)
    with project.read_transaction() as stores:
        assert stores.papers.count() == 1
        assert stores.actions.redo_title("mk") == "Removed a paper"


def test_undo_says_what_it_could_not_restore(project: Project) -> None:
    add(project, "a")
    remove(project, [A])
    add(project, "a")
    with project.transaction() as stores:
        undone = stores.actions.undo("mk", AT)
        assert undone is not None
        assert undone.title == "Removed papers. A paper had been added again meanwhile and stayed as now."
