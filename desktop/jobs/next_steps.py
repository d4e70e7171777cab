"""How far a project has come on the way from papers to a data set."""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple

from desktop.jobs.transactions import read_job
from storage.exchange.releases import list_releases
from storage.settings import LAST_EXPORT
from storage.stores import Stores


class Step(Enum):
    """A step of the way; its value is the page on which it is done."""

    ADD = "papers"
    MINE = "mining"
    REVIEW = "review"
    SUGGEST = "suggest"
    EXPORT = "export"


class StepsDone(NamedTuple):
    """The steps that have been done; `next`: the first one that has not, None if all have."""

    done: frozenset[Step]

    @property
    def next(self) -> Step | None:
        return next((step for step in Step if step not in self.done), None)


@read_job("Looking for the next step")
def load_steps_done(stores: Stores) -> StepsDone:
    """Which steps have been done: mining once no paper is left to mine, reviewing once somebody has answered a pair."""
    totals = stores.paper_table.totals()
    has_papers = bool(totals.papers or totals.data_sets)
    facts = {
        Step.ADD: has_papers,
        Step.MINE: has_papers and not totals.unmined and bool(totals.pairs),
        Step.REVIEW: any(stores.annotators.answer_counts().values()),
        Step.SUGGEST: stores.suggestions.current_run() is not None,
        Step.EXPORT: stores.settings.get(LAST_EXPORT) is not None or bool(list_releases(stores)),
    }
    return StepsDone(frozenset(step for step, is_done in facts.items() if is_done))
