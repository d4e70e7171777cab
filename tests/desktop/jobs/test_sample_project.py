"""The sample project is made once, with the papers that come with the program."""

from __future__ import annotations

from pathlib import Path

from desktop.jobs.sample_project import create_sample_project, import_sample_papers
from miner.progress import Progress
from storage.project import Project


def test_the_sample_project_is_made_once_and_then_opened(tmp_path: Path) -> None:
    path = create_sample_project(tmp_path).work(Progress())
    assert create_sample_project(tmp_path).work(Progress()) == path
    with Project.open(path) as project:
        added = import_sample_papers(project).work(Progress())
        assert added is not None
        assert (added.new, added.failed) == (8, [])
        assert import_sample_papers(project).work(Progress()) is None
        with project.read_transaction() as stores:
            assert set(stores.papers.domain_counts()) == {"coastal engineering", "ecology", "nlp", "reading research"}
