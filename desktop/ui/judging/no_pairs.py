"""What stands in place of a pair while the project has none: how pairs come, or that they are coming."""

from __future__ import annotations

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QWidget

from desktop.ui.services.project_context import ProjectContext
from desktop.ui.services.runner import JobRun
from desktop.ui.widgets.notices import EmptyState

_SENTENCE = "No pairs yet. Add papers, and the pairs found in them come here."


class NoPairs(EmptyState):
    """Says so while papers are being read or mined. Its button leads to them."""

    def __init__(self, context: ProjectContext, parent: QWidget | None = None) -> None:
        super().__init__(context.theme, _SENTENCE, "Add papers", parent)
        self._context = context
        self.button.clicked.connect(self._on_clicked)
        context.runner.started.connect(self._on_started)
        for run in context.runner.running:
            self._on_started(run)

    @Slot(object)
    def _on_started(self, run: JobRun) -> None:
        if run.job.awaited:
            run.ended.connect(self._show_what_runs)
            self._show_what_runs()

    @Slot()
    def _show_what_runs(self) -> None:
        awaited = [run.job.awaited for run in self._context.runner.running if run.job.awaited]
        self.sentence.setText(awaited[0] if awaited else _SENTENCE)
        self.button.setText("Show the papers" if awaited else "Add papers")

    @Slot()
    def _on_clicked(self) -> None:
        self._context.page_requested.emit("papers")
