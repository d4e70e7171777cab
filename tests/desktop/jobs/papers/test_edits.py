"""Edits and removals of papers, and what undo and redo have of them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from desktop.jobs.papers import edits, table
from desktop.jobs.review import answers
from miner.progress import Cancelled, Progress, Tick
from storage.papers.table import PaperQuery
from storage.project import Project
from tests.storage.factories import add


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Project]:
    with Project.create(tmp_path / "test.pairwright", busy_timeout_s=0.2) as project:
        add(project, "abcd")
        yield project


def count(project: Project) -> int:
    with project.read_transaction() as stores:
        return stores.papers.count()


def test_a_removal_that_is_undone_meanwhile_stops_and_all_papers_are_back(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(edits, "_BATCH_SIZE", 1)

    def undo(tick: Tick) -> None:
        if tick.done == 2:
            assert count(project) == 2
            answers.undo(project, "mk").work(Progress())

    rows = list(table.load_list(project, PaperQuery()).work(Progress()).ids)
    with pytest.raises(Cancelled):
        edits.remove(project, rows, "mk").work(Progress(undo))
    assert count(project) == 4


def _titles(project: Project) -> tuple[str | None, str | None]:
    return answers.undo_titles(project, "mk").work(Progress())


def test_an_edit_that_changes_nothing_leaves_nothing_to_undo_and_what_can_be_redone(project: Project) -> None:
    rows = list(table.load_list(project, PaperQuery()).work(Progress()).ids)
    edits.edit(project, rows, "mk", {"domain": "physics"}).work(Progress())
    edits.edit(project, rows[:1], "mk", {"year": 2001}).work(Progress())
    answers.undo(project, "mk").work(Progress())
    before = _titles(project)
    assert before == ("Changed the domain of 4 papers", "Changed the year of 1 paper")
    assert edits.edit(project, rows, "mk", {"domain": "physics"}).work(Progress()).count == 0
    assert edits.edit(project, rows[:1], "mk", {"year": 2019}).work(Progress()).count == 0
    assert _titles(project) == before
    with project.read_transaction() as stores:
        edited = stores._connection.exec_driver_sql("SELECT DISTINCT edited FROM papers").scalars().all()
    assert edited == ['["domain"]']


def test_removing_what_is_gone_already_leaves_nothing_to_undo(project: Project) -> None:
    rows = list(table.load_list(project, PaperQuery()).work(Progress()).ids)
    edits.remove(project, rows, "mk").work(Progress())
    before = _titles(project)
    assert edits.remove(project, rows, "mk").work(Progress()).count == 0
    assert _titles(project) == before
