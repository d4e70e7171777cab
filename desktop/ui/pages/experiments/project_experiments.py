"""The data of the page's list: the ready experiments, and the project's experiments with their best numbers."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from desktop.jobs.lab.experiments.grid import load_headlines
from desktop.jobs.lab.experiments.overview import load_overview
from desktop.ui.services.project_context import ProjectContext
from storage.lab.experiments import ExperimentState, StoredExperiment

if TYPE_CHECKING:
    from desktop.jobs.lab.experiments.grid import Headline
    from desktop.jobs.lab.experiments.overview import ExperimentsOverview

_ELSEWHERE_MS = 3_000  # between two looks at an experiment that another program runs


class _RunKey(NamedTuple):
    """What tells a run of an experiment from its other runs, whose numbers may be others."""

    id: int
    finished: int
    started_at: datetime
    ended_at: datetime | None


class ProjectExperiments(QObject):
    """Reads the overview, and then the scores that are not known yet. overview: None until it is read."""

    updated = Signal(object)  # the overview was read; the one before it, None at first
    scores_updated = Signal()

    def __init__(self, context: ProjectContext, parent: QObject) -> None:
        super().__init__(parent)
        self._context = context
        self.overview: ExperimentsOverview | None = None
        self._headlines: dict[_RunKey, Headline] = {}
        self._asked: frozenset[_RunKey] = frozenset()  # whose headlines were read last, or are being read
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
        return self._headlines.get(_run_key(stored))

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
        if not self._context.is_reading(self._on_scores):
            self._read_scores(frozenset())

    def _read_scores(self, known: frozenset[_RunKey]) -> None:
        """Read the headlines that are missing, but for these."""
        missing = frozenset(map(_run_key, filter(self._lacks_headline, self.past))) - known
        if missing:
            self._asked = missing
            job = load_headlines(self._context.project, tuple(sorted(key.id for key in missing)))
            self._context.read(job, self._on_scores)

    def _lacks_headline(self, stored: StoredExperiment) -> bool:
        return stored.finished > 0 and self.headline(stored) is None

    @Slot(object)
    def _on_scores(self, found: dict[int, Headline]) -> None:
        asked = self._asked
        self._headlines |= {key: found[key.id] for key in asked if key.id in found}
        self._read_scores(asked)  # of experiments that have run on meanwhile
        self.scores_updated.emit()


def _run_key(stored: StoredExperiment) -> _RunKey:
    return _RunKey(stored.id, stored.finished, stored.started_at, stored.ended_at)


def past_experiment(overview: ExperimentsOverview | None, key: str) -> StoredExperiment | None:
    """The experiment of the entry with this key, such as "past:3"; None for other entries."""
    known = () if overview is None else overview.experiments
    return next((one for one in known if key == f"past:{one.id}"), None)
