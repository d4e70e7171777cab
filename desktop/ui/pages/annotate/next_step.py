"""The card on what to do next: a sentence, a button, and the progress of everything else."""

from __future__ import annotations

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QPushButton, QWidget

from desktop.jobs.review.open_rounds import AnnotationStep
from desktop.ui.theme import Theme
from desktop.ui.widgets.labels import PlainLabel
from desktop.ui.widgets.layouts import CardFrame, column_of, row_of, stretched


class NextStepCard(CardFrame):
    """Hidden until a step is shown."""

    requested = Signal(object)  # AnnotationStep

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._step: AnnotationStep | None = None
        self.sentence = PlainLabel(type="lead", wraps=True, selectable=True)
        self.standing = PlainLabel(type="small", wraps=True)
        self.button = QPushButton()
        self.button.setProperty("look", "primary")
        self.button.setAutoDefault(True)
        self.button.clicked.connect(self._request)
        self.setLayout(
            row_of(
                stretched(column_of(self.sentence, self.standing, spacing=theme.px(4))),
                self.button,
                spacing=theme.px(16),
                margins=(theme.px(16), theme.px(14), theme.px(16), theme.px(14)),
            )
        )
        self.setVisible(False)

    def show_step(self, step: AnnotationStep, standing: str = "", *, is_enabled: bool) -> None:
        """Show a step. standing: sentences on the progress of everything else; "" for none."""
        self._step = step
        self.standing.setText(standing)
        self.standing.setVisible(bool(standing))
        self.sentence.setText(step.sentence)
        self.setAccessibleName(step.sentence)
        self.button.setText(step.action)
        self.button.setEnabled(is_enabled)
        self.setVisible(True)

    @Slot()
    def _request(self) -> None:
        if self._step is not None:  # the button may have the focus before there is a step
            self.requested.emit(self._step)
