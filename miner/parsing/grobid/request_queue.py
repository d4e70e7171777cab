"""Which file is where in a GROBID run: queued, in flight or held back; safe for many threads."""

from __future__ import annotations

import queue
import random
import threading
import time
from collections import Counter, deque
from dataclasses import dataclass, field
from typing import Any

from miner.parsing.grobid.outcome import FileState, Outcome, Parsed, PdfTask, StateChange
from miner.parsing.grobid.response import Response
from miner.parsing.grobid.server import GrobidPaused
from miner.parsing.grobid.settings import Grobid

_UNKNOWN_ENGINES = 2  # in flight at first where the server does not tell how many it can take
_RAISE_AFTER = 20  # successes in a row before one more is tried
_DOUBTS = 3  # different files in a row whose answers were not GROBID's: then the address is wrong
_BREAKER = 5  # different files in a row that GROBID failed on: then it is GROBID
_RESTART = "Restart GROBID, with more memory if that is short. If it fails again, read these papers without it."
_DEATHS = 2  # of the server, with a file alone in flight: then it is the file


@dataclass(slots=True, eq=False)
class Request:
    """One PDF on its way."""

    task: PdfTask
    segment: bool
    is_new: bool = True  # it has not been taken yet
    alone: bool = False  # it goes with nothing else in flight, at the end
    ready_at: float = 0.0
    waits: int = 0
    losses: int = 0
    tries: Counter[str] = field(default_factory=Counter)


class RequestQueue:
    """The consumer adds files and reads `events`; workers `take` requests and hand each back by another verb."""

    def __init__(self, grobid: Grobid, engines: int | None, *, proven: bool = False) -> None:
        self.events: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self.stopped = threading.Event()
        self.ceiling = min(grobid.concurrency, engines or grobid.concurrency)
        self._limit = min(self.ceiling, engines or _UNKNOWN_ENGINES)
        self._grobid = grobid
        self._changed = threading.Condition()
        self._waiting: deque[Request] = deque()
        self._new = 0  # of those that wait, how many were never taken: their content is in memory
        self._closed = False
        self._alone: deque[Request] = deque()
        self._flying: set[Request] = set()
        self._held: list[tuple[Request, Outcome]] = []
        self._failed_in_a_row: set[str] = set()  # files GROBID failed on since it last did anything well
        self._doubts: dict[str, GrobidPaused] = {}  # files with odd answers since then, and what to say if all are so
        self._proven = proven  # GROBID has answered for some file at this address
        self._successes = 0
        self._undelivered = 0
        self._answered_at = time.monotonic()
        self._away = False
        self._away_for = 0.0

    # Adding work

    def has_room(self) -> bool:
        """Whether another file may be added."""
        return self._new < self.ceiling

    def add(self, task: PdfTask) -> None:
        with self._changed:
            self._waiting.append(Request(task, self._grobid.segment_sentences))
            self._new += 1
            self._changed.notify_all()

    def close(self) -> None:
        """No more files will be added."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    # Taking work

    def take(self) -> Request | None:
        """The next file to send, once one may be sent; None when all is done or the run has stopped."""
        with self._changed:
            while not self.stopped.is_set():
                request, pause = self._next()
                if request is not None:
                    self._flying.add(request)
                    self._new -= request.is_new
                    request.is_new = False
                    return request
                if self._closed and not (self._waiting or self._alone or self._flying):
                    if self._doubts and not self._proven:
                        self.pause(next(iter(self._doubts.values())))
                        return None
                    self._release_held()
                    self._changed.notify_all()
                    return None
                self._changed.wait(pause)
        return None

    def _next(self) -> tuple[Request | None, float | None]:
        """The request whose turn it is, or how long to wait for one (None: until something changes)."""
        if self._away or self._undelivered >= 2 * self.ceiling or any(request.alone for request in self._flying):
            return None, None
        if self._waiting:
            if len(self._flying) >= self._limit:
                return None, None
            now = time.monotonic()
            request = next((request for request in self._waiting if request.ready_at <= now), None)
            if request is None:
                return None, min(request.ready_at for request in self._waiting) - now
            self._waiting.remove(request)
            return request, None
        at_end = self._closed and not self._flying
        return (self._alone.popleft() if self._alone and at_end else None), None

    # Following it

    def set_state(self, request: Request, state: FileState, seconds: float = 0.0) -> None:
        if not self.stopped.is_set():
            self.events.put(StateChange(request.task, state, seconds))

    # Handing it back

    def succeed(self, request: Request, answer: Outcome) -> None:
        with self._changed:
            self._sound_answer()
            self._successes += 1
            if self._successes >= _RAISE_AFTER:
                self._successes, self._limit = 0, min(self.ceiling, self._limit + 1)
            self._finish(request, answer)

    def fail(self, request: Request, failure: Outcome, *, suspect: bool = False) -> None:
        """End the request as failed; with `suspect`, only once it is clear that not the server is at fault."""
        with self._changed:
            if suspect:
                self._flying.discard(request)
                self.set_state(request, FileState.QUEUED)
                self._held.append((request, failure))
                self._changed.notify_all()
            else:
                self._finish(request, failure)

    def retry(self, request: Request, response: Response) -> bool:
        """Put the request at the end of its queue if this failure leaves it another attempt."""
        with self._changed:
            if response.suspect:
                self._answered_at = time.monotonic()
                if not request.tries[response.code]:  # a file that fails again proves nothing against the server
                    self._failed_in_a_row.add(request.task.sha256)
                if len(self._failed_in_a_row) >= _BREAKER:
                    what = f"GROBID failed on {_BREAKER} different files in a row ({response.text})."
                    self.pause(GrobidPaused("failing", what, hint=_RESTART))
                    return True
            else:
                self._sound_answer()
            request.tries[response.code] += 1
            if request.tries[response.code] > response.retries:
                return False
            request.alone = request.alone or response.alone
            request.ready_at = time.monotonic() + self._grobid.fault_delay if response.pause else 0.0
            self._return(request)
            return True

    def question_address(self, request: Request, response: Response, failure: Outcome) -> None:
        """The answer was not GROBID's: try again, then end the request as failed, unless all answers are so."""
        with self._changed:
            self._answered_at = time.monotonic()
            reason = GrobidPaused(response.code, f"{response.text.rstrip('.')}.", hint=response.hint)
            self._doubts.setdefault(request.task.sha256, reason)
            if len(self._doubts) >= _DOUBTS:
                self.pause(reason)
            elif request.tries[response.code] < response.retries:
                request.tries[response.code] += 1
                request.ready_at = time.monotonic() + self._grobid.fault_delay
                self._return(request)
            else:
                self.fail(request, failure, suspect=True)

    def retry_unsegmented(self, request: Request) -> None:
        with self._changed:
            request.segment = False
            self._return(request)

    def retry_alone(self, request: Request, failure: Outcome) -> None:
        """The connection broke: try the request by itself, and give it up when that breaks twice as well."""
        with self._changed:
            request.losses += request.alone
            if request.losses >= _DEATHS:
                self._finish(request, failure)
            else:
                request.alone = True
                self._return(request)

    def put_back(self, request: Request) -> None:
        """As if it had never been taken."""
        with self._changed:
            self._return(request, first=True)

    def wait_while_busy(self, request: Request, retry_after: float | None) -> None:
        """Hold the request's place in flight until it is time to ask again; nothing is charged to the file."""
        grobid = self._grobid
        with self._changed:
            self._limit, self._successes = max(1, self._limit - 1), 0
            if time.monotonic() - self._answered_at > grobid.busy_patience:
                what = f"GROBID has been busy for {grobid.busy_patience / 60:.0f} minutes without finishing a file."
                self.pause(GrobidPaused("busy", what, hint="Run the same command again when it has less to do."))
                return
            seconds = random.uniform(0.5, 1.0) * min(grobid.busy_cap, grobid.busy_step * 2 ** min(request.waits, 30))
            if retry_after is not None:
                seconds = min(retry_after, grobid.retry_after_cap)
            request.waits += 1
            self.set_state(request, FileState.BUSY, seconds)
        if not self.stopped.wait(seconds):
            self.put_back(request)

    # A server that has gone

    def suspend(self) -> bool:
        """Stop sending; True for the first worker to say so, whose task it is to look for the server."""
        with self._changed:
            first, self._away = not self._away, True
            return first

    def wait_suspended(self, seconds: float) -> bool:
        """Wait before the next look; True when the run has stopped."""
        self.events.put(StateChange(None, FileState.AWAY, seconds))
        self._away_for += seconds
        return self.stopped.wait(seconds)

    def suspended_too_long(self) -> bool:
        return self._away_for >= self._grobid.away_patience

    def resume(self) -> None:
        with self._changed:
            self._away = False
            self._changed.notify_all()

    # The end

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

    def _sound_answer(self) -> None:
        """The server has said something sensible about a file: it is well, and earlier failures were the files' own."""
        self._answered_at = time.monotonic()
        self._away_for = 0.0
        self._proven = True
        self._doubts.clear()
        self._failed_in_a_row.clear()
        self._release_held()

    def _release_held(self) -> None:
        held, self._held = self._held, []
        for request, failure in held:
            self._finish(request, failure)

    def _finish(self, request: Request, outcome: Outcome) -> None:
        if self.stopped.is_set():
            return
        self.set_state(request, FileState.DONE if isinstance(outcome, Parsed) else FileState.FAILED)
        self._undelivered += 1
        self.events.put(outcome)
        self._flying.discard(request)
        self._changed.notify_all()

    def _return(self, request: Request, *, first: bool = False) -> None:
        self.set_state(request, FileState.QUEUED)
        self._flying.discard(request)
        line = self._alone if request.alone else self._waiting
        if first:
            line.appendleft(request)
        else:
            line.append(request)
        self._changed.notify_all()
