"""Watches the window's thread: how long it did not answer and where it was, and when something was on the screen."""

from __future__ import annotations

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
    """`where`: the innermost lines of Python the thread was in, as far as they could be seen."""

    seconds: float
    where: str


class Watchdog(QObject):
    """A timer in the window's thread beats every 5 ms; a beat that comes late by x is a stall of x.

    Another thread looks at the clock of the last beat and, while one is late, notes where the window's thread is. What
    holds the interpreter's lock holds up that thread too, so the place is a hint; the length is exact.
    """

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._last = time.perf_counter()
        self._stalls: list[Stall] = []
        self._seen: tuple[float, str] = (0.0, "")
        self._thread = threading.get_ident()
        self._over = threading.Event()
        self._timer = QTimer(self)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._beat)
        self._timer.start(int(BEAT * 1000))
        threading.Thread(target=self._watch, daemon=True).start()

    def restart(self) -> None:
        """Forget what was: from here on it counts."""
        self._stalls.clear()
        self._last = time.perf_counter()

    def stop(self) -> None:
        self._over.set()
        self._timer.stop()

    @property
    def stalls(self) -> list[Stall]:
        """Those above 10 ms, the longest first."""
        return sorted(self._stalls, reverse=True)

    def _beat(self) -> None:
        now = time.perf_counter()
        late = now - self._last - BEAT
        if late > 0.01:
            since, where = self._seen
            self._stalls.append(Stall(late, where if since == self._last else ""))
        self._last = now

    def _watch(self) -> None:
        while not self._over.wait(0.004):
            last = self._last
            if time.perf_counter() - last > 0.03 and self._seen[0] != last:
                frame = sys._current_frames().get(self._thread)
                if frame is not None:
                    self._seen = (last, _where(frame))


def _where(frame: FrameType) -> str:
    lines = [f"{entry.filename}:{entry.lineno} {entry.name}" for entry in traceback.extract_stack(frame)]
    return " < ".join(reversed(lines[-6:]))


class Painted(QObject):
    """Tells when something that was waited for has been painted: `wait_for(shown)`, then `at`.

    Widgets are painted while their window handles UpdateRequest; `at` is when the thread was free again after the first
    of them before which `shown()` held.
    """

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._shown: Callable[[], object] | None = None
        self.at: float | None = None
        window.installEventFilter(self)

    def wait_for(self, shown: Callable[[], object]) -> None:
        self._shown, self.at = shown, None

    def eventFilter(self, _: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.UpdateRequest and self._shown is not None and self._shown():
            self._shown = None
            QTimer.singleShot(0, self._on_screen)
        return False

    def _on_screen(self) -> None:
        self.at = time.perf_counter()
