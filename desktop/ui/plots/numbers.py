"""A figure as a table: the same numbers for whoever does not see the plot, or wants to copy them."""

from __future__ import annotations

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from desktop.text import percent
from desktop.ui.plots.figures import Figure, PlotMark, Value
from desktop.ui.widgets.labels import plain_tip

Index = QModelIndex | QPersistentModelIndex
_ROOT = QModelIndex()


class NumbersModel(QAbstractTableModel):
    """A row for each mark of the figure's numbers."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._figure = Figure()

    def show_figure(self, figure: Figure) -> None:
        self.beginResetModel()
        self._figure = figure
        self.endResetModel()

    def mark(self, row: int) -> PlotMark:
        return self._figure.numbers[row]

    def tsv(self) -> str:
        """All of it as tab-separated text: plain numbers, shares from 0 to 1."""
        rows = [[_plain(value) for value in mark.values] for mark in self._figure.numbers]
        return "".join("\t".join(row) + "\n" for row in [self._figure.columns, *rows])

    def rowCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self._figure.numbers)

    def columnCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self._figure.columns)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid():
            return None
        mark = self._figure.numbers[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return self._shown(mark.values[index.column()])
        if role == Qt.ItemDataRole.ToolTipRole:
            return plain_tip(mark.note)
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return self._alignment(index.column())
        return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if orientation != Qt.Orientation.Horizontal or not 0 <= section < len(self._figure.columns):
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return self._figure.columns[section]
        return self._alignment(section) if role == Qt.ItemDataRole.TextAlignmentRole else None

    def _shown(self, value: Value) -> str:
        if isinstance(value, float):
            return f"{100 * value:.{self._figure.decimals}f} %" if self._figure.decimals else percent(value)
        return f"{value:,}" if isinstance(value, int) else value

    def _alignment(self, column: int) -> Qt.AlignmentFlag:
        """Words to the left, numbers to the right."""
        words = any(isinstance(mark.values[column], str) for mark in self._figure.numbers[:1])
        side = Qt.AlignmentFlag.AlignLeft if words else Qt.AlignmentFlag.AlignRight
        return side | Qt.AlignmentFlag.AlignVCenter


def _plain(value: Value) -> str:
    return f"{value:.4f}" if isinstance(value, float) else str(value)
