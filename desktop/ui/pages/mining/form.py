"""The form with all mining settings except the lexicon, each with an explanation."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import (
    QButtonGroup,
    QCheckBox,
    QDoubleSpinBox,
    QHBoxLayout,
    QLabel,
    QRadioButton,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from desktop.ui.pages.mining.text import STRATEGY_TEXTS
from desktop.ui.services.display_names import drop_reason_name
from desktop.ui.theme import Theme
from desktop.ui.widgets.fields import pad_number
from desktop.ui.widgets.labels import PlainLabel
from desktop.ui.widgets.notices import Notice
from miner.mining.filters import FILTERS
from miner.mining.settings import Casing, MiningSettings

_MAX_WORDS = 1000  # of a sentence
_MAX_DISTANCE = 1000  # sentences
_MAX_SEED = 1_000_000_000


class SettingsForm(QWidget):
    """values: fields of `MiningSettings`. problem: why the values cannot be used, "" if they can."""

    changed = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._is_filling = True
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(0, theme.px(4), theme.px(12), 0)
        self._layout.setSpacing(theme.px(4))
        self._add_sentences()
        self._add_linked()
        self._add_neutral()
        self._add_filters()
        self._layout.addStretch(1)
        self._is_filling = False

    @property
    def values(self) -> dict[str, Any]:
        return {
            "casing": Casing.RESTORE if self.capital_letter.isChecked() else Casing.LOWER,
            "filters": frozenset(name for name, box in self.filters.items() if box.isChecked()),
            "min_words": self.min_words.value(),
            "max_words": self.max_words.value(),
            "crosses_paragraph": self.crosses.isChecked(),
            "implicit": self.implicit.isChecked(),
            "neutral_strategies": tuple(strategy for strategy, box in self.strategies.items() if box.isChecked()),
            "neutral_ratio": self.ratio.value(),
            "neutral_distance": self.distance.value(),
            "neutral_same_paragraph": self.same_paragraph.isChecked(),
            "seed": self.seed.value(),
        }

    @property
    def problem(self) -> str:
        if self.min_words.value() > self.max_words.value():
            return "The shortest sentence cannot have more words than the longest."
        return ""

    def show_settings(self, settings: MiningSettings) -> None:
        self._is_filling = True
        (self.capital_letter if settings.casing is Casing.RESTORE else self.small_letter).setChecked(True)
        for name, box in self.filters.items():
            box.setChecked(name in settings.filters)
        self.min_words.setValue(settings.min_words)
        self.max_words.setValue(settings.max_words)
        self.crosses.setChecked(settings.crosses_paragraph)
        self.implicit.setChecked(settings.implicit)
        for strategy, box in self.strategies.items():
            box.setChecked(strategy in settings.neutral_strategies)
        self.ratio.setValue(settings.neutral_ratio)
        self.distance.setValue(settings.neutral_distance)
        self.same_paragraph.setChecked(settings.neutral_same_paragraph)
        self.seed.setValue(settings.seed)
        self._is_filling = False
        self._on_changed()

    def _add_sentences(self) -> None:
        self._add_heading("Sentences")
        self.min_words = self._number(1, _MAX_WORDS, "Fewest words of a sentence")
        self.max_words = self._number(1, _MAX_WORDS, "Most words of a sentence")
        self._add_row("From", self.min_words, "to", self.max_words, "words")
        self._words_problem = Notice(self._theme)
        self._layout.addWidget(self._words_problem)
        self.small_letter = QRadioButton("&Lower-case first letter, except for names, acronyms and formulas")
        self.capital_letter = QRadioButton("&Capital first letter")
        group = QButtonGroup(self)
        for button in (self.small_letter, self.capital_letter):
            group.addButton(button)
            self._layout.addWidget(button, 0, Qt.AlignmentFlag.AlignLeft)
        group.buttonToggled.connect(self._on_toggled)
        self._add_explanation("Of every hypothesis, in all classes alike, so that it gives no class away.")

    def _add_linked(self) -> None:
        self._add_heading("Linked pairs")
        self.crosses = self._add_check_box(
            "Across &paragraphs", "A phrase that opens a paragraph takes its premise from the paragraph before."
        )
        self.implicit = self._add_check_box(
            "&Without a phrase too", "Neighbours without a linking phrase become pairs without a label."
        )

    def _add_neutral(self) -> None:
        self._add_heading("Neutral pairs")
        self.strategies = {strategy: self._add_check_box(*texts) for strategy, texts in STRATEGY_TEXTS.items()}
        self.ratio = QDoubleSpinBox()
        self.ratio.setRange(0, 100)
        self.ratio.setSingleStep(0.1)
        pad_number(self.ratio, self._theme)
        self.ratio.setAccessibleName("Neutral pairs, as a multiple of a linked class")
        self.ratio.valueChanged.connect(self._on_changed)
        self._add_row("", self.ratio, "times a paper's mean linked class")
        self.distance = self._number(2, _MAX_DISTANCE, "Sentences apart, at least")
        self._add_row("At least", self.distance, "sentences apart")
        self.same_paragraph = self._add_check_box(
            "From &one paragraph too", "Sentences of one paragraph are more likely to be related."
        )
        self.seed = self._number(0, _MAX_SEED, "Seed")
        self._add_row("Seed", self.seed)
        self._add_explanation("Another seed draws other neutral pairs.")

    def _add_filters(self) -> None:
        self._add_heading("Leave out sentences with")
        self.filters = {name: self._add_check_box(drop_reason_name(name), meaning) for name, meaning in FILTERS.items()}

    def _add_heading(self, text: str) -> None:
        if self._layout.count():
            self._layout.addSpacing(self._theme.px(12))
        self._layout.addWidget(self._label(text, "heading"))

    def _add_explanation(self, text: str) -> None:
        label = self._label(text, "small")
        label.setWordWrap(True)
        label.setContentsMargins(self._theme.px(28), 0, 0, self._theme.px(4))
        self._layout.addWidget(label)

    def _label(self, text: str, text_type: str = "") -> QLabel:
        label = PlainLabel(text)
        label.setProperty("type", text_type)
        return label

    def _add_check_box(self, text: str, explanation: str) -> QCheckBox:
        box = QCheckBox(text)
        box.setAccessibleDescription(explanation)
        box.toggled.connect(self._on_changed)
        self._layout.addWidget(box, 0, Qt.AlignmentFlag.AlignLeft)
        self._add_explanation(explanation)
        return box

    def _number(self, minimum: int, maximum: int, name: str) -> QSpinBox:
        box = QSpinBox()
        box.setRange(minimum, maximum)
        box.setAccessibleName(name)
        box.setMinimumWidth(self._theme.px(80))
        pad_number(box, self._theme)
        box.valueChanged.connect(self._on_changed)
        return box

    def _add_row(self, *parts: str | QWidget) -> None:
        row = QHBoxLayout()
        row.setSpacing(self._theme.px(8))
        for part in parts:
            if part:
                row.addWidget(self._label(part) if isinstance(part, str) else part)
        row.addStretch(1)
        self._layout.addLayout(row)

    @Slot(object, bool)
    def _on_toggled(self, _: object, on: bool) -> None:
        if on:
            self._on_changed()

    @Slot()
    def _on_changed(self) -> None:
        if not self._is_filling:
            self._words_problem.show_text(self.problem, "bad")
            self.changed.emit()
