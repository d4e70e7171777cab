"""A table of which whole rows are selected."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractItemView, QTableView

_ENDS = (Qt.Key.Key_Home, Qt.Key.Key_End)


class RowTableView(QTableView):
    """Home and End select the first and the last row; with Shift all rows on the way."""

    def moveCursor(self, action: QAbstractItemView.CursorAction, modifiers: Qt.KeyboardModifier) -> QModelIndex:
        rows = self.model().rowCount() if self.model() else 0
        if rows and action in (QAbstractItemView.CursorAction.MoveHome, QAbstractItemView.CursorAction.MoveEnd):
            row = 0 if action is QAbstractItemView.CursorAction.MoveHome else rows - 1
            return self.model().index(row, max(0, self.currentIndex().column()))
        return super().moveCursor(action, modifiers)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        control = Qt.KeyboardModifier.ControlModifier
        if event.key() in _ENDS and event.modifiers() & control:  # else the cursor would leave the selection behind
            event = QKeyEvent(event.type(), event.key(), event.modifiers() & ~control)
        super().keyPressEvent(event)

    def keyboardSearch(self, search: str) -> None:
        """Nothing: Qt would read every row there is."""

    def cursor_row(self) -> int:
        """The selected row that the person looks at: the one under the cursor, else the first; -1 where none is.

        The cursor leaves the selection by Ctrl and an arrow, or by a click that takes a row out of it.
        """
        if self.selectionModel().isSelected(self.currentIndex()):
            return self.currentIndex().row()
        selection = self.selectionModel().selection()
        return min((selection.at(place).top() for place in range(selection.count())), default=-1)
