"""The runs of a project as a table, the newest first."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from desktop.text import count
from desktop.ui.pages.train import words
from desktop.ui.widgets.labels import plain_tip
from storage.models.training_runs import TrainingRun

Index = QModelIndex | QPersistentModelIndex
_ROOT = QModelIndex()


class _Column(NamedTuple):
    title: str
    tip: str
    text: Callable[[TrainingRun], str]
    order: Callable[[TrainingRun], Any]
    left: bool = False


def _learned(run: TrainingRun) -> int:
    return int(run.data.get("examples", 0))


def _pairs(run: TrainingRun) -> str:
    return "–" if run.id == words.BASELINE else f"{_learned(run):,}"


def _state(run: TrainingRun) -> str:
    return "baseline" if run.id == words.BASELINE else words.STATES[run.state]


def _when(run: TrainingRun) -> str:
    if run.id == words.BASELINE:
        return "–"
    local = run.started_at.astimezone()
    return f"{local:%Y-%m-%d %H:%M}"


COLUMNS = (
    _Column("Model", "", lambda run: run.name, lambda run: run.name.casefold(), True),
    _Column("State", "", _state, _state, True),
    _Column("Macro F1", "On pairs it did not learn from", lambda run: words.shown(words.share(run, "macro_f1")),
            lambda run: words.share(run, "macro_f1") or -1.0),
    _Column("Calibration", "Expected calibration error, in percent", lambda run: words.shown(words.share(run, "ece")),
            lambda run: words.share(run, "ece") or -1.0),
    _Column("Pairs", "That it learned from", _pairs, _learned),
    _Column("Time", "", words.took, lambda run: run.metrics.get("seconds", -1.0)),
    _Column("Started", "", _when, lambda run: run.started_at, True),
)  # fmt: skip
PAIRS, STARTED = 4, len(COLUMNS) - 1


class RunsModel(QAbstractTableModel):
    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.runs: list[TrainingRun] = []
        self._order = (STARTED, Qt.SortOrder.DescendingOrder)

    def show_runs(self, runs: Sequence[TrainingRun]) -> None:
        """Show these, and the baseline; rows that stay keep what is chosen in them where only values are others."""
        found = self._sorted([*runs, *words.baselines(runs)])
        if [run.id for run in found] == [run.id for run in self.runs]:
            self.runs = found
            if found:
                self.dataChanged.emit(self.index(0, 0), self.index(len(found) - 1, len(COLUMNS) - 1))
            return
        self.beginResetModel()
        self.runs = found
        self.endResetModel()

    @property
    def trained(self) -> list[TrainingRun]:
        """Those that are no baseline."""
        return [run for run in self.runs if run.id != words.BASELINE]

    def row(self, id: int) -> int | None:
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
                return plain_tip(_tip(run))
            case Qt.ItemDataRole.TextAlignmentRole:
                return _aligned(column)
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
                return _aligned(column)
        return None

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        if 0 <= column < len(COLUMNS):
            self.layoutAboutToBeChanged.emit()
            kept = self.persistentIndexList()
            ids = [self.runs[index.row()].id for index in kept]
            self._order = (column, order)
            self.runs = self._sorted(self.runs)
            rows = {run.id: row for row, run in enumerate(self.runs)}
            moved = [self.index(rows[id], index.column()) for id, index in zip(ids, kept, strict=True)]
            self.changePersistentIndexList(kept, moved)
            self.layoutChanged.emit()
            self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, len(COLUMNS) - 1)

    def _sorted(self, runs: Sequence[TrainingRun]) -> list[TrainingRun]:
        column, order = self._order
        newest = sorted(runs, key=lambda run: run.id, reverse=True)
        return sorted(newest, key=COLUMNS[column].order, reverse=order == Qt.SortOrder.DescendingOrder)


def _tip(run: TrainingRun) -> str:
    if run.id == words.BASELINE:
        return f"The model that comes with Pairwright, on the pairs of the newest run: {words.result(run)}"
    learned = words.learns_from(words.sources(run))
    start = f"{run.name}, from {run.settings.get('start', '?')}"
    return f"{start}: {learned} of {count(int(run.data.get('papers', 0)), 'paper')}. {words.result(run)}"


def _aligned(column: _Column) -> Qt.AlignmentFlag:
    side = Qt.AlignmentFlag.AlignLeft if column.left else Qt.AlignmentFlag.AlignRight
    return side | Qt.AlignmentFlag.AlignVCenter
