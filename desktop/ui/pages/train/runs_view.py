"""The card with the table of runs: some of them are chosen."""

from __future__ import annotations

from PySide6.QtCore import QItemSelectionModel, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QFrame, QHeaderView, QTableView, QVBoxLayout, QWidget

from desktop.ui.pages.train.runs_table import PAIRS, STARTED, RunsModel
from desktop.ui.theme import Theme
from desktop.ui.widgets.tables import style_table
from storage.models.training_runs import TrainingRun

_LINES = 5  # at least: the baseline is the last
_FROM = {PAIRS: 640, STARTED: 860}  # pixels as drawn, from which a column is shown


class RunsView(QFrame):
    chosen = Signal()  # other runs, or none

    def __init__(self, theme: Theme, model: RunsModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme, self._model = theme, model
        self.setProperty("look", "card")
        self.table = QTableView()
        self.table.setModel(model)
        self.table.setAccessibleName("Models trained on this project")
        style_table(self.table, theme)
        self.table.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.table.setTextElideMode(Qt.TextElideMode.ElideMiddle)  # names differ at their end
        self.table.setSortingEnabled(True)
        self.table.sortByColumn(STARTED, Qt.SortOrder.DescendingOrder)
        self.table.horizontalHeader().setFixedHeight(theme.px(32))
        self.table.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.table.selectionModel().selectionChanged.connect(self.chosen)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(theme.px(8), theme.px(4), theme.px(8), theme.px(4))
        layout.addWidget(self.table)
        self.setMinimumHeight(theme.px(32 + 28 * _LINES + 12))

    @property
    def runs(self) -> list[TrainingRun]:
        """Those that are chosen, from the top."""
        rows = sorted(index.row() for index in self.table.selectionModel().selectedRows())
        return [self._model.runs[row] for row in rows if row < len(self._model.runs)]

    def choose(self, ids: list[int]) -> None:
        rows = [row for id in ids if (row := self._model.row(id)) is not None]
        how = QItemSelectionModel.SelectionFlag.Select | QItemSelectionModel.SelectionFlag.Rows
        if sorted(rows) != sorted(index.row() for index in self.table.selectionModel().selectedRows()):
            self.table.clearSelection()
            for row in rows:
                self.table.selectionModel().select(self._model.index(row, 0), how)

    def fit_columns(self) -> None:
        """The name takes what is left; where that is little, what matters less is left out."""
        header = self.table.horizontalHeader()
        for column, wide in _FROM.items():
            self.table.setColumnHidden(column, self.width() < self._theme.px(wide))
        for column in range(self._model.columnCount()):
            mode = QHeaderView.ResizeMode.ResizeToContents if column else QHeaderView.ResizeMode.Stretch
            header.setSectionResizeMode(column, mode)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.fit_columns()
