"""The keys of every list: Enter opens, Delete removes, Home and End go to the ends, Ctrl+C copies the rows."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QItemSelectionModel, QMetaMethod, QModelIndex, QObject, Qt
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QAbstractItemView, QTableView

_MAX_COPIED_ROWS = 10_000  # a model may read each row from the project


class ListKeys(QObject):
    """Handles the keys of its list, as a child of it. A double click acts like Enter: the list emits `activated`.

    Shortcuts of the page take precedence, and so does the list's own handling of a key.
    """

    def __init__(self, view: QAbstractItemView) -> None:
        super().__init__(view)
        self._view = view
        self.remove: Callable[[], object] | None = None
        """Removes what is selected, after a question or in a way that can be undone; None: nothing can be removed."""
        self.opens = True
        """Enter emits `activated`; False: the list does something of its own."""
        self.copies = True
        """Ctrl+C copies the selected rows; False: the list does something of its own."""
        view.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if not isinstance(event, QKeyEvent) or watched is not self._view:
            return False
        if event.type() == QEvent.Type.ShortcutOverride:
            return self._takes(event)
        return event.type() == QEvent.Type.KeyPress and self._handle(event)

    def _takes(self, event: QKeyEvent) -> bool:
        """Keep Delete from the shortcuts of the page where the list removes something itself."""
        if event.key() == Qt.Key.Key_Delete and self.remove is not None:
            event.accept()
            return True
        return False

    def _handle(self, event: QKeyEvent) -> bool:
        key, plain = event.key(), not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        if event.matches(QKeySequence.StandardKey.Copy):
            return self.copies and self._copy()
        if key == Qt.Key.Key_Delete and plain and self.remove is not None:
            if self._view.selectionModel().hasSelection():
                self.remove()
            return True
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and plain and self.opens:
            return self._open()
        if key in (Qt.Key.Key_Home, Qt.Key.Key_End) and not event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            return self._go_to_end(is_first=key == Qt.Key.Key_Home)
        return False

    def _open(self) -> bool:
        """Emit `activated`, which Qt does only on some systems; False if nothing opens, so that Enter is passed on."""
        index = self._view.currentIndex()
        is_heard = self._view.isSignalConnected(QMetaMethod.fromSignal(self._view.activated))
        if index.isValid() and is_heard:
            self._view.activated.emit(index)
        return index.isValid() and is_heard

    def _copy(self) -> bool:
        text = rows_as_text(self._view)
        if text:
            QGuiApplication.clipboard().setText(text)
        return bool(text)

    def _go_to_end(self, *, is_first: bool) -> bool:
        """Select the first or the last row of a table of whole rows; other lists do this themselves."""
        view = self._view
        if not isinstance(view, QTableView) or view.selectionBehavior() != QTableView.SelectionBehavior.SelectRows:
            return False
        if rows := view.model().rowCount():
            row = 0 if is_first else rows - 1
            index = view.model().index(row, max(0, view.currentIndex().column()))
            flags = QItemSelectionModel.SelectionFlag
            view.selectionModel().setCurrentIndex(index, flags.ClearAndSelect | flags.Rows)  # also with Ctrl
        return True


def remove_by(view: QAbstractItemView, remove: Callable[[], object]) -> None:
    """Let Delete remove what is selected in a list."""
    list_keys(view).remove = remove


def list_keys(view: QAbstractItemView) -> ListKeys:
    """The object for the keys of a list, which is created at the first call."""
    found = view.findChild(ListKeys, options=Qt.FindChildOption.FindDirectChildrenOnly)
    return found if isinstance(found, ListKeys) else ListKeys(view)


def rows_as_text(view: QAbstractItemView) -> str:
    """The selected rows as tab-separated lines below the names of the columns; "" if nothing is selected.

    In a table with selection of single cells, only these cells. Hidden columns are left out; the order is the screen's.
    """
    indexes = _selected(view)
    if not indexes:
        return ""
    model = view.model()
    rows, columns = (sorted({place(index) for index in indexes}) for place in (QModelIndex.row, QModelIndex.column))
    if isinstance(view, QTableView):
        columns = [column for column in _shown_columns(view) if column in set(columns)]
    chosen = {(index.row(), index.column()): index for index in indexes}
    heads = [_cell(model.headerData(column, Qt.Orientation.Horizontal)) for column in columns]
    lines = [
        [_cell(chosen[row, column].data()) if (row, column) in chosen else "" for column in columns] for row in rows
    ]
    if isinstance(view, QTableView) and any(heads):
        lines = [heads, *lines]
    return "".join("\t".join(line) + "\n" for line in lines)


def _selected(view: QAbstractItemView) -> list[QModelIndex]:
    """The selected cells, or those of the current row."""
    selection = view.selectionModel()
    if not selection.hasSelection() and view.currentIndex().isValid():
        selection.select(view.currentIndex(), QItemSelectionModel.SelectionFlag.ClearAndSelect)
    spans = selection.selection()
    cells: list[QModelIndex] = []
    rows = 0
    for number in range(spans.count()):
        span = spans.at(number)
        rows += span.height()
        if rows > _MAX_COPIED_ROWS:
            break
        cells += span.indexes()
    return cells


def _shown_columns(view: QTableView) -> list[int]:
    """The columns from left to right."""
    header = view.horizontalHeader()
    order = (header.logicalIndex(place) for place in range(header.count()))
    return [column for column in order if not view.isColumnHidden(column)]


def _cell(value: object) -> str:
    """A value on one line, without tabs; the arrow of a sorted column is left out."""
    return "" if value is None else " ".join(str(value).removesuffix(" ↓").removesuffix(" ↑").split())
