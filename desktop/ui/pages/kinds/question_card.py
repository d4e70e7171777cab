"""The card of the question on the screen: chips for all questions on the path, its text, and its answers as rows."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QToolButton, QVBoxLayout, QWidget

from desktop.translation import tr
from desktop.ui.pages.kinds.option_row import OptionRow
from desktop.ui.pages.kinds.pair_questions import PairQuestions
from desktop.ui.theme import LETTERS, Theme
from desktop.ui.widgets.flow_layout import FlowLayout
from desktop.ui.widgets.labels import PlainLabel, set_tip
from desktop.ui.widgets.layouts import aligned, column_of, row_of, stretched
from miner.kinds.taxonomy import RELATION, RELATION_QUESTION

_TICK, _PRESS = tr("Letters tick answers, Enter continues"), tr("Press one key to answer")
# Of questions of TaxiNLI whose keys, which are part of the taxonomy's digest, say little; other files' keys are names.
_NAMES = {RELATION: tr("Relation"), "outside": tr("Enough?"), "way": tr("Needs")}


class QuestionCard(QWidget):
    """Shows `PairQuestions`. The answers to the first question are buttons of the page."""

    option_pressed = Signal(str)  # the key of an option
    question_chosen = Signal(str)  # the key of a question on the way

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._asked = ""
        self.chips: list[QToolButton] = []
        self.rows: list[OptionRow] = []
        self.text = PlainLabel(type="heading", wraps=True)
        self.how = PlainLabel(type="small")
        self._way = QWidget()
        self._way.setAccessibleName(tr("The questions about this pair"))
        self._flow = FlowLayout(theme.px(4))
        self._way.setLayout(self._flow)
        self._box = QWidget()
        self._options = QVBoxLayout(self._box)
        self._options.setContentsMargins(0, 0, 0, 0)
        self._options.setSpacing(theme.px(2))
        self.setLayout(
            column_of(
                self._way,
                row_of(stretched(self.text), aligned(self.how, Qt.AlignmentFlag.AlignBottom), spacing=theme.px(12)),
                self._box,
                spacing=theme.px(6),
            )
        )

    @property
    def shown_rows(self) -> list[OptionRow]:
        return [row for row in self.rows if not row.isHidden()]

    def show_questions(self, questions: PairQuestions) -> None:
        """Show the question on the screen and its ticked options."""
        if questions.asked != self._asked:
            self._asked = questions.asked
            self._show_question(questions)
        for row in self.shown_rows:
            row.setChecked(row.key in questions.ticked)
        self._show_way(questions)

    def _show_question(self, questions: PairQuestions) -> None:
        question, taxonomy = questions.question, questions.taxonomy
        self.text.setText(questions.text)
        self.how.setText(_TICK if questions.takes_several else _PRESS)
        options = () if question is None else question.options
        while len(self.rows) < len(options):
            row = OptionRow(self._theme)
            row.clicked.connect(self._on_row_clicked)
            self.rows.append(row)
            self._options.addWidget(row)
        for row, option in zip(self.rows, options, strict=False):
            row.show_option(option, taxonomy.explanation(option))
        for place, row in enumerate(self.rows):
            row.setVisible(place < len(options))
        self._box.setVisible(bool(options))
        self._set_columns()

    def _show_way(self, questions: PairQuestions) -> None:
        path = questions.path
        while len(self.chips) < len(path):
            chip = QToolButton()
            chip.setProperty("look", "step")
            chip.setCheckable(True)
            chip.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            chip.clicked.connect(self._on_chip_clicked)
            self.chips.append(chip)
            self._flow.addWidget(chip)
        for place, chip in enumerate(self.chips):
            chip.setVisible(place < len(path))
            if place < len(path):
                self._show_chip(chip, questions, path[place])

    def _show_chip(self, chip: QToolButton, questions: PairQuestions, key: str) -> None:
        answer = questions.answers.get(key)
        question = questions.taxonomy.questions.get(key)
        words: list[str]
        if question is None:
            text, words = RELATION_QUESTION, sorted(answer or ())
            letters = "".join(LETTERS[label] for label in words)
        else:
            ticked = [option for option in question.options if option.key in (answer or ())]
            text, words = question.text, [option.text for option in ticked]
            letters = " ".join(option.key.upper() for option in ticked)
        name = _NAMES.get(key, key.capitalize())
        is_open = answer is None
        chip.setText(name if is_open else f"{name} {letters or '–'}")
        chip.setObjectName(key)
        chip.setChecked(key == questions.asked)
        said = tr("not answered yet") if is_open else ", ".join(words) or tr("none of them")
        chip.setAccessibleName(f"{text} {said}")
        set_tip(chip, f"{text}\n{said[:1].upper()}{said[1:]}")

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._set_columns()

    def _set_columns(self) -> None:
        rows = self.shown_rows
        width = max((row.needed_width for row in rows), default=0)
        for row in rows:
            row.set_columns(width, self.width())

    def set_saving_enabled(self, enabled: bool) -> None:
        """Enable or disable the answers."""
        self._box.setEnabled(enabled)

    @Slot()
    def _on_row_clicked(self) -> None:
        row = self.sender()
        assert isinstance(row, OptionRow)
        self.option_pressed.emit(row.key)

    @Slot()
    def _on_chip_clicked(self) -> None:
        chip = self.sender()
        assert isinstance(chip, QToolButton)
        chip.setChecked(chip.objectName() == self._asked)  # what is shown decides
        self.question_chosen.emit(chip.objectName())
