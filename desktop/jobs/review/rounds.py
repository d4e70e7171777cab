"""Jobs about a queue in Review: choose its pairs, load its progress and pairs, count answers; and review settings."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from desktop.jobs.pairs.held_out import without_held_out
from desktop.jobs.transactions import read_job, write_job
from desktop.translation import tr
from miner.errors import UserError
from miner.libraries import np
from miner.progress import Job, Progress
from storage.annotation.annotation_rounds import RoundPlan
from storage.annotation.annotators import ESTIMATE_ROLES
from storage.annotation.precision_samples import PrecisionDraw
from storage.annotation.rounds import OWN_QUEUE, QueueId, ReviewItem, Round, RoundCounts, RoundOrder
from storage.changes import Changes
from storage.models.predictions import SystemAnswer
from storage.pairs.filters import PairFilter, set_fields
from storage.project import Project
from storage.settings import BLIND, ERRORS_BLIND, GUIDELINES
from storage.stores import Stores

MAX_ROUND_SIZE = 10_000  # pairs: weeks of work
BY_SUGGESTION = frozenset({RoundOrder.DISAGREEMENTS, RoundOrder.LEAST_CERTAIN, RoundOrder.ACTIVE})
_KEY = re.compile(r"\b[0-9a-f]{32}\b")  # of a pair, as `miner.mining.identity.pair_key` makes it
_MAX_TEXT_LENGTH = 10_000_000  # characters of a text that names pairs
_CANDIDATES_PER_PAIR, _MAX_CANDIDATES = 20, 20_000  # from which an active round is chosen


@dataclass(frozen=True, slots=True)
class RoundOptions:
    """How to choose a round's pairs. seed: None for a new seed each time."""

    order: RoundOrder = RoundOrder.CLASS_BALANCED
    filter: PairFilter = field(default_factory=PairFilter)
    size: int = 200
    seed: int | None = None


@dataclass(frozen=True, slots=True)
class ErrorReading:
    """What is shown beside the pairs of a round of errors: the system's answers by the pair's key, and all tags in use.

    blind: the answer is hidden until the annotator asks for it.
    """

    answers: Mapping[str, SystemAnswer]
    tags: tuple[str, ...]
    blind: bool


@dataclass(frozen=True, slots=True)
class RoundProgress:
    """The progress of a round. `waiting`: the keys of its unanswered pairs, in order, with the `skipped` ones last.

    In a round of errors, pairs without a tag wait, and `errors` is shown beside them. `plan`: of an assigned annotation
    round. `round.keys` are its existing pairs; `gone`: how many pairs were removed with papers, or by mining papers
    again.
    """

    round: Round
    waiting: tuple[str, ...]
    skipped: tuple[str, ...] = ()
    gone: int = 0
    errors: ErrorReading | None = None
    plan: RoundPlan | None = None


def start_round(project: Project, annotator: str, options: RoundOptions) -> Job[RoundProgress]:
    """Choose the pairs of a new queue of the annotator's own, replacing the last one; `UserError` if none is left."""

    def work(progress: Progress) -> RoundProgress:
        seed = random.SystemRandom().randrange(1, 1_000_000) if options.seed is None else options.seed
        size = min(options.size, MAX_ROUND_SIZE)
        with project.read_transaction() as stores:
            if options.order in BY_SUGGESTION and stores.suggestions.current_run() is None:
                raise UserError(tr("There are no suggestions yet."), hint=tr("Have a model suggest labels first."))
            keys: Sequence[str]
            draw: PrecisionDraw | None = None
            if options.order is RoundOrder.PRECISION:
                _require_answers_count(stores, annotator)
                domains = _only_domains(options.filter)
                keys, draw = stores.precision_draws.draw(domains, size, seed, progress)
            else:
                keys = _draw(stores, annotator, options, size, seed)
            last = stores.queues.find(annotator, OWN_QUEUE)
        if not keys:
            raise UserError(
                tr("There is no unanswered pair among these."), hint=tr("Choose others, or add papers and mine them.")
            )
        new_round = Round(last.number + 1 if last else 1, options.order, options.filter, size, tuple(keys), seed)
        with project.transaction() as stores:
            if draw is not None:
                stores.precision_samples.add(draw)
            stores.queues.start(annotator, new_round)
        return RoundProgress(new_round, new_round.keys)

    return Job(tr("Choosing pairs"), work)


@read_job("Looking for the round")
def current_round(stores: Stores, annotator: str) -> RoundProgress | None:
    """The annotator's current queue; None before the first."""
    if (round := stores.queues.current(annotator)) is None:
        return None
    existing = stores.pairs.present(round.keys)
    waiting = dict.fromkeys(find_waiting(stores, annotator, round.order, existing))
    skipped = dict.fromkeys(key for key in stores.queues.skipped(annotator, round.queue) if key in waiting)
    queue = (*(key for key in waiting if key not in skipped), *skipped)
    errors = _error_reading(stores, round) if round.order is RoundOrder.ERRORS else None
    gone = len(round.keys) - len(existing)
    assigned = stores.annotation_rounds.get(round.number) if round.order is RoundOrder.ASSIGNED else None
    plan = None if assigned is None else assigned.plan
    return RoundProgress(replace(round, keys=existing), queue, tuple(skipped), gone, errors, plan)


@read_job("Counting pairs that wait")
def count_waiting(stores: Stores, annotator: str) -> int:
    """How many pairs wait in the annotator's current queue."""
    progress = current_round.within(stores, annotator)
    return 0 if progress is None else len(progress.waiting)


@read_job("Looking for pairs")
def load_keys(stores: Stores, filter: PairFilter, limit: int) -> tuple[str, ...]:
    """The keys of the first `limit` pairs of a filter, with or without an answer."""
    return tuple(stores.rounds.keys_of(filter, limit))


@read_job("Looking for your last answers")
def load_last_answered(stores: Stores, annotator: str, limit: int) -> tuple[str, ...]:
    """The keys of the pairs that the annotator answered last, the last one first."""
    return tuple(stores.rounds.last_answered(annotator, limit))


@read_job("Looking for pairs")
def load_named(stores: Stores, text: str, limit: int) -> tuple[str, ...]:
    """The keys of pairs in a text, as the column pairID of a `full` export has them; in the text's order, each once.

    Raises UserError where the text names no pair of the project.
    """
    named = list(dict.fromkeys(_KEY.findall(text[:_MAX_TEXT_LENGTH])))
    found = tuple(stores.rounds.present(named)[:limit])
    if not found:
        raise UserError(
            tr("The clipboard names no pair of this project."),
            hint=tr("Copy ids of pairs, as the column “id” of an export has them: 32 letters and digits each."),
        )
    return found


@read_job("Reading pairs")
def load_items(stores: Stores, keys: Sequence[str], annotator: str) -> list[ReviewItem]:
    """The pairs with these keys, in this order; removed ones are left out."""
    return stores.rounds.items(keys, annotator)


@write_job("Skipping")
def save_skips(stores: Stores, annotator: str, queue: QueueId, keys: Sequence[str]) -> None:
    """Store the skipped pairs of a queue, in order: they come last in it."""
    stores.queues.skip(annotator, queue, keys)


@read_job("Counting answers")
def count_answers(stores: Stores, keys: Sequence[str], annotator: str) -> RoundCounts:
    """How many of these pairs the annotator has answered, and how."""
    return stores.rounds.counts(keys, annotator)


@read_job("Counting tags")
def count_tags(stores: Stores, keys: Sequence[str], annotator: str) -> dict[str, int]:
    """How many of these pairs the annotator has given each tag; the key "" counts pairs with any tag."""
    found = [item.tags for item in stores.rounds.items(keys, annotator) if item.tags]
    counts = Counter(tag for tags in found for tag in tags)
    return {"": len(found), **dict(sorted(counts.items(), key=lambda one: (-one[1], one[0])))}


@write_job("Saving the guidelines")
def save_guidelines(stores: Stores, text: str) -> Changes:
    """Store the project's rules for annotators, as plain text or Markdown."""
    stores.settings.put(GUIDELINES, text.strip())
    return Changes(settings=True)


@write_job("Remembering the blind mode")
def save_blind(stores: Stores, blind: bool, *, errors: bool = False) -> None:
    """Store whether phrase, distant label and suggestion are hidden until a pair is answered.

    errors: the setting for rounds of errors, where they are hidden until the annotator asks for them.
    """
    stores.settings.put(ERRORS_BLIND if errors else BLIND, blind)


def _draw(stores: Stores, annotator: str, options: RoundOptions, size: int, seed: int) -> Sequence[str]:
    """The keys of the round's pairs, in order; orders by a model leave out pairs of dev and test papers."""
    filter = without_held_out(stores, options.filter) if options.order in BY_SUGGESTION else options.filter
    if options.order is not RoundOrder.ACTIVE:
        return stores.rounds.draw(filter, annotator, options.order, size, seed)

    from miner.classifier import diversity

    found = stores.rounds.candidates(filter, annotator, min(_CANDIDATES_PER_PAIR * size, _MAX_CANDIDATES))
    uncertainty = np.array([one.uncertainty for one in found])
    chosen = diversity.diverse_order(uncertainty, [f"{one.premise} {one.hypothesis}" for one in found], size, seed)
    return [found[place].key for place in chosen]


def find_waiting(stores: Stores, annotator: str, order: RoundOrder, keys: Sequence[str]) -> list[str]:
    """The queue's pairs that wait for the annotator: for a tag in a round of errors, else for an answer.

    A pair of the precision sample waits for one person's answer, whoever gives it; an accepted suggestion is none.
    """
    if order is RoundOrder.PRECISION:
        opinions = stores.precision_samples.opinions(keys)
        return [key for key in keys if key in opinions and opinions[key].is_right is None]
    find = stores.rounds.untagged if order is RoundOrder.ERRORS else stores.rounds.unanswered
    return find(keys, annotator)


def _require_answers_count(stores: Stores, annotator: str) -> None:
    """Raise `UserError` if the annotator's answers say nothing of the precision of labels."""
    if stores.annotators.get(annotator).role in ESTIMATE_ROLES:
        raise UserError(
            tr("Answers of experts and laypeople measure people, and do not count for the precision of labels."),
            hint=tr("Choose another order, or let an annotator answer."),
        )


def _only_domains(filter: PairFilter) -> tuple[str, ...]:
    """The domains that a filter asks for; `UserError` if it asks for anything else."""
    if set_fields(filter) not in ([], ["domains"]):
        raise UserError(
            tr("The precision of labels can be estimated for all pairs, or for those of domains."),
            hint=tr("Choose all pairs or a domain, or another order."),
        )
    return tuple(sorted(filter.domains))


def _error_reading(stores: Stores, round: Round) -> ErrorReading:
    """What is shown beside the pairs of a round of errors; without answers where the experiment was forgotten."""
    answers = stores.misread_pairs.answers(round.filter.cells, round.keys)
    return ErrorReading(answers, tuple(stores.marks.tags_in_use()), stores.settings.get(ERRORS_BLIND))
