"""Verbs that a person gives faster than they can be done: one at a time, each on disk before the next."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable

from PySide6.QtCore import QObject, Signal, Slot

from desktop.jobs.review.answers import ActionResult
from desktop.ui.services.project_context import ProjectContext
from desktop.ui.services.runner import JobRun
from miner.progress import Job
from storage.changes import Changes

_PATIENCE = 1.0  # seconds that a key may wait; whoever pressed it longer ago saw no pair come


class Taking(QObject):
    """A verb that fails keeps its pair on the screen, and those that wait behind it are forgotten. So are those that
    waited for long: nobody remembers them.
    """

    told = Signal(str)  # a sentence
    failed = Signal(object)  # the exception: nothing was saved

    def __init__(self, context: ProjectContext, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self.age = 0  # grows whenever what was read of the pairs before may no longer be so
        self._verbs: deque[tuple[float, Callable[[], None]]] = deque()  # and when they were asked for
        self._saving = False
        self._own: Changes | None = None
        self._then: Callable[[ActionResult], None] = lambda judged: None

    def is_own(self, changes: Changes) -> bool:
        """Whether these changes are what this session has just done itself."""
        return changes is self._own

    def is_ready(self) -> bool:
        """Whether there is a pair on the screen for a verb to be about; for sessions to say."""
        raise NotImplementedError

    def is_over(self) -> bool:
        """Whether no pair will come either."""
        raise NotImplementedError

    def _take(self, verb: Callable[[], None]) -> None:
        self._verbs.append((time.monotonic(), verb))
        self._work()

    def _work(self) -> None:
        while self._verbs and not self._saving and self.is_ready():
            asked, verb = self._verbs.popleft()
            if time.monotonic() - asked > _PATIENCE:
                self._verbs.clear()
                self.told.emit("Saving took a while. Keys pressed meanwhile were not counted.")
                return
            verb()
        if self.is_over() and not self._saving:
            self._verbs.clear()

    def _save(self, job: Job[ActionResult], then: Callable[[ActionResult], None]) -> None:
        self._saving, self._then = True, then  # slots, not `then`, are connected: Qt lets go of them with the page
        run = self._context.runner.save(job)
        run.done.connect(self._on_saved)
        run.failed.connect(self._on_failed)
        run.cancelled.connect(self._on_cancelled)

    @Slot(object)
    def _on_saved(self, judged: ActionResult) -> None:
        self._saving = False
        self.age += 1
        self._then(judged)
        self._own = judged.changes
        self._context.events.changed.emit(judged.changes)
        self._own = None
        self._work()

    @Slot(object)
    def _on_failed(self, error: Exception) -> None:
        self._saving = False
        self._verbs.clear()
        self.failed.emit(error)

    @Slot()
    def _on_cancelled(self) -> None:
        self._saving = False
        self._verbs.clear()

    def _undo(self) -> None:
        self._reverse(self._context.undo())

    def _redo(self) -> None:
        self._reverse(self._context.redo())

    def _reverse(self, run: JobRun) -> None:
        self._saving = True
        run.ended.connect(self._on_reversed)

    @Slot()
    def _on_reversed(self) -> None:
        self._saving = False
        self._work()
