"""Collects Python's reference cycles in the window's thread, and in no other."""

from __future__ import annotations

import gc

from PySide6.QtCore import QObject, QTimer, Slot

_INTERVAL_MS = 200
_FULL_COLLECTION_FACTOR = 10  # of Python's threshold; a full collection stops all threads longest


class GarbageCollector(QObject):
    """Takes the place of Python's automatic collection, which runs in whichever thread allocates.

    A thread that destroys a widget there can lock up with the window's, which destroys another one: it has Qt's lock
    and waits for the interpreter's, the window's thread the other way round. A threshold of 0 pauses the collection.
    """

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        gc.disable()
        self._timer = QTimer(self, interval=_INTERVAL_MS)
        self._timer.timeout.connect(self.collect)
        self._timer.start()

    @Slot()
    def collect(self) -> None:
        """Collect the oldest generation that is due; the younger ones are collected with it."""
        counts, (young, middle, old) = gc.get_count(), gc.get_threshold()
        if not young:
            return
        for generation, limit in ((2, old * _FULL_COLLECTION_FACTOR), (1, middle), (0, young)):
            if counts[generation] > limit:
                gc.collect(generation)
                return
