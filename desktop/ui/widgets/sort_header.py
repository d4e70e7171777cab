"""Heads of tables of which some columns cannot be sorted by."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QObject, Qt, Slot
from PySide6.QtWidgets import QTableView


class SortableColumns(QObject):
    """A click on the head of another column leaves the order, and the arrow, as they are."""

    def __init__(self, table: QTableView, sortable: Sequence[bool]) -> None:
        super().__init__(table)
        self._head, self._sortable = table.horizontalHeader(), sortable
        self._shown = self._head.sortIndicatorSection(), self._head.sortIndicatorOrder()
        self._head.sortIndicatorChanged.connect(self._on_changed)

    @Slot(int, Qt.SortOrder)
    def _on_changed(self, column: int, order: Qt.SortOrder) -> None:
        if 0 <= column < len(self._sortable) and not self._sortable[column]:
            self._head.setSortIndicator(*self._shown)
        else:
            self._shown = column, order
