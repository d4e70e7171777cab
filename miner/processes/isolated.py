"""One long piece of work in a process of its own: it can crash, or fill the memory, and the program goes on."""

from __future__ import annotations

import contextlib
import pickle
import threading
import time
import traceback
from collections.abc import Callable
from enum import Enum
from multiprocessing.connection import Connection
from typing import Any, NamedTuple, TypeVar, cast

from miner.errors import UserError
from miner.processes.child import (
    POLL_SECONDS,
    Child,
    Failure,
    Ready,
    attempt,
    prepare_child,
)
from miner.progress import Cancelled, Progress

T = TypeVar("T")
E = TypeVar("E")
R = TypeVar("R")

_GRACE_SECONDS = 60.0  # to come to an end after it was cancelled
_EXIT_SECONDS = 1.0  # to be gone after its last message


class _Request(Enum):
    """What the program asks of the work."""

    GO_ON = "go on"
    PAUSE = "pause"
    CANCEL = "cancel"


class _Event(NamedTuple):
    value: object


class _Result(NamedTuple):
    value: object


class _WasCancelled:
    """The work ended with `Cancelled`."""


def run_isolated(
    function: Callable[[T, Callable[[E], None], Progress], R],
    argument: T,
    progress: Progress,
    on_event: Callable[[E], None] = lambda event: None,
    *,
    what: str = "The work",
) -> R:
    """What `function(argument, emit, progress)` returns; all of it is pickled.

    What it emits reaches `on_event`, on this thread, which should neither wait nor raise: requests to stop pass by
    here too. Its `progress` is paused and cancelled as this one is; it may then raise `Cancelled` or return what it
    has. Errors are raised here as there; `UserError`, with `what` as its subject, when the process dies. When this
    program dies, the work is cancelled.
    """
    child = Child(_serve, function, argument)
    requests = _Requests(child.pipe, progress)
    try:
        while True:
            requests.forward()
            message = _next_message(child, progress, what)
            match message:
                case None:
                    if not child.ready and (late := child.excess()):
                        child.give_up(late)
                case Ready():
                    child.ready = True
                case _Event(value):
                    with contextlib.suppress(Cancelled):  # it is forwarded above
                        on_event(cast(E, value))
                case _Result(value):
                    return cast(R, value)
                case _WasCancelled():
                    raise Cancelled
                case Failure():
                    raise _error(message, what)
    finally:
        child.finish(_EXIT_SECONDS)


def _next_message(child: Child, progress: Progress, what: str) -> object:
    """The child's next message; None when there is none for a moment."""
    try:
        return child.pipe.recv() if child.pipe.poll(POLL_SECONDS) else None
    except (EOFError, OSError) as exc:
        if progress.cancelled:
            raise Cancelled from exc
        child.give_up(Failure("crash"))
        hint = "Often that is a lack of memory. What was kept is still there: try to go on."
        raise UserError(f"{what} {child.how_it_ended()}.", hint=hint) from exc


def _error(failure: Failure, what: str) -> Exception:
    if failure.refusal is not None:
        return failure.refusal
    if failure.kind == "memory":
        hint = "Close other programs, or choose a smaller model or shorter batches."
        return UserError(f"{what} needed more memory than there is.", hint=hint)
    return RuntimeError(f"{what} met a bug in its own process:\n{failure.detail}")


class _Requests:
    """Forwards the state of a `Progress` to the work whenever it changes."""

    def __init__(self, pipe: Connection, progress: Progress) -> None:
        self._pipe, self._progress = pipe, progress
        self._sent = _Request.GO_ON
        self._cancelled_at = 0.0

    def forward(self) -> None:
        """`Cancelled` when the work has not ended long after it was told to."""
        request = _Request.GO_ON
        if self._progress.cancelled:
            request = _Request.CANCEL
        elif self._progress.paused:
            request = _Request.PAUSE
        if request is not self._sent:
            self._sent, self._cancelled_at = request, time.monotonic()
            with contextlib.suppress(OSError):  # it has just ended: its last message is in the pipe
                self._pipe.send(request)
        if request is _Request.CANCEL and time.monotonic() >= self._cancelled_at + _GRACE_SECONDS:
            raise Cancelled


def _serve(function: Callable[..., Any], argument: object, pipe: Connection) -> None:
    prepare_child()
    progress = Progress()
    threading.Thread(target=_obey, args=(pipe, progress), daemon=True).start()
    lock = threading.Lock()

    def send(message: object) -> None:
        with lock, contextlib.suppress(OSError):  # the program is gone: `_obey` cancels the work
            pipe.send(message)

    def work() -> object:
        try:
            return _Result(function(argument, lambda event: send(_Event(event)), progress))
        except Cancelled:
            return _WasCancelled()

    send(Ready())
    message = attempt(work)
    try:
        send(message)
    except (pickle.PicklingError, TypeError, AttributeError):
        send(Failure("error", traceback.format_exc()))


def _obey(pipe: Connection, progress: Progress) -> None:
    """Follow the program's requests; cancel the work when the program is gone."""
    try:
        while True:
            match pipe.recv():
                case _Request.PAUSE:
                    progress.pause()
                case _Request.CANCEL:
                    progress.cancel()
                case _:
                    progress.resume()
    except (EOFError, OSError):
        progress.cancel()
