"""One child process: how it starts, what it may take, and what it means when it ends."""

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
from typing import Literal, NamedTuple, TypeVar

import psutil

from miner.errors import UserError
from miner.progress import Cancelled

log = logging.getLogger(__name__)

R = TypeVar("R")

POLL_SECONDS = 0.1  # between two looks at time, memory and requests to stop
START_SECONDS = 300.0  # until a child must be ready: slow disks, large models
_EXIT_SECONDS = 5.0  # for a child that has closed its pipe to be gone, so that its exit code tells why
_NICE = 10 if os.name == "posix" else 0x4000  # BELOW_NORMAL_PRIORITY_CLASS
_TERMINATED = tuple(-number for name in ("SIGTERM", "SIGHUP") if (number := getattr(signal, name, 0)))
_KILLED = (-9, 137)


@dataclass(frozen=True, slots=True)
class Limits:
    """What one item may take: seconds of wall-clock time, and megabytes of resident memory of its process."""

    seconds: float = 120.0
    megabytes: int = 2_000


class Failure(NamedTuple):
    """Why there is no result; `detail` is the traceback of an "error", `refusal` the `UserError` of a "refused"."""

    kind: Literal["timeout", "memory", "crash", "error", "refused"]
    detail: str = ""
    refusal: UserError | None = None


class ProcessStartError(UserError):
    """A child ended before it was ready: no item is the cause, so none may be marked as failed."""

    def __init__(self, failure: Failure) -> None:
        self.failure = failure
        if failure.refusal is not None:
            super().__init__(str(failure.refusal), hint=failure.refusal.hint)
            return
        why = {"timeout": "it took too long", "memory": "there was not enough memory"}.get(failure.kind)
        why = why or failure.detail.strip().rpartition("\n")[2] or "it ended by itself"
        hint = "Close other programs and try again. If it happens again, install Pairwright anew."
        super().__init__(f"A worker process could not start ({why}). Nothing was marked as failed.", hint=hint)


class Ready:
    """The first message of a child: it can be given work from now on."""


class Child:
    """A spawned process that runs `target(*arguments, pipe)`, and our end of its `pipe`.

    It is `ready` once its user has received `Ready` and said so here; `deadline` is in `time.monotonic` seconds.
    """

    def __init__(self, target: Callable[..., None], *arguments: object) -> None:
        """`ProcessStartError` where the system gives no process, memory or file for it."""
        context = multiprocessing.get_context("spawn")
        try:
            self.pipe, theirs = context.Pipe()
            self._process = context.Process(target=target, args=(*arguments, theirs), daemon=True)
            with _interrupts_ignored():  # from its first instruction: Ctrl-C reaches the whole process group
                self._process.start()
        except OSError as exc:
            raise ProcessStartError(Failure("crash", exc.strerror or str(exc))) from exc
        theirs.close()
        self.ready = False
        self.deadline = time.monotonic() + START_SECONDS

    def excess(self, limits: Limits | None = None) -> Failure | None:
        """Which limit it has passed, if any: its deadline, or the memory."""
        if time.monotonic() > self.deadline:
            return Failure("timeout")
        if limits is None:
            return None
        with contextlib.suppress(psutil.NoSuchProcess):  # a dead child is seen by its closed pipe
            if psutil.Process(self._process.pid).memory_info().rss > limits.megabytes * 1_000_000:
                return Failure("memory")
        return None

    def end(self) -> None:
        """End it at once."""
        self.finish(0)

    def finish(self, seconds: float) -> None:
        """End it, when it has not ended by itself after so many seconds; it can tell by the closed pipe."""
        self.pipe.close()
        if seconds:
            self._process.join(seconds)
        self._process.kill()
        self._process.join()

    def give_up(self, failure: Failure) -> None:
        """End it because of `failure`; one that crashed is gone already, or about to be.

        Raises `Cancelled` where it was told to end together with the program, which is no failure of its work, and
        `ProcessStartError` where it had not been ready.
        """
        self.finish(_EXIT_SECONDS if failure.kind == "crash" else 0)
        if self._process.exitcode in _TERMINATED:
            raise Cancelled
        if not self.ready:
            log.error("a worker process could not start (%s)\n%s", failure.kind, failure.detail)
            raise ProcessStartError(failure)

    def how_it_ended(self) -> str:
        """In words, after "The training"; it has ended."""
        code = self._process.exitcode
        return "was ended by the system" if code in _KILLED else f"ended by itself, with code {code}"


def prepare_child() -> None:
    """To be called first in a child: only the program answers Ctrl-C, and its window has the processor first."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with contextlib.suppress(psutil.Error, OSError):  # then it is as urgent as the window
        psutil.Process().nice(_NICE)


def attempt(function: Callable[..., R], *arguments: object) -> R | Failure:
    """What the function returns, or the failure that its exception is."""
    try:
        return function(*arguments)
    except MemoryError:
        return Failure("memory")
    except UserError as exc:
        return Failure("refused", str(exc), exc)
    except Exception:  # noqa: BLE001  crosses a process border: the job decides what a bug means
        return Failure("error", traceback.format_exc())


@contextlib.contextmanager
def _interrupts_ignored() -> Iterator[None]:
    """A process started inside ignores Ctrl-C. Only the main thread can do that; else `prepare_child` does, later."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
