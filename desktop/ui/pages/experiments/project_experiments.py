"""The data of the page's list: the ready experiments, and the project's experiments with their best numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from desktop.jobs.lab.experiments.grid import load_headlines
from desktop.jobs.lab.experiments.overview import load_overview
from desktop.ui.services.project_context import ProjectContext
from storage.lab.experiments import ExperimentState, StoredExperiment

if TYPE_CHECKING:
    from desktop.jobs.lab.experiments.grid import Headline
    from desktop.jobs.lab.experiments.overview import ExperimentsOverview

_ELSEWHERE_MS = 3_000  # between two looks at an experiment that another program runs


class ProjectExperiments(QObject):
    """Reads the overview, and then the scores that are not known yet. overview: None until it is read."""

    updated = Signal(object)  # the overview was read; the one before it, None at first
    scores_updated = Signal()

    def __init__(self, context: ProjectContext, parent: QObject) -> None:
        super().__init__(parent)
        self._context = context
        self.overview: ExperimentsOverview | None = None
        self._headlines: dict[tuple[int, int], Headline] = {}  # by id and the number of finished cells
        self._timer = QTimer(self, interval=_ELSEWHERE_MS)
        self._timer.timeout.connect(self.read)

    @property
    def is_reading(self) -> bool:
        return self._context.is_reading(self._on_overview) or self._context.is_reading(self._on_scores)

    @property
    def past(self) -> tuple[StoredExperiment, ...]:
        """The experiments of the project, the newest first."""
        return () if self.overview is None else tuple(self.overview.experiments)

    @Slot()
    def read(self) -> None:
        project = self._context.project
        job = load_overview(project)
        self._context.read(job, self._on_overview)

    def headline(self, stored: StoredExperiment) -> Headline | None:
        """The best number of an experiment; None until it is known."""
        return self._headlines.get((stored.id, stored.finished))

    def watch(self, *, is_wanted: bool) -> None:
        """Read again every few seconds while another program runs an experiment; stop if not `is_wanted`."""
        if is_wanted and any(one.state is ExperimentState.RUNNING for one in self.past):
            self._timer.start()
        else:
            self._timer.stop()

    @Slot(object)
    def _on_overview(self, overview: ExperimentsOverview) -> None:
        before, self.overview = self.overview, overview
        self.updated.emit(before)
        missing = tuple(one.id for one in self.past if one.finished and self.headline(one) is None)
        if missing and not self._context.is_reading(self._on_scores):
            project = self._context.project
            job = load_headlines(project, missing)
            self._context.read(job, self._on_scores)

    @Slot(object)
    def _on_scores(self, found: dict[int, Headline]) -> None:
        for one in self.past:
            if one.id in found:
                self._headlines[one.id, one.finished] = found[one.id]
        self.scores_updated.emit()


def past_experiment(overview: ExperimentsOverview | None, key: str) -> StoredExperiment | None:
    """The experiment of the entry with this key, such as "past:3"; None for other entries."""
    known = () if overview is None else overview.experiments
    return next((one for one in known if key == f"past:{one.id}"), None)
