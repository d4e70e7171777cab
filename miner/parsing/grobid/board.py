"""Which file is where in a GROBID run: queued, in flight or held back; safe for many threads."""

from __future__ import annotations

import queue
import random
import threading
import time
from collections import Counter, deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from miner.parsing.grobid.outcome import Change, Outcome, Parsed, PdfTask, State
from miner.parsing.grobid.server import GrobidPaused
from miner.parsing.grobid.settings import Grobid
from miner.parsing.grobid.verdict import Verdict

_UNKNOWN_ENGINES = 2  # in flight at first where the server does not tell how many it can take
_RAISE_AFTER = 20  # successes in a row before one more is tried
_DOUBTS = 3  # different files in a row whose answers were not GROBID's: then the address is wrong
_BREAKER = 5  # different files in a row that GROBID failed on: then it is GROBID
_RESTART = "Restart GROBID, with more memory if that is short. If it fails again, read these papers without it."
_DEATHS = 2  # of the server, with a file alone in flight: then it is the file


@dataclass(slots=True, eq=False)
class Job:
    """One PDF on its way, with every task that named it."""

    sha256: str
    tasks: list[PdfTask]
    segment: bool
    state: State = State.QUEUED
    alone: bool = False  # it goes with nothing else in flight, at the end
    ready_at: float = 0.0
    waits: int = 0
    losses: int = 0
    tries: Counter[str] = field(default_factory=Counter)


class Board:
    """Workers `take` a job, `enter` its states and hand it back by another verb; the consumer reads `events`."""

    def __init__(self, tasks: list[PdfTask], grobid: Grobid, engines: int | None, *, proven: bool = False) -> None:
        by_file: dict[str, Job] = {}
        for task in tasks:
            by_file.setdefault(task.sha256, Job(task.sha256, [], grobid.segment_sentences)).tasks.append(task)
        self.events: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self.stopped = threading.Event()
        self.jobs = len(by_file)
        self.ceiling = min(grobid.concurrency, engines or grobid.concurrency)
        self._limit = min(self.ceiling, engines or _UNKNOWN_ENGINES)
        self._grobid = grobid
        self._changed = threading.Condition()
        self._queue = deque(by_file.values())
        self._alone: deque[Job] = deque()
        self._flying: set[Job] = set()
        self._counts = Counter({State.QUEUED: len(tasks)})
        self._held: list[tuple[Job, list[Outcome]]] = []
        self._streak: set[str] = set()  # files GROBID failed on since it last did anything well
        self._doubts: dict[str, GrobidPaused] = {}  # files with odd answers since then, and what to say if all are so
        self._proven = proven  # GROBID has answered for some file at this address
        self._successes = 0
        self._undelivered = 0
        self._answered_at = time.monotonic()
        self._away = False
        self._away_for = 0.0

    # Taking work

    def take(self) -> Job | None:
        """The next file to send, once one may be sent; None when all is done or the run has stopped."""
        with self._changed:
            while not self.stopped.is_set():
                job, pause = self._next()
                if job is not None:
                    self._flying.add(job)
                    return job
                if not (self._queue or self._alone or self._flying):
                    if self._doubts and not self._proven:
                        self.pause(next(iter(self._doubts.values())))
                        return None
                    self._release_held()
                    self._changed.notify_all()
                    return None
                self._changed.wait(pause)
        return None

    def _next(self) -> tuple[Job | None, float | None]:
        """The job whose turn it is, or how long to wait for one (None: until something changes)."""
        if self._away or self._undelivered >= 2 * self.ceiling or any(job.alone for job in self._flying):
            return None, None
        if self._queue:
            if len(self._flying) >= self._limit:
                return None, None
            now = time.monotonic()
            job = next((job for job in self._queue if job.ready_at <= now), None)
            if job is None:
                return None, min(job.ready_at for job in self._queue) - now
            self._queue.remove(job)
            return job, None
        return (self._alone.popleft() if self._alone and not self._flying else None), None

    # Following it

    def enter(self, job: Job, state: State, seconds: float = 0.0) -> None:
        with self._changed:
            if self.stopped.is_set():
                return
            self._counts[job.state] -= len(job.tasks)
            self._counts[state] += len(job.tasks)
            job.state = state
            counts = +self._counts
            for task in job.tasks:
                self.events.put(Change(task, state, seconds, counts))

    # Handing it back

    def keep(self, job: Job, answers: list[Outcome]) -> None:
        with self._changed:
            self._sound_answer()
            self._successes += 1
            if self._successes >= _RAISE_AFTER:
                self._successes, self._limit = 0, min(self.ceiling, self._limit + 1)
            self._finish(job, answers)

    def fail(self, job: Job, failures: list[Outcome], *, suspect: bool = False) -> None:
        """End the job as failed; with `suspect`, only once it is clear that not the server is at fault."""
        with self._changed:
            if suspect:
                self._flying.discard(job)
                self.enter(job, State.QUEUED)
                self._held.append((job, failures))
                self._changed.notify_all()
            else:
                self._finish(job, failures)

    def retry(self, job: Job, verdict: Verdict) -> bool:
        """Put the job at the end of its queue if this failure leaves it another attempt."""
        with self._changed:
            if verdict.suspect:
                self._answered_at = time.monotonic()
                if not job.tries[verdict.code]:  # a file that fails again proves nothing against the server
                    self._streak.add(job.sha256)
                if len(self._streak) >= _BREAKER:
                    what = f"GROBID failed on {_BREAKER} different files in a row ({verdict.text})."
                    self.pause(GrobidPaused("failing", what, hint=_RESTART))
                    return True
            else:
                self._sound_answer()
            job.tries[verdict.code] += 1
            if job.tries[verdict.code] > verdict.retries:
                return False
            job.alone = job.alone or verdict.alone
            job.ready_at = time.monotonic() + self._grobid.fault_delay if verdict.pause else 0.0
            self._return(job)
            return True

    def doubt(self, job: Job, verdict: Verdict, failures: list[Outcome]) -> None:
        """The answer was not GROBID's: try again, then end the job as failed, unless all answers are so."""
        with self._changed:
            self._answered_at = time.monotonic()
            reason = GrobidPaused(verdict.code, f"{verdict.text.rstrip('.')}.", hint=verdict.hint)
            self._doubts.setdefault(job.sha256, reason)
            if len(self._doubts) >= _DOUBTS:
                self.pause(reason)
            elif job.tries[verdict.code] < verdict.retries:
                job.tries[verdict.code] += 1
                job.ready_at = time.monotonic() + self._grobid.fault_delay
                self._return(job)
            else:
                self.fail(job, failures, suspect=True)

    def retry_unsegmented(self, job: Job) -> None:
        with self._changed:
            job.segment = False
            self._return(job)

    def lose(self, job: Job, failures: list[Outcome]) -> None:
        """The connection broke: try the job by itself, and give it up when that breaks twice as well."""
        with self._changed:
            job.losses += job.alone
            if job.losses >= _DEATHS:
                self._finish(job, failures)
            else:
                job.alone = True
                self._return(job)

    def put_back(self, job: Job) -> None:
        """As if it had never been taken."""
        with self._changed:
            self._return(job, first=True)

    def wait_while_busy(self, job: Job, retry_after: float | None) -> None:
        """Hold the job's place in flight until it is time to ask again; nothing is charged to the file."""
        grobid = self._grobid
        with self._changed:
            self._limit, self._successes = max(1, self._limit - 1), 0
            if time.monotonic() - self._answered_at > grobid.busy_patience:
                what = f"GROBID has been busy for {grobid.busy_patience / 60:.0f} minutes without finishing a file."
                self.pause(GrobidPaused("busy", what, hint="Run the same command again when it has less to do."))
                return
            seconds = random.uniform(0.5, 1.0) * min(grobid.busy_cap, grobid.busy_step * 2 ** min(job.waits, 30))
            if retry_after is not None:
                seconds = min(retry_after, grobid.retry_after_cap)
            job.waits += 1
            self.enter(job, State.BUSY, seconds)
        if not self.stopped.wait(seconds):
            self.put_back(job)

    # A server that has gone

    def go_away(self) -> bool:
        """Stop sending; True for the first worker to say so, whose task it is to look for the server."""
        with self._changed:
            first, self._away = not self._away, True
            return first

    def wait_away(self, seconds: float) -> bool:
        """Wait before the next look; True when the run has stopped."""
        self.events.put(Change(None, State.AWAY, seconds, +self._counts))
        self._away_for += seconds
        return self.stopped.wait(seconds)

    def away_too_long(self) -> bool:
        return self._away_for >= self._grobid.away_patience

    def come_back(self) -> None:
        with self._changed:
            self._away = False
            self._changed.notify_all()

    # The end

    def pause(self, reason: GrobidPaused) -> None:
        with self._changed:
            if not self.stopped.is_set():
                self.events.put(reason)
                self.stop()

    def cancel(self, on_change: Callable[[Change], None] | None) -> None:
        """Report every file without an outcome as cancelled."""
        with self._changed:
            left = [*self._queue, *self._alone, *self._flying, *(job for job, _ in self._held)]
            for job in left:
                self._counts[job.state] -= len(job.tasks)
                self._counts[State.CANCELLED] += len(job.tasks)
            counts = +self._counts
        if on_change is not None:
            for job in left:
                for task in job.tasks:
                    on_change(Change(task, State.CANCELLED, 0.0, counts))

    def stop(self) -> None:
        with self._changed:
            self.stopped.set()
            self._changed.notify_all()

    def delivered(self) -> None:
        with self._changed:
            self._undelivered -= 1
            self._changed.notify_all()

    def _sound_answer(self) -> None:
        """The server has said something sensible about a file: it is well, and earlier failures were the files' own."""
        self._answered_at = time.monotonic()
        self._away_for = 0.0
        self._proven = True
        self._doubts.clear()
        self._streak.clear()
        self._release_held()

    def _release_held(self) -> None:
        held, self._held = self._held, []
        for job, failures in held:
            self._finish(job, failures)

    def _finish(self, job: Job, outcomes: list[Outcome]) -> None:
        if self.stopped.is_set():
            return
        self.enter(job, State.DONE if isinstance(outcomes[0], Parsed) else State.FAILED)
        for outcome in outcomes:
            self._undelivered += 1
            self.events.put(outcome)
        self._flying.discard(job)
        self._changed.notify_all()

    def _return(self, job: Job, *, first: bool = False) -> None:
        self.enter(job, State.QUEUED)
        self._flying.discard(job)
        line = self._alone if job.alone else self._queue
        if first:
            line.appendleft(job)
        else:
            line.append(job)
        self._changed.notify_all()
