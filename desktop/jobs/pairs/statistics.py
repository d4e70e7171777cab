"""What the dashboard shows, in three reads: the cheap one first, so that something is there at once."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeVar

from miner.mining.paper_mining import REASONS
from miner.progress import Job, Progress
from miner.records import Funnel
from storage.pairs.statistics import ClassMeasures, PairCount
from storage.project import Project, Stores

R = TypeVar("R")

MEANINGS = {
    **REASONS,
    "duplicate": "An earlier pair of the project has the same two sentences.",
    "over_quota": "More than the linked pairs that are left call for.",
}
"""Every reason a candidate of the project can be dropped for, and what it means."""


def funnel(project: Project, domain: str | None = None) -> Job[Funnel]:
    """What became of all candidates (of one domain's papers)."""
    return _read(project, "Counting candidates", lambda stores: stores.statistics.funnel(domain))


def counts(project: Project) -> Job[list[PairCount]]:
    """How many pairs there are of each kind, in every domain."""
    return _read(project, "Counting pairs", lambda stores: stores.statistics.counts())


def measures(project: Project, domain: str | None = None) -> Job[Mapping[str, ClassMeasures]]:
    """Lengths and overlap of the pairs (of one domain), by class."""
    return _read(project, "Measuring sentences", lambda stores: stores.statistics.measures(domain))


def _read(project: Project, title: str, ask: Callable[[Stores], R]) -> Job[R]:
    def work(progress: Progress) -> R:
        progress.tick(0, 1)
        with project.reading() as stores:
            return ask(stores)

    return Job(title, work)
