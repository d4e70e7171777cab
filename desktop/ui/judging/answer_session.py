"""The pair on the screen, and what an annotator does with it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import QWidget

from desktop.jobs.review import answers, disagreements, rounds
from desktop.jobs.review.answers import ActionResult
from desktop.ui.judging.annotator_view import AnnotatorView
from desktop.ui.judging.command_queue import Command, CommandQueue
from desktop.ui.judging.review_queue import PairReader, ReviewQueue
from desktop.ui.services.project_context import ProjectContext
from miner.progress import Job
from miner.records import Answer
from storage.annotation.marks import FLAG_VALUE, MarkKind
from storage.annotation.rounds import ReviewItem

_AHEAD, _AT_ONCE = 10, 5  # pairs read before they are wanted, and as many of them at least in one go

MakeAnswer = Callable[[ReviewItem, Answer], Job[ActionResult] | None]


@dataclass(frozen=True, slots=True)
class AnsweredPair:
    """A pair as it was when it was answered; `answer` None: it was rejected. `accepted`: the answer is a suggestion."""

    item: ReviewItem
    answer: Answer | None
    accepted: bool = False


class AnswerSession(QObject):
    """Pairs come in the order of `queue`; an answer is on disk before the next pair is shown.

    What a person does is a command in `commands`. It is about the pair on the screen when it was given: where another
    pair has come meanwhile, it does nothing.
    """

    shown = Signal(object)  # ReviewItem, or None when no pair waits
    answered = Signal(object)  # AnsweredPair
    marked = Signal()  # a flag, a note or a rejection was saved
    progressed = Signal()
    finished = Signal()  # the last pair that waited was answered
    message = Signal(str)

    def __init__(
        self, context: ProjectContext, make_answer: MakeAnswer | None = None, parent: QObject | None = None
    ) -> None:
        """`make_answer`: the job that saves an answer, or None where the session's own is to do it."""
        super().__init__(parent)
        self._context = context
        self._make_answer = make_answer
        self.queue = ReviewQueue()
        self.reader = PairReader(context, self)
        self.commands = CommandQueue(context, is_ready=self._has_item, is_over=self._is_over, parent=self)
        self.item: ReviewItem | None = None
        self.view = AnnotatorView()
        self._skipped: list[str] = []
        self._unsure: set[str] = set()  # keys of which it is known once they are read whether they wait
        self.reader.done.connect(self._on_read)
        self.reader.failed.connect(self._on_read_failed)
        self.commands.message.connect(self.message)
        context.undone.connect(self._on_undone)

    # What is on the screen

    def begin(self, queue: ReviewQueue, skipped: Sequence[str] = (), items: Iterable[ReviewItem] = ()) -> None:
        """Show the queue's current pair; `items` are read already."""
        self.commands.version += 1
        self.commands.clear()
        self.reader.start(items)
        self.view.clear()
        self._skipped = list(skipped)
        self.queue = queue
        self.item = None
        self._show()

    def renew(self, items: Sequence[ReviewItem]) -> None:
        """These wait now, in this order; the pair on the screen stays."""
        keys = [item.pair.key for item in items]
        self.queue.renew(keys)
        self.reader.items.update(zip(keys, items, strict=True))
        here = self.queue.current
        self.forget(() if here is None or here in keys else (here,))

    @property
    def busy(self) -> bool:
        """An answer is being saved, or the pair it leads to is not on the screen yet."""
        return self.commands.is_busy or (self.queue.current is not None and self.item is None)

    def set_blind(self, blind: bool) -> None:
        """Hide what the phrase says, or show it; what was shown once is known."""
        self.view.blind = blind
        if self.item is not None and not blind:
            self.view.reveal(self.item.pair.key)

    def forget(self, keys: Iterable[str] | None) -> None:
        """Read these pairs (None: all) again."""
        self.reader.forget(keys)
        self._show()

    def on_judged(self, keys: Iterable[str]) -> None:
        """Pairs were answered or marked elsewhere."""
        mine = set(keys) & set(self.queue.keys)
        if mine:
            self._unsure |= mine
            self.forget(mine)

    def catch_up(self, waiting: Sequence[str]) -> None:
        """Much may have changed: these wait, and all pairs are read again."""
        waits = set(waiting)
        for key in self.queue.keys:
            self.queue.mark(key, waits=key in waits)
        self.forget(None)

    def stay(self) -> None:
        """Show the last pair again: there is nothing to go on to."""
        self.queue.move(-1)
        self._show()

    def _has_item(self) -> bool:
        return self.item is not None

    def _is_over(self) -> bool:
        return self.queue.current is None

    # Commands

    def answer(self, answer: Answer) -> None:
        self._add_here(partial(self._answer, answer))

    def keep(self) -> None:
        """Answer with the distant label."""
        self._add_here(self._keep)

    def accept(self) -> None:
        """Answer with what the model suggests, recorded as an accepted suggestion."""
        self._add_here(self._accept)

    def skip(self) -> None:
        self._add_here(self._skip)

    def flag(self) -> None:
        self._add_here(self._flag)

    def move(self, steps: int) -> None:
        self._add(partial(self._move, steps))

    def note(self, key: str, text: str) -> None:
        """Note a text about a pair; an empty one deletes the note."""
        self._add(partial(self._mark, key, MarkKind.NOTE, text.strip() or None))

    def reject(self, key: str, reason: str | None) -> None:
        """Take a pair out for a reason; None brings it back."""
        self._add(partial(self._mark, key, MarkKind.BAD, reason))

    def undo(self) -> None:
        self._add(self.commands.undo, after_end=True)

    def redo(self) -> None:
        self._add(self.commands.redo, after_end=True)

    def go_to(self, key: str) -> None:
        self._add(partial(self._go_to, key), after_end=True)

    def _add(self, command: Command, *, after_end: bool = False) -> None:
        """`after_end`: it can be done also where no pair waits any more."""
        if self._is_over() and not self.commands.is_saving:
            if after_end:
                command()
        else:
            self.commands.add(command)

    def _add_here(self, command: Command) -> None:
        """A command about the pair on the screen."""
        self._add(partial(self._run_here, self.item.pair.key if self.item else "", command))

    def _run_here(self, key: str, command: Command) -> None:
        if self._the_item().pair.key == key:
            command()
        else:
            self.message.emit("A key pressed before this pair was shown was not counted.")

    def _answer(self, answer: Answer) -> None:
        item = self._the_item()
        job = self._make_answer(item, answer) if self._make_answer else None
        if job is None:
            seen, key = self.view.seen(item), item.pair.key
            job = answers.answer(self._context.project, [key], self._context.annotator, answer, seen=seen)
        self.commands.save(job, partial(self._on_answered, item, answer))

    def _on_answered(self, item: ReviewItem, answer: Answer, result: ActionResult) -> None:
        if result.count:
            self._finish(replace(item, mine=answer), AnsweredPair(item, answer))
        else:
            self._lose(item.pair.key)

    def _keep(self) -> None:
        label = self._the_item().pair.distant_label
        if label is None:
            self.message.emit("This pair has no distant label to keep.")
        else:
            self._answer(Answer(label.value))

    def _accept(self) -> None:
        item = self._the_item()
        if item.suggestion is None:
            self.message.emit("There is no suggestion for this pair.")
        elif item.mine is not None:
            self.message.emit("You have answered this pair: an accepted suggestion never takes the place of an answer.")
        elif not self.view.knows(item):
            self.message.emit("In blind mode what the model suggests stays hidden until you answer.")
        else:
            job = disagreements.accept(self._context.project, [item], self._context.annotator)
            self.commands.save(job, partial(self._on_accepted, item, Answer(item.suggestion.label.value)))

    def _on_accepted(self, item: ReviewItem, answer: Answer, result: ActionResult) -> None:
        if result.count:
            self._finish(replace(item, mine=answer), AnsweredPair(item, answer, accepted=True))
            return
        self.commands.clear()
        self.message.emit("Nothing was accepted: the pair or its suggestion changed meanwhile. This is how it is now.")
        self._unsure.add(item.pair.key)
        self.forget({item.pair.key})

    def _skip(self) -> None:
        key = self._the_item().pair.key
        if not self.queue.skip():
            self.message.emit("This is the last pair that waits.")
            return
        self._skipped = [other for other in self._skipped if other != key] + [key]
        if not self._context.read_only and self._context.annotator and self.view.state.round is not None:
            job = rounds.keep_skips(self._context.project, self._context.annotator, self._skipped)
            self._context.runner.save(job).failed.connect(self._context.problems.show)
        self._show()

    def _move(self, steps: int) -> None:
        if self.queue.move(steps):
            self._show()
        else:
            self.message.emit("This is the first pair." if steps < 0 else "This is the last pair.")

    def _flag(self) -> None:
        item = self._the_item()
        self._mark(item.pair.key, MarkKind.FLAG, None if item.flagged else FLAG_VALUE)

    def _mark(self, key: str, kind: MarkKind, value: str | None) -> None:
        job = answers.mark(self._context.project, [key], self._context.annotator, kind, value)
        self.commands.save(job, partial(self._on_marked, key, kind, value))

    def _on_marked(self, key: str, kind: MarkKind, value: str | None, result: ActionResult) -> None:
        if not result.keys:
            self._lose(key)
            return
        self.marked.emit()
        if (item := self.reader.items.get(key)) is None:
            self._show()
            return
        match kind:
            case MarkKind.FLAG:
                item = replace(item, flagged=value is not None)
            case MarkKind.NOTE:
                item = replace(item, note=value)
            case MarkKind.BAD:
                item = replace(item, bad=value, status="bad" if value else "open")
        if kind is MarkKind.BAD and value is not None and self.queue.current == key:
            self._finish(item, AnsweredPair(item, None))
            return
        self.reader.items[key] = item
        if kind is MarkKind.BAD and value is None and item.mine is None:
            self.queue.mark(key, waits=True)
        self._show()

    def _go_to(self, key: str) -> None:
        self.queue.go_to(key)
        self._show()

    # Showing

    def _the_item(self) -> ReviewItem:
        assert self.item is not None
        return self.item

    def _finish(self, item: ReviewItem, answered: AnsweredPair) -> None:
        """The pair is answered or rejected, and so is as `item` says now."""
        key = item.pair.key
        self.reader.items[key] = item
        self.queue.mark(key, waits=False)
        self.view.reveal(key)
        self.answered.emit(answered)
        self._go_on()

    def _go_on(self) -> None:
        if self.queue.advance() is None:
            self.commands.clear()
            self.item = None
            self.progressed.emit()
            self.finished.emit()
            return
        self._show()

    def _lose(self, key: str) -> None:
        """The pair on the screen is no longer there."""
        self._remove([key])
        self.message.emit("That pair is gone: its paper was removed or mined again. Your answer went to no other pair.")
        if self._current_waits():
            self._show()
        else:
            self._go_on()

    def _remove(self, keys: Iterable[str]) -> None:
        for key in keys:
            if key in self.queue.keys:
                self.queue.remove(key)
            self.reader.items.pop(key, None)

    def _current_waits(self) -> bool:
        return self.queue.current is not None and self.queue.waits(self.queue.current)

    def _show(self) -> None:
        """Put the current pair on the screen, now if it was read already, and read the next ones."""
        key = self.queue.current
        self.progressed.emit()
        if key is None:
            self.item = None
            self.shown.emit(None)
            return
        item = self.reader.items.get(key)
        if item is not None:
            self.view.show(key, is_new=self.item is None or self.item.pair.key != key)
            self.item = item
            self.shown.emit(item)
        else:
            self.item = None
        self._read_ahead()

    def _read_ahead(self) -> None:
        """A few pairs can wait until there are more to read; the current one cannot."""
        missing = self.reader.missing(self.queue.ahead(_AHEAD))
        if missing and (self.item is None or len(missing) >= _AT_ONCE or self.queue.waiting <= _AHEAD):
            self.reader.read(missing)

    @Slot(object, object)
    def _on_read(self, keys: list[str], items: list[ReviewItem]) -> None:
        for item in items:
            if item.pair.key in self._unsure:
                self._unsure.discard(item.pair.key)
                self.queue.mark(item.pair.key, waits=item.mine is None and item.bad is None)
        if gone := [key for key in keys if key not in self.reader.items]:
            self._drop(gone)
        elif self.queue.current in keys:
            self._show()
        self.commands.run()

    @Slot(object)
    def _on_read_failed(self, error: Exception) -> None:
        self.commands.clear()
        self._context.problems.show(error)

    def _drop(self, gone: list[str]) -> None:
        """Pairs that were to come are no longer there."""
        was = self.queue.current
        self._remove(gone)
        self.message.emit(
            "A pair is gone: its paper was removed or mined again."
            if len(gone) == 1
            else f"{len(gone):,} pairs are gone: their papers were removed or mined again."
        )
        if was in gone and not self._current_waits():
            self._go_on()
        elif was in gone or self.item is None:
            self._show()
        else:
            self.progressed.emit()

    @Slot(object)
    def _on_undone(self, result: ActionResult) -> None:
        """Go back to the pair whose answer was undone, or done again."""
        self.commands.version += 1
        if len(result.keys) != 1 or result.count != 1:
            return
        [key] = result.keys
        self.reader.items.pop(key, None)
        page = self.parent()
        is_seen = not isinstance(page, QWidget) or page.isVisible()
        if self.queue.keys and (is_seen or key in self.queue.keys):
            self._unsure.add(key)
            self.queue.go_to(key)
            self.item = None
            self.forget((key,))
