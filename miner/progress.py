"""One job, two faces: the same work reports to a command line or a window, and can be cancelled from either."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, NamedTuple, TypeVar

R = TypeVar("R")


class Cancelled(Exception):
    """Somebody asked the job to stop; what it had finished is kept."""


class Tick(NamedTuple):
    """How far a job has come: `done` of `total` (None while unknown), and a few words on what is in hand."""

    done: int
    total: int | None
    note: str = ""


class Progress:
    """Carries ticks out of a job and the wish to stop into it; reporting and asking are one call."""

    def __init__(self, listen: Callable[[Tick], None] | None = None) -> None:
        self._listen = listen
        self._stop = threading.Event()
        self._go = threading.Event()
        self._go.set()

    def cancel(self) -> None:
        """Ask the job to stop at its next tick; from any thread."""
        self._stop.set()
        self._go.set()

    def pause(self) -> None:
        """Ask the job to wait at its next tick until `resume` or `cancel`; from any thread."""
        if not self._stop.is_set():
            self._go.clear()

    def resume(self) -> None:
        self._go.set()

    @property
    def cancelled(self) -> bool:
        return self._stop.is_set()

    @property
    def paused(self) -> bool:
        return not self._go.is_set()

    def wait(self, seconds: float) -> bool:
        """Sleep at most `seconds`; True, at once, when the job should stop."""
        return self._stop.wait(seconds)

    def tick(self, done: int, total: int | None = None, note: str = "", *, may_wait: bool = True) -> None:
        """Report; waits while paused; raises `Cancelled` when the job should stop.

        Inside a transaction that writes it may not wait: nobody else could write meanwhile.
        """
        if self._stop.is_set():
            raise Cancelled
        if self._listen is not None:
            self._listen(Tick(done, total, note))
        if may_wait and not self._go.is_set():
            self._go.wait()
            if self._stop.is_set():
                raise Cancelled


@dataclass(frozen=True, slots=True)
class Job(Generic[R]):
    """A use case that has not started: `job.work(Progress())` does it and returns its result.

    `if_stopped` tells people what stays when it is stopped, and how it goes on.
    """

    title: str
    work: Callable[[Progress], R]
    if_stopped: str = "What it has finished is kept."
