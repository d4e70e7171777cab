"""Jobs of a round of review: choose its pairs, load its progress and pairs, count its answers; and review settings."""

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

MAX_ROUND_SIZE = 10_000  # pairs: weeks of work
BY_SUGGESTION = frozenset({RoundOrder.DISAGREEMENTS, RoundOrder.LEAST_CERTAIN, RoundOrder.ACTIVE})
_CANDIDATES_PER_PAIR, _MAX_CANDIDATES = 20, 20_000  # from which an active round is chosen


@dataclass(frozen=True, slots=True)
class RoundOptions:
    """How to choose a round's pairs. `seed` None: another one each time."""

    order: RoundOrder = RoundOrder.CLASS_BALANCED
    filter: PairFilter = field(default_factory=PairFilter)
    size: int = 200
    seed: int | None = None


@dataclass(frozen=True, slots=True)
class RoundProgress:
    """How far a round is: `waiting` are the keys of its unanswered pairs, in order, with the `skipped` ones last.

    In a round of errors, pairs without a tag wait.

    `round.keys` are its existing pairs; `gone`: how many were removed with papers, or by mining these again.
    """

    round: Round
    waiting: tuple[str, ...]
    skipped: tuple[str, ...] = ()
    gone: int = 0


@dataclass(frozen=True, slots=True)
class LoadedReview:
    """What the Review page shows at first.

    progress: None if the annotator has no round. pairs: how many the project has; not counted, and 0, if there is a
    round. domains: with how many papers each has. suggested: whether there are suggestions of a model.
    """

    progress: RoundProgress | None
    pairs: int
    domains: dict[str, int]
    guidelines: str
    blind: bool
    suggested: bool = False


def load_review(project: Project, annotator: str) -> Job[LoadedReview]:
    """The annotator's round, and what is needed to start a new one."""

    def work(progress: Progress) -> LoadedReview:
        with project.read_transaction() as stores:
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
    """Choose the pairs of a new round, which replaces the annotator's last; `UserError` if no pair is left."""

    def work(progress: Progress) -> RoundProgress:
        seed = random.SystemRandom().randrange(1, 1_000_000) if options.seed is None else options.seed
        size = min(options.size, MAX_ROUND_SIZE)
        with project.read_transaction() as stores:
            if options.order in BY_SUGGESTION and stores.suggestions.current_run() is None:
                raise UserError("No model has looked at the pairs yet.", hint="Have one suggest relations first.")
            keys = _draw(stores, annotator, options, size, seed)
            last = stores.rounds.current(annotator)
        if not keys:
            raise UserError(
                "None of these pairs waits for your answer.", hint="Choose others, or add papers and mine them."
            )
        new_round = Round(last.number + 1 if last else 1, options.order, options.filter, size, tuple(keys), seed)
        with project.transaction() as stores:
            stores.rounds.start(annotator, new_round)
        return RoundProgress(new_round, new_round.keys)

    return Job("Choosing pairs", work)


def current_round(project: Project, annotator: str) -> Job[RoundProgress | None]:
    """The annotator's round; None before the first."""

    def work(progress: Progress) -> RoundProgress | None:
        with project.read_transaction() as stores:
            return _round_progress(stores, annotator)

    return Job("Looking for the round", work)


def load_keys(project: Project, filter: PairFilter, limit: int) -> Job[tuple[str, ...]]:
    """The keys of the first `limit` pairs of a filter, with or without an answer."""

    def work(progress: Progress) -> tuple[str, ...]:
        with project.read_transaction() as stores:
            return tuple(stores.rounds.keys_of(filter, limit))

    return Job("Looking for pairs", work)


def load_items(project: Project, keys: Sequence[str], annotator: str) -> Job[list[ReviewItem]]:
    """The pairs with these keys, in this order; removed ones are left out."""

    def work(progress: Progress) -> list[ReviewItem]:
        with project.read_transaction() as stores:
            return stores.rounds.items(keys, annotator)

    return Job("Reading pairs", work)


def save_skips(project: Project, annotator: str, keys: Sequence[str]) -> Job[None]:
    """Store the skipped pairs, in order: they come last in the round."""

    def work(progress: Progress) -> None:
        with project.transaction() as stores:
            stores.rounds.skip(annotator, keys)

    return Job("Skipping", work)


def count_answers(project: Project, keys: Sequence[str], annotator: str) -> Job[RoundCounts]:
    """How many of these pairs the annotator has answered, and how."""

    def work(progress: Progress) -> RoundCounts:
        with project.read_transaction() as stores:
            return stores.rounds.counts(keys, annotator)

    return Job("Counting answers", work)


def save_guidelines(project: Project, text: str) -> Job[Changes]:
    """Store the project's rules for annotators, as plain text or Markdown."""

    def work(progress: Progress) -> Changes:
        with project.transaction() as stores:
            stores.settings.put(GUIDELINES, text.strip())
        return Changes(settings=True)

    return Job("Saving the guidelines", work)


def save_blind(project: Project, blind: bool) -> Job[None]:
    """Store whether phrase, distant label and suggestion are hidden until a pair is answered."""

    def work(progress: Progress) -> None:
        with project.transaction() as stores:
            stores.settings.put(BLIND, blind)

    return Job("Remembering the blind mode", work)


def _draw(stores: Stores, annotator: str, options: RoundOptions, size: int, seed: int) -> Sequence[str]:
    """Keys of the round's pairs, in order."""
    if options.order is not RoundOrder.ACTIVE:
        return stores.rounds.draw(options.filter, annotator, options.order, size, seed)
    import numpy as np  # pages import this module in the window's thread

    from miner.classifier import diversity

    found = stores.rounds.candidates(options.filter, annotator, min(_CANDIDATES_PER_PAIR * size, _MAX_CANDIDATES))
    uncertainty = np.array([one.uncertainty for one in found])
    chosen = diversity.diverse_order(uncertainty, [f"{one.premise} {one.hypothesis}" for one in found], size, seed)
    return [found[place].key for place in chosen]


def _round_progress(stores: Stores, annotator: str) -> RoundProgress | None:
    if (round := stores.rounds.current(annotator)) is None:
        return None
    existing = stores.pairs.present(round.keys)
    find_waiting = stores.rounds.untagged if round.order is RoundOrder.ERRORS else stores.rounds.unanswered
    waiting = dict.fromkeys(find_waiting(existing, annotator))
    skipped = dict.fromkeys(key for key in stores.rounds.skipped(annotator) if key in waiting)
    queue = (*(key for key in waiting if key not in skipped), *skipped)
    return RoundProgress(replace(round, keys=existing), queue, tuple(skipped), len(round.keys) - len(existing))
