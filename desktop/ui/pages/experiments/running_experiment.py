"""The experiment that this window is running."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QObject, Signal, Slot

from desktop.jobs.lab.experiments.events import (
    ExperimentEvent,
    ExperimentListener,
    ExperimentStarted,
    RunEnded,
    RunProgressed,
    RunStarted,
)
from desktop.text import count
from desktop.translation import tr
from desktop.ui.services.runner import JobQueue, JobRun, JobRunner, JobState
from desktop.ui.services.throttle import throttled

if TYPE_CHECKING:
    from desktop.jobs.lab.experiments.run import ExperimentResult
    from miner.progress import Job


class LiveRun(NamedTuple):
    """A run in progress. share: the finished part from 0 to 1; None while unknown."""

    share: float | None = None
    what: str = ""


class RunningExperiment(QObject):
    """The experiment that this window runs. run: its job, None if there is none. id: None before it is stored."""

    stored = Signal(int)  # the experiment is among the project's, with this id
    run_ended = Signal()  # a run of a system, whose cells are finished now
    updated = Signal()  # what `progress` says, or the state
    done = Signal(object)  # ExperimentResult
    failed = Signal(object)  # the exception
    ended = Signal()
    _received = Signal(object)  # ExperimentEvent; emitted in the job's thread

    def __init__(self, runner: JobRunner, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._runner = runner
        self.run: JobRun | None = None
        self.id: int | None = None
        self.live: dict[str, LiveRun] = {}
        """What is going on, by run."""
        self.failures: dict[str, str] = {}
        """Why runs came to nothing, by run."""
        self._runs: tuple[str, ...] = ()
        self._title = ""
        self._what = ""
        self._ended = 0
        self._received.connect(self._on_event)

    def start(self, create_job: Callable[[ExperimentListener], Job[ExperimentResult]]) -> None:
        """Start an experiment; nothing may be running."""
        self.id, self._runs, self._ended, self._title, self._what = None, (), 0, "", ""
        self.live, self.failures = {}, {}
        self.run = run = self._runner.start(
            create_job(throttled(self._received.emit, RunProgressed)), queue=JobQueue.TRAINING
        )
        run.started.connect(self.updated)
        run.paused.connect(self.updated)
        run.done.connect(self.done)
        run.failed.connect(self.failed)
        run.ended.connect(self._on_ended)

    @Slot()
    def pause_or_resume(self) -> None:
        if self.run is not None:
            (self.run.resume if self.run.state is JobState.PAUSED else self.run.pause)()

    @Slot()
    def stop(self) -> None:
        if self.run is not None:
            self.run.cancel()
            self.updated.emit()

    @property
    def is_paused(self) -> bool:
        return self.run is not None and self.run.state is JobState.PAUSED

    @property
    def is_stopping(self) -> bool:
        return self.run is not None and self.run.is_stopping

    @property
    def progress(self) -> str:
        """A line about its progress."""
        if self.run is None:
            return ""
        if self.run.state is JobState.WAITING:
            return tr("Waiting for the previous job")
        if self.is_stopping:
            return tr("Stopping…")
        if not self._title:
            return tr("Reading the data…")
        what = f", {self._what}" if self._what else ""
        text = tr(
            "{ended:,} of {runs}: {title}{what}",
            ended=self._ended + 1,
            runs=count(len(self._runs), "run"),
            title=self._title,
            what=what,
        )
        return tr("Paused · {text}", text=text) if self.is_paused else text

    @Slot(object)
    def _on_event(self, event: ExperimentEvent) -> None:
        match event:
            case ExperimentStarted(id, missing):
                self.id, self._runs = id, missing
                self.stored.emit(id)
            case RunStarted(run, title):
                self._title, self._what = title, ""
                self.live[run] = LiveRun()
            case RunProgressed(run, done, total, what):
                self._what = what
                self.live[run] = LiveRun(done / total if total else None, what)
            case RunEnded(run, failure):
                self._ended += 1
                self.live.pop(run, None)
                if failure:
                    self.failures[run] = failure
                self.run_ended.emit()
        self.updated.emit()

    @Slot()
    def _on_ended(self) -> None:
        self.run = None
        self.live = {}
        self.ended.emit()
