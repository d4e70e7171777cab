"""A figure as a table: the same numbers for whoever does not see the plot, or wants to copy them."""

from __future__ import annotations

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from desktop.ui.pages.dashboard.figures import Figure, Mark
from desktop.ui.pages.dashboard.words import percent
from desktop.ui.widgets.plain import plain_tip

Index = QModelIndex | QPersistentModelIndex
_ROOT = QModelIndex()


class NumbersModel(QAbstractTableModel):
    """A line for each mark: its names, its count and its share."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._columns: tuple[str, ...] = ()
        self._marks: tuple[Mark, ...] = ()

    def show_figure(self, figure: Figure) -> None:
        self.beginResetModel()
        self._columns, self._marks = figure.columns, figure.numbers
        self.endResetModel()

    def mark(self, row: int) -> Mark:
        return self._marks[row]

    def tsv(self) -> str:
        """All of it as tab-separated text: plain numbers, shares from 0 to 1."""
        lines = [self._columns]
        lines += [(*mark.names, str(mark.count), f"{mark.share:.4f}") for mark in self._marks]
        return "".join("\t".join(line) + "\n" for line in lines)

    def rowCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self._marks)

    def columnCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self._columns)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid():
            return None
        mark = self._marks[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return (*mark.names, f"{mark.count:,}", percent(mark.share))[index.column()]
        if role == Qt.ItemDataRole.ToolTipRole:
            return plain_tip(mark.note)
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _aligned(index.column() >= len(self._columns) - 2)
        return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if orientation != Qt.Orientation.Horizontal or not 0 <= section < len(self._columns):
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return self._columns[section]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _aligned(section >= len(self._columns) - 2)
        return None


def _aligned(right: bool) -> Qt.AlignmentFlag:
    side = Qt.AlignmentFlag.AlignRight if right else Qt.AlignmentFlag.AlignLeft
    return side | Qt.AlignmentFlag.AlignVCenter
