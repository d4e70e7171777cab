"""Jobs about labels that a model doubts: list and answer them, most doubtful first, and accept suggestions."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import TypeVar

from desktop.jobs.models.doubt_record import (
    DOUBTED,
    DoubtRecord,
    doubt_record,
    only_listed,
    unanswered_doubts,
)
from desktop.jobs.pairs.held_out import held_out_error, without_held_out
from desktop.jobs.review import answers
from desktop.jobs.review.answers import ActionResult, act_on_filter, act_on_keys
from desktop.jobs.transactions import read_job
from desktop.translation import tr
from miner.errors import UserError
from miner.progress import Job, Progress
from miner.records import Answer, Label, Suggestion
from storage.annotation.answer_context import AnswerContext
from storage.annotation.answers import AnswerSource, NewAnswer
from storage.annotation.rounds import ReviewItem, RoundOrder
from storage.models.suggestions import SuggestionRun
from storage.pairs.filters import PairFilter, PairStatus
from storage.pairs.judgement import PairScope, keys_scope
from storage.project import Project
from storage.settings import GUIDELINES
from storage.stores import Stores

_MAX_EXAMPLES = 20
_BATCH_SIZE = 2_000  # pairs read at a time

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class DoubtedPair:
    """A pair with a distant label that a model doubts; `why`: the reason, as a sentence.

    answers: the answer of each annotator, without accepted suggestions.
    """

    item: ReviewItem
    suggestion: Suggestion
    answers: Mapping[str, Answer]
    why: str

    @property
    def key(self) -> str:
        return self.item.pair.key

    @property
    def distant(self) -> Label | None:
        return self.item.pair.distant_label


@dataclass(frozen=True, slots=True)
class DisagreementQueue:
    """The next pairs of the page of doubted labels, most doubtful first.

    run: the run of the suggestions; None if the project has no suggestions. pairs: how many pairs the project has; 0,
    and not counted, if there is a run. waiting: how many doubted labels of listed classes nobody has answered. doubted:
    the first of these. listed: the filter that these pairs match. record: how often such doubts were right.
    """

    run: SuggestionRun | None
    pairs: int
    waiting: int
    doubted: tuple[DoubtedPair, ...]
    guidelines: str
    listed: PairFilter = DOUBTED
    record: DoubtRecord = field(default_factory=DoubtRecord)


@dataclass(frozen=True, slots=True)
class AcceptPreview:
    """What accepting all suggestions with some confidence would do to unanswered pairs.

    expected_error: the share of wrong suggestions by the model's confidence, 0.0 to 1.0; expected_wrong: the same as a
    number of pairs. differing: how many suggestions differ from the distant label. examples: the least certain
    suggestions. learned: how many pairs the model was trained on; its confidence in these is too high. has_suggestions:
    whether the project has any.
    """

    count: int
    by_label: Mapping[Label, int]
    expected_error: float
    expected_wrong: float
    differing: int
    examples: tuple[ReviewItem, ...]
    learned: int = 0
    has_suggestions: bool = True


def load_queue(project: Project, filter: PairFilter, annotator: str, limit: int = 200) -> Job[list[DoubtedPair]]:
    """The first `limit` doubted pairs of a filter that the annotator has not answered, most doubtful first.

    A filter for doubted labels lists only classes whose doubts can be trusted, unless it names the classes.
    """
    return map_queue(project, filter, annotator, limit, lambda doubted: doubted)


def map_queue(
    project: Project, filter: PairFilter, annotator: str, limit: int, convert: Callable[[DoubtedPair], T]
) -> Job[list[T]]:
    """The same as `load_queue`, but keeps only the result of a function of each pair, as the pairs need much memory."""

    def work(progress: Progress) -> list[T]:
        with project.read_transaction() as stores:
            learnable = without_held_out(stores, only_listed(filter, doubt_record(stores)))
            keys = stores.rounds.draw(learnable, annotator, RoundOrder.DISAGREEMENTS, limit, 0)
            found: list[T] = []
            for low in range(0, len(keys), _BATCH_SIZE):
                progress.tick(low, len(keys))
                found += map(convert, _doubted(stores, keys[low : low + _BATCH_SIZE], annotator))
        return found

    return Job(tr("Looking for doubtful labels"), work)


def load_disagreements(project: Project, filter: PairFilter, annotator: str, limit: int) -> Job[DisagreementQueue]:
    """What the page of doubted labels shows, with the first `limit` pairs."""

    def work(progress: Progress) -> DisagreementQueue:
        with project.read_transaction() as stores:
            run = stores.suggestions.current_run()
            pairs = 0 if run else stores.pairs.count()
            rules = stores.settings.get(GUIDELINES)
            record = doubt_record(stores)
        if run is None:
            return DisagreementQueue(None, pairs, 0, (), rules)
        waiting = count_doubted(project).work(progress)
        doubted = load_queue(project, filter, annotator, limit).work(progress)
        return DisagreementQueue(run, 0, waiting, tuple(doubted), rules, only_listed(filter, record), record)

    return Job(tr("Looking for doubtful labels"), work)


@read_job("Looking for suggestions")
def load_current_run(stores: Stores) -> SuggestionRun | None:
    """The run of the current suggestions; None if there are none."""
    return stores.suggestions.current_run()


def _doubted(stores: Stores, keys: Sequence[str], annotator: str) -> list[DoubtedPair]:
    # Imported here as pages import this module in the window's thread.
    from desktop.jobs.models.label_noise import doubt_reason, known_label_noise

    noise = known_label_noise(stores)
    return [
        DoubtedPair(
            item,
            item.suggestion,
            stores.answers.of_pair(item.pair.key, AnswerSource.ANSWER) if item.others or item.mine else {},
            doubt_reason(item.suggestion, item.pair.distant_label, noise),
        )
        for item in stores.rounds.items(keys, annotator)
        if item.suggestion is not None and item.suggestion.doubt is not None and item.pair.distant_label is not None
    ]


def count_doubted(project: Project, filter: PairFilter = DOUBTED) -> Job[int]:
    """How many doubted labels nobody has answered, of listed classes or of those that the filter names."""

    def work(progress: Progress) -> int:
        with project.read_transaction() as stores:
            return stores.pair_table.count(unanswered_doubts(stores, doubt_record(stores), filter))

    return Job(tr("Counting doubtful labels"), work)


def answer_doubted(project: Project, doubted: DoubtedPair, annotator: str, given: Answer) -> Job[ActionResult]:
    """Answer a pair of the queue. The answer is stored as not blind, with the phrase and suggestion that were shown."""
    return answers.answer(project, [doubted.key], annotator, given, seen=_seen(doubted.item))


def accept(project: Project, items: Sequence[ReviewItem], annotator: str) -> Job[ActionResult]:
    """Accept the suggestions of these pairs, as one action. They are stored as accepted, not as answers.

    Suggestions that have changed since they were shown are left out. Of several pairs, only unanswered ones are
    accepted; a single pair is accepted even if others have answered it. `UserError` for a pair of a dev or test paper.
    """
    known = {item.pair.key: item for item in items if item.suggestion is not None}

    def act(stores: Stores, scope: PairScope, action: int, at: datetime, refresh: bool) -> int:
        items = stores.rounds.items(stores.pairs.keys_in(scope), annotator)
        unchanged_items = [item for item in items if _is_unchanged(item, known)]
        held_out = stores.split_counts.held_out([item.pair.key for item in unchanged_items])
        unchanged_items = [item for item in unchanged_items if item.pair.key not in held_out]
        if held_out and not unchanged_items:
            raise held_out_error()
        if len(known) == 1 and unchanged_items:
            return _accept_one(stores, unchanged_items[0], annotator, action, at)
        unchanged = keys_scope([item.pair.key for item in unchanged_items])
        return stores.answers.accept_suggestions(
            unchanged, annotator, at, action=action, seen=AnswerContext(blind=False), refresh=refresh
        )

    return act_on_keys(project, list(known), annotator, tr("Accept suggestion"), act)


def accept_ids(project: Project, ids: Sequence[int], annotator: str) -> Job[ActionResult]:
    """Accept the current suggestions of the unanswered pairs among these, as one action."""

    def work(progress: Progress) -> ActionResult:
        with project.read_transaction() as stores:
            items = stores.rounds.items(stores.pair_table.keys(array("q", ids)), annotator)
        return accept(project, [item for item in items if item.suggestion], annotator).work(progress)

    return Job(tr("Accepting suggestions"), work)


def preview_accept(project: Project, filter: PairFilter, at_least: int) -> Job[AcceptPreview]:
    """What `accept_all` would do. at_least: confidence in percent."""
    acceptable = _acceptable(filter, at_least)

    def work(progress: Progress) -> AcceptPreview:
        if acceptable is None:
            return AcceptPreview(0, {}, 0.0, 0.0, 0, ())
        with project.read_transaction() as stores:
            unanswered = without_held_out(stores, acceptable)
            counts = stores.suggestion_statistics.accept_counts(unanswered)
            keys = stores.rounds.draw(unanswered, "", RoundOrder.LEAST_CERTAIN, _MAX_EXAMPLES, 0)
            examples = tuple(stores.rounds.items(keys, ""))
            has_suggestions = stores.suggestions.current_run() is not None
        error = 1 - counts.confidence if counts.count else 0.0
        return AcceptPreview(
            counts.count,
            counts.labels,
            error,
            error * counts.count,
            counts.differing,
            examples,
            counts.learned,
            has_suggestions,
        )

    return Job(tr("Looking at what would be accepted"), work)


def accept_all(
    project: Project, filter: PairFilter, annotator: str, at_least: int, *, expected: int | None = None
) -> Job[ActionResult]:
    """Accept the suggestions of a filter's unanswered pairs with at least `at_least` percent confidence, as one action.

    Pairs of dev and test papers are left out. expected: the preview's count; `UserError`, and no change, if the count
    differs.
    """
    acceptable = _acceptable(filter, at_least)
    if acceptable is None:
        raise UserError(
            tr("All of these pairs are answered already."),
            hint=tr("Suggestions can only be accepted for pairs that nobody has answered."),
        )
    act = _accept(annotator, AnswerContext(blind=False, together=True, at_least=at_least / 100))
    title = tr("Accept suggestions from {at_least} %", at_least=at_least)

    def work(progress: Progress) -> ActionResult:
        with project.read_transaction() as stores:
            unanswered = without_held_out(stores, acceptable)
        return act_on_filter(project, unanswered, annotator, title, act, expected).work(progress)

    return Job(title, work)


def _acceptable(filter: PairFilter, at_least: int) -> PairFilter | None:
    """The filter narrowed to pairs that may be accepted together; None if there can be none."""
    if filter.statuses and PairStatus.OPEN not in filter.statuses:
        return None
    low, high = filter.confidence or (None, None)
    return replace(filter, statuses=frozenset({PairStatus.OPEN}), confidence=(max(at_least, low or 0), high))


def _is_unchanged(item: ReviewItem, known: Mapping[str, ReviewItem]) -> bool:
    shown = known[item.pair.key].suggestion
    return item.suggestion is not None and shown is not None and item.suggestion.label is shown.label


def _accept_one(stores: Stores, item: ReviewItem, annotator: str, action: int, at: datetime) -> int:
    """Accept this pair's suggestion, even if others have answered it."""
    shown = stores.suggestions.current_run()
    assert item.suggestion is not None
    assert shown is not None
    answer, seen = Answer(item.suggestion.label.value), replace(_seen(item), model=shown.digest)
    stores.answers.append([NewAnswer(item.pair.key, annotator, at, answer, AnswerSource.ACCEPTED, seen)], action=action)
    return 1


def _accept(annotator: str, seen: AnswerContext) -> answers.PairAction:
    def act(stores: Stores, scope: PairScope, action: int, at: datetime, refresh: bool) -> int:
        return stores.answers.accept_suggestions(scope, annotator, at, action=action, seen=seen, refresh=refresh)

    return act


def _seen(item: ReviewItem) -> AnswerContext:
    """The context of an answer in which nothing of the pair was hidden."""
    pair, suggestion = item.pair, item.suggestion
    seen = AnswerContext(pair.premise, pair.hypothesis, blind=False, hidden=(), distant=pair.distant_label)
    if suggestion is None:
        return seen
    return replace(
        seen,
        suggestion=suggestion.label,
        confidence=round(suggestion.confidence, 4),
        probabilities=tuple(round(share, 4) for share in suggestion.probabilities),
        model=suggestion.model,
    )
