"""Another project's papers and work, added to the open one: two students, one professor."""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections.abc import Iterable
from contextlib import closing, suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from desktop.jobs.exchange.project_addition import add_project
from desktop.jobs.results import describe
from desktop.jobs.review import answers
from desktop.jobs.review.people import list_people
from miner.errors import UserError
from miner.parsing.files import FileKind
from miner.progress import Cancelled, Progress, Tick
from miner.records import Answer
from storage import backups
from storage.annotation.annotation_rounds import RoundKind, RoundPair, RoundPlan
from storage.annotation.annotators import Role
from storage.annotation.answers import NewAnswer
from storage.annotation.marks import FLAG_VALUE, MarkKind
from storage.exchange.added_project import AddedProject
from storage.exchange.pair_import import import_pairs
from storage.pairs.judgement import keys_scope
from storage.pairs.mended_texts import SentenceField
from storage.papers.files import FileSource
from storage.project import Project
from tests.old_project import make_old_project
from tests.precision_factory import answer_sample
from tests.storage.factories import add, as_many, mine, mined, next_papers, pair, paper, start_run

START = datetime(2026, 3, 2, 9, tzinfo=UTC)
CONTRASTING, REASONING, NEUTRAL = Answer.CONTRASTING, Answer.REASONING, Answer.NEUTRAL
MARK, NOTE, MENDED = MarkKind.FLAG, "see table 2", "Cells grow fast."


def make(path: Path, papers: Iterable[str]) -> Project:
    project = Project.create(path, busy_timeout_s=0.2)
    add(project, papers)
    mine(project)
    return project


def key(name: str, number: int) -> str:
    """A linked pair of a paper, as `factories.some_pairs` makes it."""
    md5 = paper(name).md5
    return pair(md5, f"{md5} premise {number}.", f"However, {number}.").key


def answer(project: Project, name: str, given: dict[str, Answer | None], minute: int = 0) -> None:
    with project.transaction() as stores:
        who = stores.annotators.ensure(name).key
        action = stores.actions.begin(who, "Answer", START)
        at = START + timedelta(minutes=minute)
        stores.answers.append([NewAnswer(one, who, at, given[one]) for one in given], action=action)


def joined(project: Project, other: Path) -> AddedProject:
    return add_project(project, other).work(Progress())


def outcome(project: Project) -> list[tuple[object, ...]]:
    """Current pairs, with labels and texts, and everybody's present answers and marks."""
    with project.read_transaction() as stores:
        run = stores._connection.exec_driver_sql
        pairs = run("SELECT key, premise, status, gold, label, votes, flagged, current FROM pairs ORDER BY key")
        given = run("SELECT pair_key, lower(annotator), answer FROM answers ORDER BY 1, 2")
        marks = run(
            "SELECT pair_key, lower(annotator), kind, new FROM mark_events e WHERE new IS NOT NULL AND id = (SELECT "
            "max(id) FROM mark_events WHERE pair_key = e.pair_key AND kind = e.kind AND annotator = e.annotator) "
            "ORDER BY 1, 2, 3"
        )
        return [tuple(row) for rows in (pairs, given, marks) for row in rows]


def papers(project: Project) -> list[str]:
    with project.read_transaction() as stores:
        return [one.title for one in stores.papers.summaries()]


@pytest.fixture
def students(tmp_path: Path) -> tuple[Path, Path]:
    """Nadia has papers a and b, Omar b and c. Both answer pairs of b, one of them as Nadia on Omar's computer."""
    nadia, omar = tmp_path / "nadia.pairwright", tmp_path / "omar.pairwright"
    with make(nadia, "ab") as project:
        answer(project, "Nadia", {key("a", 0): REASONING, key("b", 0): REASONING, key("b", 1): REASONING})
        with project.transaction() as stores:
            action = stores.actions.begin("Nadia", "Mark", START)
            stores.marks.put(keys_scope([key("b", 2)]), "Nadia", MARK, FLAG_VALUE, START, action=action)
            stores.marks.put(keys_scope([key("a", 1)]), "Nadia", MarkKind.NOTE, NOTE, START, action=action)
            stores.texts.mend(key("a", 0), "Nadia", {SentenceField.PREMISE: MENDED}, START, action=action)
            stores.pair_lists.put("hard", [key("a", 0), key("b", 0)], START)
    with make(omar, "bc") as project:
        answer(project, "Omar", {key("b", 0): CONTRASTING, key("c", 1): NEUTRAL})
        answer(project, "nadia", {key("b", 1): CONTRASTING, key("c", 0): REASONING}, minute=5)
        with project.transaction() as stores:
            stores.pair_lists.put("hard", [key("c", 0)], START)
    return nadia, omar


def test_either_project_added_to_the_other_gives_the_same_pairs_and_labels(students: tuple[Path, Path]) -> None:
    nadia, omar = students
    outcomes = []
    for target, other in ((nadia, omar), (omar, nadia)):
        mine_path = target.with_name(f"both {target.name}")
        shutil.copy(target, mine_path)
        with Project.open(mine_path) as project:
            result = joined(project, other)
            assert (result.papers, result.known, result.lists) == (1, 1, 1)
            assert [one.name.lower() for one in result.conflicts] == ["nadia"]
            mine(project)
            found = outcome(project)
            assert sorted(papers(project)) == ["On a", "On b", "On c"]
        outcomes.append(found)
    assert outcomes[0] == outcomes[1]
    by_key = {row[0]: row for row in outcomes[0] if len(row) == 8}
    assert by_key[key("b", 1)][3] == CONTRASTING  # Nadia's later answer
    assert by_key[key("a", 0)][1:4] == (MENDED, "settled", REASONING)
    assert by_key[key("b", 0)][2] == "unsettled"  # Nadia and Omar differ


def test_adding_twice_changes_nothing_and_one_undo_takes_all_back(students: tuple[Path, Path]) -> None:
    nadia, omar = students
    with Project.open(nadia) as project:
        before, lists = outcome(project), _lists(project)
        people = [one.name for one in list_people(project).work(Progress())]
        first = joined(project, omar)
        assert describe(first).sentence == (
            "Added omar: 1 new paper, 1 already there, 4 new answers, 1 conflict, 1 list."
        )
        mine(project)
        after = outcome(project)
        assert {"hard", "hard (omar)"} == _lists(project)
        again = joined(project, omar)
        assert (again.title, again.papers, again.answers, again.known_answers) == ("", 0, 0, 4)
        assert describe(again).sentence == "Nothing of omar is new: 2 papers and 4 answers are already there."
        assert outcome(project) == after
        undone = answers.undo(project, "Nadia").work(Progress())
        assert undone is not None
        assert undone.title == "Add the project omar"
        mine(project)
        assert (outcome(project), _lists(project)) == (before, lists)
        assert len(papers(project)) == 2
        assert [one.name for one in list_people(project).work(Progress())] == people
        answers.redo(project, "Nadia").work(Progress())
        mine(project)
        assert outcome(project) == after
        answers.undo(project, "Nadia").work(Progress())
        mine(project)
        assert outcome(project) == before
        assert joined(project, omar).title
        mine(project)
        assert outcome(project) == after


def _lists(project: Project) -> set[str]:
    with project.read_transaction() as stores:
        return {one.name for one in stores.pair_lists.all()}


def test_answers_to_pairs_that_this_project_does_not_mine_are_kept(students: tuple[Path, Path], tmp_path: Path) -> None:
    with Project.create(tmp_path / "prof.pairwright") as project:
        for path in students:
            joined(project, path)
        found = {row[0]: row for row in outcome(project) if len(row) == 8}
        assert set(found) == {key("a", 0), key("a", 1), key("b", 0), key("b", 1), key("b", 2), key("c", 0), key("c", 1)}
        assert not any(row[-1] for row in found.values())  # no longer mined, until they are mined here
        mine(project)
        assert {row[0] for row in outcome(project) if len(row) == 8 and row[-1]} > set(found)


def test_pilot_answers_stay_no_votes_and_other_rounds_stay_behind(tmp_path: Path) -> None:
    path = tmp_path / "other.pairwright"
    with make(path, "a") as other:
        answer(other, "Ben", {key("a", 0): REASONING, key("a", 1): REASONING}, minute=1)
        with other.transaction() as stores:
            stores.annotators.ensure("Head", Role.REFERENCE)
            pilot = [RoundPair(key("a", 0), "biology", None)]
            stores.annotation_rounds.add(RoundPlan(RoundKind.PILOT), pilot, ["Ben"], START)
            stores.annotation_rounds.add(RoundPlan(), [RoundPair(key("a", 1), "biology", None)], ["Ben"], START)
    with Project.create(tmp_path / "prof.pairwright") as project:
        result = joined(project, path)
        assert (result.pilots, result.staying) == (1, ("rounds",))
        mine(project)
        found = {row[0]: row for row in outcome(project) if len(row) == 8}
        assert (found[key("a", 0)][2], found[key("a", 1)][3]) == ("open", REASONING)
        with project.read_transaction() as stores:
            [round] = stores.annotation_rounds.all()
        assert not round.is_open
        answers.undo(project, "x").work(Progress())
        with project.read_transaction() as stores:
            assert stores.annotation_rounds.all() == []
            assert stores.papers.count() == 0


def test_a_sample_for_precision_stays_behind_and_its_answers_come(tmp_path: Path) -> None:
    path = tmp_path / "other.pairwright"
    with make(path, "ab") as other:
        drawn = answer_sample(other, 5)
    with Project.create(tmp_path / "prof.pairwright") as project:
        result = joined(project, path)
        assert (result.answers, result.staying) == (len(drawn), ("a sample for precision",))
        assert "Not taken over from other: a sample for precision." in describe(result).notes
        with project.read_transaction() as stores:
            assert stores.precision_samples.seed() is None


def test_what_is_here_stays_and_differences_are_told(tmp_path: Path) -> None:
    path = tmp_path / "other.pairwright"
    with make(path, "ab") as other, other.transaction() as stores:
        stores.papers.set_metadata(paper("a").md5, domain="physics")
        stores.papers.set_metadata(paper("b").md5, year=2001)
    with Project.open(path), make(tmp_path / "prof.pairwright", "a") as project:  # somebody works on it meanwhile
        result = joined(project, path)
        assert [tuple(one) for one in result.domains] == [("On a", "biology", "physics")]
        with project.read_transaction() as stores:
            here, added = stores.papers.summary(paper("a").md5), stores.papers.summary(paper("b").md5)
            files = stores.papers.file_paths(paper("b").md5)
        assert here is not None
        assert added is not None
        assert (here.domain, added.year, added.edited, files) == ("biology", 2001, {"year"}, ["/papers/b.pdf"])


def test_files_that_cannot_be_taken_are_refused_and_change_nothing(tmp_path: Path) -> None:
    good = tmp_path / "good.pairwright"
    with make(good, "ab") as other:
        answer(other, "Ben", {key("a", 0): REASONING})
    hostile = {
        "UPDATE papers SET md5 = 'x' WHERE id = 1": "damaged",
        "UPDATE papers SET year = 'two thousand'": "damaged",
        "UPDATE paragraphs SET sentences = '[[0, 100000]]'": "damaged",
        "UPDATE pairs SET distant_label = 'true'": "damaged",
        "UPDATE alembic_version SET version_num = '9999'": "newer Pairwright",
        "DROP TABLE mark_events": "damaged",
        "DROP TRIGGER label_events_are_fixed; UPDATE label_events SET at = 'noon'": "damaged",
    }
    with make(tmp_path / "prof.pairwright", "c") as project:
        before = outcome(project)
        for number, (statement, reason) in enumerate(hostile.items()):
            path = tmp_path / f"bad {number}.pairwright"
            shutil.copy(good, path)
            with closing(sqlite3.connect(path)) as connection, connection:
                connection.executescript(statement)
            content = path.read_bytes()
            with pytest.raises(UserError, match=reason) as refused:
                joined(project, path)
            assert str(path) in str(refused.value), statement
            assert path.read_bytes() == content
        with pytest.raises(UserError, match="is this project itself"):
            joined(project, project.path)
        with pytest.raises(UserError, match=r"There is no .*missing"):
            joined(project, tmp_path / "missing.pairwright")
        (tmp_path / "text.pairwright").write_text("no database")
        with pytest.raises(UserError, match="is not a Pairwright project"):
            joined(project, tmp_path / "text.pairwright")
        assert outcome(project) == before
        assert answers.undo_titles(project, "x").work(Progress()) == (None, None)


def test_an_older_project_is_taken_from_a_copy_and_stays_as_it_is(tmp_path: Path) -> None:
    old = tmp_path / "old.pairwright"
    make_old_project(old, tmp_path / "papers")
    content = old.read_bytes()
    with Project.create(tmp_path / "prof.pairwright") as project:
        result = joined(project, old)
        assert (result.papers, result.answers, result.people) == (4, 28, ["anna"])
    assert old.read_bytes() == content
    assert not list(tmp_path.glob("old.*before*"))


def test_an_addition_that_is_undone_meanwhile_stops(students: tuple[Path, Path], tmp_path: Path) -> None:
    with Project.create(tmp_path / "prof.pairwright", busy_timeout_s=0.2) as project:

        def undo(tick: Tick) -> None:
            if tick.note == "answers":
                answers.undo(project, "x").work(Progress())

        with pytest.raises(UserError, match="was undone before it had finished"):
            add_project(project, students[0]).work(Progress(undo))
        assert papers(project) == []
        assert outcome(project) == []


def test_an_addition_that_was_stopped_is_completed_by_the_same_call(
    students: tuple[Path, Path], tmp_path: Path
) -> None:
    found = []
    for name in ("at once", "stopped"):
        with Project.create(tmp_path / f"{name}.pairwright") as project:

            def stop(tick: Tick, name: str = name) -> None:
                if name == "stopped" and tick.note == "answers":
                    raise Cancelled

            with suppress(Cancelled):
                add_project(project, students[0]).work(Progress(stop))
            assert len(papers(project)) == 2
            joined(project, students[0])
            found.append(outcome(project))
    assert found[0] == found[1]


def test_answers_to_a_paper_that_is_here_as_another_file_belong_to_the_one_here(tmp_path: Path) -> None:
    title, doi = "On the growth of cells in gardens", "10.1234/cells.5"
    made: dict[str, Project] = {}
    for name, parser, kind in (("prof", "embedded", FileKind.PDF), ("other", "jats", FileKind.JATS)):
        made[name] = Project.create(tmp_path / f"{name}.pairwright")
        one = replace(paper(name, parser=parser, text="Cells grow. However, they die."), title=title, doi=doi)
        with made[name].transaction() as stores:
            stores.papers.save(one, FileSource(Path(f"/papers/{name}"), kind))
        run = start_run(made[name])
        [pending] = next_papers(made[name], run)
        with made[name].transaction() as stores:
            found = mined([pair(one.md5, "Cells grow.", "However, they die.")])
            stores.pairs.replace_for(pending, found, as_many)
    [here, there] = [pair(paper(name).md5, "Cells grow.", "However, they die.").key for name in ("prof", "other")]
    with made["other"] as other:
        answer(other, "Ben", {there: REASONING})
        with other.transaction() as stores:
            stores.pair_lists.put("all", [there], START)
    with made["prof"] as project:
        result = joined(project, tmp_path / "other.pairwright")
        assert (result.papers, result.known, result.answers, result.waiting) == (0, 1, 1, 0)
        with project.read_transaction() as stores:
            assert stores.answers.of_pair(here) == {"Ben": REASONING}
            assert stores._connection.exec_driver_sql("SELECT pair_key FROM listed_pairs").scalars().all() == [here]
        assert joined(project, tmp_path / "other.pairwright").title == ""


def test_imported_data_sets_come_with_their_answers_and_go_with_undo(tmp_path: Path) -> None:
    path, data = tmp_path / "other.pairwright", tmp_path / "pairs.jsonl"
    rows = [
        {"premise": f"It rained {n}.", "hypothesis": f"We stayed {n}.", "label": "reasoning", "split": "dev"}
        for n in range(3)
    ]
    rows[0]["annotator_labels"] = ["neutral", "neutral"]  # type: ignore[assignment]
    data.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    with Project.create(path) as other:
        import_pairs(other, data, domain="weather", progress=Progress(), at=START)
        whole = outcome(other)
    with make(tmp_path / "prof.pairwright", "a") as project:
        before = outcome(project)
        assert joined(project, path).data_sets == 1
        assert [row for row in outcome(project) if row not in before] == whole
        assert joined(project, path).title == ""
        answers.undo(project, "x").work(Progress())
        assert {row[0] for row in outcome(project) if len(row) == 8} == {row[0] for row in before if len(row) == 8}
        answers.redo(project, "x").work(Progress())
        assert [row for row in outcome(project) if row not in before] == whole


def test_the_later_text_of_a_sentence_holds_whoever_gave_it(tmp_path: Path) -> None:
    texts = {"nadia": ("Early text.", 1), "omar": ("Late text.", 9)}
    for name, (text, minute) in texts.items():
        with make(tmp_path / f"{name}.pairwright", "a") as project, project.transaction() as stores:
            who = stores.annotators.ensure(name).key
            action = stores.actions.begin(who, "Mend", START)
            at = START + timedelta(minutes=minute)
            stores.texts.mend(key("a", 0), who, {SentenceField.PREMISE: text}, at, action=action)
    for here, there in (("nadia", "omar"), ("omar", "nadia")):
        shutil.copy(tmp_path / f"{here}.pairwright", tmp_path / f"both-{here}.pairwright")
        with Project.open(tmp_path / f"both-{here}.pairwright") as project:
            assert joined(project, tmp_path / f"{there}.pairwright").text_conflicts == 1
            with project.read_transaction() as stores:
                assert stores.texts.of_pair(key("a", 0)).premise == "Late text."


def test_a_sentence_mended_here_after_the_clock_was_set_back_stays_as_it_is_here(tmp_path: Path) -> None:
    with make(tmp_path / "here.pairwright", "a") as project:
        for text, hour in (("First text.", 9), ("Last text.", 8)):
            with project.transaction() as stores:
                at = START.replace(hour=hour)
                action = stores.actions.begin("nadia", "Mend", at)
                stores.texts.mend(key("a", 0), "nadia", {SentenceField.PREMISE: text}, at, action=action)
            if hour == 9:
                backups.back_up(project.path, START)
        joined(project, backups.list_rolling_backups(project.path)[0].path)
        with project.read_transaction() as stores:
            assert stores.texts.of_pair(key("a", 0)).premise == "Last text."
