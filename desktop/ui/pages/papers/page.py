"""The papers page: what there is, what comes in, and what needs attention."""

from __future__ import annotations

from PySide6.QtCore import (
    QByteArray,
    QModelIndex,
    QPoint,
    Qt,
    QTimer,
    Slot,
)
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QLineEdit,
    QPushButton,
    QSplitter,
    QStackedWidget,
    QWidget,
)

from desktop.jobs.papers import table as listing
from desktop.jobs.papers.table import PaperRows
from desktop.text import count
from desktop.ui.pages.papers.actions import PaperActions
from desktop.ui.pages.papers.details import DetailsPane
from desktop.ui.pages.papers.import_controller import import_controller
from desktop.ui.pages.papers.next_step import NextStep, next_step
from desktop.ui.pages.papers.table_model import PaperTable
from desktop.ui.pages.papers.table_view import PaperTableView
from desktop.ui.services.page import Page
from desktop.ui.services.project_context import ProjectContext
from desktop.ui.services.runner import JobRun
from desktop.ui.widgets.labels import PlainLabel, set_tip
from desktop.ui.widgets.notices import Banner, EmptyState
from storage.changes import Changes
from storage.papers.table import PaperQuery, PaperTableColumn, PaperTableRow, PaperTotals

_NARROW = 1000  # pixels of the page below which there are details only of what is selected
_TYPING = 150  # milliseconds between the last key and the search


class PapersPage(Page):
    title = "Papers"

    def __init__(self, context: ProjectContext, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self._query = PaperQuery()
        self._shown: PaperRows | None = None
        self._reading: JobRun | None = None
        self._again = False
        self._asked_ids: list[int] = []
        self._step: NextStep | None = None
        self._imports = import_controller(context)
        self.model = PaperTable(self)
        self._lay_out()
        self.paper_actions = PaperActions(context, self, self.table, self.model)
        self.add_button.setEnabled(not context.read_only)
        self.empty.button.setEnabled(not context.read_only)
        self._connect()

    def only_attention(self, wanted: bool) -> None:
        """Show only the files that could not be read, or all papers."""
        self.attention.setChecked(wanted)

    # Reading

    def refresh(self, changes: Changes) -> None:
        if changes.papers or changes.pairs or changes.many_annotated or changes.annotated_keys:
            self.model.forget()
            self._read()
            self.details.look_again()

    def _read(self) -> None:
        if self._reading is not None:
            self._again = True
            return
        self._reading = self.context.runner.read(listing.load_rows(self.context.project, self._query))
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
    def _on_rows(self, found: PaperRows) -> None:
        self._shown = found
        self.paper_actions.know(found)
        self._show_rows()
        totals = found.totals
        self.set_subtitle(_summary(totals))
        self.attention.setVisible(bool(totals.failed) or self.attention.isChecked())
        self.badge_changed.emit(totals.failed)
        self._show_next_step()

    def _show_rows(self) -> None:
        if self._shown is None:
            return
        kept, current = set(self.table.selected_ids()), self.table.current_id()
        plain = not self._query.text and not self._query.failed_only
        self.model.show_ids(self._shown.ids, self._imports.in_hand if plain else None)
        self.table.select_ids(kept, current)
        shown = self.split if self.model.rowCount() else self._nothing()
        self.stack.setCurrentWidget(shown)
        for widget in (self.search, self.add_button, self.hint):
            widget.setVisible(shown is not self.empty)
        self.paper_actions.update()

    def _nothing(self) -> QWidget:
        if self._query.text or self._query.failed_only:
            what = f"No paper has “{self._query.text}”." if self._query.text else "No file needs attention."
            self.none_found.sentence.setText(what)
            return self.none_found
        return self.empty

    def _show_next_step(self) -> None:
        totals = self._shown.totals if self._shown else None
        self._step = step = next_step(totals, self._imports, read_only=self.context.read_only)
        if step is None:
            self.next_step.show_text("")
        else:
            self.next_step.show_text(step.text, step.button, can_close=step.can_close)

    @Slot()
    def _on_next_step(self) -> None:
        step = self._step.name if self._step else ""
        if step == "left":
            self._imports.go_on()
        elif step == "unmined":
            self.paper_actions.mine()
        else:
            self._imports.has_new_pairs = False
            self._show_next_step()
            self.context.page_requested.emit("review")

    @Slot()
    def _on_dismissed(self) -> None:
        if self._step and self._step.name == "left":
            self._imports.forget_left()
        else:
            self._imports.has_new_pairs = False
            self._show_next_step()
        self.table.setFocus()

    @Slot(object)
    def _on_lines_requested(self, ids: list[int]) -> None:
        self._asked_ids = ids
        run = self.context.runner.read(listing.load_lines(self.context.project, ids))
        run.done.connect(self._on_lines)
        run.failed.connect(self._on_lines_failed)

    @Slot(object)
    def _on_lines(self, lines: list[PaperTableRow]) -> None:
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
    def _on_sort_requested(self, column: PaperTableColumn | None, descending: bool) -> None:
        self._ask(column=column or PaperTableColumn.ADDED, descending=descending)

    @Slot()
    def _on_search(self) -> None:
        self._ask(text=self.search.text().strip())

    @Slot()
    def _on_search_requested(self) -> None:
        self.search.setFocus()
        self.search.selectAll()

    @Slot(bool)
    def _on_attention(self, wanted: bool) -> None:
        self._ask(failed_only=wanted)

    @Slot()
    def _on_clear(self) -> None:
        self.search.clear()
        self.attention.setChecked(False)
        self._on_search()

    @Slot()
    def _on_selected(self) -> None:
        self.paper_actions.update()
        self.details.show_rows(self.table.selected_ids())
        self._show_details()

    def _show_details(self) -> None:
        wide = self.width() >= self.context.theme.px(_NARROW)
        self.details.setVisible(wide or self.table.selectionModel().hasSelection())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._show_details()

    @Slot(QPoint)
    def _on_menu(self, at: QPoint) -> None:
        self.paper_actions.menu().popup(self.table.viewport().mapToGlobal(at))

    @Slot()
    def _on_importing(self) -> None:
        if self.isVisible():
            self._show_rows()
            self._show_next_step()

    def activate(self) -> None:
        super().activate()
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
            self.header.addWidget(widget)
        self.next_step = Banner(self.context.theme)
        self.body.addWidget(self.next_step)
        self.table = PaperTableView(self.model, self.context.theme, self)
        self.initial_focus = self.table
        self.details = DetailsPane(self.context)
        self.split = QSplitter(Qt.Orientation.Horizontal)
        self.split.setChildrenCollapsible(False)
        self.split.addWidget(self.table)
        self.split.addWidget(self.details)
        self.split.setStretchFactor(0, 1)
        self.split.setSizes([px(780), px(260)])
        self.split.setHandleWidth(px(16))
        self.split.setStyleSheet("QSplitter::handle { background: transparent }")
        kept = self.context.settings_store.window_settings.value("papers/split")
        if isinstance(kept, QByteArray):
            self.split.restoreState(kept)
        self.empty = EmptyState(
            self.context.theme,
            "Drop PDFs or folders anywhere on this window, and watch them turn into sentence pairs.",
            "Add papers",
        )
        self.none_found = EmptyState(self.context.theme, "", "Show all papers")
        self.stack = QStackedWidget()
        for page in (self.split, self.empty, self.none_found):
            self.stack.addWidget(page)
        self.body.addWidget(self.stack, 1)
        self.hint = PlainLabel("Drop PDFs or folders anywhere")
        self.hint.setProperty("type", "small")
        self.hint.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.body.addWidget(self.hint)

    def _connect(self) -> None:
        self._soon = QTimer(self, singleShot=True, interval=_TYPING)
        self._soon.timeout.connect(self._on_search)
        self.search.textChanged.connect(lambda _: self._soon.start())
        self.search.returnPressed.connect(self._on_search)
        self.attention.toggled.connect(self._on_attention)
        self.model.lines_requested.connect(self._on_lines_requested)
        self.model.sort_requested.connect(self._on_sort_requested)
        self.table.selectionModel().selectionChanged.connect(self._on_selected)
        self.paper_actions.search_requested.connect(self._on_search_requested)
        self.paper_actions.attention_requested.connect(self.attention.toggle)
        self.table.customContextMenuRequested.connect(self._on_menu)
        self.table.activated.connect(self._on_activated)
        self.add_button.clicked.connect(self.paper_actions.add)
        self.empty.button.clicked.connect(self.paper_actions.add)
        self.none_found.button.clicked.connect(self._on_clear)
        self.next_step.action_requested.connect(self._on_next_step)
        self.next_step.dismissed.connect(self._on_dismissed)
        self.details.action_requested.connect(self.paper_actions.run)
        self.split.splitterMoved.connect(self._on_split)
        self._imports.changed.connect(self._on_importing)

    @Slot(QModelIndex)
    def _on_activated(self, _: QModelIndex) -> None:
        self.paper_actions.open()

    @Slot()
    def _on_split(self) -> None:
        self.context.settings_store.window_settings.setValue("papers/split", self.split.saveState())


def _summary(totals: PaperTotals) -> str:
    parts = [count(totals.papers, "paper"), f"{count(totals.pairs, 'pair')}, {totals.linked:,} linked"]
    parts += [count(totals.data_sets, "data set")] if totals.data_sets else []
    parts += [_attention(totals.failed)] if totals.failed else []
    return " · ".join(parts) if totals.papers or totals.data_sets or totals.failed else ""


def _attention(failed: int) -> str:
    return "1 needs attention" if failed == 1 else f"{failed:,} need attention"
