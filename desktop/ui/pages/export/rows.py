"""The first rows of a file to be exported: what each says and its label, and the chosen one as it will be written."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt, Slot
from PySide6.QtGui import QFontDatabase
from PySide6.QtWidgets import QHeaderView, QPlainTextEdit, QVBoxLayout, QWidget

from desktop.ui.theme import Theme
from desktop.ui.widgets.tables import RowTableView
from miner.records import Label

Index = QModelIndex | QPersistentModelIndex
_ROOT = QModelIndex()
_COLUMNS = (("label", "gold_label"), ("sentence1", "premise"), ("sentence2", "hypothesis"))  # by any of these names
_LABEL = 0


class RowsModel(QAbstractTableModel):
    """Of each row the label and the sentences, under the names they have in the file."""

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._rows: list[dict[str, Any]] = []
        self._names: tuple[str, ...] = tuple(names[0] for names in _COLUMNS)

    def show_lines(self, lines: Sequence[str]) -> None:
        self.beginResetModel()
        self._rows = [json.loads(line) for line in lines]
        if self._rows:
            self._names = tuple(next(name for name in names if name in self._rows[0]) for names in _COLUMNS)
        self.endResetModel()

    def rowCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(_COLUMNS)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid():
            return None
        row, column = self._rows[index.row()], index.column()
        if role == Qt.ItemDataRole.DisplayRole:
            return self._label(row) if column == _LABEL else str(row[self._names[column]])
        if role == Qt.ItemDataRole.ForegroundRole and column == _LABEL:
            return self._theme.label_text_color(row.get("label_text") or row[self._names[_LABEL]] or "")
        return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if orientation != Qt.Orientation.Horizontal or not 0 <= section < len(_COLUMNS):
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return self._names[section]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        return None

    def _label(self, row: dict[str, Any]) -> str:
        """As it will be written, with the word beside a number."""
        written = row[self._names[_LABEL]]
        word = row.get("label_text")
        return f"{written} {word}" if word else json.dumps(written) if written is None else str(written)


class RowsView(QWidget):
    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._lines: tuple[str, ...] = ()
        self.model = RowsModel(theme, self)
        self.table = RowTableView()
        self.table.setModel(self.model)
        self.table.setAccessibleName("First rows of the file")
        self.table.setProperty("look", "plain")
        self.table.setSelectionBehavior(RowTableView.SelectionBehavior.SelectRows)
        self.table.setSelectionMode(RowTableView.SelectionMode.SingleSelection)
        self.table.setEditTriggers(RowTableView.EditTrigger.NoEditTriggers)
        self.table.setWordWrap(False)
        self.table.setShowGrid(False)
        self.table.setTabKeyNavigation(False)
        self.table.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.table.verticalHeader().hide()
        self.table.verticalHeader().setDefaultSectionSize(theme.px(28))
        header = self.table.horizontalHeader()
        header.setSectionsClickable(False)
        header.setHighlightSections(False)
        header.setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        header.setSectionResizeMode(_LABEL, QHeaderView.ResizeMode.Fixed)
        widest = max((f"0 {label}" for label in Label), key=header.fontMetrics().horizontalAdvance)
        header.resizeSection(_LABEL, header.fontMetrics().horizontalAdvance(widest) + theme.px(28))
        self.table.selectionModel().currentRowChanged.connect(self._on_row)
        self.line = QPlainTextEdit()
        self.line.setReadOnly(True)
        self.line.setAccessibleName("The chosen row as it will be written")
        self.line.setTabChangesFocus(True)
        font = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
        font.setPixelSize(theme.px(12))
        self.line.setFont(font)
        self.line.setStyleSheet(f"QPlainTextEdit {{ min-height: {theme.px(68)}px; }}")  # the theme's own is for a line
        self.line.setMaximumHeight(theme.px(120))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(theme.px(8))
        layout.addWidget(self.table, 4)
        layout.addWidget(self.line, 1)
        theme.changed.connect(self.table.viewport().update)

    @property
    def lines(self) -> tuple[str, ...]:
        """The rows as they will be written."""
        return self._lines

    def show_lines(self, lines: tuple[str, ...]) -> None:
        row = max(0, self.table.currentIndex().row())
        self._lines = lines
        self.model.show_lines(lines)
        self.line.clear()
        if lines:
            self.table.selectRow(min(row, len(lines) - 1))

    @Slot(QModelIndex)
    def _on_row(self, current: QModelIndex) -> None:
        if 0 <= current.row() < len(self._lines):
            self.line.setPlainText(self._lines[current.row()])
