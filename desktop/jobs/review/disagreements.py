"""The labels a model doubts: listing them, most doubtful first, answering each, and accepting suggestions."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TypeVar

from desktop.jobs.review import answers
from desktop.jobs.review.answers import ActionResult, for_filter, for_keys
from miner.errors import UserError
from miner.progress import Job, Progress
from miner.records import Answer, Label, Suggestion
from storage.annotation.answer_context import AnswerContext
from storage.annotation.answers import AnswerSource, NewAnswer
from storage.annotation.rounds import ReviewItem, RoundOrder
from storage.models.figures import DOUBTED_PERCENT
from storage.models.suggestions import SuggestionRun
from storage.pairs.filters import PairFilter, PairStatus
from storage.pairs.status import PairScope, keys_scope
from storage.project import Project, Stores
from storage.settings import GUIDELINES

_EXAMPLES = 20
_TOGETHER = 2_000  # pairs read at a time

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class DoubtedPair:
    """A pair whose distant label a model doubts, what people say of it, and a line on why it is doubted.

    `answers`: without accepted suggestions, which are the model's word.
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
    """The pairs that come next on the Disagreements page, most doubtful first, as many as were asked for.

    `run` None: the project has no suggestions. `pairs`: all of the project; not counted, and 0, where there is a run.
    `waiting`: all pairs doubted by `DOUBTED_PERCENT` percent or more that nobody has answered.
    """

    run: SuggestionRun | None
    pairs: int
    waiting: int
    doubted: tuple[DoubtedPair, ...]
    guidelines: str


@dataclass(frozen=True, slots=True)
class AcceptPreview:
    """What accepting all suggestions of at least so much confidence would do; only pairs nobody answered are in it.

    `expected_error`: the share likely to be wrong by the model's own confidence, 0 to 1; `expected_wrong`: that many.
    `differing`: suggestions that are not what the phrase says. `examples`: some of the least certain. `learned`: so
    many of the labels the model had learned itself, and is sure of for that reason alone: more may be wrong there.
    """

    count: int
    by_label: Mapping[Label, int]
    expected_error: float
    expected_wrong: float
    differing: int
    examples: tuple[ReviewItem, ...]
    learned: int = 0


def queue(project: Project, filter: PairFilter, annotator: str, limit: int = 200) -> Job[list[DoubtedPair]]:
    """The filter's pairs that wait for the annotator and have a doubt, most doubtful first."""
    return queue_of(project, filter, annotator, limit, lambda doubted: doubted)


def queue_of(
    project: Project, filter: PairFilter, annotator: str, limit: int, make: Callable[[DoubtedPair], T]
) -> Job[list[T]]:
    """What `make` makes of each pair of `queue`: of a hundred thousand the pairs themselves would fill the memory."""

    def work(progress: Progress) -> list[T]:
        with project.reading() as stores:
            keys = stores.rounds.draw(filter, annotator, RoundOrder.DISAGREEMENTS, limit, 0)
            found: list[T] = []
            for low in range(0, len(keys), _TOGETHER):
                progress.tick(low, len(keys))
                found += map(make, _doubted(stores, keys[low : low + _TOGETHER], annotator))
        return found

    return Job("Looking for doubtful labels", work)


def load_disagreements(project: Project, filter: PairFilter, annotator: str, limit: int) -> Job[DisagreementQueue]:
    """The first `limit` pairs of `queue`, with what else the page shows."""

    def work(progress: Progress) -> DisagreementQueue:
        with project.reading() as stores:
            run = stores.suggestions.current_run()
            pairs = 0 if run else stores.pairs.count()
            rules = stores.settings.get(GUIDELINES)
        if run is None:
            return DisagreementQueue(None, pairs, 0, (), rules)
        waiting = count_doubted(project).work(progress)
        doubted = queue(project, filter, annotator, limit).work(progress)
        return DisagreementQueue(run, 0, waiting, tuple(doubted), rules)

    return Job("Looking for doubtful labels", work)


def shown_run(project: Project) -> Job[SuggestionRun | None]:
    """Whose suggestions are shown; None while there are none."""

    def work(progress: Progress) -> SuggestionRun | None:
        with project.reading() as stores:
            return stores.suggestions.current_run()

    return Job("Looking for suggestions", work)


def _doubted(stores: Stores, keys: Sequence[str], annotator: str) -> list[DoubtedPair]:
    # Not sooner: pages import this module in the window's thread.
    from desktop.jobs.models.doubt_reasons import doubt_reason
    from desktop.jobs.models.label_noise import known_label_noise

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


def count_doubted(project: Project, filter: PairFilter | None = None) -> Job[int]:
    """Pairs with a doubt of `DOUBTED_PERCENT` percent and more that nobody has answered."""
    asked = replace(filter or PairFilter(), doubt=(DOUBTED_PERCENT, None), statuses=frozenset({PairStatus.OPEN}))

    def work(progress: Progress) -> int:
        with project.reading() as stores:
            return stores.pair_table.count(asked)

    return Job("Counting doubtful labels", work)


def answer_doubted(project: Project, doubted: DoubtedPair, annotator: str, given: Answer) -> Job[ActionResult]:
    """Answer a pair of the queue; recorded with what was seen (not blind: phrase, suggestion and probabilities)."""
    return answers.answer(project, [doubted.key], annotator, given, seen=_seen(doubted.item))


def accept(project: Project, items: Sequence[ReviewItem], annotator: str) -> Job[ActionResult]:
    """Accept the suggestions shown with these pairs, recorded as such, never as blind answers; one action.

    Suggestions that changed since they were shown are left out. Of several pairs only those nobody has answered are
    accepted; a single one also where others have answered it.
    """
    known = {item.pair.key: item for item in items if item.suggestion is not None}

    def act(stores: Stores, scope: PairScope, action: int, at: datetime, refresh: bool) -> int:
        items = stores.rounds.items(stores.pairs.keys_in(scope), annotator)
        still = [item for item in items if _as_shown(item, known)]
        if len(known) == 1 and still:
            return _accept_one(stores, still[0], annotator, action, at)
        unchanged = keys_scope([item.pair.key for item in still])
        return stores.answers.accept_suggestions(
            unchanged, annotator, at, action=action, seen=AnswerContext(blind=False), refresh=refresh
        )

    return for_keys(project, list(known), annotator, "Accept suggestion", act)


def accept_ids(project: Project, ids: Sequence[int], annotator: str) -> Job[ActionResult]:
    """Accept the shown suggestions of pairs named by their ids, where nobody has answered; one action."""

    def work(progress: Progress) -> ActionResult:
        with project.reading() as stores:
            items = stores.rounds.items(stores.pair_table.keys(array("q", ids)), annotator)
        return accept(project, [item for item in items if item.suggestion], annotator).work(progress)

    return Job("Accepting suggestions", work)


def accept_preview(project: Project, filter: PairFilter, at_least: int) -> Job[AcceptPreview]:
    """What `accept_all` would do; `at_least` in percent."""
    asked = _acceptable(filter, at_least)

    def work(progress: Progress) -> AcceptPreview:
        if asked is None:
            return AcceptPreview(0, {}, 0.0, 0.0, 0, ())
        with project.reading() as stores:
            outlook = stores.suggestions.accept_counts(asked)
            keys = stores.rounds.draw(asked, "", RoundOrder.LEAST_CERTAIN, _EXAMPLES, 0)
            examples = tuple(stores.rounds.items(keys, ""))
        error = 1 - outlook.confidence if outlook.count else 0.0
        return AcceptPreview(
            outlook.count,
            outlook.labels,
            error,
            error * outlook.count,
            outlook.differing,
            examples,
            outlook.learned,
        )

    return Job("Looking at what would be accepted", work)


def accept_all(
    project: Project, filter: PairFilter, annotator: str, at_least: int, *, expected: int | None = None
) -> Job[ActionResult]:
    """Accept all suggestions of a filter with a confidence of `at_least` percent, on pairs that nobody has answered.

    One action, undone as one. `expected` is the preview's count; when there are others by now, a `UserError` and no
    change.
    """
    asked = _acceptable(filter, at_least)
    if asked is None:
        raise UserError("None of these pairs waits for an answer.", hint="Only pairs nobody answered can be accepted.")
    act = _accept(annotator, AnswerContext(blind=False, together=True, at_least=at_least / 100))
    return for_filter(project, asked, annotator, f"Accept suggestions from {at_least} %", act, expected)


def _acceptable(filter: PairFilter, at_least: int) -> PairFilter | None:
    """The filter's pairs that may be accepted together; None for nothing."""
    if filter.statuses and PairStatus.OPEN not in filter.statuses:
        return None
    low, high = filter.confidence or (None, None)
    return replace(filter, statuses=frozenset({PairStatus.OPEN}), confidence=(max(at_least, low or 0), high))


def _as_shown(item: ReviewItem, known: Mapping[str, ReviewItem]) -> bool:
    shown = known[item.pair.key].suggestion
    return item.suggestion is not None and shown is not None and item.suggestion.label is shown.label


def _accept_one(stores: Stores, item: ReviewItem, annotator: str, action: int, at: datetime) -> int:
    """Accept this pair's suggestion, whoever else has answered."""
    shown = stores.suggestions.current_run()
    assert item.suggestion is not None
    assert shown is not None
    answer, seen = Answer(item.suggestion.label.value), replace(_seen(item), model=shown.digest)
    stores.answers.append([NewAnswer(item.pair.key, annotator, at, answer, AnswerSource.ACCEPTED, seen)], action=action)
    return 1


def _accept(annotator: str, seen: AnswerContext) -> answers.Act:
    def act(stores: Stores, scope: PairScope, action: int, at: datetime, refresh: bool) -> int:
        return stores.answers.accept_suggestions(scope, annotator, at, action=action, seen=seen, refresh=refresh)

    return act


def _seen(item: ReviewItem) -> AnswerContext:
    """What a person saw of the pair: all of it."""
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
