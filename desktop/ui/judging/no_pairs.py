"""What is shown in place of a pair while the project has none: how to get pairs, or that they are being made."""

from __future__ import annotations

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QWidget

from desktop.translation import tr
from desktop.ui.services.project_context import ProjectContext
from desktop.ui.services.runner import ENDED, JobRun
from desktop.ui.widgets.notices import EmptyState

_SENTENCE = tr(
    "Here you answer pairs one at a time. There are none yet: add papers, and the pairs found in them appear here."
)


class NoPairs(EmptyState):
    """Says that there are no pairs, or that papers are being read or mined. Its button leads to the papers."""

    def __init__(self, context: ProjectContext, parent: QWidget | None = None) -> None:
        super().__init__(context.theme, _SENTENCE, tr("Add papers"), parent)
        self._context = context
        self._runs: list[JobRun] = []  # that bring pairs, in the order in which they were started
        self.button.clicked.connect(self._on_clicked)
        context.runner.started.connect(self._on_started)
        for run in context.runner.running:
            self._on_started(run)

    @Slot(object)
    def _on_started(self, run: JobRun) -> None:
        if run.job.awaited:
            self._runs.append(run)
            run.ended.connect(self._show_what_runs)
            self._show_what_runs()

    @Slot()
    def _show_what_runs(self) -> None:
        self._runs = [run for run in self._runs if run.state not in ENDED]
        self.sentence.setText(self._runs[0].job.awaited if self._runs else _SENTENCE)
        self.button.setText(tr("Show the papers") if self._runs else tr("Add papers"))

    @Slot()
    def _on_clicked(self) -> None:
        self._context.page_requested.emit("papers")
