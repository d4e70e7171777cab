"""GROBID's pool of engines."""

from __future__ import annotations

import threading


class EnginePool:
    """`borrow` waits `max_wait` seconds for one of `size` engines; waiters are served one at a time, so waits add up.

    So does GROBID: borrowing is a static synchronized method (GrobidPoolingFactory).
    """

    def __init__(self, size: int, max_wait: float) -> None:
        self.size = size
        self.active = 0
        self._max_wait = max_wait
        self._turn = threading.Lock()
        self._freed = threading.Condition()

    def borrow(self) -> bool:
        with self._turn, self._freed:
            if not self._freed.wait_for(lambda: self.active < self.size, self._max_wait):
                return False
            self.active += 1
            return True

    def give_back(self) -> None:
        with self._freed:
            self.active -= 1
            self._freed.notify()
