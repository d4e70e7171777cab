"""The page of all pairs."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from PySide6.QtCore import QPoint, Qt, QTimer, Slot
from PySide6.QtGui import QHideEvent, QKeyEvent
from PySide6.QtWidgets import QLineEdit, QStackedWidget, QWidget

from desktop.jobs.pairs import table
from desktop.jobs.pairs.table import PairList
from desktop.text import count
from desktop.ui.filters.filter_bar import FilterBar
from desktop.ui.pages.pairs.actions import PairActions
from desktop.ui.pages.pairs.highlights import Highlights
from desktop.ui.pages.pairs.inspector import PairInspector
from desktop.ui.pages.pairs.keeping import replace_rows, to_keep
from desktop.ui.pages.pairs.loading import PairLoader
from desktop.ui.pages.pairs.saved import SavedFilters
from desktop.ui.pages.pairs.table_model import PairTable
from desktop.ui.pages.pairs.toolbar import PairToolbar, menu_button
from desktop.ui.pages.pairs.view import PairView
from desktop.ui.services.page import Page
from desktop.ui.services.project_context import ProjectContext
from desktop.ui.services.runner import LatestRequest
from desktop.ui.widgets.labels import set_tip
from desktop.ui.widgets.notices import EmptyState
from storage.changes import Changes
from storage.pairs.filters import PairFilter, PairOrder, depends_on_annotations, depends_on_suggestions, with_value
from storage.pairs.table import FacetCount, PairTableRow

_TYPING = 120  # ms after a key before the search runs
_ONLY = {"papers": "Only this paper", "phrases": "Only the phrase", "labels": "Only the class"}


_WITHOUT_A_SELECTION = frozenset({"all", "search", "filter", "evidence", "save_filter"})


class PairsPage(Page):
    title = "Pairs"

    def __init__(self, context: ProjectContext, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self._filter = context.pairs_page_filter
        self._order = PairOrder()
        self._total: int | None = None
        self.table = PairTable(self)
        self.loader = PairLoader(context, self.table, self)
        self.view = PairView(self.table, context.theme, context.settings_store, self)
        self.pair_actions = PairActions(context, self.view, lambda: self._filter, self)
        self._counts = LatestRequest(self)
        self._counting = ""  # the field whose values are counted
        self._goes_on = False  # pairs were judged here: the next one takes the place of one that leaves the table
        self._typing = QTimer(self, singleShot=True, interval=_TYPING)
        self._build_head()
        self._build_body()
        self._connect()
        self._show_asked()
        self.initial_focus = self.view

    @property
    def filter(self) -> PairFilter:
        """What is shown."""
        return self._filter

    def is_action_enabled(self, name: str) -> bool:
        if name == "clear":
            return self._filter != PairFilter()
        return name in _WITHOUT_A_SELECTION or self.view.selected_count() > 0

    def is_action_checked(self, name: str) -> bool | None:
        return self.toolbar.evidence.isChecked() if name == "evidence" else None

    @Slot(object)
    def show_filter(self, filter: PairFilter) -> None:
        """Show the pairs a filter means."""
        if filter == self._filter and self.table.rowCount():
            return
        self._filter = filter
        self._show_asked()
        if self.isVisible():
            self._load()
        else:
            self._stale = True

    def refresh(self, changes: Changes) -> None:
        if changes.settings:
            self.saved.read()
        if changes.pairs or changes.papers:
            self.loader.count()
        if not (
            changes.pairs or changes.papers or changes.many_annotated or changes.annotated_keys or changes.suggestions
        ):
            return
        if not self.table.rowCount() or self.loader.shown != (self._filter, self._order):
            self._load()
        else:
            self.table.forget()
            follows = changes.suggestions and depends_on_suggestions(self._filter, self._order)
            if changes.pairs or changes.papers or follows or depends_on_annotations(self._filter, self._order):
                self._goes_on |= self.pair_actions.is_own(changes)
                self.loader.read_again(to_keep(self.view))
            self.inspector.read_soon()

    # How it is made

    def _build_head(self) -> None:
        theme = self.context.theme
        self.search = QLineEdit(placeholderText="Search premises and hypotheses", clearButtonEnabled=True)
        self.search.addAction(theme.icon("search", "muted"), QLineEdit.ActionPosition.LeadingPosition)
        self.search.setAccessibleName("Search premises and hypotheses")
        set_tip(self.search, 'All words, in either sentence; "words in quotation marks" stand together.')
        self.search.setMinimumWidth(theme.px(240))
        self.search.setMaximumWidth(theme.px(420))
        self.saved = SavedFilters(self.context, self)
        self.columns = menu_button(theme, "Columns", "columns-3", self.view.column_menu())
        self.columns.menu().aboutToShow.connect(self.view.column_menu)
        self.header.addWidget(self.search, 1)
        self.header.addWidget(self.saved)
        self.header.addWidget(self.columns)

    def _build_body(self) -> None:
        theme = self.context.theme
        self.bar = FilterBar(theme, self)
        self.body.addWidget(self.bar)
        self.toolbar = PairToolbar(theme, self.pair_actions)
        self.body.addWidget(self.toolbar)
        self.none = EmptyState(theme, "", "Clear the filter")
        self.stack = QStackedWidget()
        self.stack.addWidget(self.view)
        self.stack.addWidget(self.none)
        self.inspector = PairInspector(self.context, self.stack, self._current_line)
        self.body.addWidget(self.inspector, 1)
        chain = (self.search, self.saved, self.columns, self.bar.add, self.bar.clear, *self.toolbar.buttons, self.view)
        for before, after in pairwise(chain):
            self.setTabOrder(before, after)

    def _connect(self) -> None:
        context = self.context
        context.pairs_requested.connect(self.show_filter)
        self.bar.changed.connect(self.show_filter)
        self.bar.counts_requested.connect(self._ask_counts)
        self.saved.chosen.connect(self.show_filter)
        self.search.textChanged.connect(lambda _: self._typing.start())
        self.search.returnPressed.connect(self._search_now)
        self._typing.timeout.connect(self._on_typed)
        self.table.order_requested.connect(self._on_order)
        self.loader.began.connect(self._on_began)
        self.loader.listed.connect(self._on_listed)
        self.loader.overtaken.connect(self._on_overtaken)
        self.loader.ready.connect(self._on_ready)
        self.loader.counted.connect(self._on_counted)
        self.table.modelReset.connect(self._on_reset)
        self.table.dataChanged.connect(self._learn_suggested)
        self.table.dataChanged.connect(self.inspector.show_late)
        self.view.selected.connect(self._on_selected)
        self.view.menu_requested.connect(self._on_menu)
        self.view.doubleClicked.connect(lambda _: self.pair_actions.review())
        self._counts.done.connect(self._on_counts)
        self._counts.failed.connect(context.problems.show)
        self.none.button.clicked.connect(self._on_none)
        self.toolbar.evidence.toggled.connect(self.inspector.show_evidence)
        for key, text, slot, keys, widget in (
            ("search", "Search pairs", self._focus_search, "Ctrl+F, /", self),
            ("filter", "Add filter…", self.bar.add.showMenu, "Ctrl+Shift+F", self),
            ("clear", "Clear all filters", self._on_none, "Ctrl+Shift+X", self),
            ("evidence", "Evidence", self.toolbar.evidence.toggle, "C", self.view),
            ("details_down", "Scroll the pair in full down", self.inspector.details.scroll_down, "Alt+Down", self.view),
            ("details_up", "Scroll the pair in full up", self.inspector.details.scroll_up, "Alt+Up", self.view),
            ("save_filter", "Save this filter…", self.saved.ask_name, "", self),
        ):
            context.actions.add(f"pairs.{key}", text, slot, menu="Pairs", keys=keys, widget=widget)

    # What is shown

    def _show_asked(self) -> None:
        """Chips, search field and highlights of the filter; other pages learn of it."""
        self.bar.show_filter(self._filter)
        self.saved.show_filter(self._filter)
        if self.search.text().strip() != self._filter.text.strip():
            self.search.blockSignals(True)
            self.search.setText(self._filter.text)
            self.search.blockSignals(False)
        self.view.delegate.highlights = Highlights(self._filter.text)
        self.context.pairs_page_filter = self._filter

    def _load(self) -> None:
        self._typing.stop()
        self.loader.show(self._filter, self._order)

    @Slot()
    def _on_typed(self) -> None:
        self.show_filter(replace(self._filter, text=self.search.text()))

    @Slot()
    def _search_now(self) -> None:
        self._typing.stop()
        self._on_typed()
        self.view.setFocus()

    @Slot(object)
    def _on_order(self, order: PairOrder) -> None:
        if order != self._order:
            self._order = order
            self._load()

    @Slot()
    def _on_began(self) -> None:
        self._say_count()

    @Slot()
    def _on_reset(self) -> None:
        """A new table: from its top, the first pair under the cursor."""
        self.view.scrollToTop()
        if self.table.rowCount():
            self.view.select_rows([0], 0)
        self.stack.setCurrentWidget(self.view)
        self._say_count()
        self._on_selected()
        self._learn_titles()
        self._learn_suggested()

    @Slot()
    def _on_overtaken(self) -> None:
        self.loader.read_again(to_keep(self.view))

    @Slot()
    def _on_ready(self) -> None:
        self._say_count()
        if not self.table.rowCount():
            self._show_none()

    @Slot(object)
    def _on_counted(self, total: int) -> None:
        self._total = total
        self._say_count()
        if self.stack.currentWidget() is self.none:
            self._show_none()

    def _show_none(self) -> None:
        empty = self._total == 0
        self.none.sentence.setText(
            "Pairs appear here when papers are added and mined." if empty else "No pairs match this filter."
        )
        self.none.button.setText("Add papers" if empty else "Clear the filter")
        self.none.button.setVisible(True)
        self.stack.setCurrentWidget(self.none)

    def _say_count(self) -> None:
        rows, selected = self.table.rowCount(), self.view.selected_count()
        shown = f"{rows:,}" if self.loader.is_complete else "Counting…" if not rows else f"{rows:,} or more"
        if self._total is not None and self._total >= rows:  # else counted before more were mined
            of = "pair" if self._total == 1 else "pairs"
            shown += f" of {self._total:,} {of}"
        parts = [shown] + ([f"{count(selected, 'row')} selected"] if selected > 1 else [])
        self.toolbar.counter.setText(" · ".join(parts))

    def _learn_titles(self) -> None:
        """Name the papers of a filter by the lines there are."""
        if self._filter.papers:
            lines = [self.table.line(row) for row in range(min(50, self.table.rowCount()))]
            self.bar.know_titles({line.paper: line.title for line in lines if line is not None})

    @Slot()
    def _learn_suggested(self) -> None:
        """Whether a model has looked at pairs."""
        if self.table.has_suggested():
            self.view.know_suggested()

    # After changes

    @Slot(object)
    def _on_listed(self, listed: PairList) -> None:
        """All pairs after a change."""
        goes_on, self._goes_on = self._goes_on, False
        if listed.ids == self.table.ids:
            return
        self.table.modelReset.disconnect(self._on_reset)
        replace_rows(self.view, listed, goes_on=goes_on)
        self.table.modelReset.connect(self._on_reset)
        self.stack.setCurrentWidget(self.view)
        self._on_selected()
        self._on_ready()

    # The pair that is read: the one that keys are about

    @Slot()
    def _on_selected(self) -> None:
        self.pair_actions.update_enabled()
        some = bool(self.view.ranges())
        self.toolbar.enable(reading=some, changing=some and not self.context.read_only)
        self._say_count()
        self.inspector.show_current()

    def _current_line(self) -> PairTableRow | None:
        """That of the pair under the cursor, once it is read."""
        return self.table.line(self.view.cursor_row())

    @Slot(object)
    def _on_menu(self, at: QPoint) -> None:
        """The actions, and filters by what the pair under the cursor has."""
        menu = self.pair_actions.menu()
        line = self._current_line()
        if line is not None:
            menu.addSeparator()
            for field, value in (("papers", line.paper), ("phrases", line.phrase), ("labels", line.label)):
                if value:
                    narrowed = with_value(self._filter, field, frozenset((value,)))
                    name = _ONLY[field] if field == "papers" else f"{_ONLY[field]} “{value}”"
                    menu.addAction(name).triggered.connect(lambda _=False, asked=narrowed: self.show_filter(asked))
        menu.popup(at)

    @Slot(str)
    def _ask_counts(self, field: str) -> None:
        self._counting = field
        self._counts.follow(self.context.runner.read(table.count_by_value(self.context.project, self._filter, field)))

    @Slot(object)
    def _on_counts(self, counts: list[FacetCount]) -> None:
        self.bar.show_counts(self._counting, counts)

    # Keys

    def _focus_search(self) -> None:
        self.search.setFocus()
        self.search.selectAll()

    @Slot()
    def _on_none(self) -> None:
        if self._total == 0:
            self.context.page_requested.emit("papers")
        else:
            self.show_filter(PairFilter())
            self.view.setFocus()

    def hideEvent(self, event: QHideEvent) -> None:
        """What was typed holds for who leaves at once, to export it."""
        super().hideEvent(event)
        if self._typing.isActive():
            self._typing.stop()
            self._on_typed()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self.search.hasFocus():
            if self.search.text():
                self.search.clear()
            self.view.setFocus()
        elif event.key() == Qt.Key.Key_Down and self.search.hasFocus():
            self.view.setFocus()
        else:
            super().keyPressEvent(event)
