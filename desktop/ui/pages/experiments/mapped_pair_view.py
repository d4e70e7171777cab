"""The view of the pair under the pointer in a data map: its figures and sentences, at a constant height."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QVBoxLayout, QWidget

from desktop.translation import tr
from desktop.ui.theme import Theme
from desktop.ui.widgets.labels import ElidedLabel

if TYPE_CHECKING:
    from desktop.jobs.lab.experiments.experiment_map import ExperimentMap
    from storage.pairs.table import PairTableRow

_HINT = tr("Point at a pair to read it; a click opens it in Review.")


class MappedPairView(QWidget):
    """Three lines: the figures, the premise and the hypothesis."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.figures, self.premise, self.hypothesis = ElidedLabel(), ElidedLabel(), ElidedLabel()
        self.figures.setProperty("type", "small")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(theme.px(2))
        for label in (self.figures, self.premise, self.hypothesis):
            layout.addWidget(label)

    def show_nothing(self) -> None:
        """Show a hint how to see a pair."""
        self.figures.setText(_HINT)
        self.premise.setText("")
        self.hypothesis.setText("")

    def show_figures(self, found: ExperimentMap, place: int) -> None:
        """Show a pair's figures from the map; `show_texts` adds its sentences."""
        data = found.data
        right = round(float(data.correctness[place]) * found.epochs)
        self.figures.setText(
            tr(
                "{classe} · confidence {confidence:.2f} · variability {variability:.2f} · predicted after "
                "{right} of {epochs} epochs",
                classe=found.classes[found.labels[place]],
                confidence=data.confidence[place],
                variability=data.variability[place],
                right=right,
                epochs=found.epochs,
            )
        )
        self.premise.setText("…" if found.is_here[place] else tr("This pair is not in the project."))
        self.hypothesis.setText("" if found.is_here[place] else found.keys[place])

    def show_texts(self, row: PairTableRow | None) -> None:
        """Show the sentences; None for a pair that is not in the project."""
        if row is not None:
            self.premise.setText(row.premise)
            self.hypothesis.setText(row.hypothesis)
