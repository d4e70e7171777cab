"""Runs the annotator's commands one at a time; each is on disk before the next one starts."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable

from PySide6.QtCore import QObject, Signal, Slot

from desktop.jobs.review.answers import ActionResult
from desktop.translation import tr
from desktop.ui.services.project_context import ProjectContext
from desktop.ui.services.runner import JobRun
from miner.progress import Job
from storage.changes import Changes

_MAX_WAIT_S = 1.0  # a key pressed longer ago was pressed before its pair could be seen

Command = Callable[[], None]


class CommandQueue(QObject):
    """Runs a command once the previous one is saved and `is_ready` is true, that is, a pair is on the screen.

    When saving fails, the waiting commands are dropped; so are commands that have waited for more than a second.
    """

    message = Signal(str)
    failed = Signal(object)  # the exception: nothing was saved

    def __init__(
        self,
        context: ProjectContext,
        *,
        is_ready: Callable[[], bool],
        is_finished: Callable[[], bool],
        parent: QObject | None = None,
    ) -> None:
        """`is_finished`: whether no pair will follow, so that waiting commands are dropped."""
        super().__init__(parent)
        self._context, self._is_ready, self._is_finished = context, is_ready, is_finished
        self.version = 0
        """Increases with every saved command; pairs read at an earlier version may be outdated."""
        self.is_saving = False
        self._waiting: deque[tuple[float, Command]] = deque()  # with the time of each key
        self._own_changes: Changes | None = None
        self._on_result: Callable[[ActionResult], None] = lambda result: None

    @property
    def is_busy(self) -> bool:
        """Whether a command is being saved or waits."""
        return self.is_saving or bool(self._waiting)

    def is_own(self, changes: Changes) -> bool:
        """Whether these changes were made by the command that was just saved."""
        return changes is self._own_changes

    def add(self, command: Command) -> None:
        """Run a command, now or as soon as it can run."""
        self._waiting.append((time.monotonic(), command))
        self.run_waiting()

    def run_waiting(self) -> None:
        """Run the waiting commands that can be run now."""
        while self._waiting and not self.is_saving and self._is_ready():
            added_at, command = self._waiting.popleft()
            if time.monotonic() - added_at > _MAX_WAIT_S:
                self.clear()
                self.message.emit(tr("Saving took a while. Keys pressed in the meantime were ignored."))
                return
            command()
        if not self.is_saving and self._is_finished():
            self.clear()

    def clear(self) -> None:
        """Drop the waiting commands."""
        self._waiting.clear()

    def save(self, job: Job[ActionResult], on_result: Callable[[ActionResult], None]) -> None:
        """Run the job of a command. The next command waits until the job is done and its changes are published."""
        self.is_saving, self._on_result = True, on_result  # only slots are connected: Qt disconnects them with the page
        run = self._context.runner.save(job)
        run.done.connect(self._on_saved)
        run.failed.connect(self._on_failed)
        run.cancelled.connect(self._on_cancelled)

    def undo(self) -> None:
        """Undo the annotator's last action; commands wait until the undo is saved."""
        self._follow(self._context.undo())

    def redo(self) -> None:
        self._follow(self._context.redo())

    def _follow(self, run: JobRun | None) -> None:
        if run is None:
            return
        self.is_saving = True
        run.ended.connect(self._on_ended)

    @Slot(object)
    def _on_saved(self, result: ActionResult) -> None:
        self.is_saving = False
        self.version += 1
        self._on_result(result)
        self._own_changes = result.changes
        self._context.events.changed.emit(result.changes)
        self._own_changes = None
        self.run_waiting()

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
    def _on_ended(self) -> None:
        self.is_saving = False
        self.run_waiting()
