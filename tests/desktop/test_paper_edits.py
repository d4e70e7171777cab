"""What people do with papers, as jobs that others may come between."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from desktop.jobs import labels, listing, paper_edits
from miner.progress import Cancelled, Progress, Tick
from storage.listing import PaperQuery
from storage.project import Project
from tests.storage.making import add


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Project]:
    with Project.create(tmp_path / "test.pairwright", patience=0.2) as project:
        add(project, "abcd")
        yield project


def count(project: Project) -> int:
    with project.reading() as stores:
        return stores.papers.count()


def test_a_removal_that_is_undone_meanwhile_stops_and_all_papers_are_back(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(paper_edits, "_TOGETHER", 1)

    def undo(tick: Tick) -> None:
        if tick.done == 2:
            assert count(project) == 2
            labels.undo(project, "mk").work(Progress())

    rows = list(listing.rows(project, PaperQuery()).work(Progress()).ids)
    with pytest.raises(Cancelled):
        paper_edits.remove(project, rows, "mk").work(Progress(undo))
    assert count(project) == 4
