"""A line below the lexicon: the phrases that are off and reliable, what they would add, and a button for them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QWidget

from desktop.jobs.descriptions.mining import reliable_phrases_text, sample_text
from desktop.jobs.mining.preview import SettingsEffect
from desktop.translation import tr
from desktop.ui.theme import Theme
from desktop.ui.widgets.buttons import push_button
from desktop.ui.widgets.labels import PlainLabel
from desktop.ui.widgets.layouts import aligned, column_of
from miner.mining.linking_phrases import Phrase, phrase_key
from miner.mining.phrase_precision import LEAST_RELIABLE
from miner.mining.spare_phrases import reliable_phrases, spare_phrases
from miner.records import Label


class ReliablePhrases(QWidget):
    """It is hidden while no phrase that is off is reliable, and where such phrases would add no pair."""

    requested = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.phrases: tuple[Phrase, ...] = ()
        """The phrases of the line."""
        self.sentence = PlainLabel(type="small", wraps=True)
        tip = tr(
            "A phrase is reliable if pairs read by hand show, with 95 % confidence, that at least {share:.0f} % of its "
            "pairs have its relation. The papers are not mined again until you press “Mine again”.",
            share=100 * LEAST_RELIABLE,
        )
        text = tr("Switch on the reliable phrases")
        self.button = push_button(text, self.requested, look="link", tip=tip)
        button = aligned(self.button, Qt.AlignmentFlag.AlignLeft)
        self.setLayout(column_of(self.sentence, button, spacing=theme.px(4), margins=0))
        self.setVisible(False)

    def show_phrases(self, phrases: Sequence[Phrase], effect: SettingsEffect | None, *, editable: bool) -> None:
        """effect: of these phrases on a sample; None while it is not known."""
        self.phrases = reliable_phrases(spare_phrases(phrases))
        added = None if effect is None else Counter[Label]()
        for phrase in self.phrases:
            if added is not None and effect is not None:
                added[phrase.label] += effect.spare_pairs.get(phrase_key(phrase.text), 0)
        adds_none = added is not None and not added.total()
        self.setVisible(bool(self.phrases) and not adds_none)
        if not self.phrases:
            return
        papers = sample_text(effect.sample, effect.papers) if effect else ""
        self.sentence.setText(reliable_phrases_text(self.phrases, added, papers))
        self.button.setVisible(editable)
