"""Runs jobs in background threads and reports with Qt signals. No other module uses both threads and Qt."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from enum import StrEnum
from typing import Any, TypeVar, overload

from PySide6.QtCore import QObject, Qt, QTimer, Signal, Slot
from shiboken6 import isValid

from miner.errors import UserError
from miner.paths import system_error
from miner.progress import Cancelled, Job, Progress, Tick

log = logging.getLogger(__name__)

R = TypeVar("R")


class JobState(StrEnum):
    WAITING = "waiting"
    RUNNING = "running"
    PAUSED = "paused"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"


ENDED = frozenset({JobState.DONE, JobState.FAILED, JobState.CANCELLED})


class JobQueue(StrEnum):
    """The queues of jobs. A queue runs one job at a time, the queue of reads two."""

    JOBS = "jobs"
    EXPORT = "export"
    TRAINING = "training"  # takes hours; everything else runs meanwhile
    SAVES = "saves"
    READS = "reads"
    PDFIUM = "pdfium"  # whose process answers one thread at a time
    BACKUPS = "backups"  # copying a project may take long
    MODELS = "models"  # loading a model takes seconds, and no read should wait for it


_TICK_INTERVAL_MS = 50  # at least, between two ticks of a job
_THREAD_COUNTS = {JobQueue.READS: 2}  # 1 for the others
_LISTED_QUEUES = frozenset({JobQueue.JOBS, JobQueue.EXPORT, JobQueue.TRAINING})
_LONG_RUN_S = 60.0  # of work: cancelling a longer run can be revoked for a while
_CANCEL_DELAY_MS = 15_000
_LIST_SAVE_AFTER_MS = 400
_DELETE_AFTER_MS = 20  # a thread has left its run in less
_SLOW_SAVE_MS = 400


class JobRun(QObject):
    """A job that was started. Its signals are emitted in the thread that started it, the window's; `ended` is last."""

    started = Signal()
    ticked = Signal(object)  # Tick
    paused = Signal(bool)
    done = Signal(object)  # the job's result
    failed = Signal(object)  # the exception
    cancelled = Signal()
    ended = Signal()

    finalized = Signal(object)  # this run, after `ended`; emitted for muted runs too, for the runner

    # The worker's thread emits these. The connections are queued, so nothing is emitted before somebody can connect.
    _started = Signal()
    _tick = Signal(object)
    _finished = Signal(object, object, object)

    def __init__(self, job: Job[Any], queue: JobQueue, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.job = job
        self.queue = queue
        self.can_be_cancelled = queue is not JobQueue.SAVES
        """False for a short save, which must not be lost: closing the project waits for it."""
        self.progress = Progress(self._on_progress)
        self.state = JobState.WAITING
        self.last_tick: Tick | None = None
        self.result: Any = None
        self.error: Exception | None = None
        self.started_at: float | None = None
        self._tick_emitted_at = 0.0
        self._newest_tick: Tick | None = None
        self._is_muted = False
        self._cancel_timer = QTimer(self, singleShot=True, interval=_CANCEL_DELAY_MS)
        self._cancel_timer.timeout.connect(self.cancel)
        self._started.connect(self._on_started, Qt.ConnectionType.QueuedConnection)
        self._tick.connect(self._on_tick, Qt.ConnectionType.QueuedConnection)
        self._finished.connect(self._on_finished, Qt.ConnectionType.QueuedConnection)

    def cancel(self) -> None:
        """Ask the job to stop; it keeps what is finished and ends soon after. No effect once it has ended."""
        if isValid(self):  # else the runner has deleted it
            self._cancel_timer.stop()
        self.progress.cancel()

    def request_cancel(self) -> None:
        """Cancel; a run that has worked for long is first paused for a while, in which `resume` revokes this."""
        is_long = self.started_at is not None and time.monotonic() - self.started_at >= _LONG_RUN_S
        if not is_long or self.state not in (JobState.RUNNING, JobState.PAUSED):
            self.cancel()
            return
        self._cancel_timer.start()
        if self.state is JobState.RUNNING:
            self.pause()
        else:
            self.paused.emit(True)

    @property
    def is_stopping(self) -> bool:
        """Whether the run was cancelled, even if that can still be revoked."""
        return self.progress.cancelled or self.can_revoke_cancel

    @property
    def can_revoke_cancel(self) -> bool:
        """Whether the run was cancelled and `resume` would revoke that."""
        return self._cancel_timer.isActive()

    def mute(self) -> None:
        """Emit no signal but `finalized` from now on, since the view that started the run is gone."""
        self._is_muted = True

    def pause(self) -> None:
        if self.state is JobState.RUNNING:
            self.progress.pause()
            self.state = JobState.PAUSED
            self.paused.emit(True)

    def resume(self) -> None:
        if self.state is JobState.PAUSED:
            self._cancel_timer.stop()
            self.progress.resume()
            self.state = JobState.RUNNING
            self.paused.emit(False)

    def work(self) -> None:
        """Do the job; called in the worker's thread."""
        self._started.emit()
        try:
            if self.progress.cancelled:
                raise Cancelled
            result = self.job.work(self.progress)
        except Cancelled:
            self._finished.emit(JobState.CANCELLED, None, None)
        except Exception as exc:  # noqa: BLE001  `failed` reports a job's bug; the thread continues
            self._finished.emit(JobState.FAILED, None, exc)
        else:
            self._finished.emit(JobState.DONE, result, None)

    def _on_progress(self, tick: Tick) -> None:
        """Pass on at most twenty ticks a second, and the last one; a job may tick a thousand times a second."""
        self._newest_tick = tick
        now = time.monotonic()
        if now - self._tick_emitted_at >= _TICK_INTERVAL_MS / 1000 or tick.done == tick.total:
            self._tick_emitted_at = now
            self._tick.emit(tick)

    @Slot()
    def _on_started(self) -> None:
        self.state, self.started_at = JobState.RUNNING, time.monotonic()
        if not self._is_muted:
            self.started.emit()

    @Slot(object)
    def _on_tick(self, tick: Tick) -> None:
        self.last_tick = tick
        if not self._is_muted:
            self.ticked.emit(tick)
        if tick is not self._newest_tick or tick.done != tick.total:
            QTimer.singleShot(_TICK_INTERVAL_MS + 10, self, self._emit_held_tick)

    def _emit_held_tick(self) -> None:
        """Emit a tick that `_on_progress` held back, if no other tick has followed."""
        newest = self._newest_tick
        if self.state not in ENDED and newest is not None and newest is not self.last_tick:
            self._on_tick(newest)

    @Slot(object, object, object)
    def _on_finished(self, state: JobState, result: object, error: Exception | None) -> None:
        self._cancel_timer.stop()
        if error is not None:
            error = system_error(error) or error
        self.state, self.result, self.error = state, result, error
        if error is not None and not isinstance(error, UserError):
            log.error("%s failed", self.job.title, exc_info=error)
        if not self._is_muted:
            match state:
                case JobState.DONE:
                    self.done.emit(result)
                case JobState.FAILED:
                    self.failed.emit(error)
                case _:
                    self.cancelled.emit()
            self.ended.emit()
        self.finalized.emit(self)


class SaveState(StrEnum):
    """Whether everything is on disk. SAVING: a save takes longer. FAILED: the last save failed."""

    SAVED = "saved"
    SAVING = "saving"
    FAILED = "failed"


class JobRunner(QObject):
    """Starts jobs in threads, and keeps each run until it has ended."""

    started = Signal(object)  # JobRun: one that is listed under Jobs
    save_state_changed = Signal(object)  # SaveState
    saves_finished = Signal()  # no save is running or waiting any more
    idle = Signal()  # no job runs any more

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._executors: dict[JobQueue, ThreadPoolExecutor] = {}
        self._runs: set[JobRun] = set()
        self._futures: dict[JobRun, Future[None]] = {}
        self._newest: dict[Callable[..., object], JobRun] = {}  # by the function that is given the result
        self._save_state = SaveState.SAVED
        self._slow_save_timer = QTimer(self, singleShot=True, interval=_SLOW_SAVE_MS)
        self._slow_save_timer.timeout.connect(self._on_slow_save)

    def start(self, job: Job[Any], *, queue: JobQueue = JobQueue.JOBS) -> JobRun:
        """Run a job in a queue; by default in the queue for long work, one job at a time and listed under Jobs."""
        run = JobRun(job, queue, self)
        self._runs.add(run)
        run.finalized.connect(self._on_finalized)
        if queue not in self._executors:
            self._executors[queue] = ThreadPoolExecutor(_THREAD_COUNTS.get(queue, 1), thread_name_prefix=queue.value)
        if queue in _LISTED_QUEUES:
            self.started.emit(run)
        if queue is JobQueue.SAVES:
            if not self._slow_save_timer.isActive():
                self._slow_save_timer.start()
            run.started.connect(lambda: QTimer.singleShot(_LIST_SAVE_AFTER_MS, run, lambda: self._list_long_save(run)))
        self._futures[run] = self._executors[queue].submit(run.work)
        return run

    def save(self, job: Job[Any]) -> JobRun:
        """Run a short write, such as an answer; it does not wait for long jobs."""
        return self.start(job, queue=JobQueue.SAVES)

    @overload
    def read(self, job: Job[Any]) -> JobRun: ...

    @overload
    def read(
        self, job: Job[R], then: Callable[[R], object], failed: Callable[[Exception], object] | None = None
    ) -> JobRun: ...

    def read(
        self,
        job: Job[Any],
        then: Callable[[Any], object] | None = None,
        failed: Callable[[Exception], object] | None = None,
    ) -> JobRun:
        """Run a job that reads, and call `then` with its result, or `failed` with the exception, as `follow` does."""
        run = self.start(job, queue=JobQueue.READS)
        if then is not None:
            self.follow(run, then, failed)
        return run

    def follow(
        self, run: JobRun, then: Callable[[Any], object], failed: Callable[[Exception], object] | None = None
    ) -> None:
        """Call `then`, a method of the view, with the run's result, or `failed` with its exception.

        Only the newest run counts: an earlier one for the same `then` is cancelled, and calls nothing.
        """
        self.cancel_read(then)
        self._newest[then] = run
        run.done.connect(then)
        if failed is not None:
            run.failed.connect(failed)

    def is_reading(self, then: Callable[..., object]) -> bool:
        """Whether a run whose result this function will receive is in progress."""
        run = self._newest.get(then)
        return run is not None and run.state not in ENDED

    def cancel_read(self, then: Callable[..., object]) -> None:
        """Cancel the run whose result this function would receive; the function is not called."""
        if self.is_reading(then):
            run = self._newest.pop(then)
            run.mute()
            run.cancel()

    def run_pdf_job(self, job: Job[Any]) -> JobRun:
        """Run a job that asks the process with PDFium, in the only thread that may ask it."""
        return self.start(job, queue=JobQueue.PDFIUM)

    @property
    def running(self) -> list[JobRun]:
        """The runs that have not ended, including those that wait in a queue."""
        return [run for run in self._runs if run.state not in ENDED]

    @property
    def is_saving(self) -> bool:
        return any(run.queue is JobQueue.SAVES for run in self.running)

    def cancel_all(self) -> None:
        """Cancel and mute everything but short saves, since the project is being closed.

        `idle` is emitted when the last run has ended; at once if none is running.
        """
        for run in self.running:
            if run.can_be_cancelled:
                run.mute()
                run.cancel()
        if not self.running:
            self.idle.emit()

    def cancel_reads(self) -> None:
        """Cancel and mute all reads, since the views that started them are gone."""
        for run in self.running:
            if run.queue in (JobQueue.READS, JobQueue.PDFIUM, JobQueue.MODELS):
                run.mute()
                run.cancel()

    def shut_down(self, timeout_s: float = 20.0) -> bool:
        """Cancel everything but short saves and wait until all have ended; False if some have not ended in time."""
        for run in self.running:
            if run.can_be_cancelled:
                run.cancel()
        _, not_done = wait(list(self._futures.values()), timeout=timeout_s)
        for executor in self._executors.values():
            executor.shutdown(wait=False)
        self._executors.clear()
        return not not_done

    def _list_long_save(self, run: JobRun) -> None:
        """List a save that takes long, such as the undo of a bulk action; once cancelled, it has changed nothing."""
        if run.state is JobState.RUNNING:
            run.can_be_cancelled = True
            self.started.emit(run)

    @Slot()
    def _on_slow_save(self) -> None:
        self._set_save_state(SaveState.SAVING)

    def _set_save_state(self, state: SaveState) -> None:
        if state is not self._save_state:
            self._save_state = state
            self.save_state_changed.emit(state)

    def _delete(self, run: JobRun, future: Future[None] | None) -> None:
        """Delete a run once its thread has left it: what emits a signal must be there until `emit` returns."""
        if future is None or future.done():
            run.deleteLater()
        else:
            QTimer.singleShot(_DELETE_AFTER_MS, self, lambda: self._delete(run, future))

    @Slot(object)
    def _on_finalized(self, run: JobRun) -> None:
        self._runs.discard(run)
        future = self._futures.pop(run, None)
        self._newest = {then: newest for then, newest in self._newest.items() if newest is not run}
        self._delete(run, future)
        if run.queue is JobQueue.SAVES:
            state = SaveState.FAILED if run.state is JobState.FAILED else SaveState.SAVED
            if not self.is_saving:
                self._slow_save_timer.stop()
                self._set_save_state(state)
                self.saves_finished.emit()
            elif state is SaveState.FAILED:
                self._set_save_state(state)
        if not self.running:
            self.idle.emit()
