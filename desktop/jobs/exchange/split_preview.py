"""What a split of the papers would give, before it is set, and what the dialog for it first shows."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import NamedTuple

from desktop.jobs.exchange.project_split import measured_acceptance, suggest
from desktop.jobs.review.older_rules import OlderRules, load_older_rules
from desktop.jobs.transactions import read_job
from desktop.translation import tr
from miner.errors import UserError
from miner.progress import Job, Progress
from miner.records import Label
from miner.split_suggestion import DomainSuggestion, accepted_share, expected_gold
from miner.splits import HELD_OUT, PaperSplit
from storage.annotation.annotation_rounds import Targets
from storage.pairs.paper_splits import PaperMove
from storage.project import Project
from storage.settings import SPLIT, TARGETS
from storage.stores import Stores

_SPLITS = HELD_OUT[::-1]  # dev first, as people read them


@dataclass(frozen=True, slots=True)
class SplitProposal:
    """What the dialog first shows: how many papers dev and test need, and the split that the project has now.

    domains: all domains with papers or pairs. gold_papers: the MD5s of the papers with a gold label by several people.
    has_own_splits: imported files state a split. older: the rules of earlier versions, where they still apply.
    """

    suggestions: tuple[DomainSuggestion, ...]
    present: PaperSplit | None
    domains: tuple[str, ...]
    targets: Targets
    gold_papers: tuple[str, ...]
    has_own_splits: bool
    older: OlderRules | None


class ExpectedGold(NamedTuple):
    """A class of a domain in dev or test: its usable `pairs`, about how many gold labels they make, and the target."""

    split: str
    domain: str
    label: str
    pairs: int
    gold: int
    target: int


@dataclass(frozen=True, slots=True)
class SplitPreview:
    """What a split would give.

    papers, pairs: how many by split ("" for no split) and domain. strata: of dev and test, by domain, split and class,
    without the domains that have neither papers there nor a target. undated: papers in no split because they have no
    year. moved: papers that it would put into another split.
    """

    split: PaperSplit | None
    papers: dict[tuple[str, str], int]
    pairs: dict[tuple[str, str], int]
    strata: tuple[ExpectedGold, ...]
    undated: int
    moved: tuple[PaperMove, ...]
    targets: Targets

    def papers_in(self, split: str) -> int:
        """The number of papers in a split, "" for none."""
        return sum(number for (one, _), number in self.papers.items() if one == split)

    def pairs_in(self, split: str) -> int:
        """The number of pairs in a split, "" for none."""
        return sum(number for (one, _), number in self.pairs.items() if one == split)


def load_proposal(project: Project) -> Job[SplitProposal]:
    """How many papers dev and test need for the project's targets, and the present split."""

    def work(progress: Progress) -> SplitProposal:
        with project.read_transaction() as stores, stores.cancellable(progress):
            counts = stores.split_counts
            present = stores.settings.get(SPLIT)
            domains = tuple(sorted({domain for _, domain in counts.papers()}.union(stores.round_draws.domains())))
            gold_papers, has_own_splits = tuple(counts.papers_with_gold()), counts.has_own_splits()
            targets, older = stores.settings.get(TARGETS), load_older_rules.within(stores)
        suggestions: list[DomainSuggestion] = []
        with suppress(UserError):  # there is nothing to suggest for pairs without papers
            suggestions = suggest(project, None, None, seed=present.seed if present else 1).work(progress)
        return SplitProposal(tuple(suggestions), present, domains, targets, gold_papers, has_own_splits, older)

    return Job(tr("Counting what papers yield"), work)


@read_job("Counting the split")
def preview_split(stores: Stores, split: PaperSplit | None) -> SplitPreview:
    """What this split would give; nothing is changed."""
    assigned_papers, assigned_pairs = stores.split_counts.assigned(split)
    moved = tuple(stores.split_counts.moved_papers(split))
    targets = stores.settings.get(TARGETS)
    acceptance = measured_acceptance(stores)
    papers = {(one.split, one.domain): one.papers for one in assigned_papers}
    pairs: dict[tuple[str, str], int] = {}
    usable: dict[tuple[str, str, str], int] = {}
    for one in assigned_pairs:
        pairs[one.split, one.domain] = pairs.get((one.split, one.domain), 0) + one.pairs
        usable[one.split, one.domain, one.label] = one.usable
    domains = sorted({domain for _, domain in (*papers, *pairs)})
    strata = []
    for domain in domains:
        is_wanted = not targets.domains or domain in targets.domains
        for held_out in _SPLITS:
            target = targets.of(held_out) if is_wanted else 0
            if not target and (held_out, domain) not in papers and (held_out, domain) not in pairs:
                continue
            for label in map(str, Label):
                number = usable.get((held_out, domain, label), 0)
                gold = expected_gold(number, accepted_share(acceptance, domain, label))
                strata.append(ExpectedGold(held_out, domain, label, number, gold, target))
    undated = sum(one.undated for one in assigned_papers if not one.split)
    return SplitPreview(split, papers, pairs, tuple(strata), undated, moved, targets)
