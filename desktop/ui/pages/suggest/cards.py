"""The cards of the Model page: suggestions by class and confidence, disagreements, and doubted labels."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QWidget

from desktop.text import count
from desktop.translation import tr
from desktop.ui.pages.suggest.doubted_labels import DoubtedLabelsCard
from desktop.ui.pages.suggest.figures import RowOpinion, classes_figure, confidence_figure, disagreement_figure
from desktop.ui.pages.suggest.text import calibration_text
from desktop.ui.plots.card import PlotCard
from desktop.ui.theme import Theme
from desktop.ui.widgets.buttons import ToggleGroup
from desktop.ui.widgets.card_grid import CardGrid

if TYPE_CHECKING:
    from desktop.jobs.models.suggest_state import SuggestState

_TWO_COLUMNS_WIDTH = 760  # unscaled pixels, from which two cards are side by side
_NO_ANSWERS = tr("None of these pairs is annotated yet.")


class DisagreementCard(PlotCard):
    """A heatmap of the labels of phrases, or of people, against the labels of the model."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, tr("Where do distant label, annotators and model differ?"), parent)
        self.rows = ToggleGroup(theme, tr("Rows"), {"distant": tr("Distant label"), "gold": tr("Annotators")})
        self.rows.key_changed.connect(self._show_figure_by)
        self.header.insertWidget(1, self.rows, 0, Qt.AlignmentFlag.AlignTop)
        self._state: SuggestState | None = None

    def show_state(self, state: SuggestState) -> None:
        self._state = state
        self._show_figure_by(self.rows.key)

    @Slot(str)
    def _show_figure_by(self, _: str) -> None:
        if self._state is None:
            return
        rows: RowOpinion = "gold" if self.rows.key == "gold" else "distant"
        cells = [cell for cell in self._state.matrix if cell.suggested]
        answered = [cell for cell in cells if cell.gold]
        answers = sum(cell.pairs for cell in answered)
        if rows == "distant":
            labelled = sum(cell.pairs for cell in cells if cell.distant)
            same = sum(cell.pairs for cell in cells if cell.distant and cell.distant == cell.suggested)
            text = tr(
                "Confusion matrix. Rows: distant label; columns: model. They agree on {same:,} of {pairs}.",
                same=same,
                pairs=count(labelled, "pair"),
            )
            if answers:
                text += tr(" The line in a cell shows the annotators’ labels of its pairs.")
        elif answers:
            same = sum(cell.pairs for cell in answered if cell.gold == cell.suggested)
            text = tr(
                "Confusion matrix. Rows: annotators; columns: model. They agree on {same:,} of {pairs}.",
                same=same,
                pairs=count(answers, "pair"),
            )
            text += tr(" The line in a cell shows the distant labels of its pairs.")
        else:
            text = _NO_ANSWERS
        self.show_figure(disagreement_figure(cells, rows, text))


class SuggestionCards(CardGrid):
    opened = Signal(object)  # PairFilter: the pairs behind a mark
    copied = Signal(int)  # number of rows copied

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, _TWO_COLUMNS_WIDTH, parent)
        self.classes = PlotCard(theme, tr("What does the model suggest?"))
        self.confidence = PlotCard(theme, tr("How confident is the model?"))
        self.disagreements = DisagreementCard(theme)
        self.doubted_labels = DoubtedLabelsCard(theme)
        for card in (self.classes, self.confidence, self.disagreements, self.doubted_labels):
            card.opened.connect(self.opened)
            card.copied.connect(self.copied)
        self.set_cards([[self.classes, self.confidence], [self.disagreements], [self.doubted_labels]])

    def show_state(self, state: SuggestState) -> None:
        assert state.summary is not None
        summary = state.summary
        suggested = tr("{have} a suggestion.", have=count(summary.suggested, "pair has", "pairs have"))
        self.classes.show_figure(classes_figure(summary.labels, suggested))
        self.confidence.show_figure(confidence_figure(summary.confidence, calibration_text(state.calibration)))
        self.disagreements.show_state(state)
        self.doubted_labels.show_state(state)
