"""The table itself: dense rows, columns that are chosen and remembered, keys."""

from __future__ import annotations

from PySide6.QtCore import QByteArray, QItemSelection, QItemSelectionModel, QItemSelectionRange, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QMenu, QWidget

from desktop.ui.pages.pairs.columns import COLUMNS, Kind
from desktop.ui.pages.pairs.delegate import ROW, PairDelegate
from desktop.ui.pages.pairs.table_model import PairTable
from desktop.ui.services.settings_store import SettingsStore
from desktop.ui.theme import Theme
from desktop.ui.widgets.menus import CheckMenu
from desktop.ui.widgets.tables import RowTableView, SortableColumns

_STATE, _SIZED = "pairs/columns", "pairs/sized"  # window settings
_NARROWEST = 140
_ROOMY = 220  # px that a sentence should have
_YIELDING = ("year", "domain", "status", "marks")  # columns that make room for the sentences, in this order
_OF_SUGGESTIONS = ("suggested", "confidence")  # shown at first where there are any
_UP = Qt.SortOrder.AscendingOrder


class PairView(RowTableView):
    selected = Signal()  # other rows, or another row under the cursor
    menu_requested = Signal(object)  # QPoint on the screen: what can be done with the selected rows

    def __init__(
        self, table: PairTable, theme: Theme, settings_store: SettingsStore, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._theme, self._settings_store = theme, settings_store
        self.table = table
        self.delegate = PairDelegate(theme, self)
        self.setModel(table)
        self.setItemDelegate(self.delegate)
        self.setAccessibleName("Pairs")
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setTabKeyNavigation(False)
        self.setCornerButtonEnabled(False)
        self.setMouseTracking(True)
        rows = self.verticalHeader()
        rows.hide()
        rows.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        rows.setMinimumSectionSize(1)
        head = self.horizontalHeader()
        head.setHighlightSections(False)
        # To draw itself the head asks of each column whether all its rows are selected, one by one: of no rows here.
        head.setSelectionModel(QItemSelectionModel(table, head))
        head.setSectionsMovable(True)
        head.setMinimumSectionSize(theme.px(40))
        head.setSortIndicatorClearable(True)
        head.setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        head.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        head.customContextMenuRequested.connect(lambda at: self.column_menu().popup(head.mapToGlobal(at)))
        self._columns = CheckMenu(self)
        self._scale = theme.scale
        self._restore()
        SortableColumns(self, [column.by is not None for column in COLUMNS])
        self.setSortingEnabled(True)
        head.sectionResized.connect(self._on_sized)
        head.sectionMoved.connect(self._save)
        self.selectionModel().selectionChanged.connect(lambda *_: self.selected.emit())
        self.selectionModel().currentRowChanged.connect(lambda *_: self.selected.emit())
        theme.changed.connect(self._dress)
        self._dress()

    # Rows

    def ranges(self) -> list[range]:
        """The selected rows, in order; never one by one, there may be a million."""
        selection = self.selectionModel().selection()
        parts = sorted((selection.at(place).top(), selection.at(place).bottom()) for place in range(selection.count()))
        merged: list[range] = []
        for top, bottom in parts:
            if merged and top <= merged[-1].stop:
                merged[-1] = range(merged[-1].start, max(merged[-1].stop, bottom + 1))
            else:
                merged.append(range(top, bottom + 1))
        return merged

    def selected_count(self) -> int:
        return sum(map(len, self.ranges()))

    def has_all_selected(self) -> bool:
        return bool(rows := self.table.rowCount()) and self.selected_count() == rows

    def current_row(self) -> int:
        return self.currentIndex().row()

    def top_row(self) -> int:
        return max(0, self.rowAt(0))

    def select_rows(self, rows: list[int], current: int) -> None:
        """Select these rows and no others, without scrolling."""
        last = len(COLUMNS) - 1
        chosen = QItemSelection()
        for row in rows:
            chosen.append(QItemSelectionRange(self.table.index(row, 0), self.table.index(row, last)))
        model = self.selectionModel()
        if current >= 0:
            model.setCurrentIndex(self.table.index(current, 0), QItemSelectionModel.SelectionFlag.NoUpdate)
        model.select(chosen, QItemSelectionModel.SelectionFlag.ClearAndSelect)

    def put_on_top(self, row: int, offset: int) -> None:
        """Scroll so that `row` stands `offset` pixels below the top."""
        self.verticalScrollBar().setValue(row * self.verticalHeader().defaultSectionSize() - offset)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        by_key = event.reason() == QContextMenuEvent.Reason.Keyboard
        place = (
            self.visualRect(self.currentIndex()).center()
            if by_key
            else self.viewport().mapFromGlobal(event.globalPos())
        )
        self.menu_requested.emit(self.viewport().mapToGlobal(place))

    # Columns

    def column_menu(self) -> QMenu:
        """Which columns are shown."""
        self._columns.clear()
        for number, column in enumerate(COLUMNS):
            action = self._columns.addAction(column.title)
            action.setCheckable(True)
            action.setChecked(not self.isColumnHidden(number))
            action.setEnabled(column.key != "premise")
            action.toggled.connect(lambda shown, number=number: self.show_column(number, shown))
        self._columns.addSeparator()
        head = self.horizontalHeader()
        by, turned = head.sortIndicatorSection(), head.sortIndicatorOrder()
        sort = self._columns.addMenu("Sort by")
        for number, column in enumerate(COLUMNS):
            if column.by is not None:
                action = sort.addAction(column.title)
                action.setCheckable(True)
                action.setChecked(number == by)
                other = Qt.SortOrder.DescendingOrder if number == by and turned == _UP else _UP
                action.triggered.connect(lambda _=False, number=number, other=other: self.sortByColumn(number, other))
        sort.addSeparator()
        sort.addAction("Paper order").triggered.connect(lambda: self.sortByColumn(-1, _UP))
        self._columns.addSeparator()
        self._columns.addAction("Reset columns").triggered.connect(self.forget_columns)
        return self._columns

    def show_column(self, number: int, shown: bool) -> None:
        self.setColumnHidden(number, not shown)
        self._fit()
        self._save()

    def forget_columns(self) -> None:
        for key in (_STATE, _SIZED):
            self._settings_store.window_settings.remove(key)
        head = self.horizontalHeader()
        for number, column in enumerate(COLUMNS):
            head.moveSection(head.visualIndex(number), number)
            self.setColumnHidden(number, not column.shown)
            self.setColumnWidth(number, self._theme.px(column.width))
        self._sized = False
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._fit()

    def _fit(self) -> None:
        """The sentences share what the other columns leave, until the person sizes columns."""
        if self._sized:
            return
        self._fitting = True
        if self._settings_store.window_settings.value(_STATE) is None:
            self._make_room()
        shown = [(number, column) for number, column in enumerate(COLUMNS) if not self.isColumnHidden(number)]
        wide = [number for number, column in shown if column.kind is Kind.SENTENCE]
        taken = sum(self.columnWidth(number) for number, column in shown if column.kind is not Kind.SENTENCE)
        for number in wide:
            width = (self.viewport().width() - taken) // len(wide)
            self.setColumnWidth(number, max(self._theme.px(_NARROWEST), width))
        self._fitting = False

    def _make_room(self) -> None:
        """Until the person chooses columns, some give way where the sentences would have little room."""
        px = self._theme.px
        shown = [column for column in COLUMNS if column.shown or (self._suggested and column.key in _OF_SUGGESTIONS)]
        for key in _YIELDING:
            taken = sum(px(column.width) for column in shown if column.kind is not Kind.SENTENCE)
            if self.viewport().width() - taken >= 2 * px(_ROOMY):
                break
            shown = [column for column in shown if column.key != key]
        for number, column in enumerate(COLUMNS):
            self.setColumnHidden(number, column not in shown)

    _sized = False
    _fitting = False
    _suggested = False

    def know_suggested(self) -> None:
        """Some pairs have suggestions: their columns are shown, until the person chooses columns."""
        if not self._suggested:
            self._suggested = True
            self._fit()

    def _restore(self) -> None:
        state = self._settings_store.window_settings.value(_STATE)
        known = isinstance(state, QByteArray) and self.horizontalHeader().restoreState(state)
        if known and self.horizontalHeader().count() == len(COLUMNS):
            self._sized = self._settings_store.window_settings.value(_SIZED) == "true"
            self.horizontalHeader().setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
            return
        for number, column in enumerate(COLUMNS):
            self.setColumnHidden(number, not column.shown)
            self.setColumnWidth(number, self._theme.px(column.width))

    def _on_sized(self, *_: int) -> None:
        if not self._fitting and self.isVisible():
            self._sized = True
            self._save()

    def _save(self, *_: int) -> None:
        self._settings_store.window_settings.setValue(_STATE, self.horizontalHeader().saveState())
        self._settings_store.window_settings.setValue(_SIZED, "true" if self._sized else "false")

    def _dress(self) -> None:
        self.verticalHeader().setDefaultSectionSize(self._theme.px(ROW))
        if self._scale != self._theme.scale:
            for number in range(len(COLUMNS)):
                self.setColumnWidth(number, round(self.columnWidth(number) * self._theme.scale / self._scale))
            self._scale = self._theme.scale
            self._fit()
        self.viewport().update()
