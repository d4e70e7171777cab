"""Watches the window's thread: how long it did not answer and where it was, and when something was on the screen."""

from __future__ import annotations

import gc
import sys
import threading
import time
import traceback
from collections.abc import Callable
from types import FrameType
from typing import NamedTuple

from PySide6.QtCore import QEvent, QObject, Qt, QTimer
from PySide6.QtWidgets import QWidget

BEAT = 0.005  # seconds between two signs of life


class Stall(NamedTuple):
    """`where`: what the thread, or all threads, were doing, as far as it could be seen."""

    seconds: float
    where: str


class Watchdog(QObject):
    """A timer in the window's thread beats every 5 ms; a beat that comes late by x is a stall of x.

    Another thread looks at the clock of the last beat and, while one is late, notes where the window's thread is. What
    holds the interpreter's lock holds up that thread too: then it notes where all threads are as soon as it can, so the
    place is a hint. The length is exact.
    """

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._last = time.perf_counter()
        self._late: list[tuple[float, float]] = []  # from, to
        self._seen: list[tuple[float, str]] = []
        self._thread = threading.get_ident()
        self._over = threading.Event()
        self._timer = QTimer(self)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._beat)
        self._timer.start(int(BEAT * 1000))
        self._collecting = 0.0
        gc.callbacks.append(self._on_garbage)
        threading.Thread(target=self._watch, daemon=True).start()

    def restart(self) -> None:
        """Forget what was: from here on it counts."""
        self._late.clear()
        self._last = time.perf_counter()

    def stop(self) -> None:
        self._over.set()
        self._timer.stop()
        gc.callbacks.remove(self._on_garbage)

    @property
    def stalls(self) -> list[Stall]:
        """Those above 10 ms, the longest first."""
        found = []
        for start, end in self._late:
            seen = [where for at, where in self._seen if start < at < end + 0.01]
            found.append(Stall(end - start - BEAT, seen[-1] if seen else ""))
        return sorted(found, reverse=True)

    def _beat(self) -> None:
        now = time.perf_counter()
        if now - self._last > 0.01 + BEAT:
            self._late.append((self._last, now))
        self._last = now

    _collected = (0.0, 0.0, 0)  # when, how long, generation

    def _on_garbage(self, phase: str, info: dict[str, int]) -> None:
        now = time.perf_counter()
        if phase == "start":
            self._collecting = now
        elif now - self._collecting > 0.01:
            self._collected = (now, now - self._collecting, info["generation"])

    def _watch(self) -> None:
        before, used = time.perf_counter(), time.process_time()
        while not self._over.wait(0.004):
            now, work = time.perf_counter(), time.process_time()
            held, worked = now - before, work - used
            before, used = now, work
            if now - self._last < 0.02 and held < 0.03:
                continue
            frames = sys._current_frames()
            where = _where(frames.pop(self._thread))
            if held > 0.02:  # somebody else had the interpreter's lock and has only just let it go
                frames.pop(threading.get_ident())
                names = {thread.ident: thread.name for thread in threading.enumerate()}
                others = (f"{names.get(ident, ident)}: {_where(frame)}" for ident, frame in frames.items())
                if now - self._collected[0] < held:
                    where = (
                        f"(garbage of generation {self._collected[2]} for {1000 * self._collected[1]:.0f} ms) {where}"
                    )
                said = f"held up {1000 * held:.0f} ms, {1000 * worked:.0f} ms of it at work, by one of"
                where = "\n      ".join((where, said, *others))
            self._seen.append((now, where))


def _where(frame: FrameType) -> str:
    lines = [
        f"{entry.filename.rpartition('/main/')[2]}:{entry.lineno} {entry.name}"
        for entry in traceback.extract_stack(frame)
    ]
    return " < ".join(reversed(lines[-5:]))


class PaintTimer(QObject):
    """Measures when something has been painted: call `wait_for(shown)`, then read `at`.

    Widgets are painted while their window, or the system's window behind it, handles UpdateRequest; `at` is when the
    thread was free again after the first of them before which `shown()` held.
    """

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._shown: Callable[[], object] | None = None
        self.at: float | None = None
        window.installEventFilter(self)
        handle = window.windowHandle()
        assert handle is not None
        handle.installEventFilter(self)

    def wait_for(self, shown: Callable[[], object]) -> None:
        self._shown, self.at = shown, None

    def eventFilter(self, _: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.UpdateRequest and self._shown is not None and self._shown():
            self._shown = None
            QTimer.singleShot(0, self._on_screen)
        return False

    def _on_screen(self) -> None:
        self.at = time.perf_counter()
