"""After a pair of a pilot round: the annotator's answers beside the reference's, question by question."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QVBoxLayout, QWidget

from desktop.jobs.review.kinds_pilot import PairFeedback, QuestionFeedback, chosen_text
from desktop.text import count
from desktop.ui.theme import Theme
from desktop.ui.widgets.labels import PlainLabel


class PairComparison(QWidget):
    """The questions whose answers differ come with what the kinds mean about which they do."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.heading = PlainLabel()
        self.heading.setProperty("type", "heading")
        self._grid = QGridLayout()
        self._grid.setHorizontalSpacing(theme.px(16))
        self._grid.setVerticalSpacing(theme.px(4))
        for column in (1, 2):
            self._grid.setColumnStretch(column, 1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(theme.px(8))
        layout.addWidget(self.heading)
        layout.addLayout(self._grid)
        self.hide()

    def show_feedback(self, feedback: PairFeedback, name: str, reference: str) -> None:
        """name, reference: of the annotator and of the reference."""
        self._clear()
        compared = [one for one in feedback.questions if name in one.answers]
        same = sum(one.answers[name] == one.reference for one in compared)
        self.heading.setText(f"{same:,} of {count(len(compared), 'answer')} as {reference} answered")
        for column, text in enumerate(("", "You", reference)):
            self._add(text, 0, column, "small")
        row = 1
        for one in feedback.questions:
            row = self._add_question(one, name, row)

    def _add_question(self, one: QuestionFeedback, name: str, row: int) -> int:
        given = one.answers.get(name)
        differs = given is not None and given != one.reference
        look = "heading" if differs else "muted"
        own = "not asked" if given is None else chosen_text(given)
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

    def _clear(self) -> None:
        while self._grid.count():
            item = self._grid.takeAt(0)
            if item is not None and (widget := item.widget()) is not None:
                widget.hide()
                widget.deleteLater()
