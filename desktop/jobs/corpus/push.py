"""The job that pushes answers of a project to a corpus."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from desktop.translation import tr
from miner.progress import Job, Progress
from storage.project import Project

if TYPE_CHECKING:
    from storage.exchange.corpus_push import PushedAnswers


@dataclass(frozen=True, slots=True)
class PushedProject:
    """What was pushed to the corpus at `place`."""

    place: str
    pushed: PushedAnswers


def push_project(project: Project, place: str) -> Job[PushedProject]:
    """Add what people did in the project to the corpus at `place`: answers, marks, mended sentences."""

    def work(progress: Progress) -> PushedProject:
        from miner.corpus.locations import Location
        from storage.exchange.corpus_pull import SettledCorpus
        from storage.exchange.corpus_push import push_answers

        corpus = SettledCorpus(Location.of(place))
        return PushedProject(corpus.out.shown, push_answers(project, corpus, progress))

    return Job(tr("Pushing to {place}", place=place), work, tr("Nothing was pushed."))
