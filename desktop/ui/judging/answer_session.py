"""The pair on the screen, and the annotator's commands: answer, skip, flag, note, reject, undo."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial

from PySide6.QtCore import QObject, Signal, Slot

from desktop.jobs.review import answers, disagreements, rounds
from desktop.jobs.review.answers import ActionResult
from desktop.translation import tr
from desktop.ui.judging.command_queue import Command, CommandQueue
from desktop.ui.judging.context_recorder import ContextRecorder
from desktop.ui.judging.pace import Pace
from desktop.ui.judging.review_queue import LoadItems, PairReader, ReviewQueue
from desktop.ui.services.project_context import ProjectContext
from miner.progress import Job
from miner.records import Answer
from storage.annotation.answer_context import NO_CONTEXT
from storage.annotation.marks import FLAG_VALUE, MarkKind
from storage.annotation.rounds import QueueId, ReviewItem
from storage.pairs.tags import join_tags, split_tags

_PREFETCH_COUNT = 10  # pairs
_MIN_PREFETCH_BATCH = 5  # pairs read in one go

MakeAnswer = Callable[[ReviewItem, Answer], Job[ActionResult] | None]


@dataclass(frozen=True, slots=True)
class AnsweredPair:
    """A pair as it was before its answer. answer: None if it was rejected. accepted: the answer is a suggestion."""

    item: ReviewItem
    answer: Answer | None
    accepted: bool = False


class AnswerSession(QObject):
    """Shows pairs in the order of `queue`; an answer is on disk before the next pair is shown.

    A command belongs to the pair that was on the screen when its key was pressed. It does nothing if another pair is on
    the screen when it runs.
    """

    item_shown = Signal(object)  # ReviewItem, or None when no pair waits
    pair_answered = Signal(object)  # AnsweredPair
    pair_marked = Signal(str, object)  # the pair's key, and the MarkKind that was saved
    progress_changed = Signal()
    finished = Signal()  # no pair waits any more
    message = Signal(str)

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
        super().__init__(parent)
        self._context = context
        self._make_answer = make_answer
        self.queue = ReviewQueue()
        self.reader = PairReader(context, self, load=load)
        self.commands = CommandQueue(context, is_ready=self._has_item, is_finished=self._is_finished, parent=self)
        self.item: ReviewItem | None = None
        self.recorder = ContextRecorder()
        self.pace = Pace()
        self.asks_tags = False
        """In a round of errors, a pair waits for a tag, and stays on the screen until the annotator goes on."""
        self.stored_queue: QueueId | None = None
        """The queue of the annotator whose pairs these are; None for pairs that were selected elsewhere."""
        self._skipped_keys: list[str] = []
        self._unverified_keys: set[str] = set()  # keys that may wait or not; known when they are read
        self._gone_keys: list[str] = []  # removed from the queue, as their pairs no longer existed
        self.reader.done.connect(self._on_read)
        self.reader.failed.connect(self._on_read_failed)
        self.commands.message.connect(self.message)

    # Pairs

    def start(self, queue: ReviewQueue, skipped: Sequence[str] = (), items: Iterable[ReviewItem] = ()) -> None:
        """Show the current pair of `queue`. `skipped`: keys the annotator skipped; `items`: pairs already read."""
        self.commands.version += 1
        self.commands.clear()
        self.reader.reset(items)
        self.recorder.clear()
        self._skipped_keys, self._gone_keys = list(skipped), []
        self.queue = queue
        self.item = None
        self._show_current()

    def stop(self) -> None:
        """Show no pair, since there is no queue; an undo brings none of its pairs back."""
        self.stored_queue, self.recorder.base = None, NO_CONTEXT
        self.start(ReviewQueue())

    def replace_waiting(self, items: Sequence[ReviewItem]) -> None:
        """Let these pairs wait, in this order; the pair on the screen stays."""
        keys = [item.pair.key for item in items]
        self._gone_keys = []
        self.queue.replace_waiting(keys)
        self.reader.items.update(zip(keys, items, strict=True))
        current = self.queue.current
        self.reload(() if current is None or current in keys else (current,))

    @property
    def is_busy(self) -> bool:
        """Whether a command is being saved, or the next pair is not on the screen yet."""
        return self.commands.is_busy or (self.queue.current is not None and self.item is None)

    def set_blind(self, blind: bool) -> None:
        """Hide phrase, distant label and suggestion, or show them; then the pair on the screen counts as revealed."""
        self.recorder.blind = blind
        if self.item is not None and not blind:
            self.recorder.reveal(self.item.pair.key)

    def reload(self, keys: Iterable[str] | None) -> None:
        """Read these pairs again; None: all, also those that no longer existed when they were read last."""
        self.reader.discard(keys)
        self._show_current()
        if keys is None and self._gone_keys:
            self.reader.read(list(self._gone_keys))

    def on_changed_elsewhere(self, keys: Iterable[str]) -> None:
        """Read the pairs that were answered or marked on another page again."""
        own_keys = set(keys) & set(self.queue.keys)
        if own_keys:
            self._unverified_keys |= own_keys
            self.reload(own_keys)
            if missing := self.reader.missing(own_keys):  # one that is answered comes up only if it waits again
                self.reader.read(missing)

    def on_undone(self, result: ActionResult, *, is_on_screen: bool) -> None:
        """Go back to the pair that an undo or redo changed; to a pair of another page only if this page is shown."""
        self.commands.version += 1
        if len(result.keys) != 1 or result.count != 1:
            return
        [key] = result.keys
        self.reader.items.pop(key, None)
        if self.queue.keys and (is_on_screen or key in self.queue.keys):
            self._unverified_keys.add(key)
            self.queue.go_to(key)
            self.item = None
            self.reload((key,))

    def reload_queue(self, waiting: Sequence[str]) -> None:
        """Let exactly the keys in `waiting` wait, and read all pairs again."""
        waiting_keys = set(waiting)
        for key in self.queue.keys:
            self.queue.set_waiting(key, waiting=key in waiting_keys)
        self.reload(None)

    def show_last(self) -> None:
        """Show the last pair again, when no other pair waits."""
        self.queue.move(-1)
        self._show_current()

    def _has_item(self) -> bool:
        return self.item is not None

    def _is_finished(self) -> bool:
        return self.queue.current is None

    # Commands

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

    def _waits(self, item: ReviewItem) -> bool:
        if item.bad is not None:
            return False
        return not item.tags if self.asks_tags else item.mine is None

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

    # Showing pairs

    def _current_item(self) -> ReviewItem:
        assert self.item is not None
        return self.item

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

    def _advance(self) -> None:
        if self.queue.advance() is None:
            self.commands.clear()
            self.item = None
            self.item_shown.emit(None)
            self.progress_changed.emit()
            self.finished.emit()
            return
        self._show_current()

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

    def _remove(self, keys: Iterable[str]) -> None:
        for key in keys:
            if key in self.queue.keys:
                self.queue.remove(key)
                if key not in self._gone_keys:
                    self._gone_keys.append(key)
            self.reader.items.pop(key, None)

    def _put_back(self, keys: Sequence[str]) -> None:
        """Put pairs back into the queue whose papers were brought back; the first of them is shown if none was left."""
        self._gone_keys = [key for key in self._gone_keys if key not in keys]
        self.queue.put_back(keys)
        for key in keys:
            self.queue.set_waiting(key, waiting=self._waits(self.reader.items[key]))
        self.message.emit("")
        if self.queue.current is None and self.queue.waiting_count:
            self._advance()
        else:
            self.progress_changed.emit()

    def _is_current_waiting(self) -> bool:
        return self.queue.current is not None and self.queue.is_waiting(self.queue.current)

    def _show_current(self) -> None:
        """Show the current pair, at once if it has been read, and read the next ones."""
        key = self.queue.current
        self.progress_changed.emit()
        if key is None:
            self.item = None
            self.item_shown.emit(None)
            return
        item = self.reader.items.get(key)
        if item is not None:
            self.recorder.on_shown(key, is_new=self.item is None or self.item.pair.key != key)
            self.item = item
            self.item_shown.emit(item)
        else:
            self.item = None
        self._prefetch()

    def _prefetch(self) -> None:
        """Read the current pair at once, and the next ones in batches."""
        missing = self.reader.missing(self.queue.upcoming(_PREFETCH_COUNT))
        is_batch = len(missing) >= _MIN_PREFETCH_BATCH or self.queue.waiting_count <= _PREFETCH_COUNT
        if missing and (self.item is None or is_batch):
            self.reader.read(missing)

    @Slot(object, object)
    def _on_read(self, keys: list[str], items: list[ReviewItem]) -> None:
        verified = [item for item in items if item.pair.key in self._unverified_keys]
        for item in verified:
            self._unverified_keys.discard(item.pair.key)
            self.queue.set_waiting(item.pair.key, waiting=self._waits(item))
        if back := [key for key in self._gone_keys if key in self.reader.items]:
            self._put_back(back)
        removed = set(self._gone_keys).difference(self.queue.present(keys))
        if missing := [key for key in keys if key not in self.reader.items and key not in removed]:
            self._on_pairs_missing(missing)
        elif self.queue.current in keys:
            self._show_current()
        elif verified:
            self.progress_changed.emit()
        self.commands.run_waiting()

    @Slot(object)
    def _on_read_failed(self, error: Exception) -> None:
        self.commands.clear()
        self._context.problems.show(error)

    def _on_pairs_missing(self, keys: list[str]) -> None:
        """Remove pairs from the queue that are no longer in the project."""
        previous = self.queue.current
        self._remove(keys)
        self.message.emit(
            tr("A pair no longer exists: its paper was removed or mined again.")
            if len(keys) == 1
            else tr("{keys:,} pairs no longer exist: their papers were removed or mined again.", keys=len(keys))
        )
        if previous in keys and not self._is_current_waiting():
            self._advance()
        elif previous in keys or self.item is None:
            self._show_current()
        else:
            self.progress_changed.emit()
