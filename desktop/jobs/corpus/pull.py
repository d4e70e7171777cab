"""The job that pulls papers of a corpus into a project."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from desktop.translation import tr
from miner.paths import exists
from miner.progress import Job, Progress
from miner.versions import mining_program
from storage.project import Project

if TYPE_CHECKING:
    from storage.exchange.corpus_pull import PulledPapers


@dataclass(frozen=True, slots=True)
class PulledCorpus:
    """What was pulled, from which corpus and into which project.

    is_new: the project was created. is_foreign: another version mined the corpus, so that mining the project would
    start over.
    """

    place: str
    project: Path
    is_new: bool
    is_foreign: bool
    pulled: PulledPapers


def pull_corpus(
    place: str, project_path: Path, where: Sequence[str] = (), papers: int | None = None, seed: int = 0
) -> Job[PulledCorpus]:
    """Pull papers of the corpus at `place` into a new project, or into one that was pulled from it before.

    where: conditions such as `domain=psychology`, see `miner.corpus.selection`. papers: how many of the papers that
    meet them, drawn with `seed`; None for all. A new project is created completely or not at all.
    """

    def work(progress: Progress) -> PulledCorpus:
        from miner.corpus.locations import Location
        from miner.corpus.selection import Selection
        from storage.exchange.corpus_pull import SettledCorpus, pull_papers

        selection = Selection.of(where, papers, seed)
        is_new = not exists(project_path)
        corpus = SettledCorpus(Location.of(place))
        opened = Project.building(project_path) if is_new else Project.open(project_path)
        with opened as project:
            pulled = pull_papers(project, corpus, selection, datetime.now(UTC), progress)
        program = mining_program()
        is_foreign = pulled.program != program
        return PulledCorpus(corpus.out.shown, project_path, is_new, is_foreign, pulled)

    return Job(
        tr("Pulling from {place}", place=place),
        work,
        tr(
            "A new project was not made. In one that was there, the papers pulled so far are kept: pull again to go on."
        ),
    )
