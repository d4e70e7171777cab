"""The card about the class with the fewest pairs: what the extended lexicon would add, and a button that adds it."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QPushButton, QWidget

from desktop.jobs.descriptions.mining import rare_class_text
from desktop.jobs.mining.class_balance import RareClass
from desktop.text import count, listed
from desktop.translation import tr
from desktop.ui.theme import Theme
from desktop.ui.widgets.labels import PlainLabel, set_tip
from desktop.ui.widgets.layouts import STRETCH, CardFrame, column_of, row_of
from miner.mining.linking_phrases import Phrase


class RareClassCard(CardFrame):
    """A card that is hidden while there is no such class."""

    phrases_requested = Signal(object)  # tuple[Phrase, ...]: to be turned on

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._spare: tuple[Phrase, ...] = ()
        self._reliable: tuple[Phrase, ...] = ()
        self.sentence, self.notes = PlainLabel(), PlainLabel()
        for label in (self.sentence, self.notes):
            label.setWordWrap(True)
            label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.notes.setProperty("type", "small")
        self.button, self.reliable_button = QPushButton(), QPushButton(tr("S&witch on the reliable ones"))
        for button, on_click in ((self.button, self._on_click), (self.reliable_button, self._on_click_reliable)):
            button.setProperty("look", "link")
            button.setCursor(Qt.CursorShape.PointingHandCursor)
            button.clicked.connect(on_click)
        buttons = row_of(self.reliable_button, self.button, STRETCH, spacing=theme.px(16))
        margins = (theme.px(12), theme.px(8), theme.px(12), theme.px(8))
        self.setLayout(column_of(self.sentence, self.notes, buttons, spacing=theme.px(4), margins=margins))
        self.setVisible(False)

    def show_class(self, rare: RareClass | None, *, is_editable: bool) -> None:
        self.setVisible(rare is not None)
        if rare is None:
            return
        text = rare_class_text(rare)
        self.sentence.setText(text.sentence)
        self.notes.setText(" ".join(text.notes))
        self.setAccessibleName(f"{text.sentence} {self.notes.text()}")
        self._spare, self._reliable = rare.spare, rare.reliable
        self.button.setText(tr("&Switch on {phrases}", phrases=count(len(rare.spare), "phrase")))
        for button, phrases in ((self.button, rare.spare), (self.reliable_button, rare.reliable)):
            set_tip(
                button,
                tr(
                    "{spare}. The papers are not mined again until you press “Mine again”.",
                    spare=listed([phrase.text for phrase in phrases]),
                ),
            )
        self.button.setVisible(rare.can_grow and is_editable)
        is_part = bool(rare.reliable) and rare.reliable != rare.spare
        self.reliable_button.setVisible(rare.can_grow and is_editable and is_part)

    @Slot()
    def _on_click(self) -> None:
        spare, self._spare = self._spare, ()
        self.phrases_requested.emit(spare)

    @Slot()
    def _on_click_reliable(self) -> None:
        self.phrases_requested.emit(self._reliable)
