"""The six cards, and their places."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QGridLayout, QScrollArea, QWidget

from desktop.ui.pages.dashboard import figures
from desktop.ui.pages.dashboard.figures import DroppedCandidates
from desktop.ui.pages.dashboard.phrase_card import PhraseCard
from desktop.ui.plots.card import PlotCard
from desktop.ui.theme import Theme
from desktop.ui.widgets.card import Card
from miner.records import Funnel
from storage.pairs.statistics import ClassMeasures, PairCount

_WIDE = 820  # pixels as drawn, from which two cards stand side by side


class Board(QScrollArea):
    opened = Signal(object)  # PairFilter: the pairs behind a mark
    copied = Signal(int)  # how many lines of numbers
    examples_requested = Signal(object)  # DroppedCandidates

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.funnel = PlotCard(theme, "What became of the candidates?")
        self.classes = PlotCard(theme, "Where do the pairs come from?")
        self.people = PlotCard(theme, "What do people make of the labels?")
        self.phrases = PhraseCard(theme)
        self.lengths = PlotCard(theme, "How long are the sentences?")
        self.overlap = PlotCard(theme, "How much do they share?")
        self.plots = (self.funnel, self.classes, self.people, self.overlap, self.lengths)
        self.cards: tuple[Card, ...] = (*self.plots[:-1], self.phrases, self.lengths)
        for card in self.cards:
            card.opened.connect(self._on_opened)
            card.copied.connect(self.copied)
        self._lay_out()
        theme.changed.connect(self._arrange)

    def show_counts(self, counts: list[PairCount], domain: str | None) -> None:
        self.classes.show_figure(figures.classes_figure(counts, domain))
        self.people.show_figure(figures.people_figure(counts, domain))
        self.phrases.show_counts(counts, domain)

    def show_funnel(self, funnel: Funnel, domain: str | None) -> None:
        if funnel.candidates:
            self.funnel.show_figure(figures.funnel_figure(funnel, domain))
        else:
            self.funnel.show_nothing("None were mined here: all pairs were imported.")

    def show_measures(self, measures: Mapping[str, ClassMeasures], domain: str | None) -> None:
        self.lengths.show_figure(figures.lengths_figure(measures, domain))
        self.overlap.show_figure(figures.overlap_figure(measures, domain))

    def turn_numbers(self) -> None:
        """All plots as numbers, or back when they all are."""
        numbers = not all(card.numbers_button.isChecked() for card in self.plots)
        for card in self.plots:
            card.show_numbers(numbers)

    def tsv(self) -> str:
        """All numbers, each table below its question."""
        return "\n".join(f"{card.question}\n{card.tsv()}" for card in self.cards)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    @Slot(object)
    def _on_opened(self, behind: object) -> None:
        (self.examples_requested if isinstance(behind, DroppedCandidates) else self.opened).emit(behind)

    def _lay_out(self) -> None:
        holder = QWidget()
        self._grid = QGridLayout(holder)
        self._grid.setContentsMargins(0, 0, self._theme.px(8), 0)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setWidget(holder)
        self._columns = 0
        self._arrange()

    @Slot()
    def _arrange(self) -> None:
        """Two cards of much the same height side by side where there is room; what is wide has a row of its own."""
        theme = self._theme
        columns = 6 if self.width() >= theme.px(_WIDE) else 1
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
            (self.funnel, 0, 0, 1, 3),
            (self.classes, 0, 3, 1, 3),
            (self.people, 1, 0, 1, 3),
            (self.overlap, 1, 3, 1, 3),
            (self.phrases, 2, 0, 1, 6),
            (self.lengths, 3, 0, 1, 6),
        ):
            self._grid.addWidget(card, row, column, rows, span)
