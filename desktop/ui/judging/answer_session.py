"""The annotator's commands to the pair on the screen: answer, skip, flag, note, reject, undo."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import partial

from PySide6.QtCore import QObject, Signal

from desktop.jobs.review import answers, disagreements, rounds
from desktop.jobs.review.answers import ActionResult
from desktop.translation import tr
from desktop.ui.judging.command_queue import Command
from desktop.ui.judging.pace import Pace
from desktop.ui.judging.pair_session import PairSession
from desktop.ui.judging.review_queue import LoadItems
from desktop.ui.services.project_context import ProjectContext
from miner.progress import Job
from miner.records import Answer
from storage.annotation.marks import FLAG_VALUE, MarkKind
from storage.annotation.rounds import ReviewItem
from storage.pairs.tags import join_tags, split_tags

MakeAnswer = Callable[[ReviewItem, Answer], Job[ActionResult] | None]


@dataclass(frozen=True, slots=True)
class AnsweredPair:
    """A pair as it was before its answer. answer: None if it was rejected. accepted: the answer is a suggestion."""

    item: ReviewItem
    answer: Answer | None
    accepted: bool = False


class AnswerSession(PairSession):
    """The annotator's commands to the pair on the screen; an answer is on disk before the next pair is shown.

    A command belongs to the pair that was on the screen when its key was pressed. It does nothing if another pair is on
    the screen when it runs.
    """

    pair_answered = Signal(object)  # AnsweredPair
    pair_marked = Signal(str, object)  # the pair's key, and the MarkKind that was saved

    def __init__(
        self,
        context: ProjectContext,
        make_answer: MakeAnswer | None = None,
        parent: QObject | None = None,
        *,
        load: LoadItems = rounds.load_items,
    ) -> None:
        """`make_answer` makes the job that saves an answer; where it gives None, the session makes its own.

        `load` makes the job that reads pairs.
        """
        super().__init__(context, parent, load=load)
        self._make_answer = make_answer
        self.pace = Pace()

    def answer(self, answer: Answer) -> None:
        self._enqueue_for_current(partial(self._answer, answer))

    def keep_distant_label(self) -> None:
        """Answer with the distant label."""
        self._enqueue_for_current(self._keep)

    def accept_suggestion(self) -> None:
        """Answer with the model's suggestion; recorded as an accepted suggestion."""
        self._enqueue_for_current(self._accept)

    def skip(self) -> None:
        self._enqueue_for_current(self._skip)

    def toggle_flag(self) -> None:
        self._enqueue_for_current(self._toggle_flag)

    def move(self, steps: int) -> None:
        self._enqueue(partial(self._move, steps))

    def save_note(self, key: str, text: str) -> None:
        """Save a note about a pair, even if another pair is on the screen now; an empty text deletes the note."""
        self._enqueue(partial(self._mark, key, MarkKind.NOTE, text.strip() or None))

    def reject(self, key: str, reason: str | None) -> None:
        """Mark a pair as bad for a reason, if it is still on the screen; None removes the mark."""
        self._enqueue_for(key, partial(self._mark, key, MarkKind.BAD, reason))

    def set_tags(self, key: str, tags: Iterable[str]) -> None:
        """Replace the tags of a pair by these, if it is still on the screen."""
        self._enqueue_for(key, partial(self._mark, key, MarkKind.TAG, join_tags(tags)))

    def go_on(self) -> None:
        """Show what is hidden of the pair; if nothing is, show the next pair.

        A pair without a tag comes again at the end.
        """
        self._enqueue_for_current(self._go_on)

    def undo(self) -> None:
        self._enqueue(self.commands.undo, after_end=True)

    def redo(self) -> None:
        self._enqueue(self.commands.redo, after_end=True)

    def go_to(self, key: str) -> None:
        self._enqueue(partial(self._go_to, key), after_end=True)

    def _enqueue(self, command: Command, *, after_end: bool = False) -> None:
        """Add a command to the queue. after_end: it can also run when no pair waits any more."""
        if self._is_finished() and not self.commands.is_saving:
            if after_end:
                command()
        else:
            self.commands.add(command)

    def _enqueue_for_current(self, command: Command) -> None:
        """Enqueue a command for the pair that is on the screen now."""
        self._enqueue_for(self.item.pair.key if self.item else "", command)

    def _enqueue_for(self, key: str, command: Command) -> None:
        """Enqueue a command that does nothing if another pair than this one is on the screen."""
        self._enqueue(partial(self._run_if_current, key, command))

    def _run_if_current(self, key: str, command: Command) -> None:
        if self._current_item().pair.key == key:
            command()
        else:
            self.message.emit(tr("A key pressed before this pair was shown was not counted."))

    def _answer(self, answer: Answer) -> None:
        item = self._current_item()
        job = self._make_answer(item, answer) if self._make_answer else None
        if job is None:
            context, key = self.recorder.context(item), item.pair.key
            job = answers.answer(self._context.project, [key], self._context.annotator, answer, seen=context)
        self.commands.save(job, partial(self._on_answered, item, answer))

    def _on_answered(self, item: ReviewItem, answer: Answer, result: ActionResult) -> None:
        if result.count:
            self._complete(replace(item, mine=answer), AnsweredPair(item, answer))
        else:
            self._on_pair_missing(item.pair.key)

    def _keep(self) -> None:
        label = self._current_item().pair.distant_label
        if label is None:
            self.message.emit(tr("This pair has no distant label to keep."))
        else:
            self._answer(Answer(label.value))

    def _accept(self) -> None:
        item = self._current_item()
        if item.suggestion is None:
            self.message.emit(tr("There is no suggestion for this pair."))
        elif item.mine is not None:
            self.message.emit(
                tr("You have answered this pair already: accepting a suggestion never replaces an answer.")
            )
        elif not self.recorder.is_revealed(item):
            self.message.emit(tr("In blind mode the suggestion stays hidden until you answer."))
        else:
            job = disagreements.accept(self._context.project, [item], self._context.annotator)
            self.commands.save(job, partial(self._on_accepted, item, Answer(item.suggestion.label.value)))

    def _on_accepted(self, item: ReviewItem, answer: Answer, result: ActionResult) -> None:
        if result.count:
            self._complete(replace(item, mine=answer), AnsweredPair(item, answer, accepted=True))
            return
        self.commands.clear()
        self.message.emit(
            tr(
                "Nothing was accepted, because the pair or its suggestion changed in the meantime. The pair "
                "is shown as it is now."
            )
        )
        self._unverified_keys.add(item.pair.key)
        self.reload({item.pair.key})

    def _skip(self) -> None:
        key = self._current_item().pair.key
        if not self.queue.skip():
            self.message.emit(tr("This is the last unanswered pair."))
            return
        self._skipped_keys = [other for other in self._skipped_keys if other != key] + [key]
        if not self._context.read_only and self._context.annotator and self.stored_queue is not None:
            annotator, queue = self._context.annotator, self.stored_queue
            job = rounds.save_skips(self._context.project, annotator, queue, self._skipped_keys)
            self._context.runner.save(job).failed.connect(self._context.problems.show)
        self._show_current()

    def _go_on(self) -> None:
        item = self._current_item()
        if self.recorder.hides(item):
            self.recorder.reveal(item.pair.key)
            self._show_current()
        elif self._waits(item):
            self._skip()
        else:
            self.queue.set_waiting(item.pair.key, waiting=False)
            self._advance()

    def _move(self, steps: int) -> None:
        if self.queue.move(steps):
            self._show_current()
        else:
            self.message.emit(tr("This is the first pair.") if steps < 0 else tr("This is the last pair."))

    def _toggle_flag(self) -> None:
        item = self._current_item()
        self._mark(item.pair.key, MarkKind.FLAG, None if item.flagged else FLAG_VALUE)

    def _mark(self, key: str, kind: MarkKind, value: str | None) -> None:
        job = answers.mark(self._context.project, [key], self._context.annotator, kind, value)
        self.commands.save(job, partial(self._on_marked, key, kind, value))

    def _on_marked(self, key: str, kind: MarkKind, value: str | None, result: ActionResult) -> None:
        if not result.keys:
            self._on_pair_missing(key)
            return
        self.pair_marked.emit(key, kind)
        if (item := self.reader.items.get(key)) is None:
            self._show_current()
            return
        match kind:
            case MarkKind.FLAG:
                item = replace(item, flagged=value is not None)
            case MarkKind.NOTE:
                item = replace(item, note=value)
            case MarkKind.BAD:
                item = replace(item, bad=value, status="bad" if value else "open")
            case MarkKind.TAG:
                item = replace(item, tags=split_tags(value))
                if self.asks_tags:
                    self.queue.set_waiting(key, waiting=self._waits(item))
        if kind is MarkKind.BAD and value is not None and self.queue.current == key:
            self._complete(item, AnsweredPair(item, None))
            return
        self.reader.items[key] = item
        if kind is MarkKind.BAD and value is None and self._waits(item):
            self.queue.set_waiting(key, waiting=True)
        self._show_current()

    def _go_to(self, key: str) -> None:
        self.queue.go_to(key)
        self._show_current()

    def _complete(self, item: ReviewItem, answered: AnsweredPair) -> None:
        """Go on to the next pair; `item` is the pair with its answer or rejection."""
        key = item.pair.key
        self.reader.items[key] = item
        if answered.answer is not None:
            self.pace.add_answer()
        if self.asks_tags and answered.answer is not None:  # an answer does not say why it is an error
            self.recorder.reveal(key)
            self.pair_answered.emit(answered)
            self._show_current()
            return
        self.queue.set_waiting(key, waiting=False)
        self.recorder.reveal(key)
        self.pair_answered.emit(answered)
        self._advance()

    def _on_pair_missing(self, key: str) -> None:
        """Go on to the next pair, since the pair on the screen is no longer in the project."""
        self._remove([key])
        self.message.emit(
            tr("The pair no longer exists: its paper was removed or mined again. Your answer was not saved.")
        )
        if self._is_current_waiting():
            self._show_current()
        else:
            self._advance()
