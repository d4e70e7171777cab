"""Table views of whole rows, headers in which only some columns sort, and the style of tables on cards."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, QObject, Qt, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractItemView, QFrame, QHeaderView, QTableView, QWidget

from desktop.ui.theme import Theme
from desktop.ui.widgets.list_keys import list_keys

# In unscaled pixels, of tables on cards:
HEADER_HEIGHT = 32
ROW_HEIGHT = 28

_HOME_AND_END = (Qt.Key.Key_Home, Qt.Key.Key_End)


class RowTableView(QTableView):
    """A table of whole rows; with Shift, Home and End select all rows up to the first and the last."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        list_keys(self)

    def moveCursor(self, action: QAbstractItemView.CursorAction, modifiers: Qt.KeyboardModifier) -> QModelIndex:
        rows = self.model().rowCount() if self.model() else 0
        if rows and action in (QAbstractItemView.CursorAction.MoveHome, QAbstractItemView.CursorAction.MoveEnd):
            row = 0 if action is QAbstractItemView.CursorAction.MoveHome else rows - 1
            return self.model().index(row, max(0, self.currentIndex().column()))
        return super().moveCursor(action, modifiers)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        control = Qt.KeyboardModifier.ControlModifier
        if event.key() in _HOME_AND_END and event.modifiers() & control:  # else Qt moves the cursor alone
            event = QKeyEvent(event.type(), event.key(), event.modifiers() & ~control)
        super().keyPressEvent(event)

    def keyboardSearch(self, search: str) -> None:
        """Do nothing; Qt would read every row of the model."""

    def cursor_row(self) -> int:
        """The selected row under the cursor, else the first selected row; -1 if none is selected.

        The cursor leaves the selection with Ctrl and an arrow key, or when a click deselects its row.
        """
        if self.selectionModel().isSelected(self.currentIndex()):
            return self.currentIndex().row()
        selection = self.selectionModel().selection()
        return min((selection.at(index).top() for index in range(selection.count())), default=-1)


class SortableColumns(QObject):
    """Makes only some columns sortable; a click on another column's header changes nothing."""

    def __init__(self, table: QTableView, sortable: Sequence[bool]) -> None:
        super().__init__(table)
        self._head, self._sortable = table.horizontalHeader(), sortable
        self._sort_order = self._head.sortIndicatorSection(), self._head.sortIndicatorOrder()
        self._head.sortIndicatorChanged.connect(self._on_changed)

    @Slot(int, Qt.SortOrder)
    def _on_changed(self, column: int, order: Qt.SortOrder) -> None:
        if 0 <= column < len(self._sortable) and not self._sortable[column]:
            self._head.setSortIndicator(*self._sort_order)
        else:
            self._sort_order = column, order


def style_table(table: QTableView, theme: Theme) -> None:
    """Style a table on a card: dense rows, no grid, one row selected at a time, and the keys of every list."""
    list_keys(table)
    table.setShowGrid(False)
    table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
    table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
    table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
    table.setTabKeyNavigation(False)
    table.setWordWrap(False)
    table.setCornerButtonEnabled(False)
    table.verticalHeader().setVisible(False)
    table.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
    table.verticalHeader().setMinimumSectionSize(theme.px(20))
    table.verticalHeader().setDefaultSectionSize(theme.px(ROW_HEIGHT))
    table.horizontalHeader().setHighlightSections(False)
    table.setFrameShape(QFrame.Shape.NoFrame)
    table.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
    table.setStyleSheet(
        f"QTableView, QTableView:focus {{ border: none; border-radius: 0; }}"
        f"QTableView::item {{ padding: 0 {theme.px(5)}px; }}"
        f"QHeaderView::up-arrow, QHeaderView::down-arrow {{ width: 0; height: 0; image: none; }}"
    )
