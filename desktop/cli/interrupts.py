"""Handles signals that end programs, such as Ctrl-C: the first cancels the job, the second ends the command."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import Any

from miner.progress import Progress

ENDING_SIGNALS = ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK")  # Windows lacks the third; Ctrl-Break there is the last
_STOPPING = b"\nStopping. What is finished is kept. Press Ctrl-C again to stop at once.\n"


class Interrupts:
    """Handles signals while `listening`. The first one cancels the job that runs within `stopping`.

    Without a job, and at the second signal, KeyboardInterrupt is raised; further signals are ignored, so that the
    command can clean up.
    """

    def __init__(self) -> None:
        self._received: int | None = None
        self._progress: Progress | None = None
        self._raised = False

    @property
    def exit_code(self) -> int:
        """The exit code by the convention of shells: 130 for Ctrl-C, 143 for SIGTERM."""
        return 128 + (self._received or signal.SIGINT)

    @contextmanager
    def listening(self) -> Iterator[None]:
        """Handle signals within this context; does nothing outside the main thread."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        kinds: list[int] = [getattr(signal, name) for name in ENDING_SIGNALS if hasattr(signal, name)]
        if hasattr(signal, "SIGHUP") and signal.getsignal(signal.SIGHUP) == signal.SIG_IGN:  # nohup ignores it
            kinds.remove(signal.SIGHUP)
        before: dict[int, Any] = {kind: signal.signal(kind, self._on_signal) for kind in kinds}
        report, sys.unraisablehook = sys.unraisablehook, lambda lost: _report_unless_interrupt(lost, report)
        try:
            yield
        finally:
            sys.unraisablehook = report
            for kind, handler in before.items():  # once a signal was received, ignore further ones
                signal.signal(kind, signal.SIG_IGN if self._received else handler)

    @contextmanager
    def stopping(self, progress: Progress) -> Iterator[None]:
        """Let the first signal cancel this job within this context."""
        before, self._progress = self._progress, progress
        try:
            yield
        finally:
            self._progress = before

    def _on_signal(self, number: int, _: FrameType | None) -> None:
        if self._raised:
            return
        self._received = self._received or number
        if self._progress is None or self._progress.cancelled:
            self._raised = True
            raise KeyboardInterrupt
        self._progress.cancel()
        with suppress(OSError, ValueError, AttributeError):  # stderr may be closed
            if sys.stderr.isatty():
                os.write(sys.stderr.fileno(), _STOPPING)  # print is not reentrant in a signal handler


def _report_unless_interrupt(lost: Any, report: Callable[[Any], object]) -> None:
    """Report an exception that could not be raised, unless it is an interrupt.

    Report an exception that could not be raised, unless it is an interrupt.

    Python prints a traceback where a second interrupt falls into a `__del__`; the first one stops the job anyhow.
    """
    if not issubclass(lost.exc_type, KeyboardInterrupt):
        report(lost)
