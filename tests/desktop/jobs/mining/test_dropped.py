"""Examples of what mining drops."""

from __future__ import annotations

from pathlib import Path

from desktop.jobs.mining.dropped import DroppedQuery, find_dropped
from desktop.jobs.mining.run import NO_MODEL, mine
from desktop.jobs.papers.import_session import ImportOptions
from desktop.jobs.papers.imports import import_papers
from miner.progress import Progress
from miner.records import DropReason, Strategy
from storage.project import Project
from tests.sample_papers import SAMPLES


def test_examples_are_of_the_candidates_that_were_counted(tmp_path: Path) -> None:
    with Project.create(tmp_path / "a.pairwright") as project:
        import_papers(project, [SAMPLES / "ecology"], ImportOptions(domain="ecology", workers=1)).work(Progress())
        counted = mine(project, workers=1, model=NO_MODEL).work(Progress()).funnel.dropped
        reason = next(drop.reason for drop in counted if drop.strategy is Strategy.LINKED)
        found = find_dropped(project, DroppedQuery((Strategy.LINKED,), reason), model=NO_MODEL).work(Progress())
        assert 0 < len(found.examples) <= counted[DropReason(Strategy.LINKED, reason)]
        assert {one.reason for one in found.examples} == {reason}
        assert all(one.title and one.hypothesis for one in found.examples)
        assert found.searched == found.papers == 2
        elsewhere = find_dropped(project, DroppedQuery((Strategy.LINKED,), reason, "nlp"), model=NO_MODEL).work(
            Progress()
        )
        assert elsewhere.examples == ()
