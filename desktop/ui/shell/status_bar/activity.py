"""The listed jobs of the window, with the progress and the result of each."""

from __future__ import annotations

import itertools
import time
from collections import deque
from dataclasses import dataclass, field

from PySide6.QtCore import QObject, Signal

from desktop.jobs.descriptions.result_text import ResultProblem, ResultText
from desktop.jobs.results import describe
from desktop.text import duration
from desktop.translation import tr
from desktop.ui.services.runner import ENDED, JobQueue, JobRun, JobRunner, JobState
from miner.errors import UserError
from miner.progress import Tick

_MAX_JOBS = 50
_MAX_PROBLEMS_PER_JOB = 1000
_RATE_WINDOW_S = 10.0


@dataclass(eq=False, slots=True)
class JobEntry:
    """A job as the window shows it. After it has ended, `run` is None and `result` is set."""

    number: int
    title: str
    run: JobRun | None
    state: JobState = JobState.WAITING
    done: int = 0
    total: int | None = None
    note: str = ""
    result: ResultText | None = None
    samples: deque[tuple[float, int]] = field(default_factory=deque)
    """Recent times, in seconds, with the number of items done by then."""
    ended_at: float = 0.0
    """By the same clock."""

    @property
    def has_ended(self) -> bool:
        return self.state in ENDED

    @property
    def rate(self) -> float | None:
        """Items per second over the last seconds; None while unknown."""
        if len(self.samples) < 2:
            return None
        (start, before), (now, done) = self.samples[0], self.samples[-1]
        return (done - before) / (now - start) if now - start >= 0.5 and done > before else None

    @property
    def seconds_left(self) -> float | None:
        """The estimated time to the end; None while unknown."""
        rate = self.rate
        return (self.total - self.done) / rate if rate and self.total is not None else None

    @property
    def line(self) -> str:
        """State, progress and result in one line."""
        if self.result is not None:
            is_title = self.result.sentence.rstrip(".") == self.title  # of a change: its result is what it did
            return self.title if is_title else f"{self.title}: {self.result.sentence}"
        parts = [self.title]
        if self.run is not None and self.run.is_stopping:
            return " · ".join([*parts, "cancelled" if self.run.can_revoke_cancel else "stopping"])
        match self.state:
            case JobState.WAITING:
                parts.append(tr("waiting for the previous job"))
            case JobState.PAUSED:
                parts += ["paused", *self._progress_parts()]
            case _:
                parts += self._progress_parts()
                rate, left = self.rate, self.seconds_left
                parts += [f"{rate:,.0f}/s" if rate >= 10 else f"{rate:.1f}/s"] if rate and rate >= 0.05 else []
                parts += [tr("{left} left", left=duration(left))] if left is not None and left >= 1 else []
        return " · ".join(parts)

    @property
    def short(self) -> str:
        """State and progress in a few words, for the line of another job."""
        if self.state is JobState.PAUSED:
            return tr("{title}: paused", title=self.title)
        return f"{self.title} {100 * self.done // self.total} %" if self.total else self.title

    def _progress_parts(self) -> list[str]:
        if self.total:
            return [tr("{done:,} of {total:,}", done=self.done, total=self.total)]
        return [f"{self.done:,}"] if self.done else []


class Activity(QObject):
    """Follows every run that the runner lists. `entries` are in the order in which they were started."""

    changed = Signal(object)  # JobEntry
    cleared = Signal()

    def __init__(self, runner: JobRunner, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._numbers = itertools.count(1)
        self.entries: list[JobEntry] = []
        runner.started.connect(self._on_started)

    @property
    def current(self) -> JobEntry | None:
        """The job to show with a progress bar: a running job, else a waiting one, else the job that ended last."""
        if running := self._running():
            return running[0]
        waiting = (entry for entry in self.entries if entry.state is JobState.WAITING)
        return next(waiting, None) or max(self.entries, key=lambda entry: entry.ended_at, default=None)

    @property
    def other_running(self) -> list[JobEntry]:
        """The running jobs except the current one."""
        return self._running()[1:]

    def _running(self) -> list[JobEntry]:
        """The running and paused jobs; trainings last, since they take hours."""
        running = [entry for entry in self.entries if entry.state in (JobState.RUNNING, JobState.PAUSED)]
        return sorted(running, key=lambda entry: entry.run is not None and entry.run.queue is JobQueue.TRAINING)

    @property
    def unfinished_count(self) -> int:
        """The number of jobs that run or wait."""
        return sum(not entry.has_ended for entry in self.entries)

    def clear(self) -> None:
        """Remove all entries, since their project is closed."""
        self.entries.clear()
        self.cleared.emit()

    def _on_started(self, run: JobRun) -> None:
        entry = JobEntry(next(self._numbers), run.job.title, run)
        entry.state = run.state
        self.entries.append(entry)
        ended = [old for old in self.entries if old.has_ended]
        for old in ended[: max(0, len(self.entries) - _MAX_JOBS)]:
            self.entries.remove(old)
        run.started.connect(lambda: self._update(entry))
        run.ticked.connect(lambda tick: self._on_ticked(entry, tick))
        run.paused.connect(lambda: self._on_paused(entry))
        run.ended.connect(lambda: self._on_ended(entry))
        self.changed.emit(entry)

    def _update(self, entry: JobEntry) -> None:
        assert entry.run is not None
        entry.state = entry.run.state
        self.changed.emit(entry)

    def _on_ticked(self, entry: JobEntry, tick: Tick) -> None:
        entry.done, entry.total, entry.note = tick
        now = time.monotonic()
        if entry.state is JobState.RUNNING:
            entry.samples.append((now, tick.done))
            while len(entry.samples) > 2 and entry.samples[0][0] < now - _RATE_WINDOW_S:
                entry.samples.popleft()
        self._update(entry)

    def _on_paused(self, entry: JobEntry) -> None:
        entry.samples.clear()  # the pause does not count
        self._update(entry)

    def _on_ended(self, entry: JobEntry) -> None:
        run = entry.run
        assert run is not None
        entry.ended_at = time.monotonic()
        match run.state:
            case JobState.DONE:
                result = describe(run.result, otherwise=ResultText(tr("Done.")))
                entry.result = result._replace(problems=result.problems[:_MAX_PROBLEMS_PER_JOB])
            case JobState.CANCELLED:
                entry.result = ResultText(tr("cancelled. {if_stopped}", if_stopped=run.job.if_stopped))
            case _:
                entry.result = _failure(run.error)
        self._update(entry)
        entry.run = None


def _failure(error: Exception | None) -> ResultText:
    if isinstance(error, UserError):
        return ResultText("failed.", problems=(ResultProblem(str(error), error.hint),))
    return ResultText(
        "failed.", problems=(ResultProblem(tr("Pairwright met an unexpected error."), tr("See Problems.")),)
    )
