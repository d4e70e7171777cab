"""The Figures page of the dashboard: questions about the project, answered by plots."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QStackedWidget, QWidget

from desktop.jobs.mining.dropped import DroppedQuery
from desktop.jobs.pairs import statistics
from desktop.jobs.pairs.statistics import CountedCandidates
from desktop.text import count as counted
from desktop.translation import tr
from desktop.ui.pages.dashboard.cards import DashboardCards
from desktop.ui.plots.card import with_plots
from desktop.ui.services.display_names import NO_DOMAIN
from desktop.ui.services.page import Page
from desktop.ui.services.project_context import ProjectContext
from desktop.ui.services.runner import JobRun
from desktop.ui.widgets.fields import ChoiceBox
from desktop.ui.widgets.labels import PlainLabel
from desktop.ui.widgets.notices import EmptyState
from storage.annotation.answers import AnsweredDay
from storage.changes import Changes
from storage.pairs.statistics import ClassMeasures, PairCount

_REFRESH_INTERVAL_MS = 500  # at least, however fast changes come
_READS = ("counts", "funnel", "measures", "days")


class FiguresPage(Page):
    title = tr("Figures")

    def __init__(self, context: ProjectContext, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self._counts: list[PairCount] = []
        self._run: JobRun | None = None
        self._pending_reads: list[str] = []
        self._refresh_timer = self.create_timer(self._on_timer)
        self._needs_recount = False
        self._add_domain_choice()
        self._lay_out()
        self._add_actions()

    def refresh(self, changes: Changes) -> None:
        if changes.papers or changes.pairs or changes.annotated_keys or changes.many_annotated:
            if self._refresh_timer.isActive():
                self._needs_recount = True
            else:
                self._count()

    @property
    def domain(self) -> str | None:
        """The selected domain; None for all."""
        domain: str | None = self._domains.value
        return domain

    @property
    def is_counting(self) -> bool:
        return self._run is not None or bool(self._pending_reads) or self._needs_recount

    def choose_domain(self, domain: str | None) -> None:
        self._domains.choose(domain)

    # Counting, one read after the other, so that the first figures are shown while the others are being counted

    @Slot()
    def _on_timer(self) -> None:
        if self._needs_recount:
            self._count()

    def _count(self) -> None:
        self._needs_recount = False
        self._refresh_timer.start(_REFRESH_INTERVAL_MS)
        self._request(*_READS)

    def _request(self, *names: str) -> None:
        self._pending_reads = [name for name in _READS if name in (*names, *self._pending_reads)]
        if self._run is None:
            self._start_next_read()

    def _start_next_read(self) -> None:
        if not self._pending_reads:
            return
        project, domain, run = self.context.project, self.domain, self.context.runner.read
        match self._pending_reads.pop(0):
            case "counts":
                self._run = run(with_plots(statistics.load_counts(project)))
                self._run.done.connect(self._on_counts)
            case "funnel":
                self._run = run(with_plots(statistics.load_funnel(project, domain)))
                self._run.done.connect(self._on_funnel)
            case "measures":
                self._run = run(with_plots(statistics.load_measures(project, domain)))
                self._run.done.connect(self._on_measures)
            case _:
                self._run = run(with_plots(statistics.load_answered_days(project, self.context.annotator, domain)))
                self._run.done.connect(self._on_days)
        self._run.failed.connect(self._on_failed)
        self._run.ended.connect(self._on_ended)

    @Slot()
    def _on_ended(self) -> None:
        self._run = None
        self._start_next_read()

    @Slot(object)
    def _on_failed(self, error: Exception) -> None:
        self._pending_reads = []
        self.context.problems.show(error)

    @Slot(object)
    def _on_counts(self, counts: list[PairCount]) -> None:
        self._counts = counts
        domains = sorted({row.domain for row in counts})
        self._domains.offer([(domain or NO_DOMAIN, domain) for domain in domains])
        self._show_counts()

    @Slot(object)
    def _on_funnel(self, counted: CountedCandidates) -> None:
        if "funnel" not in self._pending_reads:  # else these are of another domain
            self.cards.show_funnel(counted, self.domain)

    @Slot(object)
    def _on_measures(self, measures: Mapping[str, ClassMeasures]) -> None:
        if "measures" not in self._pending_reads:
            self.cards.show_measures(measures, self.domain)

    @Slot(object)
    def _on_days(self, days: list[AnsweredDay]) -> None:
        if "days" not in self._pending_reads:
            self.cards.show_days(days, self.context.annotator, self.domain)

    def _show_counts(self) -> None:
        self._stack.setCurrentWidget(self.cards if self._counts else self.empty)
        for widget in (self._domain_label, self._domains):
            widget.setVisible(bool(self._counts))
        if self._counts:
            self.cards.show_counts(self._counts, self.domain)

    # The domain

    def _add_domain_choice(self) -> None:
        self._domain_label = PlainLabel(tr("D&omain"))
        self._domains = ChoiceBox(tr("Domain of the figures"), tr("All domains"))
        self._domain_label.setBuddy(self._domains)
        self.header.addWidget(self._domain_label)
        self.header.addWidget(self._domains)
        self._domains.currentIndexChanged.connect(self._on_domain)

    @Slot()
    def _on_domain(self) -> None:
        self._show_counts()
        self._request("funnel", "measures", "days")

    # Layout

    def _lay_out(self) -> None:
        sentence = tr(
            "This page shows the pairs in figures: classes, lengths, annotation. There are no pairs yet: add papers "
            "first."
        )
        self.empty = EmptyState(self.context.theme, sentence, tr("Add papers"))
        self.empty.button.clicked.connect(lambda: self.context.page_requested.emit("papers"))
        counting = PlainLabel(tr("Counting…"), type="muted")
        counting.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._stack = QStackedWidget()
        self._stack.addWidget(counting)
        self._stack.addWidget(self.empty)
        self.cards = DashboardCards(self.context.theme)
        self.cards.opened.connect(self.context.pairs_requested)
        self.cards.copied.connect(self._on_copied)
        self.cards.examples_requested.connect(self.show_examples)
        self._stack.addWidget(self.cards)
        self.body.addWidget(self._stack, 1)

    # Actions

    def _add_actions(self) -> None:
        add = self.context.actions.add
        add(
            "dashboard.numbers",
            tr("Show plots as &numbers"),
            self._on_numbers,
            menu=self.title,
            keys="N",
            tip=tr("Every plot as a table, and back"),
            widget=self,
        )
        add(
            "dashboard.copy",
            tr("&Copy all numbers"),
            self._on_copy_all,
            menu=self.title,
            keys="Ctrl+Shift+C",
            icon="copy",
            widget=self,
        )

    @Slot(object)
    def show_examples(self, query: DroppedQuery) -> None:
        from desktop.ui.pages.dashboard.dropped_dialog import DroppedDialog

        DroppedDialog(self.context, query, self).open()

    @Slot()
    def _on_numbers(self) -> None:
        self.cards.toggle_numbers()

    @Slot()
    def _on_copy_all(self) -> None:
        if self._counts:
            QGuiApplication.clipboard().setText(self.cards.tsv())
            self.context.show_message(tr("Copied all numbers of the page."))

    @Slot(int)
    def _on_copied(self, lines: int) -> None:
        self.context.show_message(tr("Copied {lines} of numbers.", lines=counted(lines, "line")))
