"""A table of rows in memory that a click on a header sorts: its columns, its model, and the view for a card."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt, Slot
from PySide6.QtGui import QFontMetricsF
from PySide6.QtWidgets import QHeaderView, QTableView, QWidget

from desktop.ui.theme import SMALL, Theme
from desktop.ui.widgets.labels import plain_tip
from desktop.ui.widgets.tables import HEADER_HEIGHT, ROW_HEIGHT, style_table

Index = QModelIndex | QPersistentModelIndex
Row = TypeVar("Row")
_ROOT = QModelIndex()


@dataclass(frozen=True, slots=True)
class TableColumn(Generic[Row]):
    """A column. text: of a cell. sort_key: a string or a number, of one type for all rows. tip: of the header."""

    title: str
    text: Callable[[Row], str]
    sort_key: Callable[[Row], Any]
    tip: str = ""
    is_left_aligned: bool = False

    @property
    def alignment(self) -> Qt.AlignmentFlag:
        side = Qt.AlignmentFlag.AlignLeft if self.is_left_aligned else Qt.AlignmentFlag.AlignRight
        return side | Qt.AlignmentFlag.AlignVCenter


class SortableTableModel(QAbstractTableModel, Generic[Row]):
    """Sorted by the column `sorted_by`, descending, until the user sorts by another.

    rows: the rows in their order from the top. order: the column sorted by, and the direction.
    """

    def __init__(self, columns: Sequence[TableColumn[Row]], sorted_by: int, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.columns = columns
        self.rows: list[Row] = []
        self.order = (sorted_by, Qt.SortOrder.DescendingOrder)

    def row_key(self, row: Row) -> Hashable:
        """A value that identifies a row."""
        raise NotImplementedError

    def tie_key(self, row: Row) -> Any:  # whatever can be compared
        """The order of rows that are equal in the column sorted by."""
        raise NotImplementedError

    def row_tip(self, row: Row) -> str:
        """The tooltip of a row."""
        raise NotImplementedError

    def show_rows(self, rows: Iterable[Row]) -> None:
        """Show these rows. The selection stays if they are the same rows in the same order, even with other values."""
        new_rows = self._sorted(rows)
        if [self.row_key(row) for row in new_rows] == [self.row_key(row) for row in self.rows]:
            self.rows = new_rows
            if new_rows:
                self.dataChanged.emit(self.index(0, 0), self.index(len(new_rows) - 1, len(self.columns) - 1))
            return
        self.beginResetModel()
        self.rows = new_rows
        self.endResetModel()

    def rowCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self.columns)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid():
            return None
        row, column = self.rows[index.row()], self.columns[index.column()]
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return column.text(row)
            case Qt.ItemDataRole.ToolTipRole:
                return plain_tip(self.row_tip(row))
            case Qt.ItemDataRole.TextAlignmentRole:
                return column.alignment
        return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if orientation != Qt.Orientation.Horizontal or not 0 <= section < len(self.columns):
            return None
        column = self.columns[section]
        match role:
            case Qt.ItemDataRole.DisplayRole:
                sorted_by, order = self.order
                arrow = "↓" if order == Qt.SortOrder.DescendingOrder else "↑"
                return f"{column.title} {arrow}" if section == sorted_by else column.title
            case Qt.ItemDataRole.ToolTipRole:
                return column.tip or None
            case Qt.ItemDataRole.TextAlignmentRole:
                return column.alignment
        return None

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        if not 0 <= column < len(self.columns):
            return
        self.layoutAboutToBeChanged.emit()
        old_indexes = self.persistentIndexList()
        keys = [self.row_key(self.rows[index.row()]) for index in old_indexes]
        self.order = (column, order)
        self.rows = self._sorted(self.rows)
        positions = {self.row_key(row): position for position, row in enumerate(self.rows)}
        new_indexes = [self.index(positions[key], index.column()) for key, index in zip(keys, old_indexes, strict=True)]
        self.changePersistentIndexList(old_indexes, new_indexes)
        self.layoutChanged.emit()
        self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, len(self.columns) - 1)

    def _sorted(self, rows: Iterable[Row]) -> list[Row]:
        column, order = self.order
        by_tie_key = sorted(rows, key=self.tie_key)
        return sorted(by_tie_key, key=self.columns[column].sort_key, reverse=order == Qt.SortOrder.DescendingOrder)


class SortableTableView(QTableView):
    """Shows a sortable model on a card."""

    def __init__(self, theme: Theme, model: SortableTableModel[Any], name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme, self._model = theme, model
        self._max_rows: int | None = None
        self._stretched: int | None = None
        theme.changed.connect(self._fit_again)
        sorted_by, order = model.order  # before Qt sorts by the first column
        self.setModel(model)
        self.setAccessibleName(name)
        style_table(self, theme)
        self.horizontalHeader().setFixedHeight(theme.px(HEADER_HEIGHT))
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSortingEnabled(True)
        self.sortByColumn(sorted_by, order)

    def fit_height(self, max_rows: int) -> None:
        """Make the table as high as its rows; with more than `max_rows` it scrolls."""
        self._max_rows = max_rows
        visible_rows = min(max_rows, max(1, len(self._model.rows)))
        self.setFixedHeight(self._theme.px(HEADER_HEIGHT) + self._theme.px(ROW_HEIGHT) * visible_rows)

    def fit_columns(self, stretched: int) -> None:
        """Make each column as wide as it needs; the column at this position takes the rest."""
        self._stretched = stretched
        head = self.horizontalHeader()
        for column in range(len(self._model.columns)):
            if column != stretched:
                head.setSectionResizeMode(column, QHeaderView.ResizeMode.Fixed)
                head.resizeSection(column, self.needed_width(column))
        head.setSectionResizeMode(stretched, QHeaderView.ResizeMode.Stretch)

    @Slot()
    def _fit_again(self) -> None:
        """Fit once more at a new scale."""
        if self._max_rows is not None:
            self.fit_height(self._max_rows)
        if self._stretched is not None:
            self.fit_columns(self._stretched)

    def needed_width(self, column: int) -> int:
        """The width that a column needs for its texts and its title, in pixels."""
        definition = self._model.columns[column]
        metrics = QFontMetricsF(self._theme.font())
        widest = max((metrics.horizontalAdvance(definition.text(row)) for row in self._model.rows), default=0.0)
        title_width = QFontMetricsF(self._theme.font(SMALL)).horizontalAdvance(f"{definition.title} ↓")
        return round(max(widest, title_width)) + self._theme.px(20)
