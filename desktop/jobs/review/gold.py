"""Jobs about the gold label: load the project's rule and what it discards, and change the rule."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial

from desktop.jobs.transactions import read_job
from desktop.translation import tr
from miner.progress import Job, Progress
from storage.changes import Changes
from storage.dataset.gold_rule import GoldDifference, GoldRule, GoldRules
from storage.project import Project
from storage.settings import GOLD
from storage.stores import Stores

RULE_MEANINGS: Mapping[GoldRule, str] = {
    GoldRule.MAJORITY: tr("The label that most annotators give is the gold label."),
    GoldRule.AGREEING: (
        tr(
            "The label that most annotators give is the gold label if it is also the distant label (as in "
            "SciNLI, MSciNLI)."
        )
    ),
}


@dataclass(frozen=True, slots=True)
class GoldState:
    """The project's rules, and what they decide.

    gold: how many pairs have a gold label. differences: how often people agree on another label than the distant label;
    the rule `AGREEING` discards these pairs, and `MAJORITY` keeps them. changed: how many pairs were decided again.
    """

    rules: GoldRules
    gold: int
    differences: tuple[GoldDifference, ...]
    changed: int = 0
    changes: Changes = field(default_factory=Changes)

    @property
    def differing(self) -> int:
        """The total of `differences`."""
        return sum(one.pairs for one in self.differences)

    @property
    def discarded(self) -> int:
        """How many pairs with a majority have no gold label because of the rule."""
        return self.differing if self.rules.rule is GoldRule.AGREEING else 0


@read_job("Counting gold labels")
def load_gold(stores: Stores) -> GoldState:
    """The project's rules of gold, and what they decide."""
    return GoldState(stores.settings.get(GOLD), stores.gold.count(), tuple(stores.gold.differences()))


def set_gold(project: Project, rules: GoldRules) -> Job[GoldState]:
    """Change the rules of gold; all judged pairs are decided again."""

    def work(progress: Progress) -> GoldState:
        with project.transaction() as stores:
            before = stores.settings.get(GOLD)
            changed = 0
            with stores.actions.deciding(tr("Change the rules for gold labels"), datetime.now(UTC)):
                stores.settings.put(GOLD, rules)
            if before != rules:
                changed = stores.annotators.refresh_statuses(partial(progress.tick, may_wait=False))
            changes = Changes(settings=True, many_annotated=before != rules)
            state = load_gold.within(stores)
            return GoldState(state.rules, state.gold, state.differences, changed, changes)

    return Job(tr("Deciding gold labels"), work, if_stopped=tr("The gold labels are as they were."))
