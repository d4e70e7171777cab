"""Rounds of review: choosing the pairs, carrying on where one stopped, and what came of it."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from miner.errors import UserError
from miner.progress import Job, Progress
from storage.annotation.rounds import ReviewItem, Round, RoundCounts, RoundOrder
from storage.changes import Changes
from storage.pairs.filters import PairFilter
from storage.project import Project, Stores
from storage.settings import BLIND, GUIDELINES

LARGEST = 10_000  # pairs of a round: weeks of work
BY_SUGGESTION = frozenset({RoundOrder.DISAGREEMENTS, RoundOrder.LEAST_CERTAIN, RoundOrder.ACTIVE})
_GLANCE, _MOST_GLANCED = 20, 20_000  # so many times the round's pairs, and so many at most, are looked at to choose


@dataclass(frozen=True, slots=True)
class RoundOptions:
    """What a round is to be. `seed` None: another one each time."""

    order: RoundOrder = RoundOrder.CLASS_BALANCED
    filter: PairFilter = field(default_factory=PairFilter)
    size: int = 200
    seed: int | None = None


@dataclass(frozen=True, slots=True)
class RoundProgress:
    """How far a round is: `waiting` are its pairs still to answer, as they come, those `skipped` last.

    `round.keys` are the pairs that are there; `gone` of the round's are not, as papers were mined again or removed.
    """

    round: Round
    waiting: tuple[str, ...]
    skipped: tuple[str, ...] = ()
    gone: int = 0


@dataclass(frozen=True, slots=True)
class LoadedReview:
    """What the Review page shows at first; `domains` with how many papers each has.

    `progress` None: the annotator has no round. `pairs`: all of the project, 0 where there is a round.
    `suggested`: there are suggestions of a model.
    """

    progress: RoundProgress | None
    pairs: int
    domains: dict[str, int]
    guidelines: str
    blind: bool
    suggested: bool = False


def load_review(project: Project, annotator: str) -> Job[LoadedReview]:
    """The annotator's round, and what a new one can be made of."""

    def work(progress: Progress) -> LoadedReview:
        with project.reading() as stores:
            round_progress = _round_progress(stores, annotator)
            return LoadedReview(
                round_progress,
                0 if round_progress else stores.pairs.count(),
                stores.papers.domain_counts(),
                stores.settings.get(GUIDELINES),
                stores.settings.get(BLIND),
                stores.suggestions.current_run() is not None,
            )

    return Job("Opening the review", work)


def start_round(project: Project, annotator: str, options: RoundOptions) -> Job[RoundProgress]:
    """Choose a round's pairs, which takes the place of the annotator's last; `UserError` when none is left."""

    def work(progress: Progress) -> RoundProgress:
        seed = random.SystemRandom().randrange(1, 1_000_000) if options.seed is None else options.seed
        size = min(options.size, LARGEST)
        with project.reading() as stores:
            if options.order in BY_SUGGESTION and stores.suggestions.current_run() is None:
                raise UserError("No model has looked at the pairs yet.", hint="Have one suggest relations first.")
            keys = _draw(stores, annotator, options, size, seed)
            last = stores.rounds.current(annotator)
        if not keys:
            raise UserError(
                "None of these pairs waits for your answer.", hint="Choose others, or add papers and mine them."
            )
        made = Round(last.number + 1 if last else 1, options.order, options.filter, size, tuple(keys), seed)
        with project.transaction() as stores:
            stores.rounds.start(annotator, made)
        return RoundProgress(made, made.keys)

    return Job("Choosing pairs", work)


def current_round(project: Project, annotator: str) -> Job[RoundProgress | None]:
    """The annotator's round, and what of it waits; None before the first."""

    def work(progress: Progress) -> RoundProgress | None:
        with project.reading() as stores:
            return _round_progress(stores, annotator)

    return Job("Looking for the round", work)


def keys_of(project: Project, filter: PairFilter, limit: int) -> Job[tuple[str, ...]]:
    """Keys of the first `limit` pairs of a filter, answered ones too."""

    def work(progress: Progress) -> tuple[str, ...]:
        with project.reading() as stores:
            return tuple(stores.rounds.keys_of(filter, limit))

    return Job("Looking for pairs", work)


def items(project: Project, keys: Sequence[str], annotator: str) -> Job[list[ReviewItem]]:
    """The pairs of `keys` in this order; those that are gone are left out."""

    def work(progress: Progress) -> list[ReviewItem]:
        with project.reading() as stores:
            return stores.rounds.items(keys, annotator)

    return Job("Reading pairs", work)


def keep_skips(project: Project, annotator: str, keys: Sequence[str]) -> Job[None]:
    """Remember which pairs come last, in which order, because they were skipped."""

    def work(progress: Progress) -> None:
        with project.transaction() as stores:
            stores.rounds.skip(annotator, keys)

    return Job("Skipping", work)


def tally(project: Project, keys: Sequence[str], annotator: str) -> Job[RoundCounts]:
    """What the annotator answered among `keys`."""

    def work(progress: Progress) -> RoundCounts:
        with project.reading() as stores:
            return stores.rounds.counts(keys, annotator)

    return Job("Counting answers", work)


def keep_guidelines(project: Project, text: str) -> Job[Changes]:
    """The project's own rules for annotators, as plain text or Markdown."""

    def work(progress: Progress) -> Changes:
        with project.transaction() as stores:
            stores.settings.put(GUIDELINES, text.strip())
        return Changes(settings=True)

    return Job("Saving the guidelines", work)


def keep_blind(project: Project, blind: bool) -> Job[None]:
    """Whether phrase and distant label stay hidden until a pair is answered."""

    def work(progress: Progress) -> None:
        with project.transaction() as stores:
            stores.settings.put(BLIND, blind)

    return Job("Remembering the blind mode", work)


def _draw(stores: Stores, annotator: str, options: RoundOptions, size: int, seed: int) -> Sequence[str]:
    """Keys of the round's pairs, in order."""
    if options.order is not RoundOrder.ACTIVE:
        return stores.rounds.draw(options.filter, annotator, options.order, size, seed)
    import numpy as np  # here, for pages that import this take their turn in the window's thread

    from miner.classifier import diversity

    found = stores.rounds.candidates(options.filter, annotator, min(_GLANCE * size, _MOST_GLANCED))
    uncertainty = np.array([one.uncertainty for one in found])
    chosen = diversity.order(uncertainty, [f"{one.premise} {one.hypothesis}" for one in found], size, seed)
    return [found[place].key for place in chosen]


def _round_progress(stores: Stores, annotator: str) -> RoundProgress | None:
    if (made := stores.rounds.current(annotator)) is None:
        return None
    there = stores.pairs.present(made.keys)
    waiting = dict.fromkeys(stores.rounds.unanswered(there, annotator))
    skipped = dict.fromkeys(key for key in stores.rounds.skipped(annotator) if key in waiting)
    queue = (*(key for key in waiting if key not in skipped), *skipped)
    return RoundProgress(replace(made, keys=there), queue, tuple(skipped), len(made.keys) - len(there))
