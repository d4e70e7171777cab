"""One long piece of work in a process of its own: it can crash, or fill the memory, and the program goes on."""

from __future__ import annotations

import contextlib
import math
import multiprocessing
import os
import pickle
import signal
import threading
import time
import traceback
from collections.abc import Callable
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any, TypeVar, cast

import psutil

from miner.errors import UserError
from miner.progress import Cancelled, Progress
from miner.workers import deaf_to_interrupts

T = TypeVar("T")
E = TypeVar("E")
R = TypeVar("R")

_POLL = 0.1  # seconds between looks at the wish to pause or stop
_GRACE = 60.0  # seconds to come to an end after the wish to stop
_NICE = 10 if os.name == "posix" else 0x4000  # BELOW_NORMAL_PRIORITY_CLASS


def run_apart(
    function: Callable[[T, Callable[[E], None], Progress], R],
    argument: T,
    progress: Progress,
    hear: Callable[[E], None] = lambda event: None,
    *,
    what: str = "The work",
) -> R:
    """What `function(argument, tell, progress)` returns; all of it crosses the border by pickle.

    What it tells reaches `hear`, on this thread, which should neither wait nor raise: the wish to stop passes by here
    too. Its `progress` is paused and cancelled as this one is; what it does then is its affair: it may return what it
    has. Errors are raised here as there; `UserError` when it dies. When this program dies, it is cancelled.
    """
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=_serve, args=(function, argument, theirs), daemon=True)
    with deaf_to_interrupts():  # from its first instruction: Ctrl-C reaches the whole group
        process.start()
    theirs.close()
    wishes = _Wishes(ours, progress)
    try:
        while True:
            if not wishes.pass_on():
                raise Cancelled
            try:
                if not ours.poll(_POLL):
                    continue
                kind, value = ours.recv()
            except (EOFError, OSError) as exc:
                raise _ended(process, progress, what) from exc
            match kind:
                case "event":
                    with contextlib.suppress(Cancelled):  # the wish is passed on above
                        hear(cast(E, value))
                case "done":
                    return cast(R, value)
                case "refused":
                    raise UserError(value[0], hint=value[1])
                case "cancelled":
                    raise Cancelled
                case "memory":
                    hint = "Close other programs, or choose a smaller model or shorter batches."
                    raise UserError(f"{what} needed more memory than there is.", hint=hint)
                case _:
                    raise RuntimeError(f"{what} met a bug in its own process:\n{value}")
    finally:
        ours.close()
        process.join(1)
        if process.is_alive():
            process.kill()
            process.join()


class _Wishes:
    """What people wish of the work, passed on to it whenever it changes."""

    def __init__(self, pipe: Connection, progress: Progress) -> None:
        self._pipe, self._progress = pipe, progress
        self._told = "go on"
        self._patient_until = math.inf

    def pass_on(self) -> bool:
        """False when the work has not ended for long after it should."""
        wish = "cancel" if self._progress.cancelled else "pause" if self._progress.paused else "go on"
        if wish != self._told:
            self._told = wish
            if wish == "cancel":
                self._patient_until = time.monotonic() + _GRACE
            with contextlib.suppress(OSError):  # it has just ended: its last word is in the pipe
                self._pipe.send(wish)
        return time.monotonic() < self._patient_until


def _ended(process: BaseProcess, progress: Progress, what: str) -> Exception:
    """What it means that the process is gone without a last word."""
    if progress.cancelled:
        return Cancelled()
    process.join(5)
    killed = process.exitcode in (-9, 137)
    how = "was ended by the system" if killed else f"ended by itself, with code {process.exitcode}"
    hint = "Often that is a lack of memory. What was kept is still there: try to go on."
    return UserError(f"{what} {how}.", hint=hint)


def _serve(function: Callable[..., Any], argument: object, pipe: Connection) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # only the program decides
    with contextlib.suppress(psutil.Error, OSError):  # then it is as urgent as the window, whose turn should come first
        psutil.Process().nice(_NICE)
    progress = Progress()
    threading.Thread(target=_obey, args=(pipe, progress), daemon=True).start()
    lock = threading.Lock()

    def say(kind: str, value: object) -> None:
        with lock, contextlib.suppress(OSError):  # the program is gone: `_obey` stops the work
            pipe.send((kind, value))

    try:
        result = function(argument, lambda event: say("event", event), progress)
    except Cancelled:
        say("cancelled", None)
    except UserError as exc:
        say("refused", (str(exc), exc.hint))
    except MemoryError:
        say("memory", None)
    except Exception:  # noqa: BLE001  crosses a process border: the program decides what a bug means
        say("bug", traceback.format_exc())
    else:
        try:
            say("done", result)
        except (pickle.PicklingError, TypeError, AttributeError):
            say("bug", traceback.format_exc())


def _obey(pipe: Connection, progress: Progress) -> None:
    """Pass on what the program wishes; stop the work when it is gone."""
    try:
        while True:
            match pipe.recv():
                case "pause":
                    progress.pause()
                case "cancel":
                    progress.cancel()
                case _:
                    progress.resume()
    except (EOFError, OSError):
        progress.cancel()
