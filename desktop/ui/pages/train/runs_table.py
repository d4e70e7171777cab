"""The table of training runs: its model, and the card around it."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QItemSelectionModel, QObject, QSettings, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QWidget

from desktop.text import count
from desktop.translation import tr
from desktop.ui.pages.train.scores import BASELINE_ID, baseline_runs, run_score, source_counts
from desktop.ui.pages.train.text import NO_VALUE, STATE_NAMES, duration_text, result_text, score_text, sources_text
from desktop.ui.theme import Theme
from desktop.ui.widgets.column_choice import ColumnChoice
from desktop.ui.widgets.layouts import CardFrame, column_of
from desktop.ui.widgets.sortable_table import SortableTableModel, SortableTableView, TableColumn
from desktop.ui.widgets.tables import HEADER_HEIGHT, ROW_HEIGHT
from storage.models.training_runs import TrainingRun


def _pairs_text(run: TrainingRun) -> str:
    return NO_VALUE if run.id == BASELINE_ID else f"{run.learned:,}"


def _state_text(run: TrainingRun) -> str:
    return "baseline" if run.id == BASELINE_ID else STATE_NAMES[run.state]


def _started_text(run: TrainingRun) -> str:
    if run.id == BASELINE_ID:
        return NO_VALUE
    local = run.started_at.astimezone()
    return f"{local:%Y-%m-%d %H:%M}"


COLUMNS: tuple[TableColumn[TrainingRun], ...] = (
    TableColumn(tr("Model"), lambda run: run.name, lambda run: run.name.casefold(), is_left_aligned=True),
    TableColumn(tr("State"), _state_text, _state_text, is_left_aligned=True),
    TableColumn(
        tr("Macro F1"),
        lambda run: score_text(run_score(run, "macro_f1")),
        lambda run: run_score(run, "macro_f1") or -1.0,
        tr("Mean of the F1 scores of the four classes, on held-out pairs, in percent"),
    ),
    TableColumn(
        tr("Calibration"),
        lambda run: score_text(run_score(run, "ece")),
        lambda run: run_score(run, "ece") or -1.0,
        tr(
            "How far the confidences are from the share of correct predictions (expected calibration error), in percent"
        ),
    ),
    TableColumn(tr("Pairs"), _pairs_text, lambda run: run.learned, tr("Pairs that the model learned from")),
    TableColumn(tr("Time"), duration_text, lambda run: run.metrics.get("seconds", -1.0)),
    TableColumn(tr("Started"), _started_text, lambda run: run.started_at, is_left_aligned=True),
)
PAIRS, STARTED = 4, len(COLUMNS) - 1
_MIN_WIDTHS = {PAIRS: 640, STARTED: 860}  # of the card, for a column to be shown; unscaled pixels
_MIN_VISIBLE_ROWS = 5


class RunsTableModel(SortableTableModel[TrainingRun]):
    """The runs, the newest first unless sorted, and the starter as their baseline."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(COLUMNS, STARTED, parent)

    def row_key(self, row: TrainingRun) -> int:
        return row.id

    def tie_key(self, row: TrainingRun) -> int:
        return -row.id

    def row_tip(self, row: TrainingRun) -> str:
        return _tooltip(row)

    def show_runs(self, runs: Sequence[TrainingRun]) -> None:
        """Show these runs and the baseline."""
        self.show_rows([*runs, *baseline_runs(runs)])

    @property
    def trained_runs(self) -> list[TrainingRun]:
        """All runs but the baseline."""
        return [run for run in self.rows if run.id != BASELINE_ID]

    def run(self, id: int) -> TrainingRun | None:
        """A run; None if it is not in the table."""
        return next((run for run in self.rows if run.id == id), None)

    def row_of(self, id: int) -> int | None:
        """The row of a run; None if it is not in the table."""
        return next((row for row, run in enumerate(self.rows) if run.id == id), None)


class RunsTable(CardFrame):
    """The card with the table of runs; several can be selected."""

    selection_changed = Signal()

    def __init__(
        self, theme: Theme, model: RunsTableModel, window_settings: QSettings, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._theme, self._model = theme, model
        self.table = SortableTableView(theme, model, tr("Models trained on this project"))
        names = [column.title for column in COLUMNS]
        self._choice = ColumnChoice(self.table, names, window_settings, "train/columns")
        self.table.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.table.setTextElideMode(Qt.TextElideMode.ElideMiddle)  # names differ at their end
        self.table.selectionModel().selectionChanged.connect(self.selection_changed)
        self.setLayout(
            column_of(self.table, spacing=theme.px(6), margins=(theme.px(8), theme.px(4), theme.px(8), theme.px(4)))
        )
        self.setMinimumHeight(theme.px(HEADER_HEIGHT + ROW_HEIGHT * _MIN_VISIBLE_ROWS + 12))

    @property
    def selected_runs(self) -> list[TrainingRun]:
        """The selected runs, from the top."""
        rows = sorted(index.row() for index in self.table.selectionModel().selectedRows())
        return [self._model.rows[row] for row in rows if row < len(self._model.rows)]

    def select_runs(self, ids: list[int]) -> None:
        rows = [row for id in ids if (row := self._model.row_of(id)) is not None]
        flags = QItemSelectionModel.SelectionFlag.Select | QItemSelectionModel.SelectionFlag.Rows
        if sorted(rows) != sorted(index.row() for index in self.table.selectionModel().selectedRows()):
            self.table.clearSelection()
            for row in rows:
                self.table.selectionModel().select(self._model.index(row, 0), flags)

    def fit_columns(self) -> None:
        """Give the name the remaining width; less important columns are hidden if the card is narrow."""
        header = self.table.horizontalHeader()
        self._choice.hide_without_room(
            frozenset(column for column, least in _MIN_WIDTHS.items() if self.width() < self._theme.px(least))
        )
        for column in range(self._model.columnCount()):
            mode = QHeaderView.ResizeMode.ResizeToContents if column else QHeaderView.ResizeMode.Stretch
            header.setSectionResizeMode(column, mode)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.fit_columns()


def _tooltip(run: TrainingRun) -> str:
    if run.id == BASELINE_ID:
        return tr(
            "The model that comes with Pairwright, measured on the pairs of the newest run: {result_text}",
            result_text=result_text(run),
        )
    name = tr("{name}, from {settings}", name=run.name, settings=run.settings.get("start", "?"))
    papers = count(int(run.data.get("papers", 0)), "paper")
    return tr(
        "{name}: {sources_text} of {papers}. {result_text}",
        name=name,
        sources_text=sources_text(source_counts(run)),
        papers=papers,
        result_text=result_text(run),
    )
