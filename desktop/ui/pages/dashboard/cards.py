"""The cards of the Figures page and their layout."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QFrame, QScrollArea, QWidget

from desktop.jobs.mining.dropped import DroppedQuery
from desktop.jobs.pairs.statistics import CountedCandidates
from desktop.text import count
from desktop.translation import tr
from desktop.ui.pages.dashboard import figures, histograms
from desktop.ui.pages.dashboard.answered_days import days_figure
from desktop.ui.pages.dashboard.phrases import PhraseCard
from desktop.ui.plots.card import PlotCard
from desktop.ui.theme import Theme
from desktop.ui.widgets.card import Card
from desktop.ui.widgets.card_grid import CardGrid
from storage.annotation.answers import AnsweredDay
from storage.pairs.statistics import ClassMeasures, PairCount

_TWO_COLUMNS_WIDTH = 800  # unscaled pixels, from which two cards are side by side


class DashboardCards(QScrollArea):
    opened = Signal(object)  # PairFilter: the pairs behind a mark
    copied = Signal(int)  # number of rows copied
    examples_requested = Signal(object)  # DroppedQuery

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.funnel = PlotCard(theme, tr("How many candidates became pairs?"))
        self.classes = PlotCard(theme, tr("Where do the pairs come from?"))
        self.answers = PlotCard(theme, tr("Do annotators confirm the distant labels?"))
        self.phrases = PhraseCard(theme)
        self.lengths = PlotCard(theme, tr("How long are the sentences?"))
        self.overlap = PlotCard(theme, tr("How many words do the two sentences share?"))
        self.days = PlotCard(theme, tr("What have you answered?"))
        self.plots = (self.funnel, self.classes, self.answers, self.overlap, self.lengths, self.days)
        self.cards: tuple[Card, ...] = (*self.plots[:-2], self.phrases, self.lengths, self.days)
        for card in self.cards:
            card.opened.connect(self._on_opened)
            card.copied.connect(self.copied)
        self._lay_out()

    def show_counts(self, counts: list[PairCount], domain: str | None) -> None:
        self.classes.show_figure(figures.classes_figure(counts, domain))
        self.answers.show_figure(figures.answers_figure(counts, domain))
        self.phrases.show_counts(counts, domain)

    def show_funnel(self, counted: CountedCandidates, domain: str | None) -> None:
        if counted.funnel.candidates:
            self.funnel.show_figure(figures.funnel_figure(counted.funnel, domain))
        elif counted.unmined:
            are = count(counted.unmined, "paper of this project is", "papers of this project are")
            self.funnel.show_message(tr("{are} not mined yet.", are=are))
        else:
            self.funnel.show_message(tr("All pairs were imported, so there are no mining candidates."))

    def show_measures(self, measures: Mapping[str, ClassMeasures], domain: str | None) -> None:
        self.lengths.show_figure(histograms.lengths_figure(measures, domain))
        self.overlap.show_figure(histograms.overlap_figure(measures, domain))

    def show_days(self, days: Sequence[AnsweredDay], annotator: str, domain: str | None) -> None:
        """Show what this annotator answered; the card is hidden if there are no answers."""
        self.days.setVisible(bool(days))
        if days:
            self.days.show_figure(days_figure(days, annotator, domain))

    def toggle_numbers(self) -> None:
        """Show all plots as numbers, or as plots if all are shown as numbers."""
        as_numbers = not all(card.numbers_button.isChecked() for card in self.plots)
        for card in self.plots:
            card.show_numbers(as_numbers)

    def tsv(self) -> str:
        """The numbers of all cards as tab-separated text, each table below its question."""
        return "\n".join(f"{card.question}\n{card.tsv()}" for card in self.cards)

    @Slot(object)
    def _on_opened(self, target: object) -> None:
        (self.examples_requested if isinstance(target, DroppedQuery) else self.opened).emit(target)

    def _lay_out(self) -> None:
        """Lay the cards out, with cards of similar height side by side."""
        grid = CardGrid(self._theme, _TWO_COLUMNS_WIDTH)
        grid.setContentsMargins(0, 0, self._theme.px(8), 0)
        grid.set_cards(
            [[self.funnel, self.classes], [self.answers, self.overlap], [self.phrases], [self.lengths], [self.days]]
        )
        self.days.setVisible(False)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setWidget(grid)
