"""The Dashboard: six questions about the project, answered by what is in it."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QModelIndex, Qt, QTimer, Slot
from PySide6.QtGui import QGuiApplication, QResizeEvent
from PySide6.QtWidgets import (
    QComboBox,
    QFrame,
    QGridLayout,
    QLabel,
    QScrollArea,
    QStackedWidget,
    QTableView,
    QWidget,
)

from desktop.jobs import statistics
from desktop.ui.dashboard import content
from desktop.ui.dashboard.card import Card, PlotCard, dress_table
from desktop.ui.dashboard.phrases import RANGE, RELATION, SHARE, PhraseDelegate, PhraseModel, phrase_lines
from desktop.ui.dashboard.words import NO_DOMAIN
from desktop.ui.desk import Desk
from desktop.ui.page import Page
from desktop.ui.runner import JobRun
from desktop.ui.theme import Theme
from desktop.ui.widgets.empty import Empty
from desktop.ui.widgets.numbers import count as counted
from miner.progress import Job
from miner.records import Funnel
from storage.changes import Changes
from storage.statistics import Counted, Measured

_WIDE = 820  # pixels as drawn, from which two cards stand side by side
_RANGE = 150  # pixels as drawn, for the range of agreement at least
_PHRASES_SHOWN = 16  # more scroll
_TOGETHER = 500  # milliseconds between counts, however fast changes come


class PhraseCard(Card):
    """Which phrases can be trusted: a table, for there the numbers are the answer."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, "Which phrases can be trusted?", parent)
        self.domain: str | None = None
        self.add_button("", "copy", "Copy numbers").clicked.connect(self.copy)
        self.model = PhraseModel(self)
        self.table = QTableView()
        self.table.setModel(self.model)
        self.table.setAccessibleName(self.question)
        self.delegate = PhraseDelegate(theme, self)
        self.table.setItemDelegate(self.delegate)
        dress_table(self.table, theme)
        header = self.table.horizontalHeader()
        header.setStretchLastSection(True)
        header.setFixedHeight(theme.px(32))
        self.table.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.table.setSortingEnabled(True)
        self.table.sortByColumn(2, Qt.SortOrder.DescendingOrder)
        self.table.activated.connect(self.on_activated)
        self.table.selectionModel().currentRowChanged.connect(self.on_current)
        self.body.addWidget(self.table)

    def show_counts(self, counts: list[Counted], domain: str | None) -> None:
        self.domain = domain
        lines = phrase_lines(counts, domain)
        self.model.show_lines(lines)
        self.table.setFixedHeight(self._theme.px(32) + self._theme.px(28) * min(_PHRASES_SHOWN, max(1, len(lines))))
        self._fit_columns()
        answered, agreed = sum(line.answered for line in lines), sum(line.agreed for line in lines)
        self.summary = "No pairs were mined by a phrase."
        if lines:
            self.summary = f"{counted(len(lines), 'phrase')}. People have answered none of their pairs yet."
        if answered:
            self.summary = f"People agree with {agreed:,} of {counted(answered, 'answered pair')} mined by a phrase."
        self.body.setCurrentIndex(1)
        self.say("")

    def tsv(self) -> str:
        return self.model.tsv()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_columns()

    def _fit_columns(self) -> None:
        """As wide as their text; where it is narrow, what matters less is left out, and the range's bar is short."""
        widths = {column: self.delegate.width(self.model, column) for column in range(RANGE)}
        spare = self.width() - self._theme.px(_RANGE + 32) - sum(widths.values())
        for column in range(RANGE):  # the last one takes what is left
            self.table.setColumnWidth(column, widths[column])
        for column in (SHARE, RELATION):
            self.table.setColumnHidden(column, spare < 0)
            spare += widths[column]

    @Slot(QModelIndex, QModelIndex)
    def on_current(self, current: QModelIndex, _: QModelIndex) -> None:
        self.say(self.model.line(current.row()).note if current.isValid() else "")

    @Slot(QModelIndex)
    def on_activated(self, index: QModelIndex) -> None:
        self.opened.emit(self.model.opens(index.row(), self.domain))


class DashboardPage(Page):
    title = "Dashboard"

    def __init__(self, desk: Desk, parent: QWidget | None = None) -> None:
        super().__init__(desk, parent)
        theme = desk.theme
        self._counts: list[Counted] = []
        self._run: JobRun | None = None
        self._wanted: list[str] = []
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.setInterval(_TOGETHER)
        self._later.timeout.connect(self.on_later)
        self._again = False
        self._add_domain_choice()
        self.funnel = PlotCard(theme, "What became of the candidates?")
        self.classes = PlotCard(theme, "Where do the pairs come from?")
        self.people = PlotCard(theme, "What do people make of the labels?")
        self.phrases = PhraseCard(theme)
        self.lengths = PlotCard(theme, "How long are the sentences?")
        self.overlap = PlotCard(theme, "How much do they share?")
        self.cards: tuple[Card, ...] = (
            self.funnel,
            self.classes,
            self.people,
            self.phrases,
            self.lengths,
            self.overlap,
        )
        for card in self.cards:
            card.opened.connect(desk.pairs_asked)
            card.copied.connect(self.on_copied)
        self._lay_out()
        self._add_actions()
        theme.changed.connect(self._arrange)

    def refresh(self, changes: Changes) -> None:
        if changes.papers or changes.mined or changes.judged or changes.many:
            if self._later.isActive():
                self._again = True
            else:
                self._count()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

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
        self._wanted = ["counts", "funnel", "measures"]
        if self._run is None:
            self._next()

    def _next(self) -> None:
        if not self._wanted:
            return
        name = self._wanted.pop(0)
        project, domain = self.desk.project, self.domain
        jobs: dict[str, Job[object]] = {
            "counts": statistics.counts(project),  # type: ignore[dict-item]  # a job of something is a job of an object
            "funnel": statistics.funnel(project, domain),  # type: ignore[dict-item]
            "measures": statistics.measures(project, domain),  # type: ignore[dict-item]
        }
        slots = {"counts": self.on_counts, "funnel": self.on_funnel, "measures": self.on_measures}
        self._run = self.desk.runner.read(jobs[name])
        self._run.done.connect(slots[name])
        self._run.failed.connect(self.desk.problems.show)
        self._run.ended.connect(self.on_ended)

    @Slot()
    def on_ended(self) -> None:
        self._run = None
        self._next()

    @Slot(object)
    def on_counts(self, counts: list[Counted]) -> None:
        self._counts = counts
        self._offer_domains(sorted({row.domain for row in counts}))
        self._show_counts()

    @Slot(object)
    def on_funnel(self, funnel: Funnel) -> None:
        if funnel.candidates:
            self.funnel.show_figure(content.funnel_figure(funnel, self.domain))
        else:
            self.funnel.show_nothing("None were mined here: all pairs were imported.")

    @Slot(object)
    def on_measures(self, measures: Mapping[str, Measured]) -> None:
        self.lengths.show_figure(content.lengths_figure(measures, self.domain))
        self.overlap.show_figure(content.overlap_figure(measures, self.domain))

    def _show_counts(self) -> None:
        self._stack.setCurrentIndex(1 if self._counts else 2)
        self._domain_label.setVisible(bool(self._counts))
        self._domains.setVisible(bool(self._counts))
        if not self._counts:
            return
        self.classes.show_figure(content.classes_figure(self._counts, self.domain))
        self.people.show_figure(content.people_figure(self._counts, self.domain))
        self.phrases.show_counts(self._counts, self.domain)

    # The domain

    def _add_domain_choice(self) -> None:
        self._domain_label = QLabel("&Domain")
        self._domains = QComboBox()
        self._domains.setAccessibleName("Domain that the figures are of")
        self._domains.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self._domains.addItem("All domains", None)
        self._domain_label.setBuddy(self._domains)
        self.head.addWidget(self._domain_label)
        self.head.addWidget(self._domains)
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
        self._wanted = ["funnel", "measures"]
        if self._run is None:
            self._next()

    # Looks

    def _lay_out(self) -> None:
        self._grid_holder = QWidget()
        self._grid = QGridLayout(self._grid_holder)
        self._grid.setContentsMargins(0, 0, self.desk.theme.px(8), 0)
        scroll = QScrollArea()
        scroll.setWidgetResizable(True)
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        scroll.setWidget(self._grid_holder)
        sentence = "Figures appear here once papers have been added and pairs mined from them."
        self.empty = Empty(self.desk.theme, sentence, "Go to Papers")
        self.empty.button.clicked.connect(lambda: self.desk.page_asked.emit("papers"))
        self._stack = QStackedWidget()
        counting = QLabel("Counting…")
        counting.setProperty("type", "muted")
        counting.setAlignment(Qt.AlignmentFlag.AlignCenter)
        for widget in (counting, scroll, self.empty):
            self._stack.addWidget(widget)
        self.body.addWidget(self._stack, 1)
        self._columns = 0
        self._arrange()

    @Slot()
    def _arrange(self) -> None:
        """Two cards side by side where there is room; the table of phrases and the lengths take more of it."""
        theme = self.desk.theme
        columns = 6 if self.width() - 2 * theme.px(24) >= theme.px(_WIDE) else 1
        self._grid.setSpacing(theme.px(16))
        if columns == self._columns:
            return
        self._columns = columns
        for card in self.cards:
            self._grid.removeWidget(card)
        for column in range(6):
            self._grid.setColumnStretch(column, 1 if column < columns else 0)
        if columns == 1:
            for row, card in enumerate(self.cards):
                self._grid.addWidget(card, row, 0)
            return
        for card, row, column, rows, span in (
            (self.funnel, 0, 0, 2, 3),
            (self.classes, 0, 3, 1, 3),
            (self.people, 1, 3, 1, 3),
            (self.phrases, 2, 0, 1, 6),
            (self.lengths, 3, 0, 1, 4),
            (self.overlap, 3, 4, 1, 2),
        ):
            self._grid.addWidget(card, row, column, rows, span)

    # Verbs

    def _add_actions(self) -> None:
        add = self.desk.actions.add
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
        cards = [card for card in self.cards if isinstance(card, PlotCard)]
        numbers = not all(card.numbers_button.isChecked() for card in cards)
        for card in cards:
            card.show_numbers(numbers)

    @Slot()
    def on_copy_all(self) -> None:
        parts = [f"{card.question}\n{card.tsv()}" for card in self.cards]
        QGuiApplication.clipboard().setText("\n".join(parts))
        self.desk.say("Copied all numbers of the dashboard.")

    @Slot(int)
    def on_copied(self, lines: int) -> None:
        self.desk.say(f"Copied {counted(lines, 'line')} of numbers.")
