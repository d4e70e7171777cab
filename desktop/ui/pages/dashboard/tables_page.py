"""The Tables page of the dashboard: the tables that the papers of SciNLI and MSciNLI give of their data sets."""

from __future__ import annotations

from typing import cast

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QVBoxLayout, QWidget

from desktop.jobs.pairs import table as pair_table
from desktop.jobs.pairs.data_set_statistics import (
    CountedDataSet,
    MeasuredDataSet,
    find_split_pairs,
    load_counted,
    measure,
)
from desktop.jobs.pairs.paper_tables import SplitPairs, agreement_table, data_set_table, domain_table
from desktop.text import count
from desktop.translation import tr
from desktop.ui.filters.filter_bar import FilterBar
from desktop.ui.pages.dashboard.similarity import similarity_figure
from desktop.ui.pages.dashboard.table_card import TextTableCard
from desktop.ui.plots.card import PlotCard, with_plots
from desktop.ui.services.page import Page
from desktop.ui.services.project_context import ProjectContext
from desktop.ui.services.runner import JobRun
from desktop.ui.widgets.buttons import push_button
from desktop.ui.widgets.fields import FormScrollArea
from desktop.ui.widgets.labels import PlainLabel
from desktop.ui.widgets.layouts import aligned, row_of, stretched
from desktop.ui.widgets.notices import EmptyState
from miner.dataset_statistics import CompleteSentences, VocabularySimilarity
from storage.changes import Changes
from storage.pairs.filters import PairFilter
from storage.pairs.table import FacetCount

_NO_PAIRS = tr(
    "This page shows the tables of the SciNLI papers for your own pairs. There are no pairs yet: add papers first."
)
_NO_MATCH, _SHOW_ALL = tr("No pair matches this filter."), tr("Show all")
_NOT_MEASURED = tr("Press “Measure sentences” to compare the domains’ vocabularies.")
_REFRESH_INTERVAL_MS = 2_000  # at least, however fast changes come: a million pairs take seconds to count


class TablesPage(Page):
    """Table 3 of SciNLI and tables 2, 12 and 13 of MSciNLI, for the pairs of a filter.

    Pairs are counted when the page is shown; sentences are measured on request.
    """

    title = tr("Tables")

    def __init__(self, context: ProjectContext, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self._filter = PairFilter()
        self._field = ""
        self.counted: CountedDataSet | None = None
        self._complete: CompleteSentences | None = None
        self._similarity: VocabularySimilarity | None = None
        self._is_outdated = False  # sentences were measured before pairs changed
        self._needs_count = False
        self._measuring: JobRun | None = None
        self._lay_out()
        self._timer = self.create_timer(self._on_timer)
        self._add_actions()

    @property
    def is_counting(self) -> bool:
        return self.context.is_reading(self._on_counted) or self._needs_count or self._measuring is not None

    @property
    def filter(self) -> PairFilter:
        return self._filter

    def refresh(self, changes: Changes) -> None:
        """Count again; sentences are only marked as measured before."""
        if not (changes.papers or changes.pairs or changes.annotated_keys or changes.many_annotated):
            return
        if changes.papers or changes.pairs:
            self._is_outdated = self._complete is not None
        if self._timer.isActive() or self.context.is_reading(self._on_counted):
            self._needs_count = True
        else:
            self._count()
        self._show_state()

    @Slot(object)
    def show_filter(self, filter: PairFilter) -> None:
        """Show the tables of these pairs; measures of other pairs are dropped."""
        if filter == self._filter:
            return
        self._filter = filter
        self._complete = self._similarity = None
        self._is_outdated = False
        self.filters.show_filter(filter)
        self.similarity.show_message(_NOT_MEASURED)
        self._count()
        self._show_state()

    @Slot()
    def measure(self) -> None:
        """Parse and tokenize samples of the pairs, as a long job."""
        if self._measuring is not None:
            return
        self._measuring = run = self.context.runner.start(with_plots(measure(self.context.project, self._filter)))
        run.done.connect(self._on_measured)
        run.failed.connect(self.context.problems.show)
        run.ended.connect(self._on_measuring_ended)
        self._show_state()

    def tsv(self) -> str:
        """All tables as tab-separated text, each below its question."""
        return "\n".join(f"{card.question}\n{card.tsv()}" for card in (*self.tables, self.similarity))

    # Answers

    def _count(self) -> None:
        self._needs_count = False
        self._timer.start(_REFRESH_INTERVAL_MS)
        self.context.read(load_counted(self.context.project, self._filter), self._on_counted)

    @Slot()
    def _on_timer(self) -> None:
        if self._needs_count and not self.context.is_reading(self._on_counted):
            self._count()

    @Slot(object)
    def _on_counted(self, counted: CountedDataSet) -> None:
        self.counted = counted
        self._show_tables()
        if self._needs_count and not self._timer.isActive():
            self._count()

    @Slot(object)
    def _on_measured(self, measured: MeasuredDataSet) -> None:
        if measured.counted.filter != self._filter:
            return
        self.counted = measured.counted
        self._complete, self._similarity, self._is_outdated = measured.complete, measured.similarity, False
        self._show_tables()
        if measured.similarity is not None and len(measured.similarity.domains) > 1:
            self.similarity.show_figure(similarity_figure(measured.similarity, self._filter))
        else:
            self.similarity.show_message(tr("There is only one domain. Give papers different domains to compare them."))

    @Slot()
    def _on_measuring_ended(self) -> None:
        self._measuring = None
        self._show_state()

    def _show_tables(self) -> None:
        counted = self.counted
        assert counted is not None
        is_empty = not counted.statistics.count()
        for card in (*self.tables, self.similarity):
            card.setVisible(not is_empty)
        self.empty.setVisible(is_empty)
        is_filtered = self._filter != PairFilter()
        self.empty.sentence.setText(_NO_MATCH if is_filtered else _NO_PAIRS)
        self.empty.button.setText(_SHOW_ALL if is_filtered else tr("Add papers"))
        for widget in (self.filters, self.measure_button):
            widget.setVisible(not is_empty or is_filtered)
        if not is_empty:
            self.data_set.show_table(data_set_table(counted, self._complete))
            self.domains.show_table(domain_table(counted, self._complete))
            self.agreement.show_table(agreement_table(counted))
        self._show_state()

    @property
    def _has_pairs(self) -> bool:
        return self.counted is not None and self.counted.statistics.count() > 0

    def _show_state(self) -> None:
        self.measure_button.setEnabled(self._has_pairs and self._measuring is None)
        self.measure_button.setText(tr("Measure sentences again") if self._complete else tr("&Measure sentences"))
        text = ""
        if self._measuring is not None:
            text = tr("Measuring sentences…")
        elif self._is_outdated:
            text = tr("Pairs have changed since the sentences were measured.")
        self.state.setText(text)

    @Slot(str)
    def _request_facets(self, field: str) -> None:
        self._field = field
        run = self.context.runner.read(pair_table.count_by_value(self.context.project, self._filter, field))
        self.context.runner.follow(run, self._on_facets, self.context.problems.show)

    @Slot(object)
    def _on_facets(self, counts: list[FacetCount]) -> None:
        self.filters.show_counts(self._field, counts)

    @Slot(object)
    def _on_opened(self, target: object) -> None:
        if isinstance(target, SplitPairs):
            job = find_split_pairs(self.context.project, target.filter, target.split)
            self.context.read(job, self.context.pairs_requested.emit)
        else:
            self.context.pairs_requested.emit(cast("PairFilter", target))

    # Layout

    def _lay_out(self) -> None:
        theme = self.context.theme
        px = theme.px
        self.filters = FilterBar(theme)
        self.filters.changed.connect(self.show_filter)
        self.filters.counts_requested.connect(self._request_facets)
        self.state = PlainLabel(type="muted")
        self.measure_button = push_button(
            tr("&Measure sentences"),
            self.measure,
            tip=tr("Parse a sample for complete sentences, and compare the domains' vocabularies"),
        )
        self.data_set = TextTableCard(theme, tr("How does the data set compare? (SciNLI, Table 3)"))
        self.domains = TextTableCard(theme, tr("How do the domains differ? (MSciNLI, Table 2)"))
        self.agreement = TextTableCard(theme, tr("Do annotators confirm the distant labels? (MSciNLI, Table 12)"))
        self.similarity = PlotCard(theme, tr("How alike are the domains’ vocabularies? (MSciNLI, Table 13)"))
        self.similarity.show_message(_NOT_MEASURED)
        self.tables = (self.data_set, self.domains, self.agreement)
        self.empty = EmptyState(theme, _NO_MATCH, _SHOW_ALL)
        self.empty.button.clicked.connect(self._on_empty_button)
        self.empty.setVisible(False)
        contents = QWidget()
        column = QVBoxLayout(contents)
        column.setContentsMargins(0, 0, px(8), 0)
        column.setSpacing(px(16))
        for card in (*self.tables, self.similarity):
            card.opened.connect(self._on_opened)
            card.copied.connect(self._on_copied)
            column.addWidget(card)
        column.addWidget(self.empty, 1)
        column.addStretch(0)
        self.scroll_area = FormScrollArea(contents)
        self.body.addLayout(
            row_of(
                stretched(self.filters),
                self.state,
                aligned(self.measure_button, Qt.AlignmentFlag.AlignTop),
                spacing=px(8),
            )
        )
        self.body.addWidget(self.scroll_area, 1)

    # Actions

    def _add_actions(self) -> None:
        add, menu = self.context.actions.add, self.title
        add("tables.measure", tr("&Measure sentences"), self.measure, menu=menu, keys="Ctrl+Return", widget=self)
        add(
            "tables.copy",
            tr("&Copy all numbers"),
            self.copy_all,
            menu=menu,
            keys="Ctrl+Shift+C",
            icon="copy",
            widget=self,
        )

    def is_action_enabled(self, name: str) -> bool:
        return self.measure_button.isEnabled() if name == "measure" else self._has_pairs

    @Slot()
    def copy_all(self) -> None:
        if self._has_pairs:
            QGuiApplication.clipboard().setText(self.tsv())
            self.context.show_message(tr("Copied all numbers of the page."))

    @Slot(int)
    def _on_copied(self, lines: int) -> None:
        self.context.show_message(tr("Copied {lines} of numbers.", lines=count(lines, "line")))

    @Slot()
    def _on_empty_button(self) -> None:
        if self._filter == PairFilter():
            self.context.page_requested.emit("papers")
        else:
            self.show_filter(PairFilter())
