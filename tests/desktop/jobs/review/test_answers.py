"""Answers and marks as jobs: for pairs by key or by filter, on disk when done, and undone as one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from desktop.jobs.review import answers
from miner.errors import UserError
from miner.progress import Cancelled, Progress, Tick
from miner.records import Answer, Strategy
from storage.annotation.answer_context import AnswerContext
from storage.annotation.marks import FLAG_VALUE, MarkKind
from storage.changes import Changes
from storage.pairs.filters import PairFilter, PairStatus
from storage.project import Project
from tests.storage.factories import add, mine

LINKED = PairFilter(strategies=frozenset({Strategy.LINKED}))


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Project]:
    with Project.create(tmp_path / "test.pairwright", busy_timeout_s=0.2) as project:
        add(project, "abc")
        mine(project)
        yield project


def keys(project: Project, condition: str = "1") -> list[str]:
    with project.read_transaction() as stores:
        query = f"SELECT key FROM pairs WHERE {condition} ORDER BY id"
        return list(stores._connection.exec_driver_sql(query).scalars())


def test_an_answer_is_there_when_the_job_is_done(project: Project) -> None:
    key = keys(project)[0]
    seen = AnswerContext(blind=True, premise="p", hypothesis="h")
    judged = answers.answer(project, [key], "anna", Answer.NEUTRAL, seen=seen).work(Progress())
    assert judged == answers.ActionResult("Answer neutral", 1, Changes(annotated_keys=frozenset({key})), (key,))
    with project.read_transaction() as stores:
        [event] = stores.answers.history(key)
    assert (event.annotator, event.new, event.seen) == ("anna", Answer.NEUTRAL, seen)


def test_answering_a_removed_pair_is_no_action(project: Project) -> None:
    judged = answers.answer(project, ["gone"], "anna", Answer.NEUTRAL).work(Progress())
    assert (judged.count, judged.keys) == (0, ())
    assert answers.undo(project, "anna").work(Progress()) is None


def test_changing_nothing_is_no_action(project: Project) -> None:
    here = keys(project)[0]
    answers.mark(project, [here], "ben", MarkKind.BAD, "not_prose").work(Progress())
    answers.mark(project, [here], "anna", MarkKind.FLAG, FLAG_VALUE).work(Progress())
    again = answers.mark(project, [here], "anna", MarkKind.FLAG, FLAG_VALUE).work(Progress())
    not_mine = answers.mark(project, [here], "anna", MarkKind.BAD, None).work(Progress())
    withdrawn = answers.answer_all(project, LINKED, "anna", None).work(Progress())
    assert [judged.count for judged in (again, not_mine, withdrawn)] == [0, 0, 0]
    assert not_mine.keys == (here,)
    assert answers.undo_titles(project, "anna").work(Progress()) == ("Flag", None)


def test_withdrawing_no_answer_leaves_what_can_be_redone(project: Project) -> None:
    first, second, *_ = keys(project)
    for key in (first, second):
        answers.answer(project, [key], "anna", Answer.NEUTRAL).work(Progress())
    answers.undo(project, "anna").work(Progress())
    assert answers.answer(project, [second], "anna", None).work(Progress()).count == 0
    assert answers.redo(project, "anna").work(Progress()) is not None


def test_a_filter_is_answered_as_one_action_and_undone_as_one(project: Project) -> None:
    linked = keys(project, "strategy = 'linked'")
    ticks: list[Tick] = []
    judged = answers.answer_all(project, LINKED, "anna", Answer.ENTAILMENT).work(Progress(ticks.append))
    assert (judged.title, judged.count) == (f"Answer entailment ({len(linked)} pairs)", len(linked))
    assert ticks[-1][:2] == (len(linked), len(linked))
    assert keys(project, "label = 'entailment'") == linked
    undone = answers.undo(project, "anna").work(Progress())
    assert undone is not None
    assert (undone.count, set(undone.keys)) == (len(linked), set(linked))
    assert keys(project, "status != 'open'") == []
    redone = answers.redo(project, "anna").work(Progress())
    assert redone is not None
    assert keys(project, "status = 'settled'") == linked


def test_the_pairs_of_a_filter_are_selected_before_the_action_changes_them(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("storage.pairs.selection._BATCH_SIZE", 3)
    every = keys(project)
    still_open = PairFilter(statuses=frozenset({PairStatus.OPEN}))
    assert answers.answer_all(project, still_open, "anna", Answer.NEUTRAL).work(Progress()).count == len(every)
    assert keys(project, "status = 'settled'") == every
    assert answers.answer_all(project, still_open, "anna", Answer.NEUTRAL).work(Progress()).count == 0


def test_a_cancelled_bulk_action_did_nothing(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("storage.pairs.selection._BATCH_SIZE", 2)
    progress = Progress(lambda tick: progress.cancel() if tick.done else None)
    with pytest.raises(Cancelled):
        answers.mark_all(project, PairFilter(), "anna", MarkKind.FLAG, FLAG_VALUE).work(progress)
    assert keys(project, "flagged") == []
    assert answers.undo(project, "anna").work(Progress()) is None


def test_marks_have_titles(project: Project) -> None:
    key = keys(project)[0]
    done = [
        answers.mark(project, [key], "anna", kind, value).work(Progress()).title
        for kind, value in (
            (MarkKind.FLAG, FLAG_VALUE),
            (MarkKind.NOTE, "why?"),
            (MarkKind.BAD, "wrong_boundary"),
            (MarkKind.FLAG, None),
            (MarkKind.NOTE, None),
            (MarkKind.BAD, None),
        )
    ]
    assert done == ["Flag", "Note", "Bad pair: wrong boundary", "Unflag", "Delete note", "Unmark bad pair"]
    assert answers.undo_titles(project, "anna").work(Progress()) == ("Unmark bad pair", None)


def test_a_bulk_action_is_refused_when_there_are_other_pairs_than_were_seen(project: Project) -> None:
    with project.read_transaction() as stores:
        number = stores.pair_table.count(LINKED)
    with pytest.raises(UserError, match="Nothing was changed"):
        answers.answer_all(project, LINKED, "anna", Answer.NEUTRAL, expected=number + 1).work(Progress())
    assert answers.undo(project, "anna").work(Progress()) is None
    assert answers.answer_all(project, LINKED, "anna", Answer.NEUTRAL, expected=number).work(Progress()).count == number
