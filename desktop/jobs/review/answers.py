"""Jobs that give answers and marks to one pair or to all pairs of a filter, and undo and redo them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial

from desktop.jobs.transactions import read_job
from desktop.translation import tr
from miner.errors import UserError
from miner.progress import Job, Progress
from miner.records import Answer
from storage.annotation.answer_context import NO_CONTEXT, AnswerContext
from storage.annotation.history import MAX_LISTED_KEYS, ReversalResult
from storage.annotation.marks import MarkKind, reason_text
from storage.changes import Changes
from storage.pairs.filters import PairFilter
from storage.pairs.judgement import PairScope, keys_scope
from storage.pairs.selection import PairSelection, ProgressCallback
from storage.project import Project
from storage.stores import Stores

PairAction = Callable[[Stores, PairScope, int, datetime, bool], int]
"""Given the pairs, the action's id, the time and whether to update their status; gives how many pairs it changed."""


@dataclass(frozen=True, slots=True)
class ActionResult:
    """The action that was done or undone, and to how many pairs. keys: of the first pairs that it was applied to.

    With a `count` of 0 nothing changed, and there is nothing to undo.
    """

    title: str
    count: int
    changes: Changes
    keys: tuple[str, ...]


def answer(
    project: Project, keys: Sequence[str], annotator: str, answer: Answer | None, *, seen: AnswerContext = NO_CONTEXT
) -> Job[ActionResult]:
    """Give these pairs the same answer; None withdraws it. It is on disk when the job is done.

    seen: what the annotator saw when answering. Removed pairs are left out: see `ActionResult.count`.
    """
    return act_on_keys(project, keys, annotator, _answer_title(answer), _give(annotator, answer, seen))


def mark(project: Project, keys: Sequence[str], annotator: str, kind: MarkKind, value: str | None) -> Job[ActionResult]:
    """Flag pairs (value `FLAG_VALUE`), add a note or tags (`join_tags`), or mark them as bad (a `RejectReason`).

    None removes the mark.
    """
    return act_on_keys(project, keys, annotator, _mark_title(kind, value), _put_mark(annotator, kind, value))


def answer_all(
    project: Project, filter: PairFilter, annotator: str, answer: Answer | None, *, expected: int | None = None
) -> Job[ActionResult]:
    """Give all pairs of a filter the same answer, as one action; if cancelled, nothing is changed.

    expected: the number of pairs that the person was shown; `UserError`, and no change, if the number differs.
    """
    act = _give(annotator, answer, AnswerContext(together=filter.to_data()))
    return act_on_filter(project, filter, annotator, _answer_title(answer), act, expected)


def mark_all(
    project: Project,
    filter: PairFilter,
    annotator: str,
    kind: MarkKind,
    value: str | None,
    *,
    expected: int | None = None,
) -> Job[ActionResult]:
    """Mark all pairs of a filter, as one action; if cancelled, nothing is changed. expected: as in `answer_all`."""
    act = _put_mark(annotator, kind, value)
    return act_on_filter(project, filter, annotator, _mark_title(kind, value), act, expected)


def undo(project: Project, annotator: str) -> Job[ActionResult | None]:
    """Undo the annotator's last action, even from an earlier day; None if there is none."""

    def work(progress: Progress) -> ActionResult | None:
        with project.transaction() as stores:
            return _reversal_result(stores.actions.undo(annotator, _now(), _ticking(progress)))

    return Job(tr("Undoing"), work)


def redo(project: Project, annotator: str) -> Job[ActionResult | None]:
    """Redo the action undone last; None if there is none."""

    def work(progress: Progress) -> ActionResult | None:
        with project.transaction() as stores:
            return _reversal_result(stores.actions.redo(annotator, _now(), _ticking(progress)))

    return Job(tr("Redoing"), work)


@read_job("Looking for what can be undone")
def undo_titles(stores: Stores, annotator: str) -> tuple[str | None, str | None]:
    """The titles of the actions that undo and redo would apply to; None where there is no such action."""
    return stores.actions.undo_title(annotator), stores.actions.redo_title(annotator)


def act_on_keys(
    project: Project, keys: Sequence[str], annotator: str, title: str, act: PairAction
) -> Job[ActionResult]:
    """The job of an action on these pairs; removed pairs are left out."""

    def work(progress: Progress) -> ActionResult:
        with project.transaction() as stores:
            existing = stores.pairs.present(keys)
            counted = _counted_title(title, len(existing))
            if not existing:
                return ActionResult(counted, 0, Changes(), ())
            at = _now()
            action = stores.actions.begin(annotator, counted, at)
            if len(existing) <= MAX_LISTED_KEYS:
                return _finish(
                    stores,
                    counted,
                    action,
                    act(stores, keys_scope(existing), action, at, True),
                    existing,
                    len(existing),
                )
            selection = stores.selection.of_keys(existing)
            return _act_in_batches(stores, selection, counted, action, at, act, progress)

    return Job(_counted_title(title, len(keys)), work)


def act_on_filter(
    project: Project, filter: PairFilter, annotator: str, title: str, act: PairAction, expected: int | None
) -> Job[ActionResult]:
    """The job of an action on all pairs of a filter. expected: as in `answer_all`."""

    def work(progress: Progress) -> ActionResult:
        with project.transaction() as stores:
            selection = stores.selection.of_filter(filter)
            counted = _counted_title(title, selection.count)
            if expected is not None and selection.count != expected:
                raise UserError(
                    tr(
                        "These are {count:,} pairs by now, not {expected:,}. Nothing was changed.",
                        count=selection.count,
                        expected=expected,
                    ),
                    hint=tr("Papers were added, mined or removed meanwhile. Look at the pairs again."),
                )
            if not selection.count:
                return ActionResult(counted, 0, Changes(), ())
            at = _now()
            action = stores.actions.begin(annotator, counted, at)
            return _act_in_batches(stores, selection, counted, action, at, act, progress)

    return Job(title, work)


def _give(annotator: str, answer: Answer | None, seen: AnswerContext) -> PairAction:
    def act(stores: Stores, scope: PairScope, action: int, at: datetime, refresh: bool) -> int:
        return stores.answers.give(scope, annotator, answer, at, action=action, seen=seen, refresh=refresh)

    return act


def _put_mark(annotator: str, kind: MarkKind, value: str | None) -> PairAction:
    def act(stores: Stores, scope: PairScope, action: int, at: datetime, refresh: bool) -> int:
        return stores.marks.put(scope, annotator, kind, value, at, action=action, refresh=refresh)

    return act


def _act_in_batches(
    stores: Stores, selection: PairSelection, title: str, action: int, at: datetime, act: PairAction, progress: Progress
) -> ActionResult:
    count = selection.for_each_batch(lambda scope: act(stores, scope, action, at, False), _ticking(progress))
    return _finish(stores, title, action, count, selection.first_keys(MAX_LISTED_KEYS), selection.count)


def _ticking(progress: Progress) -> ProgressCallback:
    return partial(progress.tick, may_wait=False)


def _finish(stores: Stores, title: str, action: int, count: int, keys: tuple[str, ...], of: int) -> ActionResult:
    if not count:
        stores.actions.discard(action)
    return ActionResult(title, count, _changes(keys, of), keys)


def _reversal_result(reversed: ReversalResult | None) -> ActionResult | None:
    if reversed is None:
        return None
    changes = _changes(reversed.keys, reversed.count)
    # A pair whose sentence changes has no suggestion any more.
    pairs = reversed.papers or reversed.groups
    changes = replace(changes, papers=reversed.papers, pairs=pairs, suggestions=reversed.texts)
    changes = replace(changes, experiments=reversed.experiments)
    if reversed.setup:
        changes = replace(changes, settings=True, many_annotated=True)
    return ActionResult(reversed.title, reversed.count, changes, reversed.keys)


def _changes(keys: Sequence[str], count: int) -> Changes:
    return Changes(many_annotated=True) if count > MAX_LISTED_KEYS else Changes(annotated_keys=frozenset(keys))


def _answer_title(answer: Answer | None) -> str:
    return tr("Withdraw answer") if answer is None else tr("Answer {value}", value=answer.value)


def _mark_title(kind: MarkKind, value: str | None) -> str:
    match kind:
        case MarkKind.FLAG:
            return tr("Flag") if value else tr("Unflag")
        case MarkKind.NOTE:
            return tr("Note") if value else tr("Delete note")
        case MarkKind.BAD:
            return tr("Bad pair: {reason_text}", reason_text=reason_text(value)) if value else tr("Unmark bad pair")
        case MarkKind.TAG:
            return tr("Tag: {value}", value=value) if value else tr("Remove tags")


def _counted_title(title: str, count: int) -> str:
    return title if count == 1 else tr("{title} ({count:,} pairs)", title=title, count=count)


def _now() -> datetime:
    return datetime.now(UTC)
