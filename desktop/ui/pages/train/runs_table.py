"""The table of training runs: its model, and the card around it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from PySide6.QtCore import (
    QAbstractTableModel,
    QItemSelectionModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    Signal,
)
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QFrame, QHeaderView, QTableView, QVBoxLayout, QWidget

from desktop.text import count
from desktop.ui.pages.train.scores import BASELINE_ID, baseline_runs, run_score, source_counts
from desktop.ui.pages.train.text import NO_VALUE, STATE_NAMES, duration_text, result_text, score_text, sources_text
from desktop.ui.theme import Theme
from desktop.ui.widgets.labels import plain_tip
from desktop.ui.widgets.tables import style_table
from storage.models.training_runs import TrainingRun

Index = QModelIndex | QPersistentModelIndex
_ROOT = QModelIndex()


class _RunColumn(NamedTuple):
    title: str
    tip: str
    text: Callable[[TrainingRun], str]
    sort_key: Callable[[TrainingRun], Any]  # str or number
    is_left_aligned: bool = False


def _pair_count(run: TrainingRun) -> int:
    return int(run.data.get("examples", 0))


def _pairs_text(run: TrainingRun) -> str:
    return NO_VALUE if run.id == BASELINE_ID else f"{_pair_count(run):,}"


def _state_text(run: TrainingRun) -> str:
    return "baseline" if run.id == BASELINE_ID else STATE_NAMES[run.state]


def _started_text(run: TrainingRun) -> str:
    if run.id == BASELINE_ID:
        return NO_VALUE
    local = run.started_at.astimezone()
    return f"{local:%Y-%m-%d %H:%M}"


COLUMNS = (
    _RunColumn("Model", "", lambda run: run.name, lambda run: run.name.casefold(), is_left_aligned=True),
    _RunColumn("State", "", _state_text, _state_text, is_left_aligned=True),
    _RunColumn(
        "Macro F1",
        "On pairs it did not learn from",
        lambda run: score_text(run_score(run, "macro_f1")),
        lambda run: run_score(run, "macro_f1") or -1.0,
    ),
    _RunColumn(
        "Calibration",
        "Expected calibration error, in percent",
        lambda run: score_text(run_score(run, "ece")),
        lambda run: run_score(run, "ece") or -1.0,
    ),
    _RunColumn("Pairs", "That it learned from", _pairs_text, _pair_count),
    _RunColumn("Time", "", duration_text, lambda run: run.metrics.get("seconds", -1.0)),
    _RunColumn("Started", "", _started_text, lambda run: run.started_at, is_left_aligned=True),
)
PAIRS, STARTED = 4, len(COLUMNS) - 1
# In unscaled pixels:
_MIN_WIDTHS = {PAIRS: 640, STARTED: 860}  # of the card, for a column to be shown
_HEADER_HEIGHT = 32
_ROW_HEIGHT = 28

_MIN_VISIBLE_ROWS = 5


class RunsTableModel(QAbstractTableModel):
    """The runs, the newest first unless sorted, and the starter as their baseline."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.runs: list[TrainingRun] = []
        self._order = (STARTED, Qt.SortOrder.DescendingOrder)

    def show_runs(self, runs: Sequence[TrainingRun]) -> None:
        """Show these runs and the baseline. The selection stays if the rows are the same."""
        rows = self._sorted([*runs, *baseline_runs(runs)])
        if [run.id for run in rows] == [run.id for run in self.runs]:
            self.runs = rows
            if rows:
                self.dataChanged.emit(self.index(0, 0), self.index(len(rows) - 1, len(COLUMNS) - 1))
            return
        self.beginResetModel()
        self.runs = rows
        self.endResetModel()

    @property
    def trained_runs(self) -> list[TrainingRun]:
        """All runs but the baseline."""
        return [run for run in self.runs if run.id != BASELINE_ID]

    def row_of(self, id: int) -> int | None:
        """The row of a run; None if it is not in the table."""
        return next((row for row, run in enumerate(self.runs) if run.id == id), None)

    def rowCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self.runs)

    def columnCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(COLUMNS)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid():
            return None
        run, column = self.runs[index.row()], COLUMNS[index.column()]
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return column.text(run)
            case Qt.ItemDataRole.ToolTipRole:
                return plain_tip(_tooltip(run))
            case Qt.ItemDataRole.TextAlignmentRole:
                return _alignment(column)
        return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if orientation != Qt.Orientation.Horizontal or not 0 <= section < len(COLUMNS):
            return None
        column = COLUMNS[section]
        match role:
            case Qt.ItemDataRole.DisplayRole:
                by, order = self._order
                arrow = "↓" if order == Qt.SortOrder.DescendingOrder else "↑"
                return f"{column.title} {arrow}" if section == by else column.title
            case Qt.ItemDataRole.ToolTipRole:
                return column.tip or None
            case Qt.ItemDataRole.TextAlignmentRole:
                return _alignment(column)
        return None

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        if 0 <= column < len(COLUMNS):
            self.layoutAboutToBeChanged.emit()
            old_indexes = self.persistentIndexList()
            ids = [self.runs[index.row()].id for index in old_indexes]
            self._order = (column, order)
            self.runs = self._sorted(self.runs)
            rows = {run.id: row for row, run in enumerate(self.runs)}
            new_indexes = [self.index(rows[id], index.column()) for id, index in zip(ids, old_indexes, strict=True)]
            self.changePersistentIndexList(old_indexes, new_indexes)
            self.layoutChanged.emit()
            self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, len(COLUMNS) - 1)

    def _sorted(self, runs: Sequence[TrainingRun]) -> list[TrainingRun]:
        column, order = self._order
        newest = sorted(runs, key=lambda run: run.id, reverse=True)
        return sorted(newest, key=COLUMNS[column].sort_key, reverse=order == Qt.SortOrder.DescendingOrder)


class RunsTable(QFrame):
    """The card with the table of runs; several can be selected."""

    selection_changed = Signal()

    def __init__(self, theme: Theme, model: RunsTableModel, parent: QWidget | None = None) -> None:
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
        self.table.horizontalHeader().setFixedHeight(theme.px(_HEADER_HEIGHT))
        self.table.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.table.selectionModel().selectionChanged.connect(self.selection_changed)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(theme.px(8), theme.px(4), theme.px(8), theme.px(4))
        layout.addWidget(self.table)
        self.setMinimumHeight(theme.px(_HEADER_HEIGHT + _ROW_HEIGHT * _MIN_VISIBLE_ROWS + 12))

    @property
    def selected_runs(self) -> list[TrainingRun]:
        """From the top."""
        rows = sorted(index.row() for index in self.table.selectionModel().selectedRows())
        return [self._model.runs[row] for row in rows if row < len(self._model.runs)]

    def select_runs(self, ids: list[int]) -> None:
        rows = [row for id in ids if (row := self._model.row_of(id)) is not None]
        flags = QItemSelectionModel.SelectionFlag.Select | QItemSelectionModel.SelectionFlag.Rows
        if sorted(rows) != sorted(index.row() for index in self.table.selectionModel().selectedRows()):
            self.table.clearSelection()
            for row in rows:
                self.table.selectionModel().select(self._model.index(row, 0), flags)

    def fit_columns(self) -> None:
        """The name gets the rest of the width; columns that matter less are hidden where the card is narrow."""
        header = self.table.horizontalHeader()
        for column, min_width in _MIN_WIDTHS.items():
            self.table.setColumnHidden(column, self.width() < self._theme.px(min_width))
        for column in range(self._model.columnCount()):
            mode = QHeaderView.ResizeMode.ResizeToContents if column else QHeaderView.ResizeMode.Stretch
            header.setSectionResizeMode(column, mode)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.fit_columns()


def _tooltip(run: TrainingRun) -> str:
    if run.id == BASELINE_ID:
        return f"The model that comes with Pairwright, on the pairs of the newest run: {result_text(run)}"
    name = f"{run.name}, from {run.settings.get('start', '?')}"
    papers = count(int(run.data.get("papers", 0)), "paper")
    return f"{name}: {sources_text(source_counts(run))} of {papers}. {result_text(run)}"


def _alignment(column: _RunColumn) -> Qt.AlignmentFlag:
    side = Qt.AlignmentFlag.AlignLeft if column.is_left_aligned else Qt.AlignmentFlag.AlignRight
    return side | Qt.AlignmentFlag.AlignVCenter
