"""Looking whether the open project's file was changed, moved or deleted by another program."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal, Slot

from desktop.ui.services.project_context import Desk
from desktop.ui.services.runner import JobRunner
from miner.progress import Job, Progress


class Watching(QObject):
    """Looks when asked, such as when the window comes to the front: nobody works elsewhere while it is there."""

    changed = Signal()  # something was written since the last look, perhaps by this window
    seen = Signal(bool)  # whether the file is where it was

    def __init__(self, runner: JobRunner, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._runner = runner
        self._desk: Desk | None = None
        self.stamp: tuple[int, ...] | None = None

    def use(self, desk: Desk | None) -> None:
        """Look at this project from now on."""
        if desk is not self._desk:
            self._desk, self.stamp = desk, None

    def look(self) -> None:
        desk = self._desk
        if desk is None:
            return

        def work(progress: Progress) -> tuple[Desk, tuple[int, ...]]:
            return desk, desk.project.stamp()

        run = self._runner.read(Job("Looking for changes", work))
        run.done.connect(self._on_looked)

    @Slot(object)
    def _on_looked(self, found: tuple[Desk, tuple[int, ...]]) -> None:
        desk, stamp = found
        if desk is not self._desk:
            return
        before, self.stamp = self.stamp, stamp
        self.seen.emit(bool(stamp))
        if before and stamp and before != stamp:
            self.changed.emit()
