"""The model of the table of pairs: ids in order, and windows of lines that are read when they are painted."""

from __future__ import annotations

from array import array
from collections import OrderedDict
from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt, QTimer, Signal

from desktop.ui.pages.pairs.columns import COLUMNS, ColumnKind
from desktop.ui.widgets.labels import plain_tip
from storage.pairs.filters import PairOrder, SortColumn
from storage.pairs.table import PairTableRow

_Index = QModelIndex | QPersistentModelIndex
WINDOW_SIZE = 64  # lines read at a time: more than fit on a screen
_MAX_CACHED_WINDOWS = 48
_MAX_RUNNING_REQUESTS = 2
_MAX_QUEUED_WINDOWS = 4  # windows painted before these have most likely been scrolled away

LINE_ROLE = Qt.ItemDataRole.UserRole  # PairTableRow; None while it is being read
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


class PairTableModel(QAbstractTableModel):
    """Shows the lines it knows and requests the others.

    Every window requested by `lines_requested` is answered by `put_lines` or `cancel_request`. While the person
    scrolls, only the last few windows are requested.
    """

    lines_requested = Signal(int, object)  # a window's number, and the ids of its lines
    order_requested = Signal(object)  # PairOrder

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._ids: array[int] = array("q")
        self._windows: OrderedDict[int, list[PairTableRow | None]] = OrderedDict()
        self._stale: set[int] = set()  # windows that are shown as they were until they are read again
        self._queue: OrderedDict[int, None] = OrderedDict()  # windows to request, the last painted last
        self._requested: set[int] = set()
        self._generation = 0
        self._request_timer = QTimer(self, singleShot=True, interval=0)
        self._request_timer.timeout.connect(self._request_windows)

    def show_ids(self, ids: array[int], lines: Sequence[PairTableRow] = ()) -> None:
        """Show other pairs. `lines`: of the first rows."""
        self.beginResetModel()
        self._ids = ids
        self._windows.clear()
        self._forget_requests()
        for low in range(0, len(lines), WINDOW_SIZE):
            if low + WINDOW_SIZE <= len(lines) or len(lines) == len(ids):
                self._windows[low // WINDOW_SIZE] = list(lines[low : low + WINDOW_SIZE])
        self.endResetModel()

    def extend(self, ids: array[int]) -> bool:
        """Append rows. `ids` must begin with the shown ids; otherwise nothing is done, and False returned."""
        old_count = len(self._ids)
        if ids[:old_count] != self._ids:
            return False
        if len(ids) > old_count:
            self._windows.pop(old_count // WINDOW_SIZE, None)
            self.beginInsertRows(QModelIndex(), old_count, len(ids) - 1)
            self._ids = ids
            self.endInsertRows()
        return True

    def replace_ids(self, ids: array[int]) -> None:
        """Show these ids after a change of the same table; known lines are shown until they are read again."""
        known = {line.id: line for window in self._windows.values() for line in window if line is not None}
        numbers = sorted({number + step for number in self._windows for step in (-1, 0, 1)})
        self.beginResetModel()
        self._ids = ids
        self._forget_requests()
        self._windows.clear()
        for number in numbers:
            window_ids = ids[number * WINDOW_SIZE : (number + 1) * WINDOW_SIZE] if number >= 0 else ()
            if any(id in known for id in window_ids):
                self._windows[number] = [known.get(id) for id in window_ids]
                self._stale.add(number)
        self.endResetModel()

    def invalidate(self) -> None:
        """Read the lines on screen again, since any may have changed; show the old ones until then."""
        self._forget_requests()
        self._stale = set(self._windows)
        self._repaint(0, len(self._ids) - 1)

    def put_lines(self, window: int, generation: int, lines: Sequence[PairTableRow]) -> None:
        """Take the lines of a requested window, which lack pairs that no longer exist."""
        if generation != self._generation:
            return
        self._requested.discard(window)
        by_id = {line.id: line for line in lines}
        low = window * WINDOW_SIZE
        ids = self._ids[low : low + WINDOW_SIZE]
        self._windows[window] = [by_id.get(id) for id in ids]
        self._windows.move_to_end(window)
        self._stale.discard(window)
        while len(self._windows) > _MAX_CACHED_WINDOWS:
            self._stale.discard(self._windows.popitem(last=False)[0])
        if ids:
            self._repaint(low, low + len(ids) - 1)
        self._request_timer.start()

    def cancel_request(self, window: int, generation: int) -> None:
        """Forget a request that failed; the window is requested again when it is painted again."""
        if generation == self._generation:
            self._requested.discard(window)

    @property
    def generation(self) -> int:
        """A number that changes whenever lines being read have become outdated, so that `put_lines` ignores them."""
        return self._generation

    @property
    def ids(self) -> array[int]:
        return self._ids

    def line(self, row: int) -> PairTableRow | None:
        """The line of a row; None when it has not been read yet, and it is then requested."""
        if not 0 <= row < len(self._ids):
            return None
        number, offset = divmod(row, WINDOW_SIZE)
        window = self._windows.get(number)
        if window is None or number in self._stale:
            self._enqueue(number)
        if window is None or offset >= len(window):
            return None
        return window[offset]

    def has_suggestions(self) -> bool:
        """Whether any of the lines read so far has a suggestion."""
        return any(line is not None and line.suggested for window in self._windows.values() for line in window)

    def rowCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008  Qt's signature
        return 0 if parent.isValid() else len(self._ids)

    def flags(self, index: _Index) -> Qt.ItemFlag:
        return super().flags(index) | Qt.ItemFlag.ItemIsDragEnabled if index.isValid() else Qt.ItemFlag.NoItemFlags

    def columnCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(COLUMNS)

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        column = COLUMNS[index.column()]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _RIGHT if column.kind is ColumnKind.NUMBER else _LEFT
        if role not in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole, LINE_ROLE):
            return None
        line = self.line(index.row())
        if role == LINE_ROLE or line is None:
            return line
        if role == Qt.ItemDataRole.DisplayRole:
            return column.text(line)
        return plain_tip(column.text(line)) if column.kind in (ColumnKind.MARKS, ColumnKind.TEXT) else None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation is Qt.Orientation.Vertical or not 0 <= section < len(COLUMNS):
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return COLUMNS[section].title
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _RIGHT if COLUMNS[section].kind is ColumnKind.NUMBER else _LEFT
        return None

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Request the pairs in the order of a column; -1 stands for the order in the papers."""
        sort = COLUMNS[column].sort if 0 <= column < len(COLUMNS) else SortColumn.PAPER
        if sort is not None:
            self.order_requested.emit(PairOrder(sort, order is Qt.SortOrder.DescendingOrder))

    def _enqueue(self, window: int) -> None:
        if window in self._requested:
            return
        self._queue[window] = None
        self._queue.move_to_end(window)
        while len(self._queue) > _MAX_QUEUED_WINDOWS:
            self._queue.popitem(last=False)
        if not self._request_timer.isActive():
            self._request_timer.start()

    def _request_windows(self) -> None:
        while self._queue and len(self._requested) < _MAX_RUNNING_REQUESTS:
            window, _ = self._queue.popitem()
            low = window * WINDOW_SIZE
            if low < len(self._ids):
                self._requested.add(window)
                self.lines_requested.emit(window, self._ids[low : low + WINDOW_SIZE])

    def _forget_requests(self) -> None:
        self._generation += 1
        self._requested.clear()
        self._queue.clear()
        self._stale.clear()

    def _repaint(self, first: int, last: int) -> None:
        if first <= last:
            self.dataChanged.emit(self.index(first, 0), self.index(last, len(COLUMNS) - 1))
