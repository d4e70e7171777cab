"""How fast the annotator answers, and how long the remaining pairs will take."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable

from desktop.text import duration
from desktop.translation import tr

_MAX_ANSWERS = 50  # answers that the pace is measured on, the last ones
_MIN_ANSWERS = 5  # before which it says nothing
_PAUSE_S = 180.0  # a longer time between two answers is a pause, and does not count


class Pace:
    """Counts the answers of this session; pauses between them are left out."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._last: float | None = None
        self._seconds: deque[float] = deque(maxlen=_MAX_ANSWERS)

    def add_answer(self) -> None:
        now = self._clock()
        if self._last is not None and now - self._last <= _PAUSE_S:
            self._seconds.append(now - self._last)
        self._last = now

    def text(self, left: int) -> str:
        """Pairs per hour, and the time that `left` pairs will take; "" while too few pairs are answered to tell."""
        if len(self._seconds) < _MIN_ANSWERS or not sum(self._seconds):
            return ""
        each = sum(self._seconds) / len(self._seconds)
        pace = tr("{each:,} an hour", each=round(3600 / each))
        return tr("{pace}, about {value} left", pace=pace, value=duration(max(1.0, left * each))) if left else pace
