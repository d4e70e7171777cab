"""Jobs that count pairs, for the dashboard and for the lexicon of linking phrases."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple, TypeVar

from miner.mining.linking_phrases import phrase_key
from miner.mining.paper_mining import REASONS
from miner.progress import Job, Progress
from miner.records import Funnel
from storage.pairs.filters import PairStatus
from storage.pairs.statistics import ClassMeasures, PairCount
from storage.project import Project, Stores

R = TypeVar("R")

DROP_REASONS = {
    **REASONS,
    "duplicate": "An earlier pair of the project has the same two sentences.",
    "over_quota": "There are enough neutral pairs for the linked ones.",
}
"""What each reason means for which mining drops a candidate."""


class PhraseFigures(NamedTuple):
    """How many pairs a phrase gave, how many have a majority answer, and in how many that is the phrase's label."""

    pairs: int = 0
    answered: int = 0
    agreed: int = 0


def load_funnel(project: Project, domain: str | None = None) -> Job[Funnel]:
    """How many candidates were kept and dropped, of all papers or of one domain's. The fastest of these jobs."""
    return _load(project, "Counting candidates", lambda stores: stores.statistics.funnel(domain))


def load_counts(project: Project) -> Job[list[PairCount]]:
    """How many pairs there are of each kind, in every domain."""
    return _load(project, "Counting pairs", lambda stores: stores.statistics.counts())


def load_measures(project: Project, domain: str | None = None) -> Job[Mapping[str, ClassMeasures]]:
    """Lengths and overlap of the pairs' sentences, by class, of all pairs or of one domain's."""
    return _load(project, "Measuring sentences", lambda stores: stores.statistics.measures(domain))


def load_phrase_figures(project: Project) -> Job[dict[str, PhraseFigures]]:
    """Pairs and answers of each linking phrase, by `phrase_key`."""
    return _load(project, "Counting pairs by phrase", lambda stores: _sum_by_phrase(stores.statistics.counts()))


def _load(project: Project, title: str, read: Callable[[Stores], R]) -> Job[R]:
    def work(progress: Progress) -> R:
        progress.tick(0, 1)
        with project.read_transaction() as stores:
            return read(stores)

    return Job(title, work)


def _sum_by_phrase(counts: list[PairCount]) -> dict[str, PhraseFigures]:
    figures: dict[str, PhraseFigures] = {}
    for row in counts:
        if row.phrase:
            key = phrase_key(row.phrase)
            pairs, answered, agreed = figures.get(key, PhraseFigures())
            settled = row.pairs if row.status == PairStatus.SETTLED and not row.accepted else 0
            same = settled if row.gold == row.distant else 0
            figures[key] = PhraseFigures(pairs + row.pairs, answered + settled, agreed + same)
    return figures
