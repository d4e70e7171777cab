"""Starts the search for new linking phrases, and shows what it finds."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal, Slot

from desktop.jobs.models.phrase_discovery import discover_phrases, release_discovery_model
from desktop.translation import tr
from desktop.ui.pages.mining.new_phrases import NewPhrases
from desktop.ui.services.project_context import ProjectContext
from desktop.ui.services.runner import JobRun
from miner.progress import Job


class DiscoveryController(QObject):
    """Runs one search at a time; language_model: see `discover_phrases`."""

    changed = Signal()  # a search has started or ended

    def __init__(
        self, context: ProjectContext, view: NewPhrases, language_model: str | None, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._context, self._view, self._language_model = context, view, language_model
        self._run: JobRun | None = None

    @property
    def is_running(self) -> bool:
        return self._run is not None

    def start(self) -> None:
        if self.is_running:
            return
        workers = self._context.settings_store.settings.workers
        job = discover_phrases(self._context.project, workers=workers, language_model=self._language_model)
        self._run = run = self._context.runner.start(job)
        run.done.connect(self._view.show_found)
        run.failed.connect(self._context.problems.show)
        run.ended.connect(self._on_ended)
        self.changed.emit()

    @Slot()
    def _on_ended(self) -> None:
        self._run = None
        release = Job(tr("Releasing the model's memory"), lambda _: release_discovery_model())
        self._context.runner.read(release).failed.connect(self._context.problems.show)
        self.changed.emit()
