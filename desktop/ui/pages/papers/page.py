"""The Papers page: a table of the project's papers, failed files and files being imported, with details beside it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QByteArray, QModelIndex, QPoint, Qt, QTimer, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QLineEdit, QPushButton, QSplitter, QStackedWidget, QWidget

from desktop.jobs.descriptions.stock import PROPERTY_NAMES
from desktop.jobs.papers import table
from desktop.jobs.papers.duplicates import find_duplicates
from desktop.jobs.papers.outdated import OutdatedPapers
from desktop.jobs.papers.table import PaperList
from desktop.text import count, shortened
from desktop.translation import tr
from desktop.ui.pages.papers.actions import PaperActions
from desktop.ui.pages.papers.details import PaperDetailsPane
from desktop.ui.pages.papers.import_controller import import_controller
from desktop.ui.pages.papers.next_step_banner import NextStepBanner
from desktop.ui.pages.papers.stock_figure import shown_name
from desktop.ui.pages.papers.stock_panel import StockPanel
from desktop.ui.pages.papers.table_model import PaperTableModel
from desktop.ui.pages.papers.table_view import PaperTableView
from desktop.ui.services.page import Page
from desktop.ui.services.project_context import ProjectContext
from desktop.ui.services.runner import JobRun
from desktop.ui.widgets.clear_button import add_clear_button
from desktop.ui.widgets.fields import Tabs
from desktop.ui.widgets.labels import PlainLabel, set_tip
from desktop.ui.widgets.notices import EmptyState
from desktop.ui.widgets.row_drag import CANNOT_DRAG
from storage.changes import Changes
from storage.papers.duplicates import LikelyDuplicate
from storage.papers.stock import PaperGroup
from storage.papers.table import PaperQuery, PaperTableColumn, PaperTableRow, PaperTotals

_NARROW_WIDTH_PX = 1000  # a narrower page shows the details pane only while rows are selected
_SEARCH_DELAY_MS = 150  # after the last key


class PapersPage(Page):
    """The table of papers, its search and filter, and the details of the selection."""

    title = tr("Papers")
    least_size = (460, 220)

    def __init__(self, context: ProjectContext, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self._query = PaperQuery()
        self._rows: PaperList | None = None
        self._run: JobRun | None = None  # the run that reads the rows
        self._must_reread = False  # read the rows again when it ends
        self._requested_ids: list[int] = []
        self._looks_for_duplicates = True  # once the rows are shown
        self._imports = import_controller(context)
        self.model = PaperTableModel(self)
        self._lay_out()
        self.paper_actions = PaperActions(context, self, self.table, self.model)
        self.add_button.setEnabled(not context.read_only)
        self.empty.button.setEnabled(not context.read_only)
        self._connect()

    def filter_by_attention(self, is_on: bool) -> None:
        """Show only the files that could not be read, or everything."""
        self.attention.setChecked(is_on)

    def refresh(self, changes: Changes) -> None:
        self._looks_for_duplicates |= changes.papers
        if changes.papers or changes.pairs or changes.many_annotated or changes.annotated_keys:
            self.model.invalidate()
            self._read()
            self.details.reload()
            self.stock.reload()

    def _read(self) -> None:
        if self._run is not None:
            self._must_reread = True
            return
        self._run = self.context.runner.read(table.load_list(self.context.project, self._query))
        self._run.done.connect(self._on_rows)
        self._run.failed.connect(self.context.problems.show)
        self._run.ended.connect(self._on_read)

    @Slot()
    def _on_read(self) -> None:
        self._run = None
        if self._must_reread:
            self._must_reread = False
            self._read()

    @Slot(object)
    def _on_rows(self, rows: PaperList) -> None:
        self._rows = rows
        self.paper_actions.set_rows(rows)
        self._show_rows()
        totals = rows.totals
        self.set_subtitle(_summary(totals))
        self.attention.setVisible(bool(totals.failed) or self.attention.isChecked())
        self.to_check.setText(
            tr("▲ Check {to_check:,}", to_check=totals.to_check) if totals.to_check else tr("▲ Check")
        )
        self.to_check.setVisible(bool(totals.to_check) or self.to_check.isChecked())
        self.badge_changed.emit(totals.failed)
        self._show_next_step()
        self._look_for_duplicates()

    def _look_for_duplicates(self) -> None:
        """Count the papers that are likely the same, once no import is about to add more."""
        if not self._looks_for_duplicates or self._imports.is_running or not self.isVisible():
            return
        self._looks_for_duplicates = False
        self.context.read(find_duplicates(self.context.project), self._on_duplicates)

    @Slot(object)
    def _on_duplicates(self, found: list[LikelyDuplicate]) -> None:
        self.duplicates.setText(tr("Duplicates {found:,}", found=len(found)))
        self.duplicates.setVisible(bool(found))

    def _show_rows(self) -> None:
        if self._rows is None:
            return
        selection, current = set(self.table.selected_ids()), self.table.current_id()
        is_filtered = self._query.is_filtered
        self.model.show_ids(self._rows.ids, None if is_filtered else self._imports.importing_files)
        self.table.select_ids(selection, current)
        content = self.split if self.model.rowCount() else self._empty_state()
        self.stack.setCurrentWidget(content)
        for widget in (self.search, self.add_button, self.hint):
            widget.setVisible(content is not self.empty)
        self.paper_actions.update()

    def _empty_state(self) -> QWidget:
        """The widget shown in place of an empty table."""
        if self._query.is_filtered:
            what = tr("There is no paper left in this group.") if self._query.group else tr("All papers are checked.")
            what = tr("No file needs attention.") if self._query.failed_only else what
            self.no_results.sentence.setText(
                tr("No paper contains “{text}”.", text=self._query.text) if self._query.text else what
            )
            return self.no_results
        return self.empty

    def _show_next_step(self) -> None:
        rows = self._rows
        self.next_step.show_totals(rows.totals if rows else None, rows.outdated if rows else OutdatedPapers())

    @Slot()
    def _on_review_requested(self) -> None:
        self.context.page_requested.emit("review")

    @Slot()
    def _on_next_step_dismissed(self) -> None:
        self.table.setFocus()

    @Slot(object)
    def _on_lines_requested(self, ids: list[int]) -> None:
        self._requested_ids = ids
        self.context.runner.read(table.load_lines(self.context.project, ids), self._on_lines, self._on_lines_failed)

    @Slot(object)
    def _on_lines(self, lines: list[PaperTableRow]) -> None:
        self.model.put_lines(self._requested_ids, lines)

    @Slot(object)
    def _on_lines_failed(self, error: Exception) -> None:
        self.model.cancel_request()
        self.context.problems.show(error)

    def _set_query(self, query: PaperQuery) -> None:
        if query != self._query:
            self._query = query
            self._read()

    @Slot(object, bool)
    def _on_sort_requested(self, column: PaperTableColumn | None, descending: bool) -> None:
        self._set_query(replace(self._query, column=column or PaperTableColumn.ADDED, descending=descending))

    @Slot()
    def _on_search(self) -> None:
        self._set_query(replace(self._query, text=self.search.text().strip()))

    @Slot()
    def _on_search_requested(self) -> None:
        self.search.setFocus()
        self.search.selectAll()

    @Slot(bool)
    def _on_attention_toggled(self, is_on: bool) -> None:
        self.to_check.setChecked(self.to_check.isChecked() and not is_on)
        self._set_query(replace(self._query, failed_only=is_on))

    @Slot(bool)
    def _on_to_check_toggled(self, is_on: bool) -> None:
        self.attention.setChecked(self.attention.isChecked() and not is_on)
        self._set_query(replace(self._query, to_check=is_on))

    @Slot(object)
    def _on_group_requested(self, group: PaperGroup) -> None:
        """List the papers of a bar; all papers when it is clicked again."""
        self._show_group(None if group == self._query.group else group)

    @Slot()
    def _on_group_cleared(self) -> None:
        self._show_group(None)

    def _show_group(self, group: PaperGroup | None) -> None:
        self.group_button.setVisible(group is not None)
        if group is not None:
            name = f"{PROPERTY_NAMES[group.property]}: {shown_name(group)}"
            self.group_button.setText(f"{shortened(name, 40)}  ✕")
            self.attention.setChecked(False)
            self.to_check.setChecked(False)
        self.stock.show_group(group)
        self._set_query(replace(self._query, group=group))

    @Slot()
    def _on_stock_requested(self) -> None:
        self.sides.setCurrentWidget(self.stock)

    @Slot()
    def _on_show_all(self) -> None:
        self._show_group(None)
        self.search.clear()
        self.attention.setChecked(False)
        self.to_check.setChecked(False)
        self._on_search()

    @Slot()
    def _on_selected(self) -> None:
        self.paper_actions.update()
        self.details.show_rows(self.table.selected_ids())
        self._show_details()

    def _show_details(self) -> None:
        is_wide = self.width() >= self.context.theme.px(_NARROW_WIDTH_PX)
        is_asked = self.sides.currentWidget() is self.stock
        self.sides.setVisible(is_wide or is_asked or self.table.selectionModel().hasSelection())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._show_details()

    @Slot(QPoint)
    def _on_menu_requested(self, position: QPoint) -> None:
        self.paper_actions.context_menu().popup(self.table.viewport().mapToGlobal(position))

    @Slot()
    def _on_imports_changed(self) -> None:
        if self.isVisible():
            self._show_rows()
            self._show_next_step()
            if self._rows is not None:
                self._look_for_duplicates()

    def activate(self) -> None:
        super().activate()
        self._on_imports_changed()
        if self._rows is not None:
            self._look_for_duplicates()

    def _lay_out(self) -> None:
        px = self.context.theme.px
        self.search = QLineEdit()
        self.search.setPlaceholderText(tr("Search papers"))
        self.search.setAccessibleName(tr("Search papers"))
        add_clear_button(self.search)
        self.search.setMaximumWidth(px(260))
        self.attention = QPushButton(tr("▲ Needs attention"))
        self.attention.setCheckable(True)
        set_tip(self.attention, tr("Show only the files that could not be read"))
        self.attention.setVisible(False)
        self.to_check = QPushButton(tr("▲ Check"))
        self.to_check.setCheckable(True)
        self.to_check.setAccessibleName(tr("Check these papers"))
        set_tip(self.to_check, tr("Show only papers whose title, authors, year or text may be wrong; F2 edits a paper"))
        self.to_check.setVisible(False)
        self.duplicates = QPushButton()
        set_tip(self.duplicates, tr("Compare papers that are likely the same, and merge them or keep both"))
        self.duplicates.setVisible(False)
        self.add_button = QPushButton(tr("Add papers"))
        self.add_button.setProperty("look", "primary")
        self.group_button = QPushButton()
        self.group_button.setVisible(False)
        set_tip(self.group_button, tr("Show all papers again"))
        shown = (self.group_button, self.attention, self.to_check, self.duplicates, self.search, self.add_button)
        for widget in shown:
            self.header.addWidget(widget)
        self.next_step = NextStepBanner(self.context, self._imports)
        self.body.addWidget(self.next_step)
        self.table = PaperTableView(self.model, self.context.theme, self.context.settings_store.window_settings, self)
        self.initial_focus = self.table
        self.details = PaperDetailsPane(self.context)
        self.stock = StockPanel(self.context)
        self.sides = Tabs()
        self.sides.addTab(self.details, tr("Details"))
        self.sides.addTab(self.stock, tr("At a glance"))
        self.split = QSplitter(Qt.Orientation.Horizontal)
        self.split.setChildrenCollapsible(False)
        self.split.addWidget(self.table)
        self.split.addWidget(self.sides)
        self.split.setStretchFactor(0, 1)
        self.split.setSizes([px(780), px(260)])
        self.split.setHandleWidth(px(16))
        self.split.setStyleSheet("QSplitter::handle { background: transparent }")
        state = self.context.settings_store.window_settings.value("papers/split")
        if isinstance(state, QByteArray):
            self.split.restoreState(state)
        self.empty = EmptyState(
            self.context.theme,
            tr("Papers are the source of all sentence pairs. Drop PDFs or folders anywhere on this window to begin."),
            tr("Add papers"),
        )
        self.no_results = EmptyState(self.context.theme, "", tr("Show all papers"))
        self.stack = QStackedWidget()
        for page in (self.split, self.empty, self.no_results):
            self.stack.addWidget(page)
        self.body.addWidget(self.stack, 1)
        self.hint = PlainLabel(tr("Drop PDFs or folders anywhere"), type="small")
        self.hint.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.body.addWidget(self.hint)

    def _connect(self) -> None:
        self._search_timer = QTimer(self, singleShot=True, interval=_SEARCH_DELAY_MS)
        self._search_timer.timeout.connect(self._on_search)
        self.search.textChanged.connect(lambda _: self._search_timer.start())
        self.search.returnPressed.connect(self._on_search)
        self.attention.toggled.connect(self._on_attention_toggled)
        self.to_check.toggled.connect(self._on_to_check_toggled)
        self.model.lines_requested.connect(self._on_lines_requested)
        self.model.sort_requested.connect(self._on_sort_requested)
        self.table.selectionModel().selectionChanged.connect(self._on_selected)
        self.paper_actions.search_requested.connect(self._on_search_requested)
        self.paper_actions.attention_requested.connect(self.attention.toggle)
        self.table.customContextMenuRequested.connect(self._on_menu_requested)
        self.table.activated.connect(self._on_activated)
        self.table.drag_refused.connect(lambda: self.context.show_message(CANNOT_DRAG))
        self.duplicates.clicked.connect(self.paper_actions.show_duplicates)
        self.add_button.clicked.connect(self.paper_actions.add)
        self.empty.button.clicked.connect(self.paper_actions.add)
        self.no_results.button.clicked.connect(self._on_show_all)
        self.next_step.mine_requested.connect(self.paper_actions.mine)
        self.next_step.review_requested.connect(self._on_review_requested)
        self.next_step.dismissed.connect(self._on_next_step_dismissed)
        self.sides.currentChanged.connect(self._show_details)
        self.stock.group_requested.connect(self._on_group_requested)
        self.group_button.clicked.connect(self._on_group_cleared)
        self.paper_actions.stock_requested.connect(self._on_stock_requested)
        self.details.action_requested.connect(self.paper_actions.run)
        self.split.splitterMoved.connect(self._on_splitter_moved)
        self._imports.changed.connect(self._on_imports_changed)
        self._imports.references_found.connect(self._on_references_found)

    @Slot(object)
    def _on_references_found(self, paths: list[Path]) -> None:
        from desktop.ui.pages.papers.references_dialog import open_references

        open_references(self.context, paths, self.window())

    @Slot(QModelIndex)
    def _on_activated(self, _: QModelIndex) -> None:
        self.paper_actions.open()

    @Slot()
    def _on_splitter_moved(self) -> None:
        self.context.settings_store.window_settings.setValue("papers/split", self.split.saveState())


def _summary(totals: PaperTotals) -> str:
    parts = [
        count(totals.papers, "paper"),
        tr("{pairs}, {linked:,} linked by a phrase", pairs=count(totals.pairs, "pair"), linked=totals.linked),
    ]
    parts += [count(totals.data_sets, "data set")] if totals.data_sets else []
    parts += [_attention(totals.failed)] if totals.failed else []
    return " · ".join(parts) if totals.papers or totals.data_sets or totals.failed else ""


def _attention(failed: int) -> str:
    return tr("1 needs attention") if failed == 1 else tr("{failed:,} need attention", failed=failed)
