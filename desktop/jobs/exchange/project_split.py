"""Jobs of the project's split: show, change and suggest it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial

from desktop.jobs.papers.split_moves import bound_papers
from desktop.jobs.review.older_rules import OlderRules, load_older_rules
from desktop.jobs.transactions import read_job
from desktop.translation import tr
from miner.errors import UserError
from miner.progress import Job, Progress
from miner.split_suggestion import DomainSuggestion, suggest_split
from miner.splits import PaperSplit, PaperSplitter, shares_split
from storage.annotation.annotation_rounds import Targets
from storage.changes import Changes
from storage.dataset.split_counts import PaperWithoutSplit, SplitCount
from storage.pairs.filters import PairFilter
from storage.pairs.paper_splits import PaperMove
from storage.project import Project
from storage.settings import GOLD_EVERYWHERE, SPLIT, TARGETS
from storage.stores import Stores

BENCHMARK_SHARES = {"dev": 36.0, "test": 64.0}
"""How SciNLI divided the papers of its benchmark (section 3.3)."""


@dataclass(frozen=True, slots=True)
class SplitState:
    """The project's split, None if there is none, and what it gives.

    papers: how many there are by split ("" for no split) and domain. older: the rules of earlier versions, where they
    still hold.
    """

    split: PaperSplit | None
    papers: Mapping[tuple[str, str], int]
    pairs: tuple[SplitCount, ...]
    without_split: tuple[PaperWithoutSplit, ...]
    targets: Targets
    older: OlderRules | None = None


@dataclass(frozen=True, slots=True)
class SplitChange:
    """A change of the split. moved: papers that it puts into another split; gold: how many labels before and after.

    is_done: False if the change waits for a person's consent, because it moves papers that are answered or released.
    """

    state: SplitState
    moved: tuple[PaperMove, ...]
    gold: tuple[int, int]
    is_done: bool
    changes: Changes = field(default_factory=Changes)

    @property
    def bound(self) -> list[PaperMove]:
        """The moved papers that a person must consent to: see `bound_papers`."""
        return bound_papers(self.moved)


@read_job("Counting the split")
def load_split(stores: Stores) -> SplitState:
    """The project's split, with the numbers of papers, pairs and gold labels in it."""
    counts = stores.split_counts
    split = stores.settings.get(SPLIT)
    return SplitState(
        split,
        counts.papers(),
        tuple(counts.pairs()),
        tuple(counts.without_split()) if split else (),
        stores.settings.get(TARGETS),
        load_older_rules.within(stores),
    )


@read_job("Reading the split")
def load_targets(stores: Stores) -> Targets | None:
    """How many gold pairs dev and test are to have; None if the papers are not split."""
    return None if stores.settings.get(SPLIT) is None else stores.settings.get(TARGETS)


def set_split(project: Project, split: PaperSplit | None, *, confirmed: bool = False) -> Job[SplitChange]:
    """Split the project's papers anew; None removes the split. All pairs are judged again by the rules of their split.

    Nothing is done without `confirmed` if papers with answers, or of a release, would leave their split: see `bound`.
    """

    def work(progress: Progress) -> SplitChange:
        with project.transaction() as stores:
            before = stores.gold.count()
            moved = tuple(stores.split_counts.moved_papers(split))
            waits = SplitChange(load_split.within(stores), moved, (before, before), is_done=False)
            if waits.bound and not confirmed:
                return waits
            with stores.actions.deciding(tr("Split the papers") if split else tr("Clear the split"), datetime.now(UTC)):
                stores.settings.put(SPLIT, split)
                stores.settings.put(GOLD_EVERYWHERE, None)
            with stores.cancellable(progress):
                stores.split_counts.refresh()
            stores.annotators.refresh_statuses(partial(progress.tick, may_wait=False))
            changes = Changes(papers=True, pairs=True, many_annotated=True, settings=True)
            return SplitChange(
                load_split.within(stores), moved, (before, stores.gold.count()), is_done=True, changes=changes
            )

    return Job(tr("Splitting the papers"), work, if_stopped=tr("The split of the papers has not changed."))


@read_job("Looking for papers")
def split_from_filters(stores: Stores, dev: PairFilter | None, test: PairFilter | None, *, seed: int) -> PaperSplit:
    """The split that has the papers of these filters, as they are now, in dev and test, and the others in train."""
    named: dict[str, str] = {}
    for split, filter in (("dev", dev), ("test", test)):
        papers = [] if filter is None else stores.split_counts.papers_of(filter)
        for md5 in papers:
            if named.setdefault(md5, split) != split:
                raise UserError(
                    tr("The filters of dev and test have papers in common."),
                    hint=tr("Choose filters that have no papers in common."),
                )
    if not named:
        raise UserError(tr("No paper matches."), hint=tr("Look at the filter: pairwright papers list"))
    return PaperSplit(seed=seed, named=tuple(sorted(named.items())), rest="train")


@read_job("Looking for gold labels")
def split_from_gold(stores: Stores, *, seed: int = 1) -> PaperSplit:
    """The split for a project that has gold labels already: their papers in dev and test, all others in train.

    Released papers stay in their split.
    """
    papers = stores.split_counts.papers_with_gold()
    if not papers:
        raise UserError(
            tr("No paper has a gold label by several people."),
            hint=tr("For example: pairwright split set --shares 70/10/20"),
        )
    return split_of_gold_papers(papers, seed=seed)


def split_of_gold_papers(papers: Sequence[str], *, seed: int) -> PaperSplit:
    """The split with these papers, by MD5, in dev and test, and all others in train."""
    drawn = PaperSplitter(shares_split(0, BENCHMARK_SHARES["dev"], BENCHMARK_SHARES["test"], seed=seed))
    named = tuple((md5, drawn.split_of(md5, "", None) or "test") for md5 in sorted(papers))
    return PaperSplit(seed=seed, named=named, rest="train")


@read_job("Counting what papers yield")
def suggest(stores: Stores, dev: int | None, test: int | None, *, seed: int = 1) -> list[DomainSuggestion]:
    """How many papers of each domain dev and test need for these numbers of gold pairs; None: the project's targets."""
    targets = stores.settings.get(TARGETS)
    yields = stores.split_counts.yields()
    measured = measured_acceptance(stores)
    if targets.domains:
        yields = [one for one in yields if one.domain in targets.domains]
    if not yields:
        raise UserError(tr("There are no papers yet."), hint=tr("Add papers and mine them."))
    wanted = targets.dev if dev is None else dev, targets.test if test is None else test
    return suggest_split(yields, *wanted, measured, seed=seed)


_ENOUGH_MEASURED = 30  # annotated pairs of a class of a domain


def measured_acceptance(stores: Stores) -> dict[tuple[str, str], float]:
    """The share of annotated pairs that became gold, by domain and class, where enough pairs are annotated."""
    finished: dict[tuple[str, str], list[int]] = {}
    for one in stores.round_draws.progress():
        numbers = finished.setdefault((one.domain, one.label), [0, 0])
        numbers[0] += one.kept
        numbers[1] += one.finished
    return {key: (kept + 1) / (number + 1) for key, (kept, number) in finished.items() if number >= _ENOUGH_MEASURED}


def gold_text(before: int, after: int) -> str:
    """How many gold labels there were and are; "" if as many as before."""
    return tr("Gold labels: {before:,} before, {after:,} now.", before=before, after=after) if before != after else ""
