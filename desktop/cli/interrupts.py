"""What ends a command early: Ctrl-C, SIGTERM, a closed terminal. The first asks its job to stop, the next stops it."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import Any

from miner.progress import Progress

_STOPPING = b"\nStopping; what is finished is kept. Once more: stop at once.\n"


class Interrupts:
    """The signals that came while the program was `listening`, and the job that they ask to stop.

    Without a job, and the second time, KeyboardInterrupt is raised; from then on they are ignored, so that what is
    unfinished can be cleared away.
    """

    def __init__(self) -> None:
        self._received: int | None = None
        self._progress: Progress | None = None
        self._raised = False

    @property
    def exit_code(self) -> int:
        """As shells have it: 130 for Ctrl-C, 143 for SIGTERM."""
        return 128 + (self._received or signal.SIGINT)

    @contextmanager
    def listening(self) -> Iterator[None]:
        """Within, the signals come here; only the main thread can see to it."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        kinds = [signal.SIGINT, signal.SIGTERM]
        if hasattr(signal, "SIGHUP") and signal.getsignal(signal.SIGHUP) != signal.SIG_IGN:  # nohup ignores it
            kinds.append(signal.SIGHUP)
        before: dict[int, Any] = {kind: signal.signal(kind, self._on_signal) for kind in kinds}
        try:
            yield
        finally:
            for kind, handler in before.items():  # a program that was told to end is not told again on its way out
                signal.signal(kind, signal.SIG_IGN if self._received else handler)

    @contextmanager
    def stopping(self, progress: Progress) -> Iterator[None]:
        """Within, the first signal asks this job to stop at a good place."""
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
        with suppress(OSError, ValueError, AttributeError):  # nobody to tell
            if sys.stderr.isatty():
                os.write(sys.stderr.fileno(), _STOPPING)  # printing could meet itself in a signal's handler
