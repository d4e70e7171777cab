"""The papers page: what there is, what comes in, and what needs attention."""

from __future__ import annotations

from collections.abc import Iterable
from typing import cast

from PySide6.QtCore import (
    QByteArray,
    QItemSelection,
    QItemSelectionModel,
    QItemSelectionRange,
    QModelIndex,
    QPoint,
    QSize,
    Qt,
    QTimer,
    Slot,
)
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QLineEdit,
    QPushButton,
    QSplitter,
    QStackedWidget,
    QWidget,
)

from desktop.jobs.papers import table as listing
from desktop.jobs.papers.table import Rows
from desktop.text import count
from desktop.ui.pages.papers.actions import PaperActions
from desktop.ui.pages.papers.delegate import PaperDelegate
from desktop.ui.pages.papers.details import DetailsPane
from desktop.ui.pages.papers.import_controller import import_controller
from desktop.ui.pages.papers.next_step import NextStep
from desktop.ui.pages.papers.table_model import AUTHORS, COLUMNS, DOMAIN, TITLE, YEAR, PaperTable, together
from desktop.ui.services.page import Page
from desktop.ui.services.project_context import ProjectContext
from desktop.ui.services.runner import JobRun
from desktop.ui.theme import Theme
from desktop.ui.widgets.empty import Empty
from desktop.ui.widgets.plain import PlainLabel, set_tip
from desktop.ui.widgets.row_table import RowTableView
from desktop.ui.widgets.sort_header import SortableColumns
from storage.changes import Changes
from storage.papers.table import PaperColumn, PaperLine, PaperQuery, Totals

_SPANS = 2000  # of rows that are selected again; more would take long, and nobody selected them one by one
_NARROW = 1000  # pixels of the page below which there are details only of what is selected
_TYPING = 150  # milliseconds between the last key and the search
_ROOM = {AUTHORS: 760, DOMAIN: 480, YEAR: 360}  # pixels of the table below which a column gives its room to the title


class PapersPage(Page):
    title = "Papers"

    def __init__(self, context: ProjectContext, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self._query = PaperQuery()
        self._shown: Rows | None = None
        self._reading: JobRun | None = None
        self._again = False
        self._asked_ids: list[int] = []
        self._imports = import_controller(context)
        self.model = PaperTable(self)
        self._lay_out()
        self.verbs = PaperActions(context, self)
        self._connect()

    # What the actions ask

    def selected_ids(self) -> list[int]:
        """The selected rows' papers and failed files, as the list names them."""
        selection = cast("Iterable[QItemSelectionRange]", self.table.selectionModel().selection())
        spans = sorted((span.top(), span.bottom()) for span in selection)
        return self.model.ids(dict.fromkeys(row for first, last in spans for row in range(first, last + 1)))

    def current_id(self) -> int | None:
        """The one that is shown beside the list."""
        row = self.table.cursor_row()
        return next(iter(self.model.ids([row])), None) if row >= 0 else None

    @property
    def totals(self) -> Totals | None:
        return self._shown.totals if self._shown else None

    @property
    def domains(self) -> list[str]:
        """The project's, those with most papers first."""
        known = self._shown.domains if self._shown else {}
        return sorted(filter(None, known), key=lambda domain: (-known[domain], domain))

    def only_attention(self, wanted: bool) -> None:
        self.attention.setChecked(wanted)

    # Reading

    def refresh(self, changes: Changes) -> None:
        if changes.papers or changes.mined or changes.many or changes.judged:
            self.model.forget()
            self._read()
            self.details.look_again()

    def _read(self) -> None:
        if self._reading is not None:
            self._again = True
            return
        self._reading = self.context.runner.read(listing.rows(self.context.project, self._query))
        self._reading.done.connect(self._on_rows)
        self._reading.failed.connect(self.context.problems.show)
        self._reading.ended.connect(self._on_read)

    @Slot()
    def _on_read(self) -> None:
        self._reading = None
        if self._again:
            self._again = False
            self._read()

    @Slot(object)
    def _on_rows(self, found: Rows) -> None:
        self._shown = found
        self._show_rows()
        totals = found.totals
        self.say_below_title(_summary(totals))
        self.attention.setVisible(bool(totals.failed) or self.attention.isChecked())
        self.badge_changed.emit(totals.failed)
        self._show_waiting()

    def _show_rows(self) -> None:
        if self._shown is None:
            return
        kept, current = set(self.selected_ids()), self.current_id()
        plain = not self._query.text and not self._query.attention
        self.model.show_ids(self._shown.ids, self._imports.in_hand if plain else None)
        self._select_again(kept, current)
        shown = self.split if self.model.rowCount() else self._nothing()
        self.stack.setCurrentWidget(shown)
        for widget in (self.search, self.add_button, self.hint):
            widget.setVisible(shown is not self.empty)
        self.verbs.update()

    def _select_again(self, kept: set[int], current: int | None) -> None:
        """After a reset the rows that were selected are again, where they still are."""
        if not kept or self.table.selectionModel().hasSelection():
            return
        rows = sorted(row for number in kept if (row := self.model.row_of(number)) is not None)
        spans = list(together(rows))
        if len(spans) > _SPANS:
            return
        selection = QItemSelection()
        for first, last in spans:
            selection.select(self.model.index(first, 0), self.model.index(last, len(COLUMNS) - 1))
        flags = QItemSelectionModel.SelectionFlag
        if current is not None and (row := self.model.row_of(current)) is not None:
            self.table.selectionModel().setCurrentIndex(self.model.index(row, 0), flags.NoUpdate)
        self.table.selectionModel().select(selection, flags.ClearAndSelect)

    def _nothing(self) -> QWidget:
        if self._query.text or self._query.attention:
            what = f"No paper has “{self._query.text}”." if self._query.text else "No file needs attention."
            self.none_found.sentence.setText(what)
            return self.none_found
        return self.empty

    def _show_waiting(self) -> None:
        """What can be gone on with, when nobody is at it: files left, papers to mine, pairs to review."""
        totals, imports = self.totals, self._imports
        if totals is None or imports.is_going:
            self.waiting.show_step("")
        elif imports.left and not self.context.read_only:
            verb = "is" if imports.left == 1 else "are"
            text = f"Adding papers was cancelled: {count(imports.left, 'file')} {verb} left."
            self.waiting.show_step("left", text, f"Go on with {imports.left:,} left")
        elif totals.unmined and not self.context.read_only:
            verb = "waits" if totals.unmined == 1 else "wait"
            text = f"{count(totals.unmined, 'paper')} {verb} to be mined."
            self.waiting.show_step("unmined", text, "Mine now", can_close=False)
        elif imports.has_new_pairs and totals.pairs:
            verb = "is" if totals.pairs == 1 else "are"
            self.waiting.show_step("mined", f"{count(totals.pairs, 'pair')} {verb} ready.", "Review")
        else:
            self.waiting.show_step("")

    @Slot(str)
    def _on_next_step(self, step: str) -> None:
        if step == "left":
            self._imports.go_on()
        elif step == "unmined":
            self.verbs.mine()
        else:
            self._imports.has_new_pairs = False
            self._show_waiting()
            self.context.page_asked.emit("review")

    @Slot(str)
    def _on_dismissed(self, step: str) -> None:
        if step == "left":
            self._imports.forget_left()
        else:
            self._imports.has_new_pairs = False
            self._show_waiting()
        self.table.setFocus()

    @Slot(object)
    def _on_lines_asked(self, ids: list[int]) -> None:
        self._asked_ids = ids
        run = self.context.runner.read(listing.lines(self.context.project, ids))
        run.done.connect(self._on_lines)
        run.failed.connect(self._on_lines_failed)

    @Slot(object)
    def _on_lines(self, lines: list[PaperLine]) -> None:
        self.model.put_lines(self._asked_ids, lines)

    @Slot(object)
    def _on_lines_failed(self, error: Exception) -> None:
        self.model.reading_failed()
        self.context.problems.show(error)

    # What people do

    def _ask(self, **changes: object) -> None:
        values = {name: getattr(self._query, name) for name in PaperQuery.__dataclass_fields__}
        query = PaperQuery(**{**values, **changes})
        if query != self._query:
            self._query = query
            self._read()

    @Slot(object, bool)
    def _on_sort_asked(self, column: PaperColumn | None, descending: bool) -> None:
        self._ask(column=column or PaperColumn.ADDED, descending=descending)

    @Slot()
    def _on_search(self) -> None:
        self._ask(text=self.search.text().strip())

    @Slot(bool)
    def _on_attention(self, wanted: bool) -> None:
        self._ask(attention=wanted)

    @Slot()
    def _on_clear(self) -> None:
        self.search.clear()
        self.attention.setChecked(False)
        self._on_search()

    @Slot()
    def _on_selected(self) -> None:
        self.verbs.update()
        self.details.show_rows(self.selected_ids())
        self._show_details()

    def _show_details(self) -> None:
        wide = self.width() >= self.context.theme.px(_NARROW)
        self.details.setVisible(wide or self.table.selectionModel().hasSelection())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._show_details()

    @Slot(QPoint)
    def _on_menu(self, at: QPoint) -> None:
        self.verbs.menu(self).popup(self.table.viewport().mapToGlobal(at))

    @Slot()
    def _on_importing(self) -> None:
        if self.isVisible():
            self._show_rows()
            self._show_waiting()

    def activated(self) -> None:
        super().activated()
        self._on_importing()

    # Layout

    def _lay_out(self) -> None:
        px = self.context.theme.px
        self.search = QLineEdit(clearButtonEnabled=True)
        self.search.setPlaceholderText("Search papers")
        self.search.setAccessibleName("Search papers")
        self.search.setMaximumWidth(px(260))
        self.attention = QPushButton("▲ Needs attention")
        self.attention.setCheckable(True)
        set_tip(self.attention, "Show only the files that could not be read")
        self.attention.setVisible(False)
        self.add_button = QPushButton("Add papers")
        self.add_button.setProperty("look", "primary")
        for widget in (self.attention, self.search, self.add_button):
            self.head.addWidget(widget)
        self.waiting = NextStep(self.context.theme)
        self.body.addWidget(self.waiting)
        self.table = _Table(self.context.theme, self)
        self._dress_table()
        self.home = self.table
        self.details = DetailsPane(self.context)
        self.split = QSplitter(Qt.Orientation.Horizontal)
        self.split.setChildrenCollapsible(False)
        self.split.addWidget(self.table)
        self.split.addWidget(self.details)
        self.split.setStretchFactor(0, 1)
        self.split.setSizes([px(780), px(260)])
        self.split.setHandleWidth(px(16))
        self.split.setStyleSheet("QSplitter::handle { background: transparent }")
        kept = self.context.settings_store.window.value("papers/split")
        if isinstance(kept, QByteArray):
            self.split.restoreState(kept)
        self.empty = Empty(
            self.context.theme,
            "Drop PDFs or folders anywhere on this window, and watch them turn into sentence pairs.",
            "Add papers",
        )
        self.none_found = Empty(self.context.theme, "", "Show all papers")
        self.stack = QStackedWidget()
        for page in (self.split, self.empty, self.none_found):
            self.stack.addWidget(page)
        self.body.addWidget(self.stack, 1)
        self.hint = PlainLabel("Drop PDFs or folders anywhere")
        self.hint.setProperty("type", "small")
        self.hint.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.body.addWidget(self.hint)

    def _dress_table(self) -> None:
        px, table = self.context.theme.px, self.table
        table.setModel(self.model)
        table.setItemDelegate(PaperDelegate(self.context.theme, self.model, table))
        table.setAccessibleName("Papers")
        table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        table.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        table.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        table.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        table.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        table.setShowGrid(False)
        table.setStyleSheet(f"QTableView::item {{ padding: 0 {px(5)}px }}")
        table.setWordWrap(False)
        table.setTabKeyNavigation(False)
        table.verticalHeader().hide()
        table.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        table.verticalHeader().setDefaultSectionSize(px(30))
        head = table.horizontalHeader()
        head.setHighlightSections(False)
        # To draw itself the head asks of each column whether all its rows are selected, one by one: of no rows here.
        head.setSelectionModel(QItemSelectionModel(self.model, head))
        head.setSortIndicatorClearable(True)
        head.setMinimumSectionSize(px(48))
        for number, column in enumerate(COLUMNS):
            head.resizeSection(number, px(column.width))
        head.setSectionResizeMode(TITLE, QHeaderView.ResizeMode.Stretch)
        head.setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        SortableColumns(table, [column.sort is not None for column in COLUMNS])
        table.setSortingEnabled(True)

    def _connect(self) -> None:
        self._soon = QTimer(self, singleShot=True, interval=_TYPING)
        self._soon.timeout.connect(self._on_search)
        self.search.textChanged.connect(lambda _: self._soon.start())
        self.search.returnPressed.connect(self._on_search)
        self.attention.toggled.connect(self._on_attention)
        self.model.lines_asked.connect(self._on_lines_asked)
        self.model.sort_asked.connect(self._on_sort_asked)
        self.table.selectionModel().selectionChanged.connect(self._on_selected)
        self.table.selectionModel().currentRowChanged.connect(lambda *_: self.table.viewport().update())
        self.table.customContextMenuRequested.connect(self._on_menu)
        self.table.activated.connect(self._on_activated)
        self.add_button.clicked.connect(self.verbs.add)
        self.empty.button.clicked.connect(self.verbs.add)
        self.none_found.button.clicked.connect(self._on_clear)
        self.waiting.asked.connect(self._on_next_step)
        self.waiting.dismissed.connect(self._on_dismissed)
        self.details.action_asked.connect(self.verbs.run)
        self.split.splitterMoved.connect(self._on_split)
        self._imports.changed.connect(self._on_importing)

    @Slot(QModelIndex)
    def _on_activated(self, _: QModelIndex) -> None:
        self.verbs.open()

    @Slot()
    def _on_split(self) -> None:
        self.context.settings_store.window.setValue("papers/split", self.split.saveState())


class _Table(RowTableView):
    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme

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


def _summary(totals: Totals) -> str:
    parts = [count(totals.papers, "paper"), f"{count(totals.pairs, 'pair')}, {totals.linked:,} linked"]
    parts += [count(totals.data_sets, "data set")] if totals.data_sets else []
    parts += [_attention(totals.failed)] if totals.failed else []
    return " · ".join(parts) if totals.papers or totals.data_sets or totals.failed else ""


def _attention(failed: int) -> str:
    return "1 needs attention" if failed == 1 else f"{failed:,} need attention"
