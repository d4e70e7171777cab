"""After a pair of a pilot round: the annotator's answers beside the reference's, question by question."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QGridLayout, QWidget

from desktop.jobs.review.pilot import PairFeedback, PilotFeedback, QuestionFeedback, chosen_text, pilot_feedback
from desktop.text import count
from desktop.translation import tr
from desktop.ui.services.project_context import ProjectContext
from desktop.ui.widgets.labels import PlainLabel
from desktop.ui.widgets.layouts import column_of, remove_widgets
from miner.errors import UserError


class PairComparison(QWidget):
    """The comparison; questions with different answers are followed by the definitions of the kinds in question."""

    compared = Signal()  # what the reference answers about the pair can be shown
    nothing_to_compare = Signal()

    def __init__(self, context: ProjectContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        theme = context.theme
        self._context = context
        self._key = ""
        self.heading = PlainLabel(type="heading")
        self._grid = QGridLayout()
        self._grid.setHorizontalSpacing(theme.px(16))
        self._grid.setVerticalSpacing(theme.px(4))
        for column in (1, 2):
            self._grid.setColumnStretch(column, 1)
        self.setLayout(column_of(self.heading, self._grid, spacing=theme.px(8)))
        self.hide()

    def compare(self, key: str, round: int) -> None:
        """Read the reference's answers about this pair of a pilot round; a signal says whether there are any."""
        self._key = key
        self._context.runner.read(pilot_feedback(self._context.project, round), self._on_feedback, self._on_failed)

    @Slot(object)
    def _on_feedback(self, feedback: PilotFeedback) -> None:
        name = self._context.annotator_name
        pair = next((one for one in feedback.pairs if one.key == self._key), None)
        if pair is None or not any(name in one.answers for one in pair.questions):
            self.nothing_to_compare.emit()  # the reference has not answered it, or is the annotator
        else:
            self.show_feedback(pair, name, feedback.reference)
            self.compared.emit()

    @Slot(object)
    def _on_failed(self, error: Exception) -> None:
        if not isinstance(error, UserError):  # without a reference there is nothing to compare with
            self._context.problems.show(error)
        self.nothing_to_compare.emit()

    def show_feedback(self, feedback: PairFeedback, name: str, reference: str) -> None:
        """name, reference: the names of the annotator and of the reference."""
        remove_widgets(self._grid)
        compared = [one for one in feedback.questions if name in one.answers]
        same = sum(one.answers[name] == one.reference for one in compared)
        self.heading.setText(
            tr(
                "{same:,} of {answers} as {reference} answered",
                same=same,
                answers=count(len(compared), "answer"),
                reference=reference,
            )
        )
        for column, text in enumerate(("", tr("You"), reference)):
            self._add(text, 0, column, "small")
        row = 1
        for one in feedback.questions:
            row = self._add_question(one, name, row)

    def _add_question(self, one: QuestionFeedback, name: str, row: int) -> int:
        given = one.answers.get(name)
        differs = given is not None and given != one.reference
        look = "heading" if differs else "muted"
        own = tr("not asked") if given is None else chosen_text(given)
        for column, text in enumerate((one.text, own, chosen_text(one.reference))):
            self._add(text, row, column, look)
        if differs and one.definitions:
            meaning = " ".join(f"{category.name}: {category.definition}" for category in one.definitions)
            self._add(meaning, row + 1, 0, "small", columns=3)
            return row + 2
        return row + 1

    def _add(self, text: str, row: int, column: int, look: str, *, columns: int = 1) -> None:
        label = PlainLabel(text)
        label.setProperty("type", look)
        label.setWordWrap(column > 0 or columns > 1)
        label.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        self._grid.addWidget(label, row, column, 1, columns)
