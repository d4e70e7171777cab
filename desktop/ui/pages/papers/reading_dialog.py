"""The base class of dialogs that read files while they are open."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QDialog, QWidget

from desktop.ui.services.project_context import ProjectContext
from desktop.ui.services.runner import JobRun
from miner.progress import Job, Tick


class ReadingDialog(QDialog):
    """Closes with a problem if reading fails; closing it ends the reading. Subclasses show progress and result."""

    def __init__(self, context: ProjectContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._context = context
        self._run: JobRun | None = None  # while it reads

    def done(self, result: int) -> None:
        if self._run is not None:
            self._run.cancel()
        super().done(result)

    def _read(self, job: Job[Any]) -> None:
        run = self._context.runner.read(job)
        run.ticked.connect(self._on_ticked)
        run.done.connect(self._on_read)
        run.failed.connect(self._on_failed)
        self._run = run

    def _show_progress(self, tick: Tick) -> None:
        raise NotImplementedError

    def _show_result(self, result: Any) -> None:
        raise NotImplementedError

    def _fit(self) -> None:
        """Make the dialog as small as its contents allow, with room for all lines of its texts."""
        self.adjustSize()
        # Qt takes the height that the texts need at the width of the size hint, and then another width.
        self.resize(self.width(), max(self.height(), self.heightForWidth(self.width())))

    @Slot(object)
    def _on_ticked(self, tick: Tick) -> None:
        if self._run is not None:
            self._show_progress(tick)

    @Slot(object)
    def _on_read(self, result: Any) -> None:
        self._run = None
        self._show_result(result)

    @Slot(object)
    def _on_failed(self, error: Exception) -> None:
        self._run = None
        self._context.problems.show(error)
        self.reject()
