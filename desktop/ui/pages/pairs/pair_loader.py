"""Reads the pairs for the table: the first ones at once, then the ids of all, and lines on request."""

from __future__ import annotations

from array import array
from typing import cast

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from desktop.jobs.pairs import table
from desktop.jobs.pairs.table import FirstPairs, PairList
from desktop.ui.pages.pairs.table_model import WINDOW_SIZE, PairTableModel
from desktop.ui.services.project_context import ProjectContext
from desktop.ui.services.runner import JobRun
from storage.pairs.filters import PairFilter, PairOrder
from storage.pairs.table import PairTableRow

_PAINT_DELAY_MS = 30  # time to paint the first pairs before the others are read
_RELOAD_DELAY_MS = 600  # between two reads of a table that keeps changing


class PairLoader(QObject):
    """Fills the table's model, in the background and page by page."""

    started = Signal()
    reloaded = Signal(object)  # PairList: all pairs, after a change
    outdated = Signal()  # the pairs changed while they were being read: call `reload`
    completed = Signal()  # all pairs of a new filter or order are in the table
    counted = Signal(object)  # int: the pairs of the project

    def __init__(self, context: ProjectContext, model: PairTableModel, parent: QObject) -> None:
        super().__init__(parent)
        self._context, self._model = context, model
        self._filter, self._order = PairFilter(), PairOrder()
        self._ids_to_restore: frozenset[int] = frozenset()
        self._windows: dict[JobRun, tuple[int, int]] = {}  # window and generation that a run reads lines for
        self._is_stale = False
        self._reload_timer = QTimer(self, singleShot=True, interval=_RELOAD_DELAY_MS)
        self._reload_timer.timeout.connect(self._reload)
        self._read_all_timer = QTimer(self, singleShot=True, interval=_PAINT_DELAY_MS)
        self._read_all_timer.timeout.connect(self._read_all)
        model.lines_requested.connect(self._on_lines_requested)

    @property
    def is_complete(self) -> bool:
        """Whether the table has all pairs of the filter, and their number is known."""
        is_reading = self._context.is_reading
        return not (is_reading(self._on_first) or self._read_all_timer.isActive() or is_reading(self._on_all))

    @property
    def query(self) -> tuple[PairFilter, PairOrder]:
        """The filter and order loaded last."""
        return self._filter, self._order

    def load(self, filter: PairFilter, order: PairOrder) -> None:
        """Load other pairs into the table, and cancel all reads for the previous ones."""
        self._filter, self._order = filter, order
        self._read_all_timer.stop()
        self._context.cancel_read(self._on_all)
        self._context.cancel_read(self._on_reloaded)
        self._reload_timer.stop()
        self._is_stale = False
        self._context.read(table.load_first(self._context.project, filter, order, WINDOW_SIZE), self._on_first)
        self.started.emit()

    def reload(self, ids_to_restore: frozenset[int]) -> None:
        """List the pairs again, as others may match the filter now. `reloaded` gives the rows of `ids_to_restore`."""
        self._ids_to_restore = ids_to_restore
        if not self.is_complete:
            self.load(self._filter, self._order)
        elif self._context.is_reading(self._on_reloaded) or self._reload_timer.isActive():
            self._is_stale = True
        else:
            self._reload()

    def count(self) -> None:
        """Count the pairs of the project; `counted` gives the result."""
        self._context.read(table.count_pairs(self._context.project), self.counted.emit)

    @Slot()
    def _reload(self) -> None:
        self._is_stale = False
        job = table.load_all(self._context.project, self._filter, self._order, self._ids_to_restore)
        self._context.read(job, self._on_reloaded)

    @Slot(object)
    def _on_first(self, first: FirstPairs) -> None:
        if not first.is_complete:
            self._read_all_timer.start()
        self._model.show_ids(first.ids, first.lines)
        if first.is_complete:
            self.completed.emit()

    @Slot()
    def _read_all(self) -> None:
        self._context.read(table.load_all(self._context.project, self._filter, self._order), self._on_all)

    @Slot(object)
    def _on_all(self, listed: PairList) -> None:
        if self._model.extend(listed.ids):
            self.completed.emit()
        else:
            self.outdated.emit()

    @Slot(object)
    def _on_reloaded(self, listed: PairList) -> None:
        self.reloaded.emit(listed)
        if self._is_stale:
            self._reload_timer.start()

    @Slot(int, object)
    def _on_lines_requested(self, window: int, ids: array[int]) -> None:
        generation = self._model.generation
        run = self._context.runner.read(table.load_lines(self._context.project, ids))
        self._windows[run] = window, generation  # no lambda as slot: Qt would not disconnect it with the page
        run.done.connect(self._on_lines)
        run.failed.connect(self._context.problems.show)
        run.ended.connect(self._on_lines_ended)

    @Slot(object)
    def _on_lines(self, lines: list[PairTableRow]) -> None:
        self._model.put_lines(*self._windows[cast(JobRun, self.sender())], lines)

    @Slot()
    def _on_lines_ended(self) -> None:
        self._model.cancel_request(*self._windows.pop(cast(JobRun, self.sender())))
