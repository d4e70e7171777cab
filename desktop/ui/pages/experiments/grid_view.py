"""The cells of an experiment, filling as they are computed: systems and train sets by test sets and seeds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, QRectF, Qt, Slot
from PySide6.QtGui import QFontMetrics, QPainter
from PySide6.QtWidgets import QHeaderView, QTableView, QWidget

from desktop.jobs.lab.experiments.grid import CellState, ExperimentGrid, GridCell, load_grid
from desktop.text import count, percent, points
from desktop.translation import tr
from desktop.ui.pages.experiments.running_experiment import LiveRun
from desktop.ui.services.project_context import ProjectContext
from desktop.ui.theme import SMALL
from desktop.ui.widgets.cell_delegates import CellDelegate
from desktop.ui.widgets.labels import PlainLabel, plain_tip
from desktop.ui.widgets.layouts import STRETCH, card_of, column_of, stretched
from desktop.ui.widgets.tables import HEADER_HEIGHT, style_table

Index = QModelIndex | QPersistentModelIndex
_ROOT = QModelIndex()
_CELL_ROLE = Qt.ItemDataRole.UserRole
_RUN_ROLE = Qt.ItemDataRole.UserRole + 1
_ROW_HEIGHT = 32  # unscaled pixels, as the others
_CELL_WIDTH = 92
_MAX_NAME_WIDTH = 300
_MAX_REASONS = 6
_NO_CELLS = tr("Run the experiment to fill the cells: a row for each system, a column for each test set and seed.")
_TEXTS = {CellState.WAITING: "–", CellState.REFUSED: "refused", CellState.FAILED: "failed"}


class GridModel(QAbstractTableModel):
    """Rows: systems and train sets. Columns: test sets and seeds."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.grid: ExperimentGrid | None = None
        self.live: dict[str, LiveRun] = {}
        self.failures: dict[str, str] = {}  # of the runs of now, by run
        self._rows: list[tuple[int, str]] = []
        self._columns: list[tuple[str, int]] = []
        self._cells: dict[tuple[int, str, str, int], GridCell] = {}

    def show_grid(self, grid: ExperimentGrid | None) -> None:
        self.beginResetModel()
        self.grid = grid
        cells = () if grid is None else grid.cells
        self._rows = list(dict.fromkeys((cell.system, cell.train) for cell in cells))
        tests = list(dict.fromkeys(cell.test for cell in cells))
        self._columns = [
            (test, seed) for test in tests for seed in sorted({cell.seed for cell in cells if cell.test == test})
        ]
        self._cells = {(cell.system, cell.train, cell.test, cell.seed): cell for cell in cells}
        self.endResetModel()

    def update_live(self) -> None:
        if self._rows and self._columns:
            self.dataChanged.emit(self.index(0, 0), self.index(len(self._rows) - 1, len(self._columns) - 1))

    def cell(self, index: Index) -> GridCell | None:
        return self._cells.get((*self._rows[index.row()], *self._columns[index.column()]))

    def text(self, cell: GridCell) -> str:
        """The text of a cell: its macro F1, its progress, or its state."""
        if cell.state is CellState.DONE:
            return "done" if cell.score is None else points(cell.score)
        if cell.state is CellState.REFUSED:
            return _TEXTS[cell.state]
        if cell.run in self.live:
            share = self.live[cell.run].share
            return "running" if share is None else percent(share)
        return _TEXTS[CellState.FAILED if cell.run in self.failures else cell.state]

    def problem(self, cell: GridCell) -> str:
        return self.failures.get(cell.run, cell.problem) if cell.state is not CellState.DONE else ""

    def row_name(self, row: int) -> str:
        system, train = self._rows[row]
        assert self.grid is not None
        name = self.grid.experiment.systems[system].title
        trains = {one for _, one in self._rows if one}
        return f"{name} · {train}" if train and len(trains) > 1 else name

    def rowCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self._columns)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        cell = self.cell(index) if index.isValid() else None
        if cell is None:
            return None
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return self.text(cell)
            case Qt.ItemDataRole.ToolTipRole:
                return plain_tip(self._tip(cell))
            case Qt.ItemDataRole.AccessibleTextRole:
                return self._tip(cell)
            case _ if role == _CELL_ROLE:
                return cell
            case _ if role == _RUN_ROLE:
                return self.live.get(cell.run)
        return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if orientation == Qt.Orientation.Vertical:
            if not 0 <= section < len(self._rows):
                return None
            match role:
                case Qt.ItemDataRole.DisplayRole:
                    return self.row_name(section)
                case Qt.ItemDataRole.ToolTipRole:
                    return plain_tip(self.row_name(section))
                case Qt.ItemDataRole.TextAlignmentRole:
                    return Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
            return None
        if not 0 <= section < len(self._columns):
            return None
        test, seed = self._columns[section]
        tests = {one for one, _ in self._columns}
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return (
                    tr("{test}\nseed {seed}", test=test, seed=seed) if len(tests) > 1 else tr("seed {seed}", seed=seed)
                )
            case Qt.ItemDataRole.ToolTipRole:
                return plain_tip(tr("Tested on {test}, seed {seed}", test=test, seed=seed))
            case Qt.ItemDataRole.TextAlignmentRole:
                return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        return None

    def _tip(self, cell: GridCell) -> str:
        assert self.grid is not None
        trained = tr(", trained on {train}", train=cell.train) if cell.train else ""
        what = tr(
            "{title}{trained}, tested on {test}, seed {seed}",
            title=self.grid.experiment.systems[cell.system].title,
            trained=trained,
            test=cell.test,
            seed=cell.seed,
        )
        if cell.state is CellState.DONE:
            return tr("{what}: macro F1 {self}.", what=what, self=self.text(cell))
        if problem := self.problem(cell):
            return f"{what}: {problem}"
        if run := self.live.get(cell.run):
            return f"{what}: {run.what or 'running'}."
        return tr("{what}: not computed yet.", what=what)


class GridView(QWidget):
    """The grid of an experiment, with the refused and failed cells listed below it."""

    def __init__(self, context: ProjectContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self._theme = theme = context.theme
        self._id: int | None = None
        px = theme.px
        self.model = GridModel(self)
        self.table = QTableView()
        self.table.setModel(self.model)
        self.table.setAccessibleName(tr("Cells of the experiment"))
        style_table(self.table, theme)
        self.table.setSelectionBehavior(QTableView.SelectionBehavior.SelectItems)
        self.table.setItemDelegate(_CellPainter(theme, self.table))
        self.table.verticalHeader().setVisible(True)
        self.table.verticalHeader().setDefaultSectionSize(px(_ROW_HEIGHT))
        self.table.verticalHeader().setMaximumWidth(px(_MAX_NAME_WIDTH))
        self.table.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.table.setStyleSheet(
            f"{self.table.styleSheet()} QTableView, QTableView:focus {{ background: transparent; }}"
            f"QHeaderView::section {{ border: none; padding: {px(4)}px {px(8)}px; }}"
        )
        self.frame = card_of(column_of(self.table, spacing=px(6), margins=px(8)))
        self.empty = PlainLabel(_NO_CELLS, type="muted", wraps=True)
        self.empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.summary = PlainLabel(type="small")
        self.reasons = PlainLabel(type="small", wraps=True, selectable=True)
        self.setLayout(
            column_of(
                stretched(self.frame, 100),
                stretched(self.empty),
                self.summary,
                self.reasons,
                STRETCH,
                spacing=px(8),
                margins=(0, px(8), 0, 0),
            )
        )
        self._show_grid(None)
        theme.changed.connect(self._fit)

    @property
    def is_reading(self) -> bool:
        return self._context.is_reading(self._show_grid)

    def show_experiment(self, id: int | None) -> None:
        """Show the cells of an experiment; None shows no cells."""
        self._id = id
        self._context.cancel_read(self._show_grid)
        self._show_grid(None)
        self.refresh()

    def refresh(self) -> None:
        """Read the cells again."""
        if self._id is not None:
            known = {} if self.model.grid is None else self.model.grid.scores
            job = load_grid(self._context.project, self._id, known)
            self._context.read(job, self._show_grid)

    @Slot(object)
    def _show_grid(self, grid: ExperimentGrid | None) -> None:
        self.model.show_grid(grid)
        self._fit()
        has_cells = self.model.rowCount() > 0
        self.frame.setVisible(has_cells)
        self.empty.setVisible(not has_cells)
        self._show_summary()

    def show_live(self, live: Mapping[str, LiveRun], failures: Mapping[str, str]) -> None:
        """Show which runs are in progress and which have failed; both are empty once nothing runs."""
        if (live, failures) != (self.model.live, self.model.failures):
            self.model.live, self.model.failures = dict(live), dict(failures)
            self.model.update_live()
            self._show_summary()

    def counts(self) -> Counter[str]:
        """How many cells are done, running, waiting, refused and failed."""
        found: Counter[str] = Counter()
        for cell in () if self.model.grid is None else self.model.grid.cells:
            text = self.model.text(cell)
            is_live = cell.run in self.model.live and cell.state not in (CellState.DONE, CellState.REFUSED)
            is_state = text in ("refused", "failed")
            found[
                "done" if cell.state is CellState.DONE else "running" if is_live else text if is_state else "waiting"
            ] += 1
        return found

    def _show_summary(self) -> None:
        counts = self.counts()
        total = sum(counts.values())
        parts = [tr("{count:,} of {cells} done", count=counts["done"], cells=count(total, "cell"))]
        parts += [f"{counts[state]:,} {state}" for state in ("running", "refused", "failed") if counts[state]]
        self.summary.setText(" · ".join(parts))
        self.summary.setVisible(total > 0)
        cells = () if self.model.grid is None else self.model.grid.cells
        reasons = list(dict.fromkeys(filter(None, map(self.model.problem, cells))))
        more = [tr("And {reasons:,} more.", reasons=len(reasons) - _MAX_REASONS)] if len(reasons) > _MAX_REASONS else []
        self.reasons.setText("\n".join([*reasons[:_MAX_REASONS], *more]))
        self.reasons.setVisible(bool(reasons))

    def _fit(self) -> None:
        px = self._theme.px
        lines = 2 if any("\n" in str(self._head(column)) for column in range(self.model.columnCount())) else 1
        self.table.horizontalHeader().setFixedHeight(px(HEADER_HEIGHT + (lines - 1) * 16))
        self.table.horizontalHeader().setDefaultSectionSize(px(_CELL_WIDTH))
        rows = self.table.horizontalHeader().height() + self.model.rowCount() * px(_ROW_HEIGHT)
        self.frame.setMaximumHeight(rows + px(16 + 14))
        metrics = QFontMetrics(self._theme.font(SMALL))
        widths = [metrics.horizontalAdvance(self.model.row_name(row)) for row in range(self.model.rowCount())]
        self.table.verticalHeader().setFixedWidth(min(px(_MAX_NAME_WIDTH), max(widths, default=0) + px(24)))

    def _head(self, column: int) -> object:
        return self.model.headerData(column, Qt.Orientation.Horizontal)


class _CellPainter(CellDelegate):
    """Paints a score, the progress bar of a run, or a state."""

    def paint_contents(self, painter: QPainter, box: QRectF, text: str, index: Index) -> None:
        cell: GridCell | None = index.data(_CELL_ROLE)
        if cell is None:
            return
        theme, px = self.theme, self.theme.px
        live: LiveRun | None = index.data(_RUN_ROLE)
        is_live = live is not None and cell.state not in (CellState.DONE, CellState.REFUSED)
        token = (
            "ink" if cell.state is CellState.DONE else "accent" if is_live else "bad" if text == "failed" else "muted"
        )
        painter.setFont(theme.font() if cell.state is CellState.DONE else theme.font(SMALL))
        painter.setPen(theme.color(token))
        right = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        if is_live:
            track = QRectF(box.left(), box.bottom() - px(7), box.width(), px(3))
            painter.drawText(box.adjusted(0, 0, 0, -px(6)), right, text)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.color("line"))
            painter.drawRoundedRect(track, 1.5, 1.5)
            share = live.share if live is not None and live.share is not None else 0.0
            painter.setBrush(theme.color("accent"))
            painter.drawRoundedRect(QRectF(track.left(), track.top(), track.width() * share, track.height()), 1.5, 1.5)
            return
        painter.drawText(box, right, text)
