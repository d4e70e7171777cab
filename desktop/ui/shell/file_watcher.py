"""Notices when the open project's file was changed, moved or deleted by another program."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal, Slot

from desktop.ui.services.project_context import ProjectContext
from desktop.ui.services.runner import JobRunner
from miner.progress import Job, Progress
from storage.changes import Changes


class FileWatcher(QObject):
    """Looks when asked, such as when the window is activated: nobody works elsewhere while it is in front.

    What was written since the last look, perhaps by this window, is broadcast as a change of everything.
    """

    seen = Signal(bool)  # whether the file is where it was

    def __init__(self, runner: JobRunner, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._runner = runner
        self._context: ProjectContext | None = None
        self.stamp: tuple[int, ...] | None = None

    def use(self, context: ProjectContext | None) -> None:
        """Look at this project from now on."""
        if context is not self._context:
            self._context, self.stamp = context, None

    def look(self) -> None:
        context = self._context
        if context is None:
            return

        def work(progress: Progress) -> tuple[ProjectContext, tuple[int, ...]]:
            return context, context.project.stamp()

        run = self._runner.read(Job("Looking for changes", work))
        run.done.connect(self._on_looked)

    @Slot(object)
    def _on_looked(self, found: tuple[ProjectContext, tuple[int, ...]]) -> None:
        context, stamp = found
        if context is not self._context:
            return
        before, self.stamp = self.stamp, stamp
        self.seen.emit(bool(stamp))
        if before and stamp and before != stamp:
            context.events.changed.emit(Changes(papers=True, pairs=True, many_annotated=True, settings=True))
