"""The view of the table of pairs: its rows and selection, and its columns, whose choice is stored."""

from __future__ import annotations

from PySide6.QtCore import QByteArray, QItemSelection, QItemSelectionModel, QItemSelectionRange, QMimeData, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QMenu, QWidget

from desktop.jobs.pairs.table import COPIED_FIELDS, PairList, copied_values
from desktop.translation import tr
from desktop.ui.pages.pairs.columns import COLUMNS, ColumnKind
from desktop.ui.pages.pairs.delegate import ROW_HEIGHT_PX, PairDelegate
from desktop.ui.pages.pairs.table_model import PairTableModel
from desktop.ui.services.settings_store import SettingsStore
from desktop.ui.theme import Theme
from desktop.ui.widgets.menus import CheckMenu
from desktop.ui.widgets.row_drag import MAX_DRAGGED_ROWS, drag_rows, row_data
from desktop.ui.widgets.tables import RowTableView, SortableColumns

_HEADER_STATE, _HAS_CUSTOM_WIDTHS = "pairs/columns", "pairs/sized"  # keys of the window settings
_MIN_SENTENCE_WIDTH_PX = 140
_PREFERRED_SENTENCE_WIDTH_PX = 220
_HIDDEN_WHEN_NARROW = ("year", "domain", "status", "marks")  # hidden in this order to make room for the sentences
_SUGGESTION_COLUMNS = ("suggested", "confidence")  # shown by default once there are suggestions
_ASCENDING = Qt.SortOrder.AscendingOrder
_MAX_RESTORED_ROWS = 5_000  # a selection of more rows is not restored after a change


class PairTableView(RowTableView):
    """Dense rows; sentences take the width that other columns leave. Column choices are stored in the settings."""

    selected = Signal()  # the selection or the current row has changed
    drag_refused = Signal()  # some of the selected rows were not read yet, or there are too many
    menu_requested = Signal(object)  # QPoint on the screen: show the context menu of the selected rows there

    def __init__(
        self, model: PairTableModel, theme: Theme, settings_store: SettingsStore, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._theme, self._settings_store = theme, settings_store
        self._has_custom_widths = False  # the person has resized columns
        self._is_fitting = False
        self._has_suggestions = False
        self._model = model
        self.delegate = PairDelegate(theme, self)
        self.setModel(model)
        self.setItemDelegate(self.delegate)
        self.setAccessibleName(tr("Pairs"))
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
        self.setDragEnabled(True)
        rows = self.verticalHeader()
        rows.hide()
        rows.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        rows.setMinimumSectionSize(1)
        header = self.horizontalHeader()
        header.setHighlightSections(False)
        # To paint itself, the header checks every row for being selected. A selection model of its own is always empty.
        header.setSelectionModel(QItemSelectionModel(model, header))
        header.setSectionsMovable(True)
        header.setSortIndicatorClearable(True)
        header.setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        header.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        header.customContextMenuRequested.connect(lambda at: self.column_menu().popup(header.mapToGlobal(at)))
        self._columns = CheckMenu(self)
        self._restore()
        header.setMinimumSectionSize(theme.px(40))  # the header that was saved may be of another text size
        SortableColumns(self, [column.sort is not None for column in COLUMNS])
        self.setSortingEnabled(True)
        header.sectionResized.connect(self._on_section_resized)
        header.sectionMoved.connect(self._save)
        self.selectionModel().selectionChanged.connect(lambda *_: self.selected.emit())
        self.selectionModel().currentRowChanged.connect(lambda *_: self.selected.emit())
        theme.changed.connect(self._update_theme)
        self._update_theme()

    def model(self) -> PairTableModel:
        return self._model

    def ranges(self) -> list[range]:
        """The selected rows as ranges, from top to bottom; there may be a million rows."""
        selection = self.selectionModel().selection()
        spans = sorted((selection.at(index).top(), selection.at(index).bottom()) for index in range(selection.count()))
        merged: list[range] = []
        for top, bottom in spans:
            if merged and top <= merged[-1].stop:
                merged[-1] = range(merged[-1].start, max(merged[-1].stop, bottom + 1))
            else:
                merged.append(range(top, bottom + 1))
        return merged

    def selected_count(self) -> int:
        return sum(map(len, self.ranges()))

    def has_all_selected(self) -> bool:
        return bool(rows := self._model.rowCount()) and self.selected_count() == rows

    def top_row(self) -> int:
        return max(0, self.rowAt(0))

    def select_rows(self, rows: list[int], current: int) -> None:
        """Select these rows and no others, without scrolling."""
        last = len(COLUMNS) - 1
        selection = QItemSelection()
        for row in rows:
            selection.append(QItemSelectionRange(self._model.index(row, 0), self._model.index(row, last)))
        model = self.selectionModel()
        if current >= 0:
            model.setCurrentIndex(self._model.index(current, 0), QItemSelectionModel.SelectionFlag.NoUpdate)
        model.select(selection, QItemSelectionModel.SelectionFlag.ClearAndSelect)

    def scroll_to_top(self, row: int, offset: int) -> None:
        """Scroll until the row is `offset` pixels below the top."""
        self.verticalScrollBar().setValue(row * self.verticalHeader().defaultSectionSize() - offset)

    def ids_to_restore(self) -> frozenset[int]:
        """The pairs to find again after a change: the selected ones, the current one and the topmost one."""
        ids = self._model.ids
        rows = [self.cursor_row(), self.top_row(), *self._rows_to_restore()]
        return frozenset(ids[row] for row in rows if 0 <= row < len(ids))

    def replace_pairs(self, listed: PairList, *, select_next: bool) -> None:
        """Show the present pairs after a change; selection, current row and scroll position are kept.

        If the current pair is gone, the next one becomes current. It is selected only with `select_next`; otherwise the
        next key would change a pair that nobody has selected.
        """
        old_ids, new_rows = self._model.ids, listed.positions
        current, top = self.cursor_row(), self.top_row()
        offset = self.rowViewportPosition(top) if len(old_ids) else 0
        all_selected = self.has_all_selected()
        old_rows = [] if all_selected else self._rows_to_restore()
        selection = sorted(new_rows[old_ids[row]] for row in old_rows if old_ids[row] in new_rows)
        last = len(listed.ids) - 1
        new_current = new_rows.get(old_ids[current], min(current, last)) if 0 <= current < len(old_ids) else -1
        new_top = new_rows.get(old_ids[top], min(top, last)) if top < len(old_ids) else 0
        self._model.replace_ids(listed.ids)
        self.select_rows(selection or ([new_current] if select_next and new_current >= 0 else []), new_current)
        if all_selected:
            self.selectAll()
        self.scroll_to_top(new_top, offset)

    def _rows_to_restore(self) -> list[int]:
        return [row for rows in self.ranges() for row in rows] if self.selected_count() <= _MAX_RESTORED_ROWS else []

    def drag_data(self) -> QMimeData | None:
        """The selected pairs for dragging; None if not all of them are read, or there are too many."""
        if not 0 < self.selected_count() <= MAX_DRAGGED_ROWS:
            return None
        read = [self._model.line(row) for rows in self.ranges() for row in rows]
        lines = [line for line in read if line is not None]
        if len(lines) < len(read):
            return None
        return row_data(list(COPIED_FIELDS), [copied_values(line) for line in lines])

    def startDrag(self, actions: Qt.DropAction) -> None:
        data = self.drag_data()
        if data is None:
            self.drag_refused.emit()
        drag_rows(self, data or QMimeData())  # an empty one keeps the moving mouse from changing the selection

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        by_key = event.reason() == QContextMenuEvent.Reason.Keyboard
        position = (
            self.visualRect(self.currentIndex()).center()
            if by_key
            else self.viewport().mapFromGlobal(event.globalPos())
        )
        self.menu_requested.emit(self.viewport().mapToGlobal(position))

    def column_menu(self) -> QMenu:
        """A menu that shows, hides and resets columns, and sorts by them; each call fills it anew."""
        self._columns.clear()
        for number, column in enumerate(COLUMNS):
            action = self._columns.addAction(column.title)
            action.setCheckable(True)
            action.setChecked(not self.isColumnHidden(number))
            action.setEnabled(column.key != "premise")
            action.toggled.connect(lambda is_visible, number=number: self.show_column(number, is_visible))
        self._columns.addSeparator()
        header = self.horizontalHeader()
        sorted_column, sorted_order = header.sortIndicatorSection(), header.sortIndicatorOrder()
        sort = self._columns.addMenu(tr("Sort by"))
        for number, column in enumerate(COLUMNS):
            if column.sort is not None:
                action = sort.addAction(column.title)
                action.setCheckable(True)
                action.setChecked(number == sorted_column)
                order = (
                    Qt.SortOrder.DescendingOrder
                    if number == sorted_column and sorted_order == _ASCENDING
                    else _ASCENDING
                )
                action.triggered.connect(lambda _=False, number=number, order=order: self.sortByColumn(number, order))
        sort.addSeparator()
        sort.addAction(tr("Paper order")).triggered.connect(lambda: self.sortByColumn(-1, _ASCENDING))
        self._columns.addSeparator()
        self._columns.addAction(tr("Reset columns")).triggered.connect(self.reset_columns)
        return self._columns

    def show_column(self, number: int, is_visible: bool) -> None:
        """Show or hide a column, and store the choice."""
        self.setColumnHidden(number, not is_visible)
        self._fit_columns()
        self._save()

    def reset_columns(self) -> None:
        """Forget which columns were shown, in which order and width."""
        for key in (_HEADER_STATE, _HAS_CUSTOM_WIDTHS):
            self._settings_store.window_settings.remove(key)
        header = self.horizontalHeader()
        for number, column in enumerate(COLUMNS):
            header.moveSection(header.visualIndex(number), number)
            self.setColumnHidden(number, not column.is_default)
            self.setColumnWidth(number, self._theme.px(column.width))
        self._has_custom_widths = False
        self._fit_columns()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_columns()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._fit_columns()

    def _fit_columns(self) -> None:
        """Divide the width that is left between the sentences, unless the person has resized columns."""
        if self._has_custom_widths:
            return
        self._is_fitting = True
        if self._settings_store.window_settings.value(_HEADER_STATE) is None:
            self._hide_columns()
        visible = [(number, column) for number, column in enumerate(COLUMNS) if not self.isColumnHidden(number)]
        sentences = [number for number, column in visible if column.kind is ColumnKind.SENTENCE]
        used = sum(self.columnWidth(number) for number, column in visible if column.kind is not ColumnKind.SENTENCE)
        for number in sentences:
            width = (self.viewport().width() - used) // len(sentences)
            self.setColumnWidth(number, max(self._theme.px(_MIN_SENTENCE_WIDTH_PX), width))
        self._is_fitting = False

    def _hide_columns(self) -> None:
        """Hide columns until the sentences have enough room; only while the person has not chosen columns."""
        px = self._theme.px
        visible = [column for column in COLUMNS if column.is_default]
        if self._has_suggestions:
            visible += [column for column in COLUMNS if column.key in _SUGGESTION_COLUMNS]
        for key in _HIDDEN_WHEN_NARROW:
            used = sum(px(column.width) for column in visible if column.kind is not ColumnKind.SENTENCE)
            if self.viewport().width() - used >= 2 * px(_PREFERRED_SENTENCE_WIDTH_PX):
                break
            visible = [column for column in visible if column.key != key]
        for number, column in enumerate(COLUMNS):
            self.setColumnHidden(number, column not in visible)

    def show_suggestion_columns(self) -> None:
        """Show the columns of suggestions by default; a person's own choice of columns is kept."""
        if not self._has_suggestions:
            self._has_suggestions = True
            self._fit_columns()

    def _restore(self) -> None:
        state = self._settings_store.window_settings.value(_HEADER_STATE)
        is_restored = isinstance(state, QByteArray) and self.horizontalHeader().restoreState(state)
        if is_restored and self.horizontalHeader().count() == len(COLUMNS):
            self._has_custom_widths = self._settings_store.window_settings.value(_HAS_CUSTOM_WIDTHS) == "true"
            self.horizontalHeader().setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
            return
        for number, column in enumerate(COLUMNS):
            self.setColumnHidden(number, not column.is_default)
            self.setColumnWidth(number, self._theme.px(column.width))

    def _on_section_resized(self, *_: int) -> None:
        if not self._is_fitting and self.isVisible():
            self._has_custom_widths = True
            self._save()

    def _save(self, *_: int) -> None:
        self._settings_store.window_settings.setValue(_HEADER_STATE, self.horizontalHeader().saveState())
        self._settings_store.window_settings.setValue(
            _HAS_CUSTOM_WIDTHS, "true" if self._has_custom_widths else "false"
        )

    def _update_theme(self) -> None:
        self.verticalHeader().setDefaultSectionSize(self._theme.px(ROW_HEIGHT_PX))
        self._fit_columns()
        if self._has_custom_widths:
            self._save()  # they are of the new scale
        self.viewport().update()
