"""Commands that a person gives faster than they can be done: one at a time, each on disk before the next."""

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

Command = Callable[[], None]


class CommandQueue(QObject):
    """Runs each command when the one before is saved and `is_ready` says that there is a pair for it.

    Where saving fails, the commands that wait are dropped; so are those that have waited for more than a second.
    """

    message = Signal(str)
    failed = Signal(object)  # the exception: nothing was saved

    def __init__(
        self,
        context: ProjectContext,
        *,
        is_ready: Callable[[], bool],
        is_over: Callable[[], bool],
        parent: QObject | None = None,
    ) -> None:
        """`is_over`: no pair will come any more, so that nothing can be done with those commands that still wait."""
        super().__init__(parent)
        self._context, self._is_ready, self._is_over = context, is_ready, is_over
        self.version = 0
        """Grows with every change, after which what was read of the pairs before may be out of date."""
        self.is_saving = False
        self._waiting: deque[tuple[float, Command]] = deque()  # with the time at which each was given
        self._own: Changes | None = None
        self._on_result: Callable[[ActionResult], None] = lambda result: None

    @property
    def is_busy(self) -> bool:
        return self.is_saving or bool(self._waiting)

    def is_own(self, changes: Changes) -> bool:
        """Whether these changes are those of the command that was just saved."""
        return changes is self._own

    def add(self, command: Command) -> None:
        self._waiting.append((time.monotonic(), command))
        self.run()

    def run(self) -> None:
        """Run what can be run now."""
        while self._waiting and not self.is_saving and self._is_ready():
            given, command = self._waiting.popleft()
            if time.monotonic() - given > _PATIENCE:
                self.clear()
                self.message.emit("Saving took a while. Keys pressed meanwhile were not counted.")
                return
            command()
        if not self.is_saving and self._is_over():
            self.clear()

    def clear(self) -> None:
        self._waiting.clear()

    def save(self, job: Job[ActionResult], on_result: Callable[[ActionResult], None]) -> None:
        """Save what a command does; the next one waits until `on_result` was called and everybody knows of it."""
        self.is_saving, self._on_result = True, on_result  # slots are connected: Qt lets go of them with the page
        run = self._context.runner.save(job)
        run.done.connect(self._on_saved)
        run.failed.connect(self._on_failed)
        run.cancelled.connect(self._on_cancelled)

    def undo(self) -> None:
        self._wait_for(self._context.undo())

    def redo(self) -> None:
        self._wait_for(self._context.redo())

    def _wait_for(self, run: JobRun) -> None:
        self.is_saving = True
        run.ended.connect(self._on_reversed)

    @Slot(object)
    def _on_saved(self, result: ActionResult) -> None:
        self.is_saving = False
        self.version += 1
        self._on_result(result)
        self._own = result.changes
        self._context.events.changed.emit(result.changes)
        self._own = None
        self.run()

    @Slot(object)
    def _on_failed(self, error: Exception) -> None:
        self.is_saving = False
        self.clear()
        self.failed.emit(error)

    @Slot()
    def _on_cancelled(self) -> None:
        self.is_saving = False
        self.clear()

    @Slot()
    def _on_reversed(self) -> None:
        self.is_saving = False
        self.run()
