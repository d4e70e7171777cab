"""Collects Python's reference cycles in the window's thread, and in no other."""

from __future__ import annotations

import gc

from PySide6.QtCore import QObject, QTimer, Slot

_INTERVAL_MS = 200
_FULL_COLLECTION_FACTOR = 10  # of Python's threshold; a full collection stops all threads longest


class GarbageCollector(QObject):
    """Takes the place of Python's automatic collection, which runs in whichever thread allocates.

    If another thread destroys a widget while the window's thread destroys one, both can deadlock: the former has Qt's
    lock and waits for the interpreter's, the latter has the interpreter's and waits for Qt's. A threshold of 0 pauses
    the collection.
    """

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        gc.disable()
        self._timer = QTimer(self, interval=_INTERVAL_MS)
        self._timer.timeout.connect(self.collect)
        self._timer.start()

    @Slot()
    def collect(self) -> None:
        """If the youngest generation is due, collect the oldest due generation and all younger ones, as Python does."""
        (young, middle, old), (young_limit, middle_limit, old_limit) = gc.get_count(), gc.get_threshold()
        if not young_limit or young <= young_limit:
            return
        if old_limit and old > old_limit * _FULL_COLLECTION_FACTOR:  # Python 3.14.0 to 3.14.4 have no such limit
            gc.collect(2)
        else:
            gc.collect(1 if middle > middle_limit else 0)
