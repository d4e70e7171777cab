"""The trainings that were started on the Train page, and the progress of the first."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from desktop.jobs.models.training_history import TrainingHistory
from desktop.text import count
from desktop.translation import tr
from desktop.ui.pages.train.figures import training_figure
from desktop.ui.pages.train.text import progress_text
from desktop.ui.plots.figures import LineFigure
from desktop.ui.services.runner import JobQueue, JobRun, JobRunner, JobState
from desktop.ui.services.throttle import throttled
from miner.classifier.events import TrainEvent, TrainNote, TrainStep

if TYPE_CHECKING:
    from desktop.jobs.models.training import TrainedModel
    from miner.progress import Job

_UPDATE_INTERVAL_MS = 250


class TrainingQueue(QObject):
    """A queue in which the first training runs and the others wait; `runs` are their jobs."""

    updated = Signal()  # the progress or the state of the first training
    first_step_done = Signal()  # of a training, which is among the project's runs by now
    trained = Signal(object)  # TrainedModel
    failed = Signal(object)  # the exception
    ended = Signal()  # a training, with any result
    _event_received = Signal(object)  # TrainEvent; emitted in the job's thread

    def __init__(self, runner: JobRunner, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._runner = runner
        self.runs: list[JobRun] = []
        self._history = TrainingHistory()
        self._steps: dict[str, int] = {}  # by stage, how many there will be
        self._step: TrainStep | None = None
        self._note = ""
        self._update_timer = QTimer(self, singleShot=True, interval=_UPDATE_INTERVAL_MS)
        self._update_timer.timeout.connect(self.updated)
        self._event_received.connect(self._on_event)

    def start(
        self,
        create_job: Callable[[Callable[[TrainEvent], None]], Job[TrainedModel]],
        history: TrainingHistory | None = None,
    ) -> None:
        """Start a training after the others. history: of the run to resume."""
        if history is not None:
            self._history = history
        run = self._runner.start(create_job(throttled(self._event_received.emit, TrainStep)), queue=JobQueue.TRAINING)
        self.runs.append(run)
        run.started.connect(self._on_started)
        run.paused.connect(self.updated)
        run.done.connect(self.trained)
        run.failed.connect(self.failed)
        run.ended.connect(self._on_ended)

    @Slot()
    def pause_or_resume(self) -> None:
        if self.runs:
            run = self.runs[0]
            (run.resume if run.state is JobState.PAUSED else run.pause)()

    @Slot()
    def stop(self) -> None:
        """Stop the first training, which keeps its best model, and cancel those that wait."""
        for run in self.runs:
            run.cancel()
        self.updated.emit()

    @property
    def title(self) -> str:
        waiting = len(self.runs) - 1
        return tr("Training") + (tr(", {runs} to come", runs=count(waiting, "more run")) if waiting else "")

    @property
    def progress(self) -> str:
        """A line about the first training."""
        if self._step is not None:
            return progress_text(self._step, len(self.runs) - 1)
        return tr("Waiting for the previous job") if self.runs[0].state is JobState.WAITING else tr("Preparing…")

    @property
    def figure(self) -> LineFigure:
        """The curves of the first training so far."""
        return training_figure(self._history, steps=self._steps, summary=self._note)

    @Slot()
    def _on_started(self) -> None:
        self._step, self._note = None, ""
        self.updated.emit()

    @Slot(object)
    def _on_event(self, event: TrainEvent) -> None:
        is_first = self._step is None
        self._history.add(event)
        if isinstance(event, TrainStep):
            self._step = event
            self._steps[event.stage] = event.steps
            if is_first:
                self.first_step_done.emit()
        elif isinstance(event, TrainNote):
            self._note = event.text
        if not self._update_timer.isActive():
            self._update_timer.start()

    @Slot()
    def _on_ended(self) -> None:
        self.runs = [run for run in self.runs if run is not self.sender()]
        self._history, self._steps, self._step = TrainingHistory(), {}, None
        self.ended.emit()
