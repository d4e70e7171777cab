"""The Pairs page: all pairs in a table that can be searched, filtered and sorted, and details of the current one."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from PySide6.QtCore import QPoint, Qt, QTimer, Slot
from PySide6.QtGui import QHideEvent, QKeyEvent
from PySide6.QtWidgets import QLineEdit, QStackedWidget, QWidget

from desktop.jobs.pairs import table
from desktop.jobs.pairs.table import PairList
from desktop.text import count
from desktop.translation import tr
from desktop.ui.filters.filter_bar import FilterBar
from desktop.ui.pages.pairs.actions import PairActions
from desktop.ui.pages.pairs.delegate import SearchMatcher
from desktop.ui.pages.pairs.inspector import PairInspector
from desktop.ui.pages.pairs.pair_loader import PairLoader
from desktop.ui.pages.pairs.saved_filters import SavedFilters
from desktop.ui.pages.pairs.table_model import PairTableModel
from desktop.ui.pages.pairs.table_view import PairTableView
from desktop.ui.pages.pairs.toolbar import PairToolbar, menu_button
from desktop.ui.services.page import Page
from desktop.ui.services.project_context import ProjectContext
from desktop.ui.widgets.clear_button import add_clear_button
from desktop.ui.widgets.labels import set_tip
from desktop.ui.widgets.notices import EmptyState
from desktop.ui.widgets.row_drag import CANNOT_DRAG
from storage.changes import Changes
from storage.pairs.filters import (
    PairFilter,
    PairOrder,
    depends_on_annotations,
    depends_on_experiments,
    depends_on_suggestions,
    with_list_renamed,
    with_value,
)
from storage.pairs.table import FacetCount, PairTableRow

_SEARCH_DELAY_MS = 120  # after the last key
_TITLE_ROWS = 50  # first rows of which the titles of a filter's papers are taken
_ALWAYS_POSSIBLE = frozenset({"all", "search", "filter", "evidence", "save_filter"})  # without a selection


class PairsPage(Page):
    """Search, filters and toolbar above the table of pairs; details and evidence of the current pair."""

    title = tr("Pairs")
    least_size = (500, 330)

    def __init__(self, context: ProjectContext, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self._filter = context.pairs_page_filter
        self._order = PairOrder()
        self._total: int | None = None
        self.model = PairTableModel(self)
        self.loader = PairLoader(context, self.model, self)
        self.table = PairTableView(self.model, context.theme, context.settings_store, self)
        self.pair_actions = PairActions(context, self.table, lambda: self._filter, self)
        self._cell_names: dict[str, str] = {}
        self._counted_field = ""
        self._selects_next = False  # pairs were changed here: if the current one leaves the table, select the next one
        self._search_timer = QTimer(self, singleShot=True, interval=_SEARCH_DELAY_MS)
        self._build_head()
        self._build_body()
        self._connect()
        self._show_current_filter()
        self.initial_focus = self.table

    @property
    def filter(self) -> PairFilter:
        """The filter that is applied."""
        return self._filter

    def is_action_enabled(self, name: str) -> bool:
        if name == "clear":
            return self._filter != PairFilter()
        return name in _ALWAYS_POSSIBLE or self.table.selected_count() > 0

    def is_action_checked(self, name: str) -> bool | None:
        return self.toolbar.evidence.isChecked() if name == "evidence" else None

    @Slot(object)
    def show_filter(self, filter: PairFilter) -> None:
        """Apply a filter."""
        if filter == self._filter and self.model.rowCount():
            return
        self._filter = filter
        self._show_current_filter()
        if self.isVisible():
            self._load()
        else:
            self._stale = True

    @Slot(str, str)
    def _on_list_renamed(self, name: str, new: str) -> None:
        self.show_filter(with_list_renamed(self._filter, name, new))

    @Slot()
    def _on_names_changed(self) -> None:
        """Show the annotators' names in the filter bar and in the details of the current pair."""
        self.filter_bar.set_titles(self.context.annotator_names)
        if self.isVisible():
            self.inspector.read_soon()

    def refresh(self, changes: Changes) -> None:
        if changes.settings:
            self.saved.read()
        if changes.pairs or changes.papers:
            self.loader.count()
        is_annotated = changes.many_annotated or changes.annotated_keys
        if not (changes.pairs or changes.papers or is_annotated or changes.suggestions or changes.experiments):
            return
        if not self.model.rowCount() or self.loader.query != (self._filter, self._order):
            self._load()
        else:
            self.model.invalidate()
            follows = changes.suggestions and depends_on_suggestions(self._filter, self._order)
            follows |= changes.experiments and depends_on_experiments(self._filter)
            if changes.pairs or changes.papers or follows or depends_on_annotations(self._filter, self._order):
                self._selects_next |= self.pair_actions.is_own(changes)
                self.loader.reload(self.table.ids_to_restore())
            self.inspector.read_soon()

    def _build_head(self) -> None:
        theme = self.context.theme
        self.search = QLineEdit(placeholderText=tr("Search premises and hypotheses"))
        self.search.addAction(theme.icon("search", "muted"), QLineEdit.ActionPosition.LeadingPosition)
        self.search.setAccessibleName(tr("Search premises and hypotheses"))
        add_clear_button(self.search)
        set_tip(
            self.search, tr('Finds pairs that have all the words; "quotation marks" find words that stand together.')
        )
        self.search.setMinimumWidth(theme.px(72))  # so much fits at 200 %, too
        self.search.setMaximumWidth(theme.px(420))
        self.saved = SavedFilters(self.context, self)
        self.columns = menu_button(theme, tr("Columns"), "columns-3", self.table.column_menu())
        self.columns.menu().aboutToShow.connect(self.table.column_menu)
        self.header.addWidget(self.search, 1)
        self.header.addWidget(self.saved)
        self.header.addWidget(self.columns)

    def _build_body(self) -> None:
        theme = self.context.theme
        self.filter_bar = FilterBar(theme, self)
        self.body.addWidget(self.filter_bar)
        self.toolbar = PairToolbar(theme, self.pair_actions)
        self.body.addWidget(self.toolbar)
        self.empty = EmptyState(theme, "", tr("Clear the filter"))
        self.stack = QStackedWidget()
        self.stack.addWidget(self.table)
        self.stack.addWidget(self.empty)
        self.inspector = PairInspector(self.context, self.stack, self._current_line)
        self.body.addWidget(self.inspector, 1)
        tab_order = (
            *(self.search, self.saved, self.columns, self.filter_bar.add, self.filter_bar.clear),
            *(*self.toolbar.buttons, self.table),
        )
        for before, after in pairwise(tab_order):
            self.setTabOrder(before, after)

    def _connect(self) -> None:
        context = self.context
        context.pairs_requested.connect(self.show_filter)
        self.filter_bar.changed.connect(self.show_filter)
        self.filter_bar.counts_requested.connect(self._on_counts_requested)
        self.saved.selected.connect(self.show_filter)
        self.saved.lists.renamed.connect(self._on_list_renamed)
        context.names_changed.connect(self._on_names_changed)
        self.search.textChanged.connect(lambda _: self._search_timer.start())
        self.search.returnPressed.connect(self._search_now)
        self._search_timer.timeout.connect(self._on_typed)
        self.model.order_requested.connect(self._on_order_requested)
        self.loader.started.connect(self._show_count)
        self.loader.reloaded.connect(self._on_reloaded)
        self.loader.outdated.connect(self._on_outdated)
        self.loader.completed.connect(self._on_completed)
        self.loader.counted.connect(self._on_counted)
        self.model.modelReset.connect(self._on_reset)
        self.model.dataChanged.connect(self._show_suggestion_columns)
        self.model.dataChanged.connect(self.inspector.show_if_read)
        self.table.selected.connect(self._on_selected)
        self.table.menu_requested.connect(self._on_menu_requested)
        self.table.drag_refused.connect(lambda: self.context.show_message(CANNOT_DRAG))
        self.table.activated.connect(lambda _: self.pair_actions.review())
        self.empty.button.clicked.connect(self._on_empty_action)
        self.toolbar.evidence.toggled.connect(self.inspector.show_evidence)
        for key, text, slot, keys, widget in (
            ("search", tr("Search pairs"), self._focus_search, "Ctrl+F, /", self),
            ("filter", tr("Add filter…"), self.filter_bar.add.showMenu, "Ctrl+Shift+F", self),
            ("clear", tr("Clear all filters"), self._on_empty_action, "Ctrl+Shift+X", self),
            ("evidence", tr("Evidence"), self.toolbar.evidence.toggle, "C", self.table),
            (
                "details_down",
                tr("Scroll the pair in full down"),
                self.inspector.details.scroll_down,
                "Alt+Down",
                self.table,
            ),
            ("details_up", tr("Scroll the pair in full up"), self.inspector.details.scroll_up, "Alt+Up", self.table),
            ("save_filter", tr("Save this filter…"), self.saved.save_current, "", self),
        ):
            context.actions.add(f"pairs.{key}", text, slot, menu=tr("Pairs"), keys=keys, widget=widget)

    def _show_current_filter(self) -> None:
        """Show the filter in the filter bar, the search field and the highlights, and tell other pages."""
        self.filter_bar.show_filter(self._filter)
        self.filter_bar.set_titles(self.context.annotator_names)
        if not self._filter.cells <= self._cell_names.keys():
            self.context.read(table.load_cell_names(self.context.project), self._on_cell_names)
        self.saved.show_filter(self._filter)
        if self.search.text().strip() != self._filter.text.strip():
            self.search.blockSignals(True)
            self.search.setText(self._filter.text)
            self.search.blockSignals(False)
        self.table.delegate.matcher = SearchMatcher(self._filter.text)
        self.context.pairs_page_filter = self._filter

    def _load(self) -> None:
        self._search_timer.stop()
        self.loader.load(self._filter, self._order)

    @Slot()
    def _on_typed(self) -> None:
        self.show_filter(replace(self._filter, text=self.search.text()))

    @Slot()
    def _search_now(self) -> None:
        self._search_timer.stop()
        self._on_typed()
        self.table.setFocus()

    @Slot(object)
    def _on_order_requested(self, order: PairOrder) -> None:
        if order != self._order:
            self._order = order
            self._load()

    @Slot()
    def _on_reset(self) -> None:
        """Select the first pair, since the table has other pairs."""
        self.table.scrollToTop()
        if self.model.rowCount():
            self.table.select_rows([0], 0)
        self.stack.setCurrentWidget(self.table)
        self._show_count()
        self._on_selected()
        self._show_paper_titles()
        self._show_suggestion_columns()

    @Slot()
    def _on_outdated(self) -> None:
        self.loader.reload(self.table.ids_to_restore())

    @Slot()
    def _on_completed(self) -> None:
        self._show_count()
        if not self.model.rowCount():
            self._show_empty()

    @Slot(object)
    def _on_counted(self, total: int) -> None:
        self._total = total
        self._show_count()
        if self.stack.currentWidget() is self.empty:
            self._show_empty()

    def _show_empty(self) -> None:
        has_no_pairs = self._total == 0
        self.empty.sentence.setText(
            tr("This page lists all sentence pairs of the project. There are none yet: add papers to mine them.")
            if has_no_pairs
            else tr("No pair matches this filter.")
        )
        self.empty.button.setText(tr("Add papers") if has_no_pairs else tr("Clear the filter"))
        self.empty.button.setVisible(True)
        self.stack.setCurrentWidget(self.empty)

    @Slot()
    def _show_count(self) -> None:
        rows, selected = self.model.rowCount(), self.table.selected_count()
        text = (
            f"{rows:,}"
            if self.loader.is_complete
            else tr("Counting…")
            if not rows
            else tr("{rows:,} or more", rows=rows)
        )
        if self._total is not None and self._total >= rows:  # else it was counted before more pairs were mined
            text += tr(" of {pairs}", pairs=count(self._total, "pair"))
        parts = [text] + ([tr("{rows} selected", rows=count(selected, "row"))] if selected > 1 else [])
        self.toolbar.counter.setText(" · ".join(parts))

    def _show_paper_titles(self) -> None:
        """Tell the filter bar the titles of the papers in the filter, as far as they are known."""
        if self._filter.papers:
            lines = [self.model.line(row) for row in range(min(_TITLE_ROWS, self.model.rowCount()))]
            self.filter_bar.set_titles({line.paper: line.title for line in lines if line is not None})

    @Slot(object)
    def _on_cell_names(self, names: dict[str, str]) -> None:
        self._cell_names = names
        self.filter_bar.set_titles(names)

    @Slot()
    def _show_suggestion_columns(self) -> None:
        if self.model.has_suggestions():
            self.table.show_suggestion_columns()

    @Slot(object)
    def _on_reloaded(self, listed: PairList) -> None:
        """Show the present pairs after a change."""
        select_next, self._selects_next = self._selects_next, False
        if listed.ids == self.model.ids:
            return
        self.model.modelReset.disconnect(self._on_reset)
        self.table.replace_pairs(listed, select_next=select_next)
        self.model.modelReset.connect(self._on_reset)
        self.stack.setCurrentWidget(self.table)
        self._on_selected()
        self._on_completed()

    @Slot()
    def _on_selected(self) -> None:
        self.pair_actions.update_enabled()
        has_selection = bool(self.table.ranges())
        self.toolbar.set_enabled(reading=has_selection, writing=has_selection and not self.context.read_only)
        self._show_count()
        self.inspector.show_current()

    def _current_line(self) -> PairTableRow | None:
        """The line of the current pair; None when there is none or it has not been read yet."""
        return self.model.line(self.table.cursor_row())

    @Slot(object)
    def _on_menu_requested(self, position: QPoint) -> None:
        """Show the actions, and filters by the paper, phrase and class of the current pair."""
        menu = self.pair_actions.context_menu()
        line = self._current_line()
        if line is not None:
            menu.addSeparator()
            for field, value, text in (
                ("papers", line.paper, tr("Only this paper")),
                ("phrases", line.phrase, tr("Only the phrase “{phrase}”", phrase=line.phrase)),
                ("labels", line.label, tr("Only the class “{label}”", label=line.label)),
            ):
                if value:
                    filter = with_value(self._filter, field, frozenset((value,)))
                    menu.addAction(text).triggered.connect(lambda _=False, filter=filter: self.show_filter(filter))
        menu.popup(position)

    @Slot(str)
    def _on_counts_requested(self, field: str) -> None:
        self._counted_field = field
        self.context.read(table.count_by_value(self.context.project, self._filter, field), self._on_counts)

    @Slot(object)
    def _on_counts(self, counts: list[FacetCount]) -> None:
        self.filter_bar.show_counts(self._counted_field, counts)

    def _focus_search(self) -> None:
        self.search.setFocus()
        self.search.selectAll()

    @Slot()
    def _on_empty_action(self) -> None:
        """Clear the filter; in a project without pairs, go to the Papers page."""
        if self._total == 0:
            self.context.page_requested.emit("papers")
        else:
            self.show_filter(PairFilter())
            self.table.setFocus()

    def hideEvent(self, event: QHideEvent) -> None:
        """Apply a search that was just typed, since the person may be leaving to export the shown pairs."""
        super().hideEvent(event)
        if self._search_timer.isActive():
            self._search_timer.stop()
            self._on_typed()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self.search.hasFocus():
            if self.search.text():
                self.search.clear()
            self.table.setFocus()
        elif event.key() == Qt.Key.Key_Down and self.search.hasFocus():
            self.table.setFocus()
        else:
            super().keyPressEvent(event)
