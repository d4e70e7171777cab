"""Jobs that count pairs, for the dashboard."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple, TypeVar

from desktop.translation import tr
from miner.progress import Job, Progress
from miner.records import Funnel
from storage.annotation.answers import AnsweredDay
from storage.pairs.statistics import ClassMeasures, PairCount
from storage.project import Project
from storage.stores import Stores

R = TypeVar("R")

ANSWERED_DAYS = 14


class CountedCandidates(NamedTuple):
    """How many candidates were kept and dropped; unmined: how many papers of the project are not mined yet."""

    funnel: Funnel
    unmined: int


def load_funnel(project: Project, domain: str | None = None) -> Job[CountedCandidates]:
    """How many candidates there were, of all papers or of one domain's. The fastest of these jobs."""

    def read(stores: Stores) -> CountedCandidates:
        run = stores.mining_runs.current()
        unmined = stores.mining_runs.count_pending(run.number) if run else stores.papers.count()
        return CountedCandidates(stores.statistics.funnel(domain), unmined)

    return _load(project, tr("Counting candidates"), read)


def load_counts(project: Project) -> Job[list[PairCount]]:
    """How many pairs there are of each kind, in every domain."""
    return _load(project, tr("Counting pairs"), lambda stores: stores.statistics.counts())


def load_measures(project: Project, domain: str | None = None) -> Job[Mapping[str, ClassMeasures]]:
    """Lengths and overlap of the pairs' sentences, by class, of all pairs or of one domain's."""
    return _load(project, tr("Measuring sentences"), lambda stores: stores.statistics.measures(domain))


def load_answered_days(project: Project, annotator: str, domain: str | None = None) -> Job[list[AnsweredDay]]:
    """What an annotator answered on each of the last `ANSWERED_DAYS` days with an answer."""
    return _load(
        project, tr("Counting answers"), lambda stores: stores.answers.by_day(annotator, ANSWERED_DAYS, domain)
    )


def _load(project: Project, title: str, read: Callable[[Stores], R]) -> Job[R]:
    def work(progress: Progress) -> R:
        progress.tick(0, 1)
        with project.read_transaction() as stores:
            return read(stores)

    return Job(title, work)
