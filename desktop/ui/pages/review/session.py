"""A sitting of review: the pair on the screen, and answers one by one, each on disk before the next pair shows."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, cast

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import QWidget

from desktop.jobs.review import answers, disagreements, rounds
from desktop.jobs.review.answers import ActionResult
from desktop.ui.pages.review.row import Row
from desktop.ui.pages.review.taking import Taking
from desktop.ui.services.project_context import ProjectContext
from desktop.ui.services.runner import JobRun
from miner.progress import Job
from miner.records import Answer
from storage.annotation.marks import FLAGGED, Mark
from storage.annotation.rounds import ReviewItem

_AHEAD = 5  # pairs read before they are wanted
_KEPT = 200  # pairs that are remembered


@dataclass(frozen=True, slots=True)
class Settled:
    """A pair that has just been answered (None: taken out as bad), and the answer that held before."""

    item: ReviewItem
    answer: Answer | None
    accepted: bool = False  # it was the model's suggestion that was accepted


class Session(Taking):
    """Takes verbs one at a time: each waits until the one before is on disk and its pair on the screen."""

    shown = Signal(object)  # ReviewItem, or None when no pair waits
    settled = Signal(object)  # Settled
    marked = Signal()  # a flag, a note or a bad pair was set or taken back
    progressed = Signal()
    finished = Signal()  # the last pair of the row was settled

    def __init__(self, context: ProjectContext, parent: QObject | None = None) -> None:
        super().__init__(context, parent)
        self.row = Row()
        self.item: ReviewItem | None = None
        self.blind = True
        self.view_state: dict[str, Any] = {}  # more about what the annotator sees: the round, the open panel
        self._items: dict[str, ReviewItem] = {}
        self._reading: set[str] = set()
        self._reads: dict[JobRun, tuple[int, list[str]]] = {}  # of which generation, and which keys
        self._skipped: list[str] = []
        self._unsure: set[str] = set()  # keys that may wait again, or no more, once they are read
        self._revealed: set[str] = set()  # pairs whose phrase and distant label were on screen
        self._shown_at = 0.0
        self._generation = 0
        context.undone.connect(self._on_undone)

    # What is on the screen

    def begin(self, row: Row, skipped: Sequence[str] = (), items: Iterable[ReviewItem] = ()) -> None:
        """Show the row's current pair; `items` are read already."""
        self._generation += 1
        self.age += 1
        self._reading.clear()
        self._items = {item.pair.key: item for item in items}
        self._verbs.clear()
        self._revealed.clear()
        self._skipped = list(skipped)
        self.row = row
        self.item = None
        self._show()

    def is_ready(self) -> bool:
        return self.item is not None

    def is_over(self) -> bool:
        return self.row.current is None

    @property
    def busy(self) -> bool:
        """An answer is being saved, or the pair it leads to is not on the screen yet."""
        return self._saving or bool(self._verbs) or (self.row.current is not None and self.item is None)

    def set_blind(self, blind: bool) -> None:
        """Hide what the phrase says, or show it; what was shown once is known."""
        self.blind = blind
        if self.item is not None and not blind:
            self._revealed.add(self.item.pair.key)

    def forget(self, keys: Iterable[str] | None) -> None:
        """What is known of these pairs (None: of all) may be wrong: read them again."""
        if keys is None:
            self._items.clear()
        else:
            for key in keys:
                self._items.pop(key, None)
        self._generation += 1
        self._reading.clear()
        self._show()

    def judged(self, keys: Iterable[str]) -> None:
        """Pairs of the row were answered or marked elsewhere."""
        mine = set(keys) & set(self.row.keys)
        if mine:
            self._unsure |= mine
            self.forget(mine)

    def catch_up(self, waiting: Sequence[str]) -> None:
        """Much may have changed: these wait, and all pairs are read again."""
        waits = set(waiting)
        for key in self.row.keys:
            (self.row.unsettle if key in waits else self.row.settle)(key)
        self.forget(None)

    def stay(self) -> None:
        """Show the last pair again: there is nothing to go on to."""
        self.row.move(-1)
        self._show()

    # Verbs

    def answer(self, answer: Answer) -> None:
        self._take_here(partial(self._answer, answer))

    def accept(self) -> None:
        """Answer with what the model suggests, kept as such."""
        self._take_here(self._accept)

    def skip(self) -> None:
        self._take_here(self._skip)

    def move(self, steps: int) -> None:
        self._take(partial(self._move, steps))

    def flag(self) -> None:
        self._take_here(self._flag)

    def note(self, key: str, text: str) -> None:
        """Note a text about a pair; an empty one deletes the note."""
        self._take(partial(self._mark, key, Mark.NOTE, text.strip() or None))

    def call_bad(self, key: str, reason: str | None) -> None:
        """Take a pair out for a reason; None brings it back."""
        self._take(partial(self._mark, key, Mark.BAD, reason))

    def undo(self) -> None:
        self._take(self._undo)

    def redo(self) -> None:
        self._take(self._redo)

    def go_to(self, key: str) -> None:
        self._take(partial(self._go_to, key))

    def _take_here(self, verb: Callable[[], None]) -> None:
        """A verb about the pair on the screen: one that comes in its place meanwhile was not read."""
        self._take(partial(self._do_here, self.item.pair.key if self.item else "", verb))

    def _do_here(self, key: str, verb: Callable[[], None]) -> None:
        if self._the_item().pair.key == key:
            verb()
        else:
            self.told.emit("A key pressed before this pair was shown was not counted.")

    def _take(self, verb: Callable[[], None]) -> None:
        if self.row.current is None and not self._saving:  # the round is over: undo alone has something to do
            if verb in (self._undo, self._redo) or (isinstance(verb, partial) and verb.func == self._go_to):
                verb()
            return
        super()._take(verb)

    def _answer(self, answer: Answer) -> None:
        item = self._the_item()
        self._save(self.answering(item, answer), partial(self._answered, item, answer))

    def answering(self, item: ReviewItem, answer: Answer) -> Job[ActionResult]:
        """The job that keeps an answer, with what the annotator saw."""
        seen: dict[str, Any] = {
            "blind": self.blind,
            "premise": item.pair.premise,
            "hypothesis": item.pair.hypothesis,
            "hidden": [] if self._knows(item) else ["phrase", "distant_label"],
            "seconds": round(time.monotonic() - self._shown_at, 2),
            **self.view_state,
        }
        if (made := item.suggestion) is not None and self._knows(item):
            seen |= {"suggestion": made.label.value, "confidence": round(made.confidence, 4), "model": made.model}
        elif made is not None:
            seen["hidden"].append("suggestion")
        return answers.answer(self._context.project, [item.pair.key], self._context.annotator, answer, seen=seen)

    def _knows(self, item: ReviewItem) -> bool:
        """Whether the annotator has seen what the phrase says, and the model."""
        return not self.blind or item.mine is not None or item.pair.key in self._revealed

    def _answered(self, item: ReviewItem, answer: Answer, judged: ActionResult) -> None:
        if judged.count:
            self._settle(item, answer)
        else:
            self._lose(item.pair.key)

    def _accept(self) -> None:
        item = self._the_item()
        if item.suggestion is None:
            self.told.emit("There is no suggestion for this pair.")
        elif item.mine is not None:
            self.told.emit("You have answered this pair: an accepted suggestion never takes the place of an answer.")
        elif not self._knows(item):
            self.told.emit("In blind mode what the model suggests stays hidden until you answer.")
        else:
            job = disagreements.accept(self._context.project, [item], self._context.annotator)
            self._save(job, partial(self._accepted, item, Answer(item.suggestion.label.value)))

    def _accepted(self, item: ReviewItem, answer: Answer, judged: ActionResult) -> None:
        if judged.count:
            self._settle(item, answer, accepted=True)
            return
        self._verbs.clear()
        self.told.emit("Nothing was accepted: the pair or its suggestion changed meanwhile. This is how it is now.")
        self._unsure.add(item.pair.key)
        self.forget({item.pair.key})

    def _settle(self, item: ReviewItem, answer: Answer, *, accepted: bool = False) -> None:
        key = item.pair.key
        self._items[key] = replace(item, mine=answer)
        self.row.settle(key)
        self._revealed.add(key)
        self.settled.emit(Settled(item, answer, accepted))
        self._go_on()

    def _skip(self) -> None:
        key = self._the_item().pair.key
        if not self.row.skip():
            self.told.emit("This is the last pair that waits.")
            return
        self._skipped = [other for other in self._skipped if other != key] + [key]
        if not self._context.read_only and self._context.annotator and "round" in self.view_state:
            job = rounds.keep_skips(self._context.project, self._context.annotator, self._skipped)
            self._context.runner.save(job).failed.connect(self._context.problems.show)
        self._show()

    def _move(self, steps: int) -> None:
        if self.row.move(steps):
            self._show()
        else:
            self.told.emit("This is the first pair." if steps < 0 else "This is the last pair.")

    def _flag(self) -> None:
        item = self._the_item()
        self._mark(item.pair.key, Mark.FLAG, None if item.flagged else FLAGGED)

    def _mark(self, key: str, kind: Mark, value: str | None) -> None:
        job = answers.mark(self._context.project, [key], self._context.annotator, kind, value)
        self._save(job, partial(self._marked, key, kind, value))

    def _marked(self, key: str, kind: Mark, value: str | None, judged: ActionResult) -> None:
        if not judged.keys:
            self._lose(key)
            return
        self.marked.emit()
        if (item := self._items.get(key)) is not None:
            match kind:
                case Mark.FLAG:
                    self._items[key] = replace(item, flagged=value is not None)
                case Mark.NOTE:
                    self._items[key] = replace(item, note=value)
                case Mark.BAD:
                    self._items[key] = replace(item, bad=value, status="bad" if value else "open")
            if kind is Mark.BAD and value is not None and self.row.current == key:
                self.row.settle(key)
                self._revealed.add(key)
                self.settled.emit(Settled(self._items[key], None))
                self._go_on()
                return
            if kind is Mark.BAD and value is None and item.mine is None:
                self.row.unsettle(key)
        self._show()

    def _go_to(self, key: str) -> None:
        self.row.go_to(key)
        self._show()

    # Showing

    def _the_item(self) -> ReviewItem:
        assert self.item is not None
        return self.item

    def _go_on(self) -> None:
        if self.row.advance() is None:
            self._verbs.clear()
            self.item = None
            self.progressed.emit()
            self.finished.emit()
            return
        self._show()

    def _lose(self, key: str) -> None:
        """The pair on the screen is no longer there."""
        if key in self.row.keys:
            self.row.remove(key)
        self._items.pop(key, None)
        self.told.emit("That pair is gone: its paper was removed or mined again. Your answer went to no other pair.")
        if self.row.current is None or not self.row.waits(self.row.current):
            self._go_on()
        else:
            self._show()

    def _show(self) -> None:
        """Put the current pair on the screen, now if it was read already, and read the next ones."""
        key = self.row.current
        self.progressed.emit()
        if key is None:
            self.item = None
            self.shown.emit(None)
            return
        item = self._items.get(key)
        if item is not None:
            if self.item is None or self.item.pair.key != key:
                self._shown_at = time.monotonic()
            self.item = item
            if not self.blind:
                self._revealed.add(key)
            self.shown.emit(item)
        else:
            self.item = None
        self._read_ahead()

    def _read_ahead(self) -> None:
        wanted = [key for key in self.row.ahead(_AHEAD) if key not in self._items and key not in self._reading]
        here = self.row.current
        if not wanted or (here in self._items and len(wanted) < 2 and self.row.waiting > _AHEAD):
            return
        self._reading.update(wanted)
        run = self._context.runner.read(rounds.items(self._context.project, wanted, self._context.annotator))
        self._reads[run] = self._generation, wanted
        run.done.connect(self._on_read)
        run.failed.connect(self._on_read_failed)

    @Slot(object)
    def _on_read_failed(self, error: Exception) -> None:
        del self._reads[cast(JobRun, self.sender())]
        self._reading.clear()
        self._verbs.clear()
        self._context.problems.show(error)

    @Slot(object)
    def _on_read(self, items: list[ReviewItem]) -> None:
        generation, wanted = self._reads.pop(cast(JobRun, self.sender()))
        if generation != self._generation:
            return
        self._reading.difference_update(wanted)
        while len(self._items) > _KEPT:
            self._items.pop(next(iter(self._items)))
        self._items.update({item.pair.key: item for item in items})
        for item in items:
            if item.pair.key in self._unsure:
                self._unsure.discard(item.pair.key)
                waits = item.mine is None and item.bad is None
                (self.row.unsettle if waits else self.row.settle)(item.pair.key)
        here = self.row.current
        if gone := [key for key in wanted if key not in self._items]:
            self._drop(gone)
        elif here in wanted:
            self._show()
        self._work()

    def _drop(self, gone: list[str]) -> None:
        """Pairs that were to come are no longer there."""
        was = self.row.current
        for key in gone:
            if key in self.row.keys:
                self.row.remove(key)
        count = len(gone)
        self.told.emit(
            "A pair is gone: its paper was removed or mined again."
            if count == 1
            else f"{count:,} pairs are gone: their papers were removed or mined again."
        )
        if was in gone and (self.row.current is None or not self.row.waits(self.row.current)):
            self._go_on()
        elif was in gone or self.item is None:
            self._show()
        else:
            self.progressed.emit()

    @Slot(object)
    def _on_undone(self, judged: ActionResult) -> None:
        """Go back to the pair whose answer was undone, or done again."""
        self.age += 1
        if len(judged.keys) != 1 or judged.count != 1:
            return
        [key] = judged.keys
        self._items.pop(key, None)
        page = self.parent()
        is_seen = not isinstance(page, QWidget) or page.isVisible()
        if self.row.keys and (is_seen or key in self.row.keys):
            self._unsure.add(key)
            self.row.go_to(key)
            self.item = None
            self._generation += 1
            self._reading.clear()
            self._show()
