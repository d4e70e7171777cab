"""One child process: how it starts, its limits of time and memory, and what its end means."""

from __future__ import annotations

import contextlib
import logging
import multiprocessing
import os
import signal
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Any, Literal, NamedTuple, TypeVar

import psutil

from miner.errors import UserError
from miner.progress import Cancelled

log = logging.getLogger(__name__)

R = TypeVar("R")

POLL_SECONDS = 0.1  # between two checks of time, memory and requests to stop
START_SECONDS = 300.0  # until a child must be ready: slow disks, large models
_EXIT_SECONDS = 5.0  # for a child that has closed its pipe to end by itself; its exit code then tells why
_NICE = 10 if os.name == "posix" else 0x4000  # BELOW_NORMAL_PRIORITY_CLASS
_TERMINATED = tuple(-number for name in ("SIGTERM", "SIGHUP") if (number := getattr(signal, name, 0)))
_CONTROL_C_EXIT = 0xC000013A  # on Windows: Ctrl-C, a closed console, the end of the session
_KILLED = (-9, 137)


@dataclass(frozen=True, slots=True)
class ProcessLimits:
    """Limits for one item: seconds of wall-clock time, and megabytes of resident memory of its process."""

    seconds: float = 120.0
    megabytes: int = 2_000


class Failure(NamedTuple):
    """Why an item has no result. `detail`: the traceback of an "error". `refusal`: the `UserError` of "refused"."""

    kind: Literal["timeout", "memory", "crash", "error", "refused"]
    detail: str = ""
    refusal: UserError | None = None


class ProcessStartError(UserError):
    """A child process ended before it was ready. No item is the cause, so no item may be marked as failed."""

    def __init__(self, failure: Failure) -> None:
        self.failure = failure
        if failure.refusal is not None:
            super().__init__(str(failure.refusal), hint=failure.refusal.hint)
            return
        cause = {"timeout": "it took too long", "memory": "there was not enough memory"}.get(failure.kind)
        cause = cause or failure.detail.strip().rpartition("\n")[2] or "it ended by itself"
        hint = "Close other programs and try again. If it happens again, reinstall Pairwright."
        super().__init__(f"A worker process could not start ({cause}). Nothing was marked as failed.", hint=hint)


class Ready:
    """The first message of a child process: it can be given work now."""


class Child:
    """A spawned process that runs `target(*arguments, pipe)`, with the program's end of its `pipe`.

    `ready`: whoever receives its `Ready` sets it. `deadline`: in seconds of `time.monotonic`.
    """

    def __init__(self, target: Callable[..., None], *arguments: object) -> None:
        """Start the process; `ProcessStartError` where the system has no process, memory or file for it."""
        context = multiprocessing.get_context("spawn")
        try:
            ends: tuple[Any, Any] = context.Pipe()  # of another class on Windows, with the same methods
            self.pipe: Connection[Any, Any] = ends[0]
            child_pipe: Connection[Any, Any] = ends[1]
            self._process = context.Process(target=target, args=(*arguments, child_pipe), daemon=True)
            with _interrupts_ignored():  # from its first instruction: Ctrl-C reaches the whole process group
                self._process.start()
        except OSError as exc:
            raise ProcessStartError(Failure("crash", exc.strerror or str(exc))) from exc
        child_pipe.close()
        self.ready = False
        self._was_killed = False  # by us, whatever its exit code then is
        self.deadline = time.monotonic() + START_SECONDS

    def exceeded_limit(self, limits: ProcessLimits | None = None) -> Failure | None:
        """The limit that the process has exceeded, of time or memory; None if it is within its limits."""
        if time.monotonic() > self.deadline:
            return Failure("timeout")
        if limits is None:
            return None
        # A dead child is noticed by its closed pipe; what cannot be asked now can be at the next check.
        with contextlib.suppress(psutil.Error, OSError):
            if psutil.Process(self._process.pid).memory_info().rss > limits.megabytes * 1_000_000:
                return Failure("memory")
        return None

    def kill(self) -> None:
        """End it at once."""
        self.close(0)

    def close(self, seconds: float) -> None:
        """Close the pipe, wait this many seconds for the process to end by itself, then kill it."""
        self.pipe.close()
        if seconds:
            self._process.join(seconds)
        if self._process.exitcode is None:
            self._was_killed = True
            self._process.kill()
        self._process.join()

    def abort(self, failure: Failure) -> None:
        """End it because of `failure`.

        Raises `Cancelled` where the system told it to end together with the program, which is no failure of its work,
        and `ProcessStartError` where it was not ready yet. A process that is killed here has never been told to end.
        """
        self.close(_EXIT_SECONDS if failure.kind == "crash" else 0)
        if not self._was_killed and was_told_to_end(self._process.exitcode):
            raise Cancelled
        if not self.ready:
            log.error("a worker process could not start (%s)\n%s", failure.kind, failure.detail)
            raise ProcessStartError(failure)

    def exit_text(self) -> str:
        """How the process ended, as words that follow "The training"."""
        if self._was_killed:
            return "did not answer any more"
        exit_code = self._process.exitcode
        return "was ended by the system" if exit_code in _KILLED else f"ended by itself, with code {exit_code}"


def was_told_to_end(exit_code: int | None, *, on_windows: bool = os.name == "nt") -> bool:
    """Whether a process that nobody killed has this exit code since the system told it to end with the program.

    On Windows multiprocessing says -SIGTERM of each process that it has killed, and of no other.
    """
    return exit_code == _CONTROL_C_EXIT if on_windows else exit_code in _TERMINATED


def prepare_child(*, is_awaited: bool = False) -> None:
    """Set up a child process: it ignores Ctrl-C, which the program handles, and gets a lower priority.

    is_awaited: a person waits for what it does, so that its priority stays that of the window.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if is_awaited:
        return
    with contextlib.suppress(psutil.Error, OSError):  # then it has the priority of the window
        psutil.Process().nice(_NICE)


def attempt(function: Callable[..., R], *arguments: object) -> R | Failure:
    """What the function returns, or its exception as a `Failure`."""
    try:
        return function(*arguments)
    except MemoryError:
        return Failure("memory")
    except UserError as exc:
        return Failure("refused", str(exc), exc)
    except Exception:  # noqa: BLE001  the job decides what a bug means
        return Failure("error", traceback.format_exc())


@contextlib.contextmanager
def _interrupts_ignored() -> Iterator[None]:
    """Processes started inside ignore Ctrl-C. Only the main thread can set that; otherwise `prepare_child` does."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    previous_handler = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, previous_handler)
