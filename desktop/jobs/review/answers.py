"""What people say about pairs: answers and marks, for one pair or a million, and taking them back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial

from miner.errors import UserError
from miner.progress import Job, Progress
from miner.records import Answer
from storage.annotation.answer_context import NO_CONTEXT, AnswerContext
from storage.annotation.history import MAX_LISTED_KEYS, ReversalResult
from storage.annotation.marks import MarkKind, RejectReason
from storage.changes import Changes
from storage.pairs.filters import PairFilter
from storage.pairs.selection import PairSelection, ProgressCallback
from storage.pairs.status import PairScope, keys_scope
from storage.project import Project, Stores

Act = Callable[[Stores, PairScope, int, datetime, bool], int]  # to a scope, as this action, then refreshed; to how many


@dataclass(frozen=True, slots=True)
class ActionResult:
    """What was done, or undone, and to how many pairs; `keys` are the first of those it was about.

    With a `count` of 0 all was so already, and there is nothing to undo.
    """

    title: str
    count: int
    changes: Changes
    keys: tuple[str, ...]


def answer(
    project: Project, keys: Sequence[str], annotator: str, answer: Answer | None, *, seen: AnswerContext = NO_CONTEXT
) -> Job[ActionResult]:
    """Give the pairs of `keys` one answer, None withdraws it; on disk when the job is done.

    `seen` is what the annotator had seen. Pairs that are gone are left out: look at `ActionResult.count`.
    """

    def act(stores: Stores, scope: PairScope, action: int, at: datetime, refresh: bool) -> int:
        return stores.answers.give(scope, annotator, answer, at, action=action, seen=seen, refresh=refresh)

    return for_keys(project, keys, annotator, _answer_verb(answer), act)


def mark(project: Project, keys: Sequence[str], annotator: str, kind: MarkKind, value: str | None) -> Job[ActionResult]:
    """Flag pairs (value `marks.FLAGGED`), note a text about them, or reject them (a `RejectReason`); None undoes it."""

    def act(stores: Stores, scope: PairScope, action: int, at: datetime, refresh: bool) -> int:
        return stores.marks.put(scope, annotator, kind, value, at, action=action, refresh=refresh)

    return for_keys(project, keys, annotator, _mark_verb(kind, value), act)


def answer_all(
    project: Project, filter: PairFilter, annotator: str, answer: Answer | None, *, expected: int | None = None
) -> Job[ActionResult]:
    """`answer` for all pairs of a filter, as one action; a cancelled one did nothing.

    `expected` is how many there are as far as the person knows; when there are others, a `UserError` and no change.
    """
    seen = AnswerContext(together=filter.to_data())

    def act(stores: Stores, scope: PairScope, action: int, at: datetime, refresh: bool) -> int:
        return stores.answers.give(scope, annotator, answer, at, action=action, seen=seen, refresh=refresh)

    return for_filter(project, filter, annotator, _answer_verb(answer), act, expected)


def mark_all(
    project: Project,
    filter: PairFilter,
    annotator: str,
    kind: MarkKind,
    value: str | None,
    *,
    expected: int | None = None,
) -> Job[ActionResult]:
    """`mark` for all pairs of a filter, as one action; a cancelled one did nothing. `expected`: as in `answer_all`."""

    def act(stores: Stores, scope: PairScope, action: int, at: datetime, refresh: bool) -> int:
        return stores.marks.put(scope, annotator, kind, value, at, action=action, refresh=refresh)

    return for_filter(project, filter, annotator, _mark_verb(kind, value), act, expected)


def undo(project: Project, annotator: str) -> Job[ActionResult | None]:
    """Take back the last thing the annotator did, also one of an earlier day; None when there is nothing."""

    def work(progress: Progress) -> ActionResult | None:
        with project.transaction() as stores:
            return _result(stores.actions.undo(annotator, _now(), _ticking(progress)))

    return Job("Undoing", work)


def redo(project: Project, annotator: str) -> Job[ActionResult | None]:
    """Do again what was undone last; None when there is nothing."""

    def work(progress: Progress) -> ActionResult | None:
        with project.transaction() as stores:
            return _result(stores.actions.redo(annotator, _now(), _ticking(progress)))

    return Job("Doing again", work)


def undo_titles(project: Project, annotator: str) -> Job[tuple[str | None, str | None]]:
    """What undo and redo would be about."""

    def work(progress: Progress) -> tuple[str | None, str | None]:
        with project.reading() as stores:
            return stores.actions.undo_title(annotator), stores.actions.redo_title(annotator)

    return Job("Looking for what can be undone", work)


def for_keys(project: Project, keys: Sequence[str], annotator: str, verb: str, act: Act) -> Job[ActionResult]:
    """An action on named pairs; those that are gone are left out."""

    def work(progress: Progress) -> ActionResult:
        with project.transaction() as stores:
            there = stores.pairs.present(keys)
            title = _title(verb, len(there))
            if not there:
                return ActionResult(title, 0, Changes(), ())
            at = _now()
            action = stores.actions.begin(annotator, title, at)
            if len(there) <= MAX_LISTED_KEYS:
                return _done(stores, title, action, act(stores, keys_scope(there), action, at, True), there, len(there))
            selection = stores.selection.of_keys(there)
            return _in_pieces(stores, selection, title, action, at, act, progress)

    return Job(_title(verb, len(keys)), work)


def for_filter(
    project: Project, filter: PairFilter, annotator: str, verb: str, act: Act, expected: int | None
) -> Job[ActionResult]:
    """An action on all pairs of a filter; refused when they are not as many as the person has seen."""

    def work(progress: Progress) -> ActionResult:
        with project.transaction() as stores:
            selection = stores.selection.of_filter(filter)
            title = _title(verb, selection.count)
            if expected is not None and selection.count != expected:
                raise UserError(
                    f"These are {selection.count:,} pairs by now, not {expected:,}. Nothing was changed.",
                    hint="Papers were added, mined or removed meanwhile. Look at the pairs again.",
                )
            if not selection.count:
                return ActionResult(title, 0, Changes(), ())
            at = _now()
            action = stores.actions.begin(annotator, title, at)
            return _in_pieces(stores, selection, title, action, at, act, progress)

    return Job(verb, work)


def _in_pieces(
    stores: Stores, selection: PairSelection, title: str, action: int, at: datetime, act: Act, progress: Progress
) -> ActionResult:
    count = selection.for_each_batch(lambda scope: act(stores, scope, action, at, False), _ticking(progress))
    return _done(stores, title, action, count, selection.first_keys(MAX_LISTED_KEYS), selection.count)


def _ticking(progress: Progress) -> ProgressCallback:
    return partial(progress.tick, may_wait=False)


def _done(stores: Stores, title: str, action: int, count: int, keys: tuple[str, ...], of: int) -> ActionResult:
    if not count:
        stores.actions.discard(action)
    return ActionResult(title, count, _changes(keys, of), keys)


def _result(reversed: ReversalResult | None) -> ActionResult | None:
    if reversed is None:
        return None
    changes = _changes(reversed.keys, reversed.count)
    changes = replace(changes, papers=reversed.papers, pairs=reversed.papers)
    return ActionResult(reversed.title, reversed.count, changes, reversed.keys)


def _changes(keys: Sequence[str], count: int) -> Changes:
    return Changes(many_annotated=True) if count > MAX_LISTED_KEYS else Changes(annotated_keys=frozenset(keys))


def _answer_verb(answer: Answer | None) -> str:
    return "Withdraw answer" if answer is None else f"Answer {answer.value}"


def _mark_verb(kind: MarkKind, value: str | None) -> str:
    match kind:
        case MarkKind.FLAG:
            return "Flag" if value else "Unflag"
        case MarkKind.NOTE:
            return "Note" if value else "Delete note"
        case MarkKind.BAD:
            return f"Bad pair: {_reason(value)}" if value else "Unmark bad pair"


def _reason(value: str) -> str:
    return value.replace("_", " ") if value in set(RejectReason) else value


def _title(verb: str, count: int) -> str:
    return verb if count == 1 else f"{verb} ({count:,} pairs)"


def _now() -> datetime:
    return datetime.now(UTC)
