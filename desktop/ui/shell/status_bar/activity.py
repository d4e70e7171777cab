"""The jobs of this window: how far each has come, and what came of it."""

from __future__ import annotations

import itertools
import time
from collections import deque
from dataclasses import dataclass, field

from PySide6.QtCore import QObject, Signal

from desktop.jobs.results import ResultProblem, ResultText, describe
from desktop.text import duration
from desktop.ui.services.runner import ENDED, JobQueue, JobRun, JobRunner, JobState
from miner.errors import UserError
from miner.progress import Tick

_KEPT = 50  # jobs, and each of them with at most so many problems
_PROBLEMS = 1000
_RECENT = 10.0  # seconds the rate is taken over


@dataclass(eq=False, slots=True)
class JobEntry:
    """One job as the window shows it. `run` is None once it has ended; `result` is there then."""

    number: int
    title: str
    run: JobRun | None
    state: JobState = JobState.WAITING
    done: int = 0
    total: int | None = None
    note: str = ""
    result: ResultText | None = None
    marks: deque[tuple[float, int]] = field(default_factory=deque)

    @property
    def has_ended(self) -> bool:
        return self.state in ENDED

    @property
    def rate(self) -> float | None:
        """Items a second, lately; None while that cannot be told."""
        if len(self.marks) < 2:
            return None
        (start, before), (now, done) = self.marks[0], self.marks[-1]
        return (done - before) / (now - start) if now - start >= 0.5 and done > before else None

    @property
    def seconds_left(self) -> float | None:
        rate = self.rate
        return (self.total - self.done) / rate if rate and self.total is not None else None

    @property
    def line(self) -> str:
        """How it stands, in a line."""
        if self.result is not None:
            return f"{self.title}: {self.result.sentence}"
        parts = [self.title]
        if self.run is not None and self.run.is_stopping:
            return " · ".join([*parts, "cancelled" if self.run.can_revoke_cancel else "stopping"])
        match self.state:
            case JobState.WAITING:
                parts.append("waits for the job before it")
            case JobState.PAUSED:
                parts += ["paused", *self._how_far()]
            case _:
                parts += self._how_far()
                rate, left = self.rate, self.seconds_left
                parts += [f"{rate:,.0f}/s" if rate >= 10 else f"{rate:.1f}/s"] if rate and rate >= 0.05 else []
                parts += [f"{duration(left)} left"] if left is not None and left >= 1 else []
        return " · ".join(parts)

    @property
    def short(self) -> str:
        """How it stands, beside another."""
        if self.state is JobState.PAUSED:
            return f"{self.title}: paused"
        return f"{self.title} {100 * self.done // self.total} %" if self.total else self.title

    def _how_far(self) -> list[str]:
        if self.total:
            return [f"{self.done:,} of {self.total:,}"]
        return [f"{self.done:,}"] if self.done else []


class Activity(QObject):
    """Follows every job that is shown; the last one started is the last entry."""

    changed = Signal(object)  # JobEntry
    cleared = Signal()

    def __init__(self, runner: JobRunner, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._numbers = itertools.count(1)
        self.entries: list[JobEntry] = []
        runner.started.connect(self._on_started)

    @property
    def current(self) -> JobEntry | None:
        """The job to show with its bar: what runs, else what waits, else what ended last."""
        if working := self._working():
            return working[0]
        waiting = [entry for entry in self.entries if entry.state is JobState.WAITING]
        return waiting[0] if waiting else self.entries[-1] if self.entries else None

    @property
    def beside(self) -> list[JobEntry]:
        """What runs beside the current job."""
        return self._working()[1:]

    def _working(self) -> list[JobEntry]:
        """Trainings, which take hours, come after what was begun beside them."""
        working = [entry for entry in self.entries if entry.state in (JobState.RUNNING, JobState.PAUSED)]
        return sorted(working, key=lambda entry: entry.run is not None and entry.run.queue is JobQueue.TRAINING)

    @property
    def going(self) -> int:
        """How many have not ended."""
        return sum(not entry.has_ended for entry in self.entries)

    def clear(self) -> None:
        """Forget them all: their project is closed."""
        self.entries.clear()
        self.cleared.emit()

    def _on_started(self, run: JobRun) -> None:
        entry = JobEntry(next(self._numbers), run.job.title, run)
        entry.state = run.state
        self.entries.append(entry)
        ended = [old for old in self.entries if old.has_ended]
        for old in ended[: max(0, len(self.entries) - _KEPT)]:
            self.entries.remove(old)
        run.started.connect(lambda: self._look(entry))
        run.ticked.connect(lambda tick: self._on_ticked(entry, tick))
        run.paused.connect(lambda: self._on_paused(entry))
        run.ended.connect(lambda: self._on_ended(entry))
        self.changed.emit(entry)

    def _look(self, entry: JobEntry) -> None:
        assert entry.run is not None
        entry.state = entry.run.state
        self.changed.emit(entry)

    def _on_ticked(self, entry: JobEntry, tick: Tick) -> None:
        entry.done, entry.total, entry.note = tick
        now = time.monotonic()
        if entry.state is JobState.RUNNING:
            entry.marks.append((now, tick.done))
            while len(entry.marks) > 2 and entry.marks[0][0] < now - _RECENT:
                entry.marks.popleft()
        self._look(entry)

    def _on_paused(self, entry: JobEntry) -> None:
        entry.marks.clear()  # a pause is no slowness
        self._look(entry)

    def _on_ended(self, entry: JobEntry) -> None:
        run = entry.run
        assert run is not None
        match run.state:
            case JobState.DONE:
                result = describe(run.result)
                entry.result = result._replace(problems=result.problems[:_PROBLEMS])
            case JobState.CANCELLED:
                entry.result = ResultText("cancelled. What was finished is kept.")
            case _:
                entry.result = _failure(run.error)
        self._look(entry)
        entry.run = None


def _failure(error: Exception | None) -> ResultText:
    if isinstance(error, UserError):
        return ResultText("did not work.", problems=(ResultProblem(str(error), error.hint),))
    return ResultText(
        "did not work.", problems=(ResultProblem("Something in Pairwright is not as it should be.", "See Problems."),)
    )
