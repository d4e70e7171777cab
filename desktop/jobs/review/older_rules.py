"""The rules of gold of earlier versions, which apply to all pairs of a project until its papers are split."""

from __future__ import annotations

from typing import NamedTuple

from desktop.jobs.transactions import read_job
from desktop.text import count
from desktop.translation import tr
from storage.pairs.filters import DISCARDED_PAIRS
from storage.settings import GOLD_EVERYWHERE
from storage.stores import Stores


class OlderRules(NamedTuple):
    """The effect of these rules. waiting: how many pairs have some of the required votes and so no label.

    discarded: how many pairs the rule discards. papers: how many papers have a gold label by several people.
    """

    waiting: int
    discarded: int
    papers: int


@read_job("Reading the rules for gold labels")
def load_older_rules(stores: Stores) -> OlderRules | None:
    """The rules of an earlier version; None where they do not apply, or no longer apply."""
    if not stores.settings.get(GOLD_EVERYWHERE):
        return None
    papers = len(stores.split_counts.papers_with_gold())
    return OlderRules(stores.gold.count_waiting(), stores.pair_table.count(DISCARDED_PAIRS), papers)


def older_rules_text(rules: OlderRules) -> str:
    """Two short sentences: that the rules still apply and set pairs aside, and what a split would change."""
    parts = []
    if rules.waiting:
        parts.append(count(rules.waiting, "answered pair has too few", "answered pairs have too few"))
    if rules.discarded:
        parts.append(count(rules.discarded, "is discarded", "are discarded"))
    effect = f" ({', '.join(parts)})" if parts else ""
    return tr(
        "Until the papers are split, every pair needs several votes{effect}. After that, one answer "
        "corrects a label of a train paper.",
        effect=effect,
    )
