"""The table of pairs: ids in order, and windows of lines that are read when they are first seen."""

from __future__ import annotations

from array import array
from collections import OrderedDict
from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt, QTimer, Signal

from desktop.ui.pages.pairs.columns import COLUMNS, Kind
from desktop.ui.widgets.labels import plain_tip
from storage.pairs.filters import PairOrder
from storage.pairs.filters import SortColumn as By
from storage.pairs.table import PairTableRow

_Index = QModelIndex | QPersistentModelIndex
WINDOW = 64  # lines read together: more than a screen has
_KEPT = 48  # windows
_ASKED = 2  # windows read at a time
_WAITING = 4  # windows that wait for it; those seen before them are most likely out of sight

LINE_ROLE = Qt.ItemDataRole.UserRole  # PairLine, None while it is read
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


class PairTable(QAbstractTableModel):
    """Shows what it was given and asks for the rest.

    Windows asked for by `lines_requested` are answered by `put_lines`, or given up by `drop_requested`; while the
    person scrolls, only the last few seen are asked for.
    """

    lines_requested = Signal(int, object)  # a window's number, and the ids of its lines
    order_requested = Signal(object)  # Order

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._ids: array[int] = array("q")
        self._windows: OrderedDict[int, list[PairTableRow | None]] = OrderedDict()
        self._stale: set[int] = set()  # windows shown as they were until they are read again
        self._wanted: OrderedDict[int, None] = OrderedDict()  # the last seen last
        self._asked: set[int] = set()
        self._age = 0
        self._soon = QTimer(self, singleShot=True, interval=0)
        self._soon.timeout.connect(self._ask)

    # What it shows

    def show_ids(self, ids: array[int], lines: Sequence[PairTableRow] = ()) -> None:
        """Another table; `lines` are of its first rows."""
        self.beginResetModel()
        self._ids = ids
        self._windows.clear()
        self._forget_asked()
        for low in range(0, len(lines), WINDOW):
            if low + WINDOW <= len(lines) or len(lines) == len(ids):
                self._windows[low // WINDOW] = list(lines[low : low + WINDOW])
        self.endResetModel()

    def extend(self, ids: array[int]) -> bool:
        """Show `ids`, of which those shown are the beginning; False, and nothing done, when they are not."""
        here = len(self._ids)
        if ids[:here] != self._ids:
            return False
        if len(ids) > here:
            self._windows.pop(here // WINDOW, None)
            self.beginInsertRows(QModelIndex(), here, len(ids) - 1)
            self._ids = ids
            self.endInsertRows()
        return True

    def replace_ids(self, ids: array[int]) -> None:
        """The same table after a change: lines known are shown until they are read again."""
        known = {line.id: line for window in self._windows.values() for line in window if line is not None}
        rows = sorted({number + step for number in self._windows for step in (-1, 0, 1)})
        self.beginResetModel()
        self._ids = ids
        self._forget_asked()
        self._windows.clear()
        for number in rows:
            part = ids[number * WINDOW : (number + 1) * WINDOW] if number >= 0 else ()
            if any(id in known for id in part):
                self._windows[number] = [known.get(id) for id in part]
                self._stale.add(number)
        self.endResetModel()

    def forget(self) -> None:
        """Any line may have changed: read again what is on screen, and show what was known until then."""
        self._forget_asked()
        self._stale = set(self._windows)
        self._repaint(0, len(self._ids) - 1)

    def put_lines(self, window: int, age: int, lines: Sequence[PairTableRow]) -> None:
        """The lines of a window that was asked for; those that are gone are missing."""
        if age != self._age:
            return
        self._asked.discard(window)
        found = {line.id: line for line in lines}
        low = window * WINDOW
        ids = self._ids[low : low + WINDOW]
        self._windows[window] = [found.get(id) for id in ids]
        self._windows.move_to_end(window)
        self._stale.discard(window)
        while len(self._windows) > _KEPT:
            self._stale.discard(self._windows.popitem(last=False)[0])
        if ids:
            self._repaint(low, low + len(ids) - 1)
        self._soon.start()

    def drop_requested(self, window: int, age: int) -> None:
        """The window could not be read; it is asked for again when it is seen again."""
        if age == self._age:
            self._asked.discard(window)

    @property
    def age(self) -> int:
        """Changes when what is being read is no longer wanted: for `put_lines`."""
        return self._age

    @property
    def ids(self) -> array[int]:
        return self._ids

    def line(self, row: int) -> PairTableRow | None:
        """The line as known; asks for it where it is not."""
        if not 0 <= row < len(self._ids):
            return None
        number, place = divmod(row, WINDOW)
        window = self._windows.get(number)
        if window is None or number in self._stale:
            self._want(number)
        if window is None or place >= len(window):
            return None
        return window[place]

    def has_suggested(self) -> bool:
        """Whether a line that is known has a suggestion."""
        return any(line is not None and line.suggested for window in self._windows.values() for line in window)

    # What Qt asks

    def rowCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008  Qt's signature
        return 0 if parent.isValid() else len(self._ids)

    def columnCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(COLUMNS)

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        column = COLUMNS[index.column()]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _RIGHT if column.kind is Kind.NUMBER else _LEFT
        if role not in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole, LINE_ROLE):
            return None
        line = self.line(index.row())
        if role == LINE_ROLE or line is None:
            return line
        if role == Qt.ItemDataRole.DisplayRole:
            return column.text(line)
        return plain_tip(column.text(line)) if column.kind in (Kind.MARKS, Kind.TEXT) else None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation is Qt.Orientation.Vertical or not 0 <= section < len(COLUMNS):
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return COLUMNS[section].title
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _RIGHT if COLUMNS[section].kind is Kind.NUMBER else _LEFT
        return None

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Ask for the pairs by a column; -1 is papers and places in them."""
        by = COLUMNS[column].by if 0 <= column < len(COLUMNS) else By.PAPER
        if by is not None:
            self.order_requested.emit(PairOrder(by, order is Qt.SortOrder.DescendingOrder))

    def _want(self, window: int) -> None:
        if window in self._asked:
            return
        self._wanted[window] = None
        self._wanted.move_to_end(window)
        while len(self._wanted) > _WAITING:
            self._wanted.popitem(last=False)
        if not self._soon.isActive():
            self._soon.start()

    def _ask(self) -> None:
        while self._wanted and len(self._asked) < _ASKED:
            window, _ = self._wanted.popitem()
            low = window * WINDOW
            if low < len(self._ids):
                self._asked.add(window)
                self.lines_requested.emit(window, self._ids[low : low + WINDOW])

    def _forget_asked(self) -> None:
        self._age += 1
        self._asked.clear()
        self._wanted.clear()
        self._stale.clear()

    def _repaint(self, first: int, last: int) -> None:
        if first <= last:
            self.dataChanged.emit(self.index(first, 0), self.index(last, len(COLUMNS) - 1))
