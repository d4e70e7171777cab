"""The papers' tables on the Dashboard: counted when they are looked at, sentences measured on request."""

from __future__ import annotations

from typing import cast

from PySide6.QtCore import Qt, QTimer, Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from desktop.jobs.pairs import table as pair_table
from desktop.jobs.pairs.data_set_statistics import (
    CountedDataSet,
    MeasuredDataSet,
    find_split_pairs,
    load_counted,
    measure,
)
from desktop.jobs.pairs.paper_tables import SplitPairs, agreement_table, data_set_table, domain_table
from desktop.ui.filters.filter_bar import FilterBar
from desktop.ui.pages.dashboard.similarity import similarity_figure
from desktop.ui.pages.dashboard.table_card import TextTableCard
from desktop.ui.plots.card import PlotCard, with_plots
from desktop.ui.services.project_context import ProjectContext
from desktop.ui.services.runner import JobRun, LatestRequest
from desktop.ui.widgets.fields import FormScrollArea
from desktop.ui.widgets.labels import PlainLabel, set_tip
from desktop.ui.widgets.notices import EmptyState
from miner.dataset_statistics import CompleteSentences, VocabularySimilarity
from storage.changes import Changes
from storage.pairs.filters import PairFilter
from storage.pairs.table import FacetCount

_NOT_MEASURED = "Measure sentences to compare the domains’ vocabularies."
_REFRESH_INTERVAL_MS = 2_000  # at least, however fast changes come: a million pairs take seconds to count


class PaperTablesView(QWidget):
    """Tables 2, 3, 12 and 13 of the pairs that a filter has. `refresh` counts again."""

    opened = Signal(object)  # PairFilter
    copied = Signal(int)  # number of rows copied

    def __init__(self, context: ProjectContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self._filter = PairFilter()
        self._field = ""
        self.counted: CountedDataSet | None = None
        self._complete: CompleteSentences | None = None
        self._similarity: VocabularySimilarity | None = None
        self._is_outdated = False  # sentences were measured before pairs changed
        self._needs_count = False
        self._measuring: JobRun | None = None
        self._count_request, self._facets, self._split_request = (LatestRequest(self) for _ in range(3))
        self._count_request.done.connect(self._on_counted)
        self._count_request.failed.connect(context.problems.show)
        self._facets.done.connect(self._on_facets)
        self._facets.failed.connect(context.problems.show)
        self._split_request.done.connect(self.opened)
        self._split_request.failed.connect(context.problems.show)
        self._lay_out()
        self._timer = QTimer(self, singleShot=True)
        self._timer.timeout.connect(self._on_timer)

    @property
    def is_counting(self) -> bool:
        return self._count_request.is_waiting or self._needs_count or self._measuring is not None

    @property
    def filter(self) -> PairFilter:
        return self._filter

    def refresh(self, changes: Changes) -> None:
        """Count again; sentences are only marked as measured before."""
        if changes.papers or changes.pairs:
            self._is_outdated = self._complete is not None
        if self._timer.isActive() or self._count_request.is_waiting:
            self._needs_count = True
        else:
            self._count()
        self._show_state()

    @Slot(object)
    def show_filter(self, filter: PairFilter) -> None:
        """Show the tables of these pairs. What was measured of others is dropped."""
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
        self._measuring = run = self._context.runner.start(with_plots(measure(self._context.project, self._filter)))
        run.done.connect(self._on_measured)
        run.failed.connect(self._context.problems.show)
        run.ended.connect(self._on_measuring_ended)
        self._show_state()

    def tsv(self) -> str:
        """All tables as tab-separated text, each below its question."""
        return "\n".join(f"{card.question}\n{card.tsv()}" for card in (*self.tables, self.similarity))

    # Answers

    def _count(self) -> None:
        self._needs_count = False
        self._timer.start(_REFRESH_INTERVAL_MS)
        self._count_request.follow(self._context.runner.read(load_counted(self._context.project, self._filter)))

    @Slot()
    def _on_timer(self) -> None:
        if self._needs_count and not self._count_request.is_waiting:
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
            self.similarity.show_message("There is only one domain. Give papers different domains to compare them.")

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
        if not is_empty:
            self.data_set.show_table(data_set_table(counted, self._complete))
            self.domains.show_table(domain_table(counted, self._complete))
            self.agreement.show_table(agreement_table(counted))
        self._show_state()

    def _show_state(self) -> None:
        has_pairs = self.counted is not None and self.counted.statistics.count() > 0
        self.measure_button.setEnabled(has_pairs and self._measuring is None)
        self.measure_button.setText("Measure sentences again" if self._complete else "&Measure sentences")
        text = ""
        if self._measuring is not None:
            text = "Measuring sentences…"
        elif self._is_outdated:
            text = "Pairs have changed since sentences were measured."
        self.state.setText(text)

    @Slot(str)
    def _request_facets(self, field: str) -> None:
        self._field = field
        run = self._context.runner.read(pair_table.count_by_value(self._context.project, self._filter, field))
        self._facets.follow(run)

    @Slot(object)
    def _on_facets(self, counts: list[FacetCount]) -> None:
        self.filters.show_counts(self._field, counts)

    @Slot(object)
    def _on_opened(self, target: object) -> None:
        if isinstance(target, SplitPairs):
            job = find_split_pairs(self._context.project, target.filter, target.split)
            self._split_request.follow(self._context.runner.read(job))
        else:
            self.opened.emit(cast("PairFilter", target))

    # Layout

    def _lay_out(self) -> None:
        theme = self._context.theme
        px = theme.px
        self.filters = FilterBar(theme)
        self.filters.changed.connect(self.show_filter)
        self.filters.counts_requested.connect(self._request_facets)
        self.state = PlainLabel()
        self.state.setProperty("type", "muted")
        self.measure_button = QPushButton("&Measure sentences")
        set_tip(self.measure_button, "Parse a sample for complete sentences, and compare the domains' vocabularies")
        self.measure_button.clicked.connect(self.measure)
        top = QHBoxLayout()
        top.setSpacing(px(8))
        top.addWidget(self.filters, 1)
        top.addWidget(self.state)
        top.addWidget(self.measure_button, 0, Qt.AlignmentFlag.AlignTop)
        self.data_set = TextTableCard(theme, "How does the data set compare? (SciNLI, Table 3)")
        self.domains = TextTableCard(theme, "How do the domains differ? (MSciNLI, Table 2)")
        self.agreement = TextTableCard(theme, "Do people confirm the distant labels? (MSciNLI, Table 12)")
        self.similarity = PlotCard(theme, "How alike are the domains’ vocabularies? (MSciNLI, Table 13)")
        self.similarity.show_message(_NOT_MEASURED)
        self.tables = (self.data_set, self.domains, self.agreement)
        self.empty = EmptyState(theme, "No pairs of the data set match.", "Show all")
        self.empty.button.clicked.connect(lambda: self.show_filter(PairFilter()))
        self.empty.setVisible(False)
        contents = QWidget()
        column = QVBoxLayout(contents)
        column.setContentsMargins(0, 0, px(8), 0)
        column.setSpacing(px(16))
        for card in (*self.tables, self.similarity):
            card.opened.connect(self._on_opened)
            card.copied.connect(self.copied)
            column.addWidget(card)
        column.addWidget(self.empty)
        column.addStretch(1)
        self.scroll_area = FormScrollArea(contents)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(px(12))
        layout.addLayout(top)
        layout.addWidget(self.scroll_area, 1)
