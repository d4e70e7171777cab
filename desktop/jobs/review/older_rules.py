"""The rules of gold of earlier versions, which hold for all pairs of a project until its papers are split."""

from __future__ import annotations

from typing import NamedTuple

from desktop.text import count
from desktop.translation import tr
from miner.progress import Job, Progress
from storage.pairs.filters import DISCARDED_PAIRS
from storage.project import Project, Stores
from storage.settings import GOLD_EVERYWHERE


class OlderRules(NamedTuple):
    """What these rules set aside. waiting: pairs with some of their votes and no label by them; discarded: by the rule.

    papers: how many papers have a gold label by several people.
    """

    waiting: int
    discarded: int
    papers: int


def load_older_rules(project: Project) -> Job[OlderRules | None]:
    """The rules of an earlier version; None where they do not hold, or no longer."""

    def work(progress: Progress) -> OlderRules | None:
        with project.read_transaction() as stores, stores.cancellable(progress):
            return read_older_rules(stores)

    return Job(tr("Reading the rules for gold labels"), work)


def read_older_rules(stores: Stores) -> OlderRules | None:
    """As `load_older_rules`."""
    if not stores.settings.get(GOLD_EVERYWHERE):
        return None
    papers = len(stores.split_counts.papers_with_gold())
    return OlderRules(stores.gold.count_waiting(), stores.pair_table.count(DISCARDED_PAIRS), papers)


def older_rules_text(rules: OlderRules) -> str:
    """That the rules still hold, with what they set aside, and what a split would change; in two sentences."""
    parts = []
    if rules.waiting:
        parts.append(count(rules.waiting, "answered pair has too few votes", "answered pairs have too few votes"))
    if rules.discarded:
        parts.append(count(rules.discarded, "pair is discarded", "pairs are discarded"))
    effect = f": {' and '.join(parts)}" if parts else ""
    papers = ""
    if rules.papers:
        papers = tr(
            ", and {papers} with gold labels can be used for dev and test",
            papers=count(rules.papers, "paper", "papers"),
        )
    return tr(
        "Until the papers are split, every pair needs a majority of votes, as in earlier "
        "versions{effect}. After the split, one answer is enough to correct a label of a train "
        "paper{papers}.",
        effect=effect,
        papers=papers,
    )
