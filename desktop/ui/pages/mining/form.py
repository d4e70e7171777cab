"""The form with all mining settings except the lexicon, each with an explanation."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from PySide6.QtWidgets import QCheckBox, QSpinBox, QWidget

from desktop.translation import tr
from desktop.ui.pages.mining.text import STRATEGY_TEXTS
from desktop.ui.services.display_names import drop_reason_name
from desktop.ui.theme import Theme
from desktop.ui.widgets.bound_fields import BoundFields
from desktop.ui.widgets.fields import DecimalBox, pad_number
from desktop.ui.widgets.form import Form
from desktop.ui.widgets.notices import Notice
from miner.mining.drop_reasons import FILTERS
from miner.mining.settings import Casing, MiningSettings


class SettingsForm(Form):
    """values: fields of `MiningSettings`. problem: why the values cannot be used, "" if they can."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self.column.setContentsMargins(0, theme.px(4), theme.px(12), 0)
        self.fields = BoundFields(MiningSettings)
        with self.filling():
            self._add_sentences()
            self._add_linked()
            self._add_neutral()
            self._add_filters()
        self.column.addStretch(1)
        assert self.fields.names == {one.name for one in fields(MiningSettings)} - {"phrases"}  # the lexicon has these

    @property
    def values(self) -> dict[str, Any]:
        return self.fields.values

    @property
    def problem(self) -> str:
        if self.min_words.value() > self.max_words.value():
            return tr("The shortest sentence cannot have more words than the longest.")
        return ""

    def show_settings(self, settings: MiningSettings) -> None:
        with self.filling():
            self.fields.show(settings)

    def show_state(self) -> None:
        self._words_problem.show_text(self.problem, "bad")

    def _add_sentences(self) -> None:
        self.add_heading(tr("Sentences"))
        self.min_words = self._create_number("min_words", tr("Fewest words of a sentence"))
        self.max_words = self._create_number("max_words", tr("Most words of a sentence"))
        self.add_row(tr("From"), self.min_words, tr("to"), self.max_words, tr("words"))
        self._words_problem = Notice(self.theme)
        self.column.addWidget(self._words_problem)
        self.small_letter, self.capital_letter = self.add_radio_buttons(
            tr("&Lower-case first letter"), tr("&Capital first letter")
        )
        self.fields.bind_by(
            "casing",
            lambda: Casing.RESTORE if self.capital_letter.isChecked() else Casing.LOWER,
            lambda casing: (self.capital_letter if casing is Casing.RESTORE else self.small_letter).setChecked(True),
        )
        self._add_explanation(
            tr(
                "The same for the hypotheses of all classes, so that it does not reveal the class. "
                "Names, acronyms and formulas are not changed."
            )
        )

    def _add_linked(self) -> None:
        self.add_heading(tr("Linked pairs"))
        self.crosses = self._add_explained_check_box(
            "crosses_paragraph",
            tr("Link across &paragraphs"),
            tr("If a linking phrase opens a paragraph, the premise is the last sentence of the previous paragraph."),
        )
        self.implicit = self._add_explained_check_box(
            "implicit",
            tr("Also pairs &without a linking phrase"),
            tr("Adjacent sentences without a linking phrase become pairs without a label."),
        )

    def _add_neutral(self) -> None:
        self.add_heading(tr("Neutral pairs"))
        self.strategies = {
            strategy: self._add_explained_check_box("", *texts) for strategy, texts in STRATEGY_TEXTS.items()
        }
        self.fields.bind_members("neutral_strategies", self.strategies, tuple)
        self.ratio = self.fields.bind("neutral_ratio", DecimalBox())
        self.ratio.setSingleStep(0.1)
        pad_number(self.ratio, self.theme)
        self.ratio.setAccessibleName(tr("Number of neutral pairs, as a multiple of an average linked class"))
        self.ratio.valueChanged.connect(self._on_field_changed)
        self.add_row(self.ratio, tr("times the size of an average linked class"))
        self._add_explanation(tr("How many neutral pairs a paper gets, compared with the mean of its linked classes."))
        self.distance = self._create_number(
            "neutral_distance", tr("Smallest distance of the two sentences, in sentences")
        )
        self.add_row(tr("At least"), self.distance, tr("sentences apart in the paper"))
        self.same_paragraph = self._add_explained_check_box(
            "neutral_same_paragraph",
            tr("Allow both sentences in &one paragraph"),
            tr("Two sentences of one paragraph are more likely to be related."),
        )
        self.shared_words = self._add_explained_check_box(
            "neutral_shared_words",
            tr("Allow shared rare wor&ds"),
            tr("Sentences that share rare words, or a topic of the paper, are often related."),
        )
        self.seed = self.fields.bind("seed", self.create_seed(tr("Seed")))
        self.add_row(tr("Seed"), self.seed)
        self._add_explanation(
            tr("Neutral pairs are drawn at random: another number draws other pairs, the same number the same pairs.")
        )

    def _add_filters(self) -> None:
        self.add_heading(tr("Leave out sentences with"))
        self.filters = {
            name: self._add_explained_check_box("", drop_reason_name(name), tr(meaning))
            for name, meaning in FILTERS.items()
        }
        self.fields.bind_members("filters", self.filters, frozenset)

    def _add_explanation(self, text: str) -> None:
        self.add_text(text).setContentsMargins(self.theme.px(28), 0, 0, self.theme.px(4))

    def _add_explained_check_box(self, field: str, text: str, explanation: str) -> QCheckBox:
        """field: the one that the box shows; "" for a box of several."""
        box = self.add_check_box(text)
        if field:
            self.fields.bind(field, box)
        box.setAccessibleDescription(explanation)
        self._add_explanation(explanation)
        return box

    def _create_number(self, field: str, name: str) -> QSpinBox:
        box = self.fields.bind(field, self.create_number(0, 0, name))
        box.setMinimumWidth(self.theme.px(80))
        return box
