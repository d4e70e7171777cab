"""Jobs in the background: the only module that knows both threads and Qt."""

from __future__ import annotations

import gc
import logging
import time
from concurrent.futures import Future, ThreadPoolExecutor, wait
from enum import StrEnum
from importlib import import_module
from typing import Any

from PySide6.QtCore import QObject, Qt, QTimer, Signal, Slot
from shiboken6 import isValid

from miner.errors import UserError
from miner.progress import Cancelled, Job, Progress, Tick

log = logging.getLogger(__name__)


class State(StrEnum):
    WAITING = "waiting"
    RUNNING = "running"
    PAUSED = "paused"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"


ENDED = frozenset({State.DONE, State.FAILED, State.CANCELLED})


class Lane(StrEnum):
    """Jobs of one lane wait for each other, but for reads, of which two run at a time."""

    JOBS = "jobs"
    EXPORT = "export"
    TRAINING = "training"  # takes hours, beside which all else goes on
    SAVES = "saves"
    READS = "reads"
    PAGES = "pages"  # pdfium may be used by one thread only
    BACKUPS = "backups"  # as long as it takes to copy the project
    MODELS = "models"  # getting a model ready takes seconds, which no read is to wait for


_TICKS = 50  # ms between two of a job
_THREADS = {Lane.READS: 2}
_SHOWN = frozenset({Lane.JOBS, Lane.EXPORT, Lane.TRAINING})
_MUCH = 60.0  # seconds of work, from which on a person's cancelling waits a while and can be taken back
_TAKE_BACK = 15_000  # ms
_LONG = 400  # ms after which a save is shown too


class JobRun(QObject):
    """A job that was started. Its signals fire on the thread it was started on, the window's; `ended` comes last."""

    began = Signal()
    ticked = Signal(object)  # Tick
    paused = Signal(bool)
    done = Signal(object)  # the job's result
    failed = Signal(object)  # the exception
    cancelled = Signal()
    ended = Signal()

    over = Signal(object)  # this run, after `ended`, also where nobody is to hear of it: for whoever owns it

    # The worker's thread emits these; queued to the slots below, nothing said before somebody listens is lost.
    _began = Signal()
    _tick = Signal(object)
    _finish = Signal(object, object, object)

    def __init__(self, job: Job[Any], lane: Lane, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.job = job
        self.lane = lane
        self.is_long = lane is not Lane.SAVES
        """Not one of the short saves that nobody may lose: closing cancels it."""
        self.progress = Progress(self._listen)
        self.state = State.WAITING
        self.last: Tick | None = None
        self.result: Any = None
        self.error: Exception | None = None
        self.started_at: float | None = None
        self.ended_at: float | None = None
        self._emitted = 0.0
        self._latest: Tick | None = None
        self._muted = False
        self._stops = QTimer(self)
        self._stops.setSingleShot(True)
        self._stops.setInterval(_TAKE_BACK)
        self._stops.timeout.connect(self.cancel)
        self._began.connect(self._on_began, Qt.ConnectionType.QueuedConnection)
        self._tick.connect(self._on_tick, Qt.ConnectionType.QueuedConnection)
        self._finish.connect(self._on_finish, Qt.ConnectionType.QueuedConnection)

    def cancel(self) -> None:
        """Ask the job to stop; it keeps what is finished and ends soon after. Nothing where it has ended already."""
        if isValid(self):  # else it is over: its owner has deleted it
            self._stops.stop()
        self.progress.cancel()

    def stop(self) -> None:
        """Cancel as a person does: after much work it only waits at first, and `resume` takes that back."""
        much = self.started_at is not None and time.monotonic() - self.started_at >= _MUCH
        if not much or self.state not in (State.RUNNING, State.PAUSED):
            self.cancel()
            return
        self._stops.start()
        if self.state is State.RUNNING:
            self.pause()
        else:
            self.paused.emit(True)

    @property
    def is_stopping(self) -> bool:
        """Whether it was cancelled; until it is told so, `can_go_on`."""
        return self.progress.cancelled or self.can_go_on

    @property
    def can_go_on(self) -> bool:
        """Whether it was cancelled and that can be taken back."""
        return self._stops.isActive()

    def mute(self) -> None:
        """Nobody hears of it any more, only that it is over: who started it is gone."""
        self._muted = True

    def pause(self) -> None:
        if self.state is State.RUNNING:
            self.progress.pause()
            self.state = State.PAUSED
            self.paused.emit(True)

    def resume(self) -> None:
        if self.state is State.PAUSED:
            self._stops.stop()
            self.progress.resume()
            self.state = State.RUNNING
            self.paused.emit(False)

    def work(self) -> None:
        """On the worker's thread: do the job and report."""
        self._began.emit()
        try:
            if self.progress.cancelled:
                raise Cancelled
            result = self.job.work(self.progress)
        except Cancelled:
            self._finish.emit(State.CANCELLED, None, None)
        except Exception as exc:  # noqa: BLE001  a job's bug is shown by whoever hears `failed`; the thread goes on
            self._finish.emit(State.FAILED, None, exc)
        else:
            self._finish.emit(State.DONE, result, None)

    def _listen(self, tick: Tick) -> None:
        """A job may tick a thousand times a second; the window wants to know twenty times, and the last one."""
        self._latest = tick
        now = time.monotonic()
        if now - self._emitted >= _TICKS / 1000 or tick.done == tick.total:
            self._emitted = now
            self._tick.emit(tick)

    @Slot()
    def _on_began(self) -> None:
        self.state, self.started_at = State.RUNNING, time.monotonic()
        if not self._muted:
            self.began.emit()

    @Slot(object)
    def _on_tick(self, tick: Tick) -> None:
        self.last = tick
        if not self._muted:
            self.ticked.emit(tick)
        if tick is not self._latest or tick.done != tick.total:
            QTimer.singleShot(_TICKS + 10, self, self._catch_up)

    def _catch_up(self) -> None:
        """The last tick before a long silence may have been held back."""
        latest = self._latest
        if self.state not in ENDED and latest is not None and latest is not self.last:
            self._on_tick(latest)

    @Slot(object, object, object)
    def _on_finish(self, state: State, result: object, error: Exception | None) -> None:
        self._stops.stop()
        self.state, self.result, self.error, self.ended_at = state, result, error, time.monotonic()
        if error is not None and not isinstance(error, UserError):
            log.error("%s failed", self.job.title, exc_info=error)
        if not self._muted:
            match state:
                case State.DONE:
                    self.done.emit(result)
                case State.FAILED:
                    self.failed.emit(error)
                case _:
                    self.cancelled.emit()
            self.ended.emit()
        self.over.emit(self)


class JobRunner(QObject):
    """Owns runs and threads; a run lives until it has ended."""

    started = Signal(object)  # JobRun, of those that are shown
    saving = Signal(int)  # how many saves are not on disk yet
    unsaved = Signal()  # a save has failed
    idle = Signal()  # nothing runs any more

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._lanes: dict[Lane, ThreadPoolExecutor] = {}
        self._runs: set[JobRun] = set()
        self._futures: dict[JobRun, Future[None]] = {}

    def start(self, job: Job[Any], *, lane: Lane = Lane.JOBS) -> JobRun:
        """Work that takes a while: one at a time, and shown where all running jobs are."""
        run = JobRun(job, lane, self)
        self._runs.add(run)
        run.over.connect(self._on_over)
        if lane not in self._lanes:
            self._lanes[lane] = ThreadPoolExecutor(_THREADS.get(lane, 1), thread_name_prefix=lane.value)
        if lane in _SHOWN:
            self.started.emit(run)
        if lane is Lane.SAVES:
            self.saving.emit(self._saves())
            run.began.connect(lambda: QTimer.singleShot(_LONG, run, lambda: self._show_long(run)))
        self._futures[run] = self._lanes[lane].submit(run.work)
        return run

    def save(self, job: Job[Any]) -> JobRun:
        """A short write, such as an answer; behind no long job."""
        return self.start(job, lane=Lane.SAVES)

    def read(self, job: Job[Any]) -> JobRun:
        """What a view wants to show."""
        return self.start(job, lane=Lane.READS)

    def page(self, job: Job[Any]) -> JobRun:
        """Work with pdfium."""
        return self.start(job, lane=Lane.PAGES)

    @property
    def running(self) -> list[JobRun]:
        return [run for run in self._runs if run.state not in ENDED]

    def let_go(self) -> None:
        """Cancel all but short saves, and let nobody hear of them any more: their project is being closed.

        `idle` follows when the last one, or the last save, has ended; at once when there is none.
        """
        gc.unfreeze()  # the project's pages go, and what of them lives in circles
        for run in self.running:
            if run.is_long:
                run.mute()
                run.cancel()
        if not self.running:
            self.idle.emit()

    def forget_reads(self) -> None:
        """Nobody hears of what is being read any more: the views that asked are gone."""
        for run in self.running:
            if run.lane in (Lane.READS, Lane.PAGES, Lane.MODELS):
                run.mute()
                run.cancel()

    @property
    def is_saving(self) -> bool:
        return self._saves() > 0

    def stop(self, seconds: float = 20.0) -> bool:
        """Cancel all but short saves, and wait: what is finished is kept, answers too. False when some go on."""
        for run in self.running:
            if run.is_long:
                run.cancel()
        _, late = wait(list(self._futures.values()), timeout=seconds)
        for lane in self._lanes.values():
            lane.shutdown(wait=False)
        self._lanes.clear()
        return not late

    def _show_long(self, run: JobRun) -> None:
        """A save that goes on, such as the undo of a bulk action, is a job like others; cancelled, it did nothing."""
        if run.state is State.RUNNING:
            run.is_long = True
            self.started.emit(run)

    def _saves(self) -> int:
        return sum(run.lane is Lane.SAVES for run in self.running)

    @Slot(object)
    def _on_over(self, run: JobRun) -> None:
        self._runs.discard(run)
        self._futures.pop(run, None)
        run.deleteLater()
        if run.lane is Lane.SAVES:
            self.saving.emit(self._saves())
            if run.state is State.FAILED:
                self.unsaved.emit()
        if not self.running:
            self.idle.emit()


class LatestRequest(QObject):
    done = Signal(object)  # the job's result
    failed = Signal(object)  # the exception

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._run: JobRun | None = None

    @property
    def waiting(self) -> bool:
        return self._run is not None

    def follow(self, run: JobRun) -> None:
        self.drop()
        self._run = run
        run.done.connect(self._on_done)
        run.failed.connect(self._on_failed)
        run.cancelled.connect(self._on_cancelled)

    def drop(self) -> None:
        run, self._run = self._run, None
        if run is not None:
            run.done.disconnect(self._on_done)
            run.failed.disconnect(self._on_failed)
            run.cancelled.disconnect(self._on_cancelled)
            run.cancel()

    @Slot(object)
    def _on_done(self, result: object) -> None:
        self._run = None
        self.done.emit(result)

    @Slot(object)
    def _on_failed(self, error: object) -> None:
        self._run = None
        self.failed.emit(error)

    @Slot()
    def _on_cancelled(self) -> None:
        self._run = None


def lazy_job(title: str, module: str, name: str, *arguments: Any) -> Job[Any]:
    """The job that `name` of the module gives for these arguments; of one that gives no job, doing it."""

    def work(progress: Progress) -> Any:
        found = getattr(import_module(module), name)(*arguments)
        return found.work(progress) if isinstance(found, Job) else found

    return Job(title, work)
