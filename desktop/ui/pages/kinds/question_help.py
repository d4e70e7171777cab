"""The longer help on a question: the meaning of each answer, an example, and answers it is easily confused with."""

from __future__ import annotations

from PySide6.QtWidgets import QVBoxLayout, QWidget

from desktop.translation import tr
from desktop.ui.pages.kinds.pair_questions import PairQuestions
from desktop.ui.theme import Theme
from desktop.ui.widgets.labels import PlainLabel
from desktop.ui.widgets.layouts import remove_widgets
from miner.kinds.taxonomy import Option, OptionExplanation


class QuestionHelp(QWidget):
    """Hidden at the first question, whose answers are the classes."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._shown = ""
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(theme.px(4))
        self.hide()

    def show_questions(self, questions: PairQuestions) -> None:
        """Explain the question on the screen."""
        question = questions.question
        self.setVisible(question is not None)
        if question is None or question.key == self._shown:
            return
        self._shown = question.key
        remove_widgets(self._column)
        for option in question.options:
            self._add_option(option, questions.taxonomy.explanation(option))
        if questions.taxonomy.note and any(option.category for option in question.options):
            self._column.addSpacing(self._theme.px(8))
            self._add(questions.taxonomy.note, "muted")

    def _add_option(self, option: Option, explanation: OptionExplanation) -> None:
        if self._column.count():
            self._column.addSpacing(self._theme.px(12))
        self._add(f"{option.key.upper()} · {option.text}", "heading")
        if explanation.definition:
            self._add(explanation.definition)
        if explanation.example:
            premise, hypothesis = explanation.example
            self._add(f"“{premise}” → “{hypothesis}”", "muted")
        if explanation.confusion:
            self._add(tr("Take care: {confusion}", confusion=explanation.confusion), "small")

    def _add(self, text: str, type: str = "") -> None:
        label = PlainLabel(text, wraps=True)
        label.setProperty("type", type)
        self._column.addWidget(label)
