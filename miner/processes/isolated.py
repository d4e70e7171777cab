"""One long task in a process of its own: the program goes on when it crashes or fills the memory."""

from __future__ import annotations

import contextlib
import pickle
import threading
import time
import traceback
from collections.abc import Callable
from enum import Enum
from multiprocessing.connection import Connection
from typing import Any, NamedTuple, TypeVar, assert_never, cast

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

GRACE_SECONDS = 60.0  # to end after it was cancelled
_EXIT_SECONDS = 1.0  # to exit after its last message


class _Request(Enum):
    """What the program asks the task to do."""

    GO_ON = "go on"
    PAUSE = "pause"
    CANCEL = "cancel"


class _Event(NamedTuple):
    value: object


class _Result(NamedTuple):
    value: object


class _WasCancelled:
    """The task ended with `Cancelled`."""


def run_isolated(
    function: Callable[[T, Callable[[E], None], Progress], R],
    argument: T,
    progress: Progress,
    on_event: Callable[[E], None] = lambda event: None,
    *,
    subject: str = "The work",
    grace: float = GRACE_SECONDS,
) -> R:
    """Call `function(argument, emit, progress)` in a process of its own and return its result.

    The function, its argument and its result are pickled. `on_event` is called on this thread with each value that the
    function emits; it should neither wait nor raise, because this thread also forwards requests to stop. The function's
    `progress` is paused and cancelled together with this one; it may then raise `Cancelled` or return what it has.
    `grace`: the seconds that it has to end after it was cancelled, so that it can keep something. Exceptions of the
    function are raised here. When its process dies, a `UserError` names `subject`. When this program dies, the function
    is cancelled.
    """
    child = Child(_run_in_child, function, argument)
    requests = _Requests(child.pipe, progress, grace)
    try:
        while True:
            requests.forward()
            message = _next_message(child, progress, subject)
            match message:
                case None:
                    if not child.ready and (failure := child.exceeded_limit()):
                        child.abort(failure)
                case Ready():
                    child.ready = True
                case _Event(value):
                    with contextlib.suppress(Cancelled):  # the request is forwarded above
                        on_event(cast(E, value))
                case _Result(value):
                    return cast(R, value)
                case _WasCancelled():
                    raise Cancelled
                case Failure():
                    raise _error(message, subject)
    finally:
        child.close(_EXIT_SECONDS)


def _next_message(child: Child, progress: Progress, subject: str) -> object:
    """The child's next message; None when none arrives within `POLL_SECONDS`."""
    try:
        return child.pipe.recv() if child.pipe.poll(POLL_SECONDS) else None
    except (EOFError, OSError) as exc:
        if progress.cancelled:
            raise Cancelled from exc
        child.abort(Failure("crash"))
        hint = "Often that is a lack of memory. What was kept is still there: try to go on."
        raise UserError(f"{subject} {child.exit_text()}.", hint=hint) from exc


def _error(failure: Failure, subject: str) -> Exception:
    if failure.refusal is not None:
        return failure.refusal
    if failure.kind == "memory":
        hint = "Close other programs, or choose a smaller model or shorter batches."
        return UserError(f"{subject} needed more memory than there is.", hint=hint)
    return RuntimeError(f"{subject} met a bug in its own process:\n{failure.detail}")


class _Requests:
    """Forwards the state of a `Progress` to the task whenever it changes."""

    def __init__(self, pipe: Connection, progress: Progress, grace: float) -> None:
        self._pipe, self._progress, self._grace = pipe, progress, grace
        self._sent = _Request.GO_ON
        self._cancelled_at = 0.0

    def forward(self) -> None:
        """Send the state if it has changed; `Cancelled` when the task does not end in time after it was cancelled."""
        request = _Request.GO_ON
        if self._progress.cancelled:
            request = _Request.CANCEL
        elif self._progress.paused:
            request = _Request.PAUSE
        if request is not self._sent:
            self._sent, self._cancelled_at = request, time.monotonic()
            with contextlib.suppress(OSError):  # the child has just ended: its last message is in the pipe
                self._pipe.send(request)
        if request is _Request.CANCEL and time.monotonic() >= self._cancelled_at + self._grace:
            raise Cancelled


def _run_in_child(function: Callable[..., Any], argument: object, pipe: Connection) -> None:
    prepare_child()
    progress = Progress()
    threading.Thread(target=_follow_requests, args=(pipe, progress), daemon=True).start()
    lock = threading.Lock()

    def send(message: object) -> None:
        with lock, contextlib.suppress(OSError):  # the program has ended: `_follow_requests` cancels the task
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


def _follow_requests(pipe: Connection, progress: Progress) -> None:
    """Follow the program's requests; cancel the task when the program has ended."""
    try:
        while True:
            request: _Request = pipe.recv()
            match request:
                case _Request.PAUSE:
                    progress.pause()
                case _Request.CANCEL:
                    progress.cancel()
                case _Request.GO_ON:
                    progress.resume()
                case _:
                    assert_never(request)
    except (EOFError, OSError):
        progress.cancel()
