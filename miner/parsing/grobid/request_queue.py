"""The requests of a GROBID run: queued, in flight, or failed for an unclear reason. Thread-safe."""

from __future__ import annotations

import queue
import random
import threading
import time
from collections import Counter, deque
from dataclasses import dataclass, field
from typing import Any

from miner.parsing.grobid.outcome import FileState, Outcome, ParsedPdf, PdfTask, StateChange
from miner.parsing.grobid.response import Response
from miner.parsing.grobid.server import GrobidPaused
from miner.parsing.grobid.settings import GrobidSettings

_INITIAL_LIMIT = 2  # in flight at first, if the server does not say how many it can process
_SUCCESSES_TO_RAISE_LIMIT = 20  # in a row
_MAX_FOREIGN_ANSWERS = 3  # different files in a row with answers not from GROBID: the address is wrong
_MAX_FAILED_FILES = 5  # different files in a row that GROBID failed on: GROBID is broken
_RESTART_HINT = "Restart GROBID, with more memory if that is short. If it fails again, read these papers without it."
_MAX_CONNECTION_LOSSES = 2  # with this file alone in flight: the file is the cause


@dataclass(slots=True, eq=False)
class Request:
    """A PDF to send."""

    task: PdfTask
    segment: bool
    is_new: bool = True  # it has not been sent yet
    alone: bool = False  # send it at the end, with nothing else in flight
    ready_at: float = 0.0
    waits: int = 0
    losses: int = 0
    tries: Counter[str] = field(default_factory=Counter)


class RequestQueue:
    """Requests of a run, and `events` for the consumer.

    The consumer adds files and reads `events`. Each worker calls `next_request`, then a method that ends the request or
    puts it back.
    """

    def __init__(self, grobid: GrobidSettings, engines: int | None, *, proven: bool = False) -> None:
        self.events: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self.stopped = threading.Event()
        self.ceiling = min(grobid.concurrency, engines or grobid.concurrency)
        self._limit = min(self.ceiling, engines or _INITIAL_LIMIT)
        self._grobid = grobid
        self._changed = threading.Condition()
        self._queued: deque[Request] = deque()
        self._new = 0  # of those that wait, how many were never taken: their content is in memory
        self._closed = False
        self._alone: deque[Request] = deque()
        self._in_flight: set[Request] = set()
        self._suspect_failures: list[tuple[Request, Outcome]] = []
        self._failed_files: set[str] = set()  # files that GROBID failed on since its last sound answer
        # Files with odd answers since then, and the error if all answers are odd.
        self._foreign_answers: dict[str, GrobidPaused] = {}
        self._proven = proven  # GROBID has answered for some file at this address
        self._successes = 0
        self._undelivered = 0
        self._answered_at = time.monotonic()
        self._suspended = False
        self._suspended_seconds = 0.0

    # Adding files

    def has_room(self) -> bool:
        """Whether another file may be added."""
        return self._new < self.ceiling

    def add(self, task: PdfTask) -> None:
        with self._changed:
            self._queued.append(Request(task, self._grobid.segment_sentences))
            self._new += 1
            self._changed.notify_all()

    def close(self) -> None:
        """No more files will be added."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    # Sending files

    def next_request(self) -> Request | None:
        """Wait for the next request that may be sent; None when all are done or the run has stopped."""
        with self._changed:
            while not self.stopped.is_set():
                request, seconds = self._next_ready()
                if request is not None:
                    self._in_flight.add(request)
                    self._new -= request.is_new
                    request.is_new = False
                    return request
                if self._closed and not (self._queued or self._alone or self._in_flight):
                    if self._foreign_answers and not self._proven:
                        self.pause(next(iter(self._foreign_answers.values())))
                        return None
                    self._finish_suspects()
                    self._changed.notify_all()
                    return None
                self._changed.wait(seconds)
        return None

    def _next_ready(self) -> tuple[Request | None, float | None]:
        """The next request, or how many seconds to wait for one (None: until something changes)."""
        if (
            self._suspended
            or self._undelivered >= 2 * self.ceiling
            or any(request.alone for request in self._in_flight)
        ):
            return None, None
        if self._queued:
            if len(self._in_flight) >= self._limit:
                return None, None
            now = time.monotonic()
            request = next((request for request in self._queued if request.ready_at <= now), None)
            if request is None:
                return None, min(request.ready_at for request in self._queued) - now
            self._queued.remove(request)
            return request, None
        at_end = self._closed and not self._in_flight
        return (self._alone.popleft() if self._alone and at_end else None), None

    # States of files

    def set_state(self, request: Request, state: FileState, seconds: float = 0.0) -> None:
        if not self.stopped.is_set():
            self.events.put(StateChange(request.task, state, seconds))

    # Ending requests, or putting them back

    def succeed(self, request: Request, answer: Outcome) -> None:
        with self._changed:
            self._note_sound_answer()
            self._successes += 1
            if self._successes >= _SUCCESSES_TO_RAISE_LIMIT:
                self._successes, self._limit = 0, min(self.ceiling, self._limit + 1)
            self._finish(request, answer)

    def fail(self, request: Request, failure: Outcome, *, suspect: bool = False) -> None:
        """End the request as failed; if `suspect`, only once it is clear that the server is not the cause."""
        with self._changed:
            if suspect:
                self._in_flight.discard(request)
                self.set_state(request, FileState.QUEUED)
                self._suspect_failures.append((request, failure))
                self._changed.notify_all()
            else:
                self._finish(request, failure)

    def retry(self, request: Request, response: Response) -> bool:
        """Put the request at the end of its queue if it has another attempt; whether it has."""
        with self._changed:
            if response.suspect:
                self._answered_at = time.monotonic()
                if not request.tries[response.code]:  # a file that fails again proves nothing against the server
                    self._failed_files.add(request.task.sha256)
                if len(self._failed_files) >= _MAX_FAILED_FILES:
                    what = f"GROBID failed on {_MAX_FAILED_FILES} different files in a row ({response.text})."
                    self.pause(GrobidPaused("failing", what, hint=_RESTART_HINT))
                    return True
            else:
                self._note_sound_answer()
            request.tries[response.code] += 1
            if request.tries[response.code] > response.retries:
                return False
            request.alone = request.alone or response.alone
            request.ready_at = time.monotonic() + self._grobid.retry_delay if response.pause else 0.0
            self._enqueue(request)
            return True

    def question_address(self, request: Request, response: Response, failure: Outcome) -> None:
        """The answer is not from GROBID: retry, then end the request as failed; pause if all answers are so."""
        with self._changed:
            self._answered_at = time.monotonic()
            reason = GrobidPaused(response.code, f"{response.text.rstrip('.')}.", hint=response.hint)
            self._foreign_answers.setdefault(request.task.sha256, reason)
            if len(self._foreign_answers) >= _MAX_FOREIGN_ANSWERS:
                self.pause(reason)
            elif request.tries[response.code] < response.retries:
                request.tries[response.code] += 1
                request.ready_at = time.monotonic() + self._grobid.retry_delay
                self._enqueue(request)
            else:
                self.fail(request, failure, suspect=True)

    def retry_unsegmented(self, request: Request) -> None:
        with self._changed:
            request.segment = False
            self._enqueue(request)

    def retry_alone(self, request: Request, failure: Outcome) -> None:
        """The connection broke: retry the request alone; end it as failed when that breaks twice."""
        with self._changed:
            request.losses += request.alone
            if request.losses >= _MAX_CONNECTION_LOSSES:
                self._finish(request, failure)
            else:
                request.alone = True
                self._enqueue(request)

    def requeue(self, request: Request) -> None:
        """Put the request back at the front of its queue."""
        with self._changed:
            self._enqueue(request, first=True)

    def wait_while_busy(self, request: Request, retry_after: float | None) -> None:
        """Wait, with the request in flight, until it is time to send it again; this counts as no retry."""
        grobid = self._grobid
        with self._changed:
            self._limit, self._successes = max(1, self._limit - 1), 0
            if time.monotonic() - self._answered_at > grobid.busy_timeout:
                what = f"GROBID has been busy for {grobid.busy_timeout / 60:.0f} minutes without finishing a file."
                self.pause(GrobidPaused("busy", what, hint="Run the same command again when it has less to do."))
                return
            seconds = random.uniform(0.5, 1.0) * min(
                grobid.max_busy_delay, grobid.busy_delay * 2 ** min(request.waits, 30)
            )
            if retry_after is not None:
                seconds = min(retry_after, grobid.max_retry_after)
            request.waits += 1
            self.set_state(request, FileState.BUSY, seconds)
        if not self.stopped.wait(seconds):
            self.requeue(request)

    # A server that is down

    def suspend(self) -> bool:
        """Stop sending; True for the first worker that calls it, which then waits for the server."""
        with self._changed:
            first, self._suspended = not self._suspended, True
            return first

    def wait_suspended(self, seconds: float) -> bool:
        """Wait before the next check of the server; True when the run has stopped."""
        self.events.put(StateChange(None, FileState.AWAY, seconds))
        self._suspended_seconds += seconds
        return self.stopped.wait(seconds)

    def suspended_too_long(self) -> bool:
        return self._suspended_seconds >= self._grobid.unreachable_timeout

    def resume(self) -> None:
        with self._changed:
            self._suspended = False
            self._changed.notify_all()

    # Ending the run

    def pause(self, reason: GrobidPaused) -> None:
        with self._changed:
            if not self.stopped.is_set():
                self.events.put(reason)
                self.stop()

    def stop(self) -> None:
        with self._changed:
            self.stopped.set()
            self._changed.notify_all()

    def delivered(self) -> None:
        with self._changed:
            self._undelivered -= 1
            self._changed.notify_all()

    def _note_sound_answer(self) -> None:
        """GROBID has given a sound answer, so it works, and earlier suspect failures were caused by their files."""
        self._answered_at = time.monotonic()
        self._suspended_seconds = 0.0
        self._proven = True
        self._foreign_answers.clear()
        self._failed_files.clear()
        self._finish_suspects()

    def _finish_suspects(self) -> None:
        suspects, self._suspect_failures = self._suspect_failures, []
        for request, failure in suspects:
            self._finish(request, failure)

    def _finish(self, request: Request, outcome: Outcome) -> None:
        if self.stopped.is_set():
            return
        self.set_state(request, FileState.DONE if isinstance(outcome, ParsedPdf) else FileState.FAILED)
        self._undelivered += 1
        self.events.put(outcome)
        self._in_flight.discard(request)
        self._changed.notify_all()

    def _enqueue(self, request: Request, *, first: bool = False) -> None:
        self.set_state(request, FileState.QUEUED)
        self._in_flight.discard(request)
        target = self._alone if request.alone else self._queued
        if first:
            target.appendleft(request)
        else:
            target.append(request)
        self._changed.notify_all()
