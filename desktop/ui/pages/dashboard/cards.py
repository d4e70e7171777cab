"""The six cards of the dashboard and their layout."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QGridLayout, QScrollArea, QWidget

from desktop.jobs.mining.dropped import DroppedQuery
from desktop.ui.pages.dashboard import figures
from desktop.ui.pages.dashboard.phrases import PhraseCard
from desktop.ui.plots.card import PlotCard
from desktop.ui.theme import Theme
from desktop.ui.widgets.card import Card
from miner.records import Funnel
from storage.pairs.statistics import ClassMeasures, PairCount

_TWO_COLUMNS_WIDTH = 820  # unscaled pixels, from which two cards are side by side


class DashboardCards(QScrollArea):
    opened = Signal(object)  # PairFilter: the pairs behind a mark
    copied = Signal(int)  # number of rows copied
    examples_requested = Signal(object)  # DroppedQuery

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.funnel = PlotCard(theme, "What became of the candidates?")
        self.classes = PlotCard(theme, "Where do the pairs come from?")
        self.answers = PlotCard(theme, "What do people make of the labels?")
        self.phrases = PhraseCard(theme)
        self.lengths = PlotCard(theme, "How long are the sentences?")
        self.overlap = PlotCard(theme, "How much do they share?")
        self.plots = (self.funnel, self.classes, self.answers, self.overlap, self.lengths)
        self.cards: tuple[Card, ...] = (*self.plots[:-1], self.phrases, self.lengths)
        for card in self.cards:
            card.opened.connect(self._on_opened)
            card.copied.connect(self.copied)
        self._lay_out()
        theme.changed.connect(self._arrange)

    def show_counts(self, counts: list[PairCount], domain: str | None) -> None:
        self.classes.show_figure(figures.classes_figure(counts, domain))
        self.answers.show_figure(figures.answers_figure(counts, domain))
        self.phrases.show_counts(counts, domain)

    def show_funnel(self, funnel: Funnel, domain: str | None) -> None:
        if funnel.candidates:
            self.funnel.show_figure(figures.funnel_figure(funnel, domain))
        else:
            self.funnel.show_message("None were mined here: all pairs were imported.")

    def show_measures(self, measures: Mapping[str, ClassMeasures], domain: str | None) -> None:
        self.lengths.show_figure(figures.lengths_figure(measures, domain))
        self.overlap.show_figure(figures.overlap_figure(measures, domain))

    def toggle_numbers(self) -> None:
        """Show all plots as numbers, or as plots if all are shown as numbers."""
        as_numbers = not all(card.numbers_button.isChecked() for card in self.plots)
        for card in self.plots:
            card.show_numbers(as_numbers)

    def tsv(self) -> str:
        """The numbers of all cards as tab-separated text, each table below its question."""
        return "\n".join(f"{card.question}\n{card.tsv()}" for card in self.cards)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    @Slot(object)
    def _on_opened(self, target: object) -> None:
        (self.examples_requested if isinstance(target, DroppedQuery) else self.opened).emit(target)

    def _lay_out(self) -> None:
        container = QWidget()
        self._grid = QGridLayout(container)
        self._grid.setContentsMargins(0, 0, self._theme.px(8), 0)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setWidget(container)
        self._columns = 0
        self._arrange()

    @Slot()
    def _arrange(self) -> None:
        """Side by side where there is room: two cards of similar height, and each wide card in a row of its own."""
        theme = self._theme
        columns = 6 if self.width() >= theme.px(_TWO_COLUMNS_WIDTH) else 1
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
        for card, row, column, column_span in (
            (self.funnel, 0, 0, 3),
            (self.classes, 0, 3, 3),
            (self.answers, 1, 0, 3),
            (self.overlap, 1, 3, 3),
            (self.phrases, 2, 0, 6),
            (self.lengths, 3, 0, 6),
        ):
            self._grid.addWidget(card, row, column, 1, column_span)
