"""What changed on the disk behind the program's back is named, with the backup that has it as it was."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from miner.errors import UserError
from miner.progress import Cancelled, Progress
from miner.records import Answer
from miner.splits import shares_split
from storage import backups, verification
from storage.annotation.annotation_rounds import RoundKind, RoundPair, RoundPlan
from storage.annotation.annotators import Role
from storage.annotation.answers import NewAnswer
from storage.annotation.setup import SetupStore
from storage.dataset.export_options import ExportOptions, Preset
from storage.errors import DamagedProject
from storage.exchange.pair_export import export_pairs
from storage.exchange.releases import make_release
from storage.integrity.history_chain import last_seal
from storage.pairs import judgement, mended_texts
from storage.pairs.filters import PairFilter
from storage.pairs.mended_texts import SentenceField
from storage.project import Project
from storage.settings import SPLIT
from storage.stores import Stores
from storage.verification import Subject, changed_error, find_changed_rows
from tests.kinds_factory import answer_kinds
from tests.storage.factories import add, mine, paper

AT = datetime(2026, 7, 1, tzinfo=UTC)


def change(path: Path, statement: str, values: Sequence[object] = ()) -> None:
    """Change the file as a flipped bit would: no trigger runs."""
    with closing(sqlite3.connect(path)) as connection:
        triggers = connection.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
        for name, _ in triggers:
            connection.execute(f"DROP TRIGGER {name}")
        assert connection.execute(statement, values).rowcount == 1
        for _, sql in triggers:
            connection.execute(sql)
        connection.commit()


@pytest.fixture
def worked(project: Project) -> list[str]:
    """The keys of a project's pairs, of which the first two are answered and the first is mended."""
    add(project, ["a", "b"])
    mine(project)
    with project.transaction() as stores:
        keys = stores.pair_table.keys(stores.pair_table.ids(PairFilter()))
        for key in keys[:2]:
            answer(stores, key)
    with project.transaction() as stores:
        stores.texts.mend(keys[0], "anna", {SentenceField.PREMISE: "It was mended."}, AT, action=None)
    return keys


def answer(stores: Stores, key: str) -> None:
    action = stores.actions.begin("anna", "Answer", AT)
    stores.answers.append([NewAnswer(key, "anna", AT, Answer.NEUTRAL)], action=action)


def test_what_was_stored_is_whole_also_after_work_undo_and_another_mining(project: Project, worked: list[str]) -> None:
    assert find_changed_rows(project) == []
    with project.transaction() as stores:
        stores.actions.undo("anna", AT)
    mine(project, "other")
    assert find_changed_rows(project) == []


@pytest.mark.parametrize(
    ("subject", "statement"),
    [
        (Subject.PAIRS, "UPDATE pairs SET hypothesis_original = 'x' || hypothesis_original WHERE key = ?"),
        (Subject.PAIRS, "UPDATE pairs SET mined_premise = 'Another one.' WHERE key = ?"),
        (Subject.PAIRS, "UPDATE pairs SET distant_label = 'neutral', phrase = NULL WHERE key = ?"),
        (Subject.PAIRS, "UPDATE pairs SET page = '1' || page WHERE key = ?"),
        (Subject.SENTENCES, "UPDATE pairs SET premise = 'It was bended.' WHERE key = ?"),
        (Subject.LABELS, "UPDATE pairs SET gold = 'entailment' WHERE key = ?"),
        (Subject.LABELS, "UPDATE pairs SET status = 'open' WHERE key = ?"),
        (Subject.HISTORIES, "UPDATE label_events SET at = '2026-07-02T00:00:00+00:00' WHERE pair_key = ?"),
        (Subject.HISTORIES, "UPDATE text_events SET annotator = 'ben' WHERE pair_key = ?"),
    ],
)
def test_another_value_is_noticed_and_not_exported(
    project: Project, path: Path, worked: list[str], subject: Subject, statement: str, tmp_path: Path
) -> None:
    backups.back_up(path, AT)
    project.close()
    change(path, statement, (worked[0],))
    with Project.open(path) as damaged:
        [rows] = [rows for rows in find_changed_rows(damaged) if rows.subject is subject]
        assert len(rows.rows) == 1
        if subject is not Subject.HISTORIES:
            assert rows.rows == (worked[0],)
        with pytest.raises(DamagedProject, match=str(subject)) as raised:
            export_pairs(damaged, tmp_path / "out", ExportOptions(Preset.FULL), Progress())
        assert "The backup of 2026-07-01 00:00 UTC has them as they were." in raised.value.hint
        with pytest.raises(DamagedProject):
            make_release(damaged, "1", tmp_path / "released", ExportOptions(), Progress(), AT)
        assert not list((tmp_path / "out").glob("pairs*"))
        if subject is not Subject.LABELS:
            assert [backup.at for backup in backups.list_rolling_backups(path)] == [AT]
            if subject is not Subject.SENTENCES:
                with pytest.raises(DamagedProject):
                    backups.back_up(path, AT + timedelta(days=1))


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE pair_kinds SET direction = 'backward' WHERE pair_key = ?",
        "UPDATE pair_kinds SET categories = ' lexical ' WHERE pair_key = ?",
        "UPDATE pair_kinds SET relation = 'entailment' WHERE pair_key = ?",
        "DELETE FROM pair_kinds WHERE pair_key = ?",
    ],
)
def test_another_kind_of_reasoning_is_noticed_and_not_exported(
    project: Project, path: Path, worked: list[str], statement: str, tmp_path: Path
) -> None:
    keys = answer_kinds(project, {"anna": ["world", "lexical"], "ben": ["world"]})
    assert find_changed_rows(project) == []
    backups.back_up(path, AT)
    project.close()
    change(path, statement, (keys[0],))
    with Project.open(path) as damaged:
        assert [(rows.subject, rows.rows) for rows in find_changed_rows(damaged)] == [(Subject.KINDS, (keys[0],))]
        with pytest.raises(DamagedProject, match=str(Subject.KINDS)) as raised:
            export_pairs(damaged, tmp_path / "out", ExportOptions(Preset.TAXINLI), Progress())
        assert "The backup of 2026-07-01 00:00 UTC has them as they were." in raised.value.hint


@pytest.mark.parametrize(
    ("subject", "statement"),
    [
        (Subject.MINING, "UPDATE mining_runs SET settings = settings || ' '"),
        (Subject.MINING, "UPDATE mining_runs SET language_model = 'other'"),
        (Subject.MINING, "UPDATE funnel SET count = count + 1 WHERE rowid_of_one"),
        (Subject.PEOPLE, "UPDATE annotators SET name = 'Anne' WHERE key = 'anna'"),
        (Subject.PEOPLE, "UPDATE annotators SET role = 'adjudicator' WHERE key = 'anna'"),
        (Subject.ROUNDS, "UPDATE annotation_rounds SET plan = replace(plan, '1', '2')"),
        (Subject.ROUNDS, "UPDATE annotation_round_pairs SET label = 'neutral'"),
        (Subject.RELEASES, "UPDATE releases SET counts = replace(counts, '1', '2')"),
        (Subject.RELEASES, "UPDATE releases SET options = replace(options, '1', '2')"),
        (Subject.LISTS, "UPDATE pair_lists SET made_at = replace(made_at, '6', '7')"),
        (Subject.REMOVED, "UPDATE removed_papers SET content = x'00' WHERE part = 0"),
        (Subject.FILES, "UPDATE files SET path = path || 'x' WHERE id = (SELECT min(id) FROM files)"),
    ],
)
def test_other_runs_people_rounds_and_releases_are_noticed(
    project: Project, path: Path, worked: list[str], subject: Subject, statement: str, tmp_path: Path
) -> None:
    make_release(project, "1", tmp_path / "released", ExportOptions(Preset.FULL, card=True), Progress(), AT)
    with project.transaction() as stores:
        stores.annotators.ensure("anna")
        round = RoundPair(worked[1], "nlp", None)
        stores.annotation_rounds.add(RoundPlan(RoundKind.BENCHMARK, pairs=1), [round], ["anna"], AT)
        stores.pair_lists.put("Hard ones", worked[:1], AT)
        stores.paper_removals.remove(stores.actions.begin("", "Remove papers", AT), [paper("b").md5])
    assert find_changed_rows(project) == []
    backups.back_up(path, AT)
    project.close()
    one = "(paper_id, strategy, outcome, reason) = (SELECT paper_id, strategy, outcome, reason FROM funnel LIMIT 1)"
    change(path, statement.replace("rowid_of_one", one))
    with Project.open(path) as damaged:
        assert subject in {rows.subject for rows in find_changed_rows(damaged)}
        with pytest.raises(DamagedProject, match=str(subject)) as raised:
            export_pairs(damaged, tmp_path / "out", ExportOptions(Preset.FULL, card=True), Progress())
        assert "The backup of 2026-07-01 00:00 UTC has them as they were." in raised.value.hint
    with pytest.raises(DamagedProject):
        backups.back_up(path, AT + timedelta(days=1))


def test_a_round_or_paper_that_comes_back_is_as_it_was_stored(project: Project, worked: list[str]) -> None:
    with project.transaction() as stores:
        action = stores.actions.begin("anna", "Start a round", AT)
        with SetupStore(stores._connection).recording(action):
            plan = RoundPlan(RoundKind.BENCHMARK, pairs=1)
            stores.annotation_rounds.add(plan, [RoundPair(worked[1], "nlp", None)], ["anna"], AT)
    for _ in range(2):
        with project.transaction() as stores:
            stores.actions.undo("anna", AT)
        with project.transaction() as stores:
            stores.actions.redo("anna", AT)
        assert find_changed_rows(project) == []
    with project.transaction() as stores:
        removal = stores.actions.begin("anna", "Remove papers", AT)
        stores.paper_removals.remove(removal, [paper("a").md5])
    add(project, ["c"])  # its id may be that of the removed paper
    with project.transaction() as stores:
        stores.paper_removals.restore(removal)
    assert find_changed_rows(project) == []


def test_kinds_of_pairs_that_come_back_follow_from_the_roles_of_then(project: Project, worked: list[str]) -> None:
    answer_kinds(project, {"anna": ["world", "lexical"], "ben": ["world"]})
    with project.transaction() as stores:
        action = stores.actions.begin("", "Remove papers", AT)
        stores.paper_removals.remove(action, [paper("a").md5])
    with project.transaction() as stores:
        stores.annotators.set_role("ben", Role.REFERENCE, lambda done, total: None)
    assert find_changed_rows(project) == []
    with project.transaction() as stores:
        stores.paper_removals.restore(action)
    assert find_changed_rows(project) == []


def test_a_large_project_is_verified_in_a_process_of_its_own(
    project: Project, path: Path, worked: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(verification, "_LARGE_FILE", 0)
    assert export_pairs(project, tmp_path / "out", ExportOptions(Preset.FULL), Progress()).rows
    progress = Progress()
    progress.cancel()
    with pytest.raises(Cancelled):
        verification.require_whole(project, progress)
    project.close()
    change(path, "UPDATE pairs SET premise = 'Another.' WHERE key = ?", (worked[1],))
    with Project.open(path) as damaged, pytest.raises(DamagedProject, match=worked[1]):
        export_pairs(damaged, tmp_path / "other", ExportOptions(Preset.FULL), Progress())


def test_batches_leave_no_changed_label_or_sentence_out(
    project: Project, path: Path, worked: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(judgement, "_BATCH_SIZE", 1)
    monkeypatch.setattr(mended_texts, "_BATCH_SIZE", 1)
    with project.transaction() as stores:
        stores.texts.mend(worked[1], "anna", {SentenceField.PREMISE: "It was mended, too."}, AT, action=None)
    assert find_changed_rows(project) == []
    for key in worked[:2]:
        change(path, "UPDATE pairs SET contested = 1, premise = 'Another one.' WHERE key = ?", (key,))
    found = {rows.subject: rows.rows for rows in find_changed_rows(project)}
    assert found[Subject.SENTENCES] == found[Subject.LABELS] == tuple(sorted(worked[:2]))


@pytest.mark.parametrize(
    ("subject", "statement"),
    [
        (Subject.PAPER_SPLITS, "UPDATE papers SET split = iif(split = 'dev', 'test', 'dev') WHERE id = 1"),
        (Subject.SPLITS, "UPDATE pairs SET split = iif(split = 'dev', 'test', 'dev') WHERE id = 1"),
        (Subject.SPLITS, "UPDATE pairs SET split = NULL WHERE id = 1"),
    ],
)
def test_another_split_is_noticed_unless_what_decides_it_has_changed_too(
    project: Project, path: Path, worked: list[str], subject: Subject, statement: str
) -> None:
    with project.transaction() as stores:
        stores.settings.put(SPLIT, shares_split(1, 1, 1))
        stores.split_counts.refresh()
        stores.annotators.refresh_statuses(lambda done, total: None)
    assert find_changed_rows(project) == []
    backups.back_up(path, AT)
    project.close()
    change(path, statement)
    with Project.open(path) as damaged:
        found = find_changed_rows(damaged)
        assert subject in {rows.subject for rows in found}
        assert "The backup of 2026-07-01 00:00 UTC" in changed_error(damaged.path, found).hint
    change(path, "UPDATE settings SET value = replace(value, '1', '2') WHERE key = 'split'")
    with Project.open(path) as damaged:
        assert {rows.subject for rows in find_changed_rows(damaged)} - {Subject.LABELS} == {Subject.SETTINGS}


def test_papers_settings_and_lost_rows_are_noticed(project: Project, path: Path, worked: list[str]) -> None:
    project.close()
    change(path, "UPDATE papers SET title = 'On another' WHERE title = 'On a'")
    change(path, "UPDATE paragraphs SET text = replace(text, 'fast', 'fest') WHERE paper_id = 2")
    change(path, "UPDATE settings SET value = value || ' ' WHERE key = (SELECT min(key) FROM settings)")
    with Project.open(path) as damaged:
        subjects = {rows.subject for rows in find_changed_rows(damaged)}
        assert subjects == {Subject.PAPERS, Subject.TEXTS, Subject.SETTINGS}
        assert Subject.TEXTS not in {rows.subject for rows in find_changed_rows(damaged, texts=False)}


def test_a_backup_without_the_rows_is_not_named(project: Project, path: Path, tmp_path: Path) -> None:
    backups.back_up(path, AT)
    add(project, ["a"])
    mine(project)
    project.close()
    change(path, "UPDATE pairs SET phrase = 'But' WHERE id = 1")
    with Project.open(path) as damaged, pytest.raises(DamagedProject) as raised:
        export_pairs(damaged, tmp_path / "out", ExportOptions(), Progress())
    assert "as they were" not in raised.value.hint


def test_a_history_written_anew_is_not_that_of_a_release(
    project: Project, path: Path, worked: list[str], tmp_path: Path
) -> None:
    make_release(project, "1", tmp_path / "released", ExportOptions(), Progress(), AT)
    with closing(sqlite3.connect(path)) as connection:
        seal = last_seal(connection)
        assert connection.execute("SELECT history FROM releases").fetchall() == [(str(seal),)]
        assert len(str(seal)) == 64
    with project.transaction() as stores:
        answer(stores, worked[2])
    with closing(sqlite3.connect(path)) as connection:
        assert last_seal(connection) != seal


def test_rows_added_by_another_program_are_named(project: Project, path: Path, worked: list[str]) -> None:
    project.close()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(
            "INSERT INTO label_events (pair_key, annotator, at, seen, new, via) "
            "VALUES (?, 'eve', ?, '{}', 'neutral', 'answer')",
            (worked[3], AT.isoformat()),
        )
        connection.commit()
    with Project.open(path) as changed:
        found = {rows.subject: [str(row) for row in rows.rows] for rows in find_changed_rows(changed)}
    assert found[Subject.HISTORIES] == ["label_events 3"]
    assert found[Subject.LABELS] == [worked[3]]


def test_work_that_is_refused_does_not_wait_for_the_verification(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    stopped = []

    def verify(_: Project, progress: Progress) -> None:  # one that takes long
        stopped.append(progress.wait(60))

    monkeypatch.setattr(verification, "require_whole", verify)
    whole = Progress()
    with pytest.raises(UserError, match="refused"), verification.verifying(project, whole):
        raise UserError("refused")
    assert stopped == [True]
    assert not whole.cancelled


def test_a_verification_ends_with_its_job() -> None:
    whole = Progress()
    part = verification._StoppableProgress(whole)
    whole.pause()
    assert part.paused
    part.raise_if_cancelled()
    whole.cancel()
    with pytest.raises(Cancelled):
        part.raise_if_cancelled()
