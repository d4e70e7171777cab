"""Runs side by side: a column each, the best figure of a row in bold, and what each mistakes for what."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt, Signal
from PySide6.QtWidgets import QAbstractItemView, QGridLayout, QHeaderView, QTableView, QWidget

from desktop.text import count, listed, points
from desktop.ui.judging.label_chip import letter_pixmap
from desktop.ui.pages.train import words
from desktop.ui.pages.train.figures import confusion_figure
from desktop.ui.theme import Theme
from desktop.ui.widgets.labels import PlainLabel, plain_tip
from desktop.ui.widgets.tables import style_table
from miner.records import Label
from storage.models.training_runs import TrainingRun, TrainingRunState

if TYPE_CHECKING:
    from desktop.ui.plots.plot import Plot

MOST = 4  # runs side by side
_NAMES, _ROW = 150, 25  # pixels as drawn
_HOW = "“pairwright evaluate” measures several models on the same ones."
_LABELS = tuple(label.value for label in Label)
Index = QModelIndex | QPersistentModelIndex
_ROOT = QModelIndex()


class _Score(NamedTuple):
    """A row: `label` a class it is about, "" for none; `least`: the smallest is the best."""

    name: str
    value: Callable[[TrainingRun], float | None]
    label: str = ""
    least: bool = False


def _of_class(label: str) -> Callable[[TrainingRun], float | None]:
    def value(run: TrainingRun) -> float | None:
        found = words.scores(run)
        return None if found is None else found["per_class"][label]["f1"]

    return value


_SCORES = (
    _Score("Macro F1", lambda run: words.share(run, "macro_f1")),
    *(_Score(f"F1 of {label}", _of_class(label), label) for label in _LABELS),
    _Score("Right", lambda run: words.share(run, "accuracy")),
    _Score("Calibration error", lambda run: words.share(run, "ece"), least=True),
)


class _CellLook(NamedTuple):
    """What a cell says, and how; `label`: the class whose letter stands before it."""

    text: str
    token: str
    bold: bool = False
    tip: str = ""
    label: str = ""


class ComparisonModel(QAbstractTableModel):
    """A row for each score between what was learned from and measured on; the names, and a column for each run."""

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.runs: list[TrainingRun] = []

    def show_runs(self, runs: Sequence[TrainingRun]) -> None:
        self.beginResetModel()
        self.runs = list(runs)
        self.endResetModel()

    def best(self, row: int) -> float | None:
        """The best figure of a row; None where there is nothing to compare, or what was measured is not the same."""
        if not words.are_comparable([run for run in self.runs if words.scores(run)]):
            return None
        values = [value for run in self.runs if (value := _SCORES[row].value(run)) is not None]
        if len(values) < 2:
            return None
        return min(values) if _SCORES[row].least else max(values)

    def tsv(self) -> str:
        """The figures as tab-separated text, shares from 0 to 1."""
        rows = [["", *(run.name for run in self.runs)]]
        for score in _SCORES:
            values = [score.value(run) for run in self.runs]
            rows.append([score.name, *("" if value is None else f"{value:.4f}" for value in values)])
        return "".join("\t".join(row) + "\n" for row in rows)

    def rowCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(_SCORES) + 2

    def columnCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self.runs) + 1

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid():
            return None
        cell = self._name(index.row()) if index.column() == 0 else self._cell(index.row(), index.column() - 1)
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return cell.text
            case Qt.ItemDataRole.ToolTipRole:
                return plain_tip(cell.tip)
            case Qt.ItemDataRole.DecorationRole:
                return letter_pixmap(self._theme, cell.label) if cell.label else None
            case Qt.ItemDataRole.FontRole:
                return self._theme.font(bold=cell.bold)
            case Qt.ItemDataRole.ForegroundRole:
                return self._theme.color(cell.token)
            case _:
                return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if orientation != Qt.Orientation.Horizontal or not 0 <= section <= len(self.runs):
            return None
        name = self.runs[section - 1].name if section else ""
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return name
            case Qt.ItemDataRole.ToolTipRole:
                return plain_tip(name)
            case Qt.ItemDataRole.TextAlignmentRole:
                return Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
            case _:
                return None

    def _name(self, row: int) -> _CellLook:
        if not 0 < row <= len(_SCORES):
            return _CellLook("Measured on" if row else "Learned from", "muted")
        score = _SCORES[row - 1]
        return _CellLook(score.label or score.name, "muted" if score.label else "ink", label=score.label)

    def _cell(self, row: int, column: int) -> _CellLook:
        run = self.runs[column]
        if row == 0:
            learned = words.learns_from(words.sources(run)) or words.COMES_WITH
            learned = f"stopped early · {learned}" if run.state is TrainingRunState.CANCELLED else learned
            return _CellLook(learned, "muted", tip=learned)
        if row > len(_SCORES):
            found = words.scores(run)
            return _CellLook(count(found["n"], "pair") if found else "–", "muted")
        value = _SCORES[row - 1].value(run)
        return _CellLook(words.shown(value), "ink", bold=value is not None and value == self.best(row - 1))


class Comparison(QWidget):
    """Up to four runs. Each cell of a confusion says what it counts when pointed at."""

    pointed = Signal(object)  # PlotMark | None

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        px = theme.px
        self.model = ComparisonModel(theme, self)
        self.table = QTableView()
        self.table.setModel(self.model)
        self.table.setAccessibleName("Runs side by side")
        style_table(self.table, theme)
        self.table.setStyleSheet(f"{self.table.styleSheet()} QHeaderView::section {{ font-weight: 600; }}")
        self.table.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
        self.table.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.table.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.table.verticalHeader().setDefaultSectionSize(px(_ROW))
        self.table.horizontalHeader().setFixedHeight(px(32))
        self.table.horizontalHeader().setTextElideMode(Qt.TextElideMode.ElideMiddle)  # names differ at their end
        self.table.setFixedHeight(px(32) + px(_ROW) * self.model.rowCount() + 2)
        self._corner = PlainLabel("label ↓ suggestion →")
        self._corner.setProperty("type", "small")
        self._corner.setContentsMargins(px(8), px(4), 0, 0)
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setSpacing(0)
        self._grid.setVerticalSpacing(px(12))
        self._grid.setColumnMinimumWidth(0, px(_NAMES))
        self._grid.setColumnStretch(1, 1)
        self._grid.setRowStretch(2, 1)
        self._grid.addWidget(self.table, 0, 0, 1, 2)
        self._grid.addWidget(self._corner, 1, 0, Qt.AlignmentFlag.AlignTop)

    @cached_property
    def confusions(self) -> Plot:
        """Made when there is something to show; see `with_plots`."""
        from desktop.ui.plots.plot import Plot

        plot = Plot(self._theme, "What each run mistakes for what")
        plot.pointed.connect(self.pointed)
        self._grid.addWidget(plot, 1, 1)
        return plot

    def show_runs(self, runs: Sequence[TrainingRun]) -> None:
        shown = runs[:MOST]
        self.model.show_runs(shown)
        self.confusions.show_figure(confusion_figure(shown))
        header = self.table.horizontalHeader()
        for column in range(self.model.columnCount()):
            header.setSectionResizeMode(
                column, QHeaderView.ResizeMode.Stretch if column else QHeaderView.ResizeMode.Fixed
            )
        header.resizeSection(0, self._theme.px(_NAMES))


def difference(runs: Sequence[TrainingRun]) -> str:
    """What comparing these comes to, in a line; figures of unlike pairs are not compared."""
    if told := words.seeds(runs):
        return told
    scored = [(value, run) for run in runs if (value := words.share(run, "macro_f1")) is not None]
    if len(scored) < len(runs):
        return "Not all of them were measured."
    if not words.are_comparable(runs):
        return f"They were measured on different pairs, so their figures cannot be compared. {_HOW}"
    (high, best), (low, other) = (end(scored, key=lambda one: one[0]) for end in (max, min))
    measured = words.scores(best)
    on = f" on the same {count(measured['n'], 'pair')}" if measured else ""
    stopped = [run.name for run in runs if run.state is TrainingRunState.CANCELLED]
    early = f" {listed(stopped)} {'was' if len(stopped) == 1 else 'were'} stopped early." if stopped else ""
    return f"{best.name} is {points(high - low)} points of macro F1 better than {other.name}{on}.{early}"
