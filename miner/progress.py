"""Jobs, which report progress and can be paused and cancelled, by the command line and the window alike."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, NamedTuple, TypeVar

R = TypeVar("R")


KEPT = "What was finished is kept."


class Cancelled(Exception):
    """The job was asked to stop. The text, if there is one, says what is kept."""


class Tick(NamedTuple):
    """Progress of a job: `done` of `total` items (None while unknown), and a few words on what it is doing."""

    done: int
    total: int | None
    note: str = ""


class Progress:
    """Connects a job and its caller: the job reports ticks, the caller pauses and cancels the job."""

    def __init__(self, listen: Callable[[Tick], None] | None = None) -> None:
        self._on_tick = listen
        self._cancelled = threading.Event()
        self._running = threading.Event()
        self._running.set()

    def cancel(self) -> None:
        """Ask the job to stop at its next tick; from any thread."""
        self._cancelled.set()
        self._running.set()

    def pause(self) -> None:
        """Ask the job to wait at its next tick until `resume` or `cancel`; from any thread."""
        if not self._cancelled.is_set():
            self._running.clear()

    def resume(self) -> None:
        self._running.set()

    @property
    def cancelled(self) -> bool:
        return self._cancelled.is_set()

    @property
    def paused(self) -> bool:
        return not self._running.is_set()

    def wait(self, seconds: float) -> bool:
        """Sleep at most `seconds`; True, at once, when the job should stop."""
        return self._cancelled.wait(seconds)

    def raise_if_cancelled(self) -> None:
        """Raise `Cancelled` when the job should stop; a paused one goes on."""
        if self._cancelled.is_set():
            raise Cancelled

    def tick(self, done: int, total: int | None = None, note: str = "", *, may_wait: bool = True) -> None:
        """Report progress, wait while the job is paused, raise `Cancelled` when it should stop.

        `may_wait=False` inside a write transaction: nobody else could write while it waits.
        """
        self.raise_if_cancelled()
        if self._on_tick is not None:
            self._on_tick(Tick(done, total, note))
        if may_wait and not self._running.is_set():
            self._running.wait()
            self.raise_if_cancelled()


@dataclass(frozen=True, slots=True)
class Job(Generic[R]):
    """A task that has not started: `job.work(Progress())` does it and returns its result.

    `if_stopped` tells the user what is kept when the job is stopped, and how to continue. `awaited` is what a page
    says meanwhile that has nothing to show before; "" for a job that no page waits for. `replaces_pairs`: only once it
    has ended is it known how many pairs there are.
    """

    title: str
    work: Callable[[Progress], R]
    if_stopped: str = KEPT
    awaited: str = ""
    replaces_pairs: bool = False
