"""The Dashboard: six questions about the project, answered by what is in it."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import Qt, QTimer, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QComboBox, QStackedWidget, QWidget

from desktop.jobs.pairs import statistics
from desktop.text import count as counted
from desktop.ui.pages.dashboard.board import Board
from desktop.ui.pages.dashboard.figures import DroppedCandidates
from desktop.ui.plots.card import with_plots
from desktop.ui.services.display_names import NO_DOMAIN
from desktop.ui.services.page import Page
from desktop.ui.services.project_context import ProjectContext
from desktop.ui.services.runner import JobRun
from desktop.ui.widgets.labels import PlainLabel
from desktop.ui.widgets.notices import EmptyState
from miner.records import Funnel
from storage.changes import Changes
from storage.pairs.statistics import ClassMeasures, PairCount

_TOGETHER = 500  # milliseconds between counts, however fast changes come


class DashboardPage(Page):
    title = "Dashboard"

    def __init__(self, context: ProjectContext, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self._counts: list[PairCount] = []
        self._run: JobRun | None = None
        self._wanted: list[str] = []
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.setInterval(_TOGETHER)
        self._later.timeout.connect(self.on_later)
        self._again = False
        self._add_domain_choice()
        self._lay_out()
        self._add_actions()

    def refresh(self, changes: Changes) -> None:
        if changes.papers or changes.pairs or changes.annotated_keys or changes.many_annotated:
            if self._later.isActive():
                self._again = True
            else:
                self._count()

    @property
    def domain(self) -> str | None:
        """The domain that all figures are of; None for all."""
        chosen = self._domains.currentData()
        return None if chosen is None else str(chosen)

    @property
    def counting(self) -> bool:
        return self._run is not None or bool(self._wanted) or self._again

    def choose_domain(self, domain: str | None) -> None:
        self._domains.setCurrentIndex(self._domains.findData(domain))

    # Counting, one read after the other: the first figures are there while the last are counted.

    @Slot()
    def on_later(self) -> None:
        if self._again:
            self._count()

    def _count(self) -> None:
        self._again = False
        self._later.start()
        self._want("counts", "funnel", "measures")

    def _want(self, *names: str) -> None:
        self._wanted = [name for name in ("counts", "funnel", "measures") if name in (*names, *self._wanted)]
        if self._run is None:
            self._next()

    def _next(self) -> None:
        if not self._wanted:
            return
        project, domain, run = self.context.project, self.domain, self.context.runner.read
        match self._wanted.pop(0):
            case "counts":
                self._run = run(with_plots(statistics.load_counts(project)))
                self._run.done.connect(self.on_counts)
            case "funnel":
                self._run = run(with_plots(statistics.load_funnel(project, domain)))
                self._run.done.connect(self.on_funnel)
            case _:
                self._run = run(with_plots(statistics.load_measures(project, domain)))
                self._run.done.connect(self.on_measures)
        self._run.failed.connect(self.on_failed)
        self._run.ended.connect(self.on_ended)

    @Slot()
    def on_ended(self) -> None:
        self._run = None
        self._next()

    @Slot(object)
    def on_failed(self, error: Exception) -> None:
        self._wanted = []
        self.context.problems.show(error)

    @Slot(object)
    def show_examples(self, of: DroppedCandidates) -> None:
        from desktop.jobs.mining.dropped import DroppedQuery
        from desktop.ui.pages.dashboard.dropped_dialog import DroppedDialog

        DroppedDialog(self.context, DroppedQuery(of.strategies, of.reason, self.domain), of.note, self).open()

    @Slot(object)
    def on_counts(self, counts: list[PairCount]) -> None:
        self._counts = counts
        self._offer_domains(sorted({row.domain for row in counts}))
        self._show_counts()

    @Slot(object)
    def on_funnel(self, funnel: Funnel) -> None:
        if "funnel" not in self._wanted:  # else it was of another domain
            self.board.show_funnel(funnel, self.domain)

    @Slot(object)
    def on_measures(self, measures: Mapping[str, ClassMeasures]) -> None:
        if "measures" not in self._wanted:
            self.board.show_measures(measures, self.domain)

    def _show_counts(self) -> None:
        self._stack.setCurrentWidget(self.board if self._counts else self.empty)
        self._domain_label.setVisible(bool(self._counts))
        self._domains.setVisible(bool(self._counts))
        if self._counts:
            self.board.show_counts(self._counts, self.domain)

    # The domain

    def _add_domain_choice(self) -> None:
        self._domain_label = PlainLabel("D&omain")
        self._domains = QComboBox()
        self._domains.setAccessibleName("Domain that the figures are of")
        self._domains.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self._domains.addItem("All domains", None)
        self._domain_label.setBuddy(self._domains)
        self.header.addWidget(self._domain_label)
        self.header.addWidget(self._domains)
        self._domains.currentIndexChanged.connect(self.on_domain)

    def _offer_domains(self, domains: list[str]) -> None:
        """Offer these; what was chosen stays if it is still there."""
        offered = [self._domains.itemData(index) for index in range(1, self._domains.count())]
        if offered == domains:
            return
        chosen = self.domain
        self._domains.blockSignals(True)
        self._domains.clear()
        self._domains.addItem("All domains", None)
        for domain in domains:
            self._domains.addItem(domain or NO_DOMAIN, domain)
        self._domains.setCurrentIndex(domains.index(chosen) + 1 if chosen in domains else 0)
        self._domains.blockSignals(False)

    @Slot()
    def on_domain(self) -> None:
        self._show_counts()
        self._want("funnel", "measures")

    # Looks

    def _lay_out(self) -> None:
        sentence = "Figures appear here once papers have been added and pairs mined from them."
        self.empty = EmptyState(self.context.theme, sentence, "Add papers")
        self.empty.button.clicked.connect(lambda: self.context.page_requested.emit("papers"))
        counting = PlainLabel("Counting…")
        counting.setProperty("type", "muted")
        counting.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._stack = QStackedWidget()
        self._stack.addWidget(counting)
        self._stack.addWidget(self.empty)
        self.board = Board(self.context.theme)
        self.board.opened.connect(self.context.pairs_requested)
        self.board.copied.connect(self.on_copied)
        self.board.examples_requested.connect(self.show_examples)
        self._stack.addWidget(self.board)
        self.body.addWidget(self._stack, 1)

    # Verbs

    def _add_actions(self) -> None:
        add = self.context.actions.add
        add(
            "dashboard.numbers",
            "Show plots as &numbers",
            self.on_numbers,
            menu="Dashboard",
            keys="N",
            tip="Every plot as a table, and back",
            widget=self,
        )
        add(
            "dashboard.copy",
            "&Copy all numbers",
            self.on_copy_all,
            menu="Dashboard",
            keys="Ctrl+Shift+C",
            icon="copy",
            widget=self,
        )

    @Slot()
    def on_numbers(self) -> None:
        self.board.turn_numbers()

    @Slot()
    def on_copy_all(self) -> None:
        if self._counts:
            QGuiApplication.clipboard().setText(self.board.tsv())
            self.context.show_message("Copied all numbers of the dashboard.")

    @Slot(int)
    def on_copied(self, lines: int) -> None:
        self.context.show_message(f"Copied {counted(lines, 'line')} of numbers.")
