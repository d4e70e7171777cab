"""The view of the table of papers: its columns, keys and selection, and the painting of its cells."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from pathlib import Path
from typing import cast

from PySide6.QtCore import (
    QItemSelection,
    QItemSelectionModel,
    QItemSelectionRange,
    QMimeData,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QSettings,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QColor, QKeyEvent, QPainter, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from desktop.translation import tr
from desktop.ui.pages.papers.table_model import (
    COLUMNS,
    TITLE,
    PaperCell,
    PaperTableModel,
    row_spans,
)
from desktop.ui.theme import Theme
from desktop.ui.widgets.column_choice import ColumnChoice
from desktop.ui.widgets.row_drag import MAX_DRAGGED_ROWS, drag_rows, row_data
from desktop.ui.widgets.tables import RowTableView, SortableColumns
from storage.papers.table import PaperTableRow

_LEFT = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
_RIGHT = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight
_MAX_RESTORED_SPANS = 2000  # a selection of more spans is not restored: it would take long
_COLUMNS_KEY = "papers/columns"  # of the window settings


class PaperTableView(RowTableView):
    """The view. Its row ids are the model's: above 0 for papers, below 0 for failed files."""

    drag_refused = Signal()  # some of the selected rows were not read yet, or there are too many

    def __init__(
        self, table: PaperTableModel, theme: Theme, window_settings: QSettings, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._table, self._theme = table, theme
        px = theme.px
        self.setModel(table)
        self.setItemDelegate(PaperDelegate(theme, table, self))
        self.setAccessibleName(tr("Papers"))
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setShowGrid(False)
        self.setStyleSheet(f"QTableView::item {{ padding: 0 {px(5)}px }}")
        self.setWordWrap(False)
        self.setTabKeyNavigation(False)
        self.verticalHeader().hide()
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.verticalHeader().setDefaultSectionSize(px(30))
        header = self.horizontalHeader()
        header.setHighlightSections(False)
        # To paint itself, the header checks every row for being selected. A selection model of its own is always empty.
        header.setSelectionModel(QItemSelectionModel(table, header))
        header.setSortIndicatorClearable(True)
        header.setMinimumSectionSize(px(48))
        for number, column in enumerate(COLUMNS):
            header.resizeSection(number, px(column.width))
        header.setSectionResizeMode(TITLE, QHeaderView.ResizeMode.Stretch)
        header.setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        SortableColumns(self, [column.sort is not None for column in COLUMNS])
        self.setSortingEnabled(True)
        self.setDragEnabled(True)
        names = [column.name for column in COLUMNS]
        hidden = frozenset(number for number, column in enumerate(COLUMNS) if not column.is_default)
        self._columns = ColumnChoice(self, names, window_settings, _COLUMNS_KEY, hidden=hidden)
        self.selectionModel().currentRowChanged.connect(lambda *_: self.viewport().update())

    def selected_ids(self) -> list[int]:
        """The ids of the selected rows, from top to bottom."""
        selection = cast("Iterable[QItemSelectionRange]", self.selectionModel().selection())
        spans = sorted((span.top(), span.bottom()) for span in selection)
        return self._table.ids(dict.fromkeys(row for first, last in spans for row in range(first, last + 1)))

    def current_id(self) -> int | None:
        """The id of the current row; None without a selection."""
        row = self.cursor_row()
        return next(iter(self._table.ids([row])), None) if row >= 0 else None

    def id_below(self, number: int) -> int | None:
        """The id of the next row below that is a paper; None if there is none."""
        row = self._table.row_of(number)
        below = range(row + 1, self._table.rowCount()) if row is not None else range(0)
        return next((found for found in self._table.ids(below) if found > 0), None)

    def select_id(self, number: int) -> None:
        """Select this row alone, and scroll to it."""
        if (row := self._table.row_of(number)) is not None:
            self.selectRow(row)
            self.scrollTo(self._table.index(row, 0))

    def select_ids(self, ids: Collection[int], current: int | None) -> None:
        """Restore a selection after the model was reset. It does nothing when rows are selected already."""
        if not ids or self.selectionModel().hasSelection():
            return
        rows = sorted(row for number in ids if (row := self._table.row_of(number)) is not None)
        spans = list(row_spans(rows))
        if len(spans) > _MAX_RESTORED_SPANS:
            return
        selection = QItemSelection()
        for first, last in spans:
            selection.select(self._table.index(first, 0), self._table.index(last, len(COLUMNS) - 1))
        flags = QItemSelectionModel.SelectionFlag
        if current is not None and (row := self._table.row_of(current)) is not None:
            self.selectionModel().setCurrentIndex(self._table.index(row, 0), flags.NoUpdate)
        self.selectionModel().select(selection, flags.ClearAndSelect)

    def sizeHint(self) -> QSize:
        return QSize(600, 400)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Return opens the row on every platform; Escape clears the selection."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.currentIndex().isValid():
            self.activated.emit(self.currentIndex())
        elif event.key() == Qt.Key.Key_Escape:
            self.clearSelection()
        else:
            super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        width, px = self.viewport().width(), self._theme.px
        self._columns.hide_without_room(
            frozenset(number for number, column in enumerate(COLUMNS) if width < px(column.needs_width))
        )

    def heads(self) -> list[str]:
        """The names of the columns that are shown."""
        return [column.name for number, column in enumerate(COLUMNS) if not self.isColumnHidden(number)]

    def cells(self, line: PaperTableRow) -> list[str]:
        """The texts of a row, in the columns that are shown."""
        return [
            " ".join(column.text(line).split())
            for number, column in enumerate(COLUMNS)
            if not self.isColumnHidden(number)
        ]

    def drag_data(self) -> QMimeData | None:
        """The selected rows and their files for dragging; None if not all of them are read, or there are too many."""
        rows = [row for number in self.selected_ids() if (row := self._table.row_of(number)) is not None]
        lines = [line for row in rows[: MAX_DRAGGED_ROWS + 1] if (line := self._table.line(row)) is not None]
        if not lines or len(lines) < len(rows) or len(rows) > MAX_DRAGGED_ROWS:
            return None
        files = [Path(line.path) for line in lines if line.path and not line.data_set]
        return row_data(self.heads(), [self.cells(line) for line in lines], files)

    def startDrag(self, actions: Qt.DropAction) -> None:
        data = self.drag_data()
        if data is None:
            self.drag_refused.emit()
        drag_rows(self, data or QMimeData())  # an empty one keeps the moving mouse from changing the selection


class PaperDelegate(QStyledItemDelegate):
    """Paints the cells. It asks the model for each cell once; Qt's own painting would call `data` ten times."""

    def __init__(self, theme: Theme, table: PaperTableModel, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._table = table
        self._update_theme()
        theme.changed.connect(self._update_theme)

    def _update_theme(self) -> None:
        tokens, px = self._theme.tokens, self._theme.px
        names = ("ink", "muted", "good", "warning", "selected", "accent")
        self._colors = {name: QColor(getattr(tokens, name)) for name in names}
        self._padding, self._symbol_width, self._cursor_width = px(8), px(18), px(3)

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        cell = self._table.cell(index.row(), index.column())
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(option.rect, self._colors["selected"])
        if index.column() == TITLE and self._is_current(option, index.row()):
            painter.fillRect(
                option.rect.adjusted(0, 0, self._cursor_width - option.rect.width(), 0), self._colors["accent"]
            )
        if cell.remedy:
            self._paint_failure(painter, option, cell)
            return
        if not cell.text:
            return
        rect = option.rect.adjusted(self._padding, 0, -self._padding, 0)
        if cell.state is not None:
            painter.setPen(self._colors[cell.state.tone])
            painter.drawText(rect, _LEFT, cell.state.symbol)
            rect.setLeft(rect.left() + self._symbol_width)
        painter.setPen(self._colors[_text_color(cell)])
        text = cell.text if cell.state is None else cell.state.word
        elided = option.fontMetrics.elidedText(text, Qt.TextElideMode.ElideRight, rect.width())
        painter.drawText(rect, _RIGHT if cell.is_number else _LEFT, elided)

    def _paint_failure(self, painter: QPainter, option: QStyleOptionViewItem, cell: PaperCell) -> None:
        """Paint the failure and its remedy across all columns right of the title; each cell paints its own part."""
        view, state = option.widget, cell.state
        if not isinstance(view, QTableView) or state is None:
            return
        header = view.horizontalHeader()
        visible = [column for column in range(TITLE + 1, header.count()) if not header.isSectionHidden(column)]
        left = header.sectionViewportPosition(visible[0])
        right = header.sectionViewportPosition(visible[-1]) + header.sectionSize(visible[-1])
        area = option.rect.adjusted(left + self._padding - option.rect.left(), 0, 0, 0)
        area.setRight(right - self._padding)
        painter.save()
        painter.setClipRect(option.rect)
        painter.setPen(self._colors[state.tone])
        painter.drawText(area, _LEFT, state.symbol)
        area.setLeft(area.left() + self._symbol_width)
        reason = f"{state.word[:1].upper()}{state.word[1:]}. "
        painter.drawText(area, _LEFT, reason)
        area.setLeft(area.left() + option.fontMetrics.horizontalAdvance(reason))
        painter.setPen(self._colors["ink"])
        remedy = option.fontMetrics.elidedText(cell.remedy, Qt.TextElideMode.ElideRight, area.width())
        painter.drawText(area, _LEFT, remedy)
        painter.restore()

    def _is_current(self, option: QStyleOptionViewItem, row: int) -> bool:
        """Whether the cursor is on this row, selected or not."""
        view = option.widget
        return isinstance(view, QTableView) and view.hasFocus() and view.currentIndex().row() == row


def _text_color(cell: PaperCell) -> str:
    """The name of a colour of the theme."""
    if cell.state is not None:
        return "warning" if cell.state.tone == "warning" else "ink"
    return "muted" if cell.is_muted else "ink"
