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
from desktop.ui.widgets.layouts import CardFrame, aligned, column_of
from miner.mining.linking_phrases import Phrase


class RareClassCard(CardFrame):
    """A card that is hidden while there is no such class."""

    phrases_requested = Signal(object)  # tuple[Phrase, ...]: to be turned on

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._spare: tuple[Phrase, ...] = ()
        self.sentence, self.notes = PlainLabel(), PlainLabel()
        for label in (self.sentence, self.notes):
            label.setWordWrap(True)
            label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.notes.setProperty("type", "small")
        self.button = QPushButton()
        self.button.setProperty("look", "link")
        self.button.setCursor(Qt.CursorShape.PointingHandCursor)
        self.button.clicked.connect(self._on_click)
        button = aligned(self.button, Qt.AlignmentFlag.AlignLeft)
        margins = (theme.px(12), theme.px(8), theme.px(12), theme.px(8))
        self.setLayout(column_of(self.sentence, self.notes, button, spacing=theme.px(4), margins=margins))
        self.setVisible(False)

    def show_class(self, rare: RareClass | None, *, is_editable: bool) -> None:
        self.setVisible(rare is not None)
        if rare is None:
            return
        text = rare_class_text(rare)
        self.sentence.setText(text.sentence)
        self.notes.setText(" ".join(text.notes))
        self.setAccessibleName(f"{text.sentence} {self.notes.text()}")
        self._spare = rare.spare
        self.button.setText(tr("&Switch on {phrases}", phrases=count(len(rare.spare), "phrase")))
        set_tip(
            self.button,
            tr(
                "{spare}. The papers are not mined again until you press “Mine again”.",
                spare=listed([phrase.text for phrase in rare.spare]),
            ),
        )
        self.button.setVisible(rare.can_grow and is_editable)

    @Slot()
    def _on_click(self) -> None:
        spare, self._spare = self._spare, ()
        self.phrases_requested.emit(spare)
