"""The pairs of a queue on the screen, one after the other."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from PySide6.QtCore import QObject, Signal, Slot

from desktop.jobs.review import rounds
from desktop.jobs.review.answers import ActionResult
from desktop.translation import tr
from desktop.ui.judging.command_queue import CommandQueue
from desktop.ui.judging.context_recorder import ContextRecorder
from desktop.ui.judging.review_queue import LoadItems, PairReader, ReviewQueue
from desktop.ui.services.project_context import ProjectContext
from storage.annotation.answer_context import NO_CONTEXT
from storage.annotation.rounds import QueueId, ReviewItem

_PREFETCH_COUNT = 10  # pairs
_MIN_PREFETCH_BATCH = 5  # pairs read in one go


class PairSession(QObject):
    """Shows the pairs of `queue` in order, reads the next ones ahead, and keeps up with what others do to them."""

    item_shown = Signal(object)  # ReviewItem, or None when no pair waits
    progress_changed = Signal()
    finished = Signal()  # no pair waits any more
    message = Signal(str)

    def __init__(
        self, context: ProjectContext, parent: QObject | None = None, *, load: LoadItems = rounds.load_items
    ) -> None:
        """`load` makes the job that reads pairs."""
        super().__init__(parent)
        self._context = context
        self.queue = ReviewQueue()
        self.reader = PairReader(context, self, load=load)
        self.commands = CommandQueue(context, is_ready=self._has_item, is_finished=self._is_finished, parent=self)
        self.item: ReviewItem | None = None
        self.recorder = ContextRecorder()
        self.asks_tags = False
        """In a round of errors, a pair waits for a tag, and stays on the screen until the annotator goes on."""
        self.stored_queue: QueueId | None = None
        """The queue of the annotator whose pairs these are; None for pairs that were selected elsewhere."""
        self._skipped_keys: list[str] = []
        self._unverified_keys: set[str] = set()  # keys that may wait or not; known when they are read
        self.reader.done.connect(self._on_read)
        self.reader.failed.connect(self._on_read_failed)
        self.commands.message.connect(self.message)

    def start(self, queue: ReviewQueue, skipped: Sequence[str] = (), items: Iterable[ReviewItem] = ()) -> None:
        """Show the current pair of `queue`. `skipped`: keys the annotator skipped; `items`: pairs already read."""
        self.commands.version += 1
        self.commands.clear()
        self.reader.reset(items)
        self.recorder.clear()
        self._skipped_keys = list(skipped)
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
        if keys is None and self.queue.gone:
            self.reader.read(list(self.queue.gone))

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

    def _waits(self, item: ReviewItem) -> bool:
        if item.bad is not None:
            return False
        return not item.tags if self.asks_tags else item.mine is None

    def _current_item(self) -> ReviewItem:
        assert self.item is not None
        return self.item

    def _advance(self) -> None:
        if self.queue.advance() is None:
            self.commands.clear()
            self.item = None
            self.item_shown.emit(None)
            self.progress_changed.emit()
            self.finished.emit()
            return
        self._show_current()

    def _remove(self, keys: Iterable[str]) -> None:
        for key in keys:
            if key in self.queue.keys:
                self.queue.remove(key)
            self.reader.items.pop(key, None)

    def _put_back(self, keys: Sequence[str]) -> None:
        """Put pairs back into the queue whose papers were brought back; the first of them is shown if none was left."""
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
        if back := [key for key in self.queue.gone if key in self.reader.items]:
            self._put_back(back)
        removed = set(self.queue.gone).difference(self.queue.present(keys))
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
