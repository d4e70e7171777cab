"""Reads what the table shows: the first pairs at once, all of them behind, lines when they are seen."""

from __future__ import annotations

from array import array
from typing import cast

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from desktop.jobs.pairs import table as browse
from desktop.jobs.pairs.table import FirstPairs, PairList
from desktop.ui.pages.pairs.table_model import WINDOW, PairTable
from desktop.ui.services.project_context import ProjectContext
from desktop.ui.services.runner import JobRun, LatestRequest
from storage.pairs.filters import PairFilter, PairOrder
from storage.pairs.table import PairTableRow

_SHOWN = 30  # ms in which the first pairs are painted, before all others are read
_SOON = 600  # ms between two readings of a table that changes all the time


class PairLoader(QObject):
    began = Signal()
    listed = Signal(object)  # Listed: all pairs, after a change
    overtaken = Signal()  # the pairs changed while they were read: they are to be listed again
    ready = Signal()  # all pairs of a new filter or order are there
    counted = Signal(object)  # int: pairs of the project

    def __init__(self, context: ProjectContext, table: PairTable, parent: QObject) -> None:
        super().__init__(parent)
        self._context, self._table = context, table
        self._filter, self._order = PairFilter(), PairOrder()
        self._keep: frozenset[int] = frozenset()
        self._first, self._all, self._again, self._total = (LatestRequest(self) for _ in range(4))
        self._asked: dict[JobRun, tuple[int, int]] = {}  # a window of the table, and its age
        self._is_stale = False
        self._soon = QTimer(self, singleShot=True, interval=_SOON)
        self._soon.timeout.connect(self._read_again)
        self._then = QTimer(self, singleShot=True, interval=_SHOWN)
        self._then.timeout.connect(self._read_all)
        self._first.done.connect(self._on_first)
        self._all.done.connect(self._on_all)
        self._again.done.connect(self._on_again)
        self._total.done.connect(self.counted)
        for latest in (self._first, self._all, self._again, self._total):
            latest.failed.connect(context.problems.show)
        table.lines_requested.connect(self._on_lines_requested)

    @property
    def is_complete(self) -> bool:
        """The table has all pairs of the filter, and their number is known."""
        return not (self._first.is_waiting or self._then.isActive() or self._all.is_waiting)

    @property
    def shown(self) -> tuple[PairFilter, PairOrder]:
        """What was asked for last."""
        return self._filter, self._order

    def show(self, filter: PairFilter, order: PairOrder) -> None:
        """Another table; what was being read for the one before is dropped."""
        self._filter, self._order = filter, order
        self._then.stop()
        self._all.cancel()
        self._again.cancel()
        self._soon.stop()
        self._is_stale = False
        self._first.follow(self._context.runner.read(browse.load_first(self._context.project, filter, order, WINDOW)))
        self.began.emit()

    def read_again(self, keep: frozenset[int]) -> None:
        """The pairs may be others: list them again, soon; `keep`: ids whose places are wanted."""
        self._keep = keep
        if not self.is_complete:
            self.show(self._filter, self._order)
        elif self._again.is_waiting or self._soon.isActive():
            self._is_stale = True
        else:
            self._read_again()

    def count(self) -> None:
        self._total.follow(self._context.runner.read(browse.count_pairs(self._context.project)))

    @Slot()
    def _read_again(self) -> None:
        self._is_stale = False
        job = browse.load_all(self._context.project, self._filter, self._order, self._keep)
        self._again.follow(self._context.runner.read(job))

    @Slot(object)
    def _on_first(self, first: FirstPairs) -> None:
        if not first.is_complete:
            self._then.start()
        self._table.show_ids(first.ids, first.lines)
        if first.is_complete:
            self.ready.emit()

    @Slot()
    def _read_all(self) -> None:
        self._all.follow(self._context.runner.read(browse.load_all(self._context.project, self._filter, self._order)))

    @Slot(object)
    def _on_all(self, listed: PairList) -> None:
        if self._table.extend(listed.ids):
            self.ready.emit()
        else:
            self.overtaken.emit()

    @Slot(object)
    def _on_again(self, listed: PairList) -> None:
        self.listed.emit(listed)
        if self._is_stale:
            self._soon.start()

    @Slot(int, object)
    def _on_lines_requested(self, window: int, ids: array[int]) -> None:
        age = self._table.age
        run = self._context.runner.read(browse.load_lines(self._context.project, ids))
        self._asked[run] = window, age  # slots are connected, no lambdas: Qt lets go of them when the page goes
        run.done.connect(self._on_lines)
        run.failed.connect(self._context.problems.show)
        run.ended.connect(self._on_lines_ended)

    @Slot(object)
    def _on_lines(self, lines: list[PairTableRow]) -> None:
        self._table.put_lines(*self._asked[cast(JobRun, self.sender())], lines)

    @Slot()
    def _on_lines_ended(self) -> None:
        self._table.drop_requested(*self._asked.pop(cast(JobRun, self.sender())))
