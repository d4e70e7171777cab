"""Training runs side by side: a table of scores with the best of each row in bold, and confusion matrices."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt, Signal, Slot
from PySide6.QtWidgets import QAbstractItemView, QGridLayout, QHeaderView, QTableView, QWidget

from desktop.text import count
from desktop.translation import tr
from desktop.ui.judging.label_chip import letter_pixmap
from desktop.ui.pages.train.figures import confusion_figure
from desktop.ui.pages.train.scores import are_comparable, run_score, run_scores, source_counts
from desktop.ui.pages.train.text import NO_VALUE, STARTER_ORIGIN, measured_text, score_text, sources_text
from desktop.ui.theme import Theme
from desktop.ui.widgets.labels import PlainLabel, plain_tip
from desktop.ui.widgets.tables import style_table
from miner.records import Label
from storage.models.training_runs import TrainingRun, TrainingRunState

if TYPE_CHECKING:
    from desktop.ui.plots.plot import Plot

MAX_RUNS = 4
# In unscaled pixels:
_NAME_WIDTH = 150
_ROW_HEIGHT = 25
_HEADER_HEIGHT = 32

_LABELS = tuple(label.value for label in Label)
Index = QModelIndex | QPersistentModelIndex
_ROOT = QModelIndex()


class _ScoreRow(NamedTuple):
    """A row of the table. label: the class that the score is about; "" for an overall score."""

    name: str
    score: Callable[[TrainingRun], float | None]
    label: str = ""
    lower_is_better: bool = False


def _f1_of_class(label: str) -> Callable[[TrainingRun], float | None]:
    def score(run: TrainingRun) -> float | None:
        scores = run_scores(run)
        return None if scores is None else scores["per_class"][label]["f1"]

    return score


_SCORE_ROWS = (
    _ScoreRow(tr("Macro F1"), lambda run: run_score(run, "macro_f1")),
    *(_ScoreRow(tr("F1 of {label}", label=label), _f1_of_class(label), label) for label in _LABELS),
    _ScoreRow(tr("Accuracy"), lambda run: run_score(run, "accuracy")),
    _ScoreRow(tr("Calibration error"), lambda run: run_score(run, "ece"), lower_is_better=True),
)


class _Cell(NamedTuple):
    """A cell of the table. color: a colour of the theme. label: the class whose letter is drawn before the text."""

    text: str
    color: str
    is_bold: bool = False
    tooltip: str = ""
    label: str = ""


class RunComparisonModel(QAbstractTableModel):
    """Rows: "Learned from", a row for each score, "Measured on". Columns: the names of the rows, and each run."""

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.runs: list[TrainingRun] = []

    def show_runs(self, runs: Sequence[TrainingRun]) -> None:
        self.beginResetModel()
        self.runs = list(runs)
        self.endResetModel()

    def best(self, row: int) -> float | None:
        """The best score of a row of scores; None if the runs cannot be compared."""
        if not are_comparable([run for run in self.runs if run_scores(run)]):
            return None
        values = [value for run in self.runs if (value := _SCORE_ROWS[row].score(run)) is not None]
        if len(values) < 2:
            return None
        return min(values) if _SCORE_ROWS[row].lower_is_better else max(values)

    def tsv(self) -> str:
        """The scores as tab-separated text, from 0 to 1."""
        rows = [["", *(run.name for run in self.runs)]]
        for score_row in _SCORE_ROWS:
            values = [score_row.score(run) for run in self.runs]
            rows.append([score_row.name, *("" if value is None else f"{value:.4f}" for value in values)])
        return "".join("\t".join(row) + "\n" for row in rows)

    def rowCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(_SCORE_ROWS) + 2

    def columnCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self.runs) + 1

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid():
            return None
        cell = self._name_cell(index.row()) if index.column() == 0 else self._run_cell(index.row(), index.column() - 1)
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return cell.text
            case Qt.ItemDataRole.ToolTipRole:
                return plain_tip(cell.tooltip)
            case Qt.ItemDataRole.DecorationRole:
                return letter_pixmap(self._theme, cell.label) if cell.label else None
            case Qt.ItemDataRole.FontRole:
                return self._theme.font(bold=cell.is_bold)
            case Qt.ItemDataRole.ForegroundRole:
                return self._theme.color(cell.color)
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

    def _name_cell(self, row: int) -> _Cell:
        if not 0 < row <= len(_SCORE_ROWS):
            return _Cell(tr("Measured on") if row else tr("Learned from"), "muted")
        name, _, label, _ = _SCORE_ROWS[row - 1]
        return _Cell(label or name, "muted" if label else "ink", label=label)

    def _run_cell(self, row: int, column: int) -> _Cell:
        run = self.runs[column]
        if row == 0:
            sources = sources_text(source_counts(run)) or STARTER_ORIGIN
            text = (
                tr("stopped early · {sources}", sources=sources) if run.state is TrainingRunState.CANCELLED else sources
            )
            return _Cell(text, "muted", tooltip=text)
        if row > len(_SCORE_ROWS):
            scores = run_scores(run)
            return _Cell(count(scores["n"], "pair") if scores else NO_VALUE, "muted", tooltip=measured_text(run))
        score = _SCORE_ROWS[row - 1].score(run)
        return _Cell(score_text(score), "ink", is_bold=score is not None and score == self.best(row - 1))


class RunComparison(QWidget):
    """Up to four runs side by side."""

    current_changed = Signal(object)  # PlotMark | None: a cell of a confusion matrix

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        px = theme.px
        self.model = RunComparisonModel(theme, self)
        self.table = QTableView()
        self.table.setModel(self.model)
        self.table.setAccessibleName(tr("Runs side by side"))
        style_table(self.table, theme)
        self.table.setStyleSheet(f"{self.table.styleSheet()} QHeaderView::section {{ font-weight: 600; }}")
        self.table.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
        self.table.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.table.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.table.verticalHeader().setDefaultSectionSize(px(_ROW_HEIGHT))
        self.table.horizontalHeader().setFixedHeight(px(_HEADER_HEIGHT))
        self.table.horizontalHeader().setTextElideMode(
            Qt.TextElideMode.ElideMiddle
        )  # names often differ only at the end
        self._fit_height()
        theme.changed.connect(self._fit_height)
        self._corner = PlainLabel(tr("label ↓ suggestion →"), type="small")
        self._corner.setContentsMargins(px(8), px(4), 0, 0)
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setSpacing(0)
        self._grid.setVerticalSpacing(px(12))
        self._grid.setColumnMinimumWidth(0, px(_NAME_WIDTH))
        self._grid.setColumnStretch(1, 1)
        self._grid.setRowStretch(2, 1)
        self._grid.addWidget(self.table, 0, 0, 1, 2)
        self._grid.addWidget(self._corner, 1, 0, Qt.AlignmentFlag.AlignTop)

    @Slot()
    def _fit_height(self) -> None:
        px = self._theme.px
        self.table.setFixedHeight(px(_HEADER_HEIGHT) + px(_ROW_HEIGHT) * self.model.rowCount() + 2)

    @cached_property
    def confusions(self) -> Plot:
        """The plot of confusion matrices, which is created with the first runs, see `with_plots`."""
        from desktop.ui.plots.plot import Plot

        plot = Plot(self._theme, tr("Confusion matrix of each run"))
        plot.current_changed.connect(self.current_changed)
        self._grid.addWidget(plot, 1, 1)
        return plot

    def show_runs(self, runs: Sequence[TrainingRun]) -> None:
        visible_runs = runs[:MAX_RUNS]
        self.model.show_runs(visible_runs)
        self.confusions.show_figure(confusion_figure(visible_runs))
        header = self.table.horizontalHeader()
        for column in range(self.model.columnCount()):
            header.setSectionResizeMode(
                column, QHeaderView.ResizeMode.Stretch if column else QHeaderView.ResizeMode.Fixed
            )
        header.resizeSection(0, self._theme.px(_NAME_WIDTH))
