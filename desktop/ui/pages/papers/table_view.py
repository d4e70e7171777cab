"""The table of papers on screen: its columns, its keys, and which rows are selected."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import cast

from PySide6.QtCore import QItemSelection, QItemSelectionModel, QItemSelectionRange, QSize, Qt
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QWidget

from desktop.ui.pages.papers.delegate import PaperDelegate
from desktop.ui.pages.papers.table_model import AUTHORS, COLUMNS, DOMAIN, TITLE, YEAR, PaperTable, together
from desktop.ui.theme import Theme
from desktop.ui.widgets.tables import RowTableView, SortableColumns

_SPANS = 2000  # of rows that are selected again; more would take long, and nobody selected them one by one
_ROOM = {AUTHORS: 760, DOMAIN: 480, YEAR: 360}  # pixels of the table below which a column gives its room to the title


class PaperTableView(RowTableView):
    """Ids are those of the table's rows: above 0 of papers, below 0 of failed files."""

    def __init__(self, table: PaperTable, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._table, self._theme = table, theme
        px = theme.px
        self.setModel(table)
        self.setItemDelegate(PaperDelegate(theme, table, self))
        self.setAccessibleName("Papers")
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
        head = self.horizontalHeader()
        head.setHighlightSections(False)
        # To draw itself the head asks of each column whether all its rows are selected, one by one: of no rows here.
        head.setSelectionModel(QItemSelectionModel(table, head))
        head.setSortIndicatorClearable(True)
        head.setMinimumSectionSize(px(48))
        for number, column in enumerate(COLUMNS):
            head.resizeSection(number, px(column.width))
        head.setSectionResizeMode(TITLE, QHeaderView.ResizeMode.Stretch)
        head.setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        SortableColumns(self, [column.sort is not None for column in COLUMNS])
        self.setSortingEnabled(True)
        self.selectionModel().currentRowChanged.connect(lambda *_: self.viewport().update())

    def selected_ids(self) -> list[int]:
        """Those of the selected rows, in the order of the table."""
        selection = cast("Iterable[QItemSelectionRange]", self.selectionModel().selection())
        spans = sorted((span.top(), span.bottom()) for span in selection)
        return self._table.ids(dict.fromkeys(row for first, last in spans for row in range(first, last + 1)))

    def current_id(self) -> int | None:
        """That of the row which the person looks at."""
        row = self.cursor_row()
        return next(iter(self._table.ids([row])), None) if row >= 0 else None

    def select_ids(self, ids: Collection[int], current: int | None) -> None:
        """Select the rows of these ids where there are some, as before a reset; not over another selection."""
        if not ids or self.selectionModel().hasSelection():
            return
        rows = sorted(row for number in ids if (row := self._table.row_of(number)) is not None)
        spans = list(together(rows))
        if len(spans) > _SPANS:
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
        """Return opens the row on every platform; Escape lets go of the selection."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.currentIndex().isValid():
            self.activated.emit(self.currentIndex())
        elif event.key() == Qt.Key.Key_Escape:
            self.clearSelection()
        else:
            super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        for column, least in _ROOM.items():
            self.setColumnHidden(column, self.viewport().width() < self._theme.px(least))
