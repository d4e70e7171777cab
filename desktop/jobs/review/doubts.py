"""What a person finds who sits down to settle doubts, and accepting suggestions pair by pair."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass

from desktop.jobs.review import disagreements
from desktop.jobs.review.answers import Judged
from desktop.jobs.review.disagreements import Doubted
from desktop.jobs.review.rounds import guidelines
from miner.progress import Job, Progress
from storage.models.suggestions import SuggestionRun
from storage.pairs.filters import PairFilter
from storage.project import Project


@dataclass(frozen=True, slots=True)
class Look:
    """The queue, as far as it was asked for. `shown` None: no model has looked at the pairs, of which there are `pairs`
    (not counted, and 0, where one has). `waiting`: all doubted by `DOUBTED` percent or more that nobody has answered.
    """

    shown: SuggestionRun | None
    pairs: int
    waiting: int
    doubted: tuple[Doubted, ...]
    guidelines: str


def look(project: Project, filter: PairFilter, annotator: str, limit: int) -> Job[Look]:
    """All that the page needs."""

    def work(progress: Progress) -> Look:
        with project.reading() as stores:
            shown = stores.suggestions.shown()
            pairs = 0 if shown else stores.pairs.count()
            rules = guidelines(stores)
        if shown is None:
            return Look(None, pairs, 0, (), rules)
        waiting = disagreements.count_doubted(project).work(progress)
        return Look(
            shown, 0, waiting, tuple(disagreements.queue(project, filter, annotator, limit).work(progress)), rules
        )

    return Job("Looking for doubtful labels", work)


def accept_these(project: Project, ids: Sequence[int], annotator: str) -> Job[Judged]:
    """Accept the shown suggestions of pairs named by their ids, where nobody has answered; one action."""

    def work(progress: Progress) -> Judged:
        with project.reading() as stores:
            items = stores.rounds.items(stores.browse.keys(array("q", ids)), annotator)
        return disagreements.accept(project, [item for item in items if item.suggestion], annotator).work(progress)

    return Job("Accepting suggestions", work)
