"""The quiet line about the pair before: what was answered, what the phrase had said, and the model."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QSizePolicy, QWidget

from desktop.text import chance
from desktop.ui.pages.review import words
from desktop.ui.pages.review.chip import Chip
from desktop.ui.pages.review.session import Settled
from desktop.ui.theme import Theme
from desktop.ui.widgets.elided import ElidedLabel
from desktop.ui.widgets.plain import PlainLabel

_TIGHT = 620  # px


class PreviousLine(QWidget):
    change_asked = Signal(str)  # the pair's key

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._key, self._told, self._hint = "", "", ""
        self.setFixedHeight(theme.px(30))
        self._lead = PlainLabel("Previous:")
        self.answer = Chip(theme)
        self.told = ElidedLabel()
        self.told.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        self.distant = Chip(theme, words=False)
        self.opinion = PlainLabel("· model")
        self.suggested = Chip(theme, words=False)
        self.sure = PlainLabel()
        self._later = (self.distant, self.opinion, self.suggested, self.sure)
        self.change = QPushButton("Change")
        self.change.setProperty("look", "link")
        self.change.setAccessibleName("Change the previous answer")
        self.change.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.change.clicked.connect(self._on_clicked)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(theme.px(8))
        for widget in (self._lead, self.answer, self.told, self.distant, self.opinion, self.suggested, self.sure):
            if isinstance(widget, QLabel):
                widget.setProperty("type", "muted")
            layout.addWidget(widget)
        layout.addSpacing(theme.px(8))
        layout.addWidget(self.change)
        layout.addStretch(1)
        self.clear()

    def show_settled(self, settled: Settled, key_hint: str) -> None:
        self._key = settled.item.pair.key
        self.answer.show_label(settled.answer.value if settled.answer else "")
        told, label = words.origin(settled.item)
        bad = settled.item.bad
        lead = "accepted" if settled.accepted else ""
        lead = lead if settled.answer else f"taken out ({words.fault(bad or '').lower()})"
        self._lead.setText(f"Previous: {lead}".rstrip())
        self._told, self._hint = f"· {told}", key_hint
        self.distant.show_label(label.value if label else "")
        made = settled.item.suggestion
        self.suggested.show_label(made.label.value if made else "")
        self.sure.setText(chance(made.confidence) if made else "")
        self.opinion.setVisible(made is not None)
        self.sure.setVisible(made is not None)
        self._fit()
        for widget in (self._lead, self.told, self.change):
            widget.setVisible(True)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Fewer words where a panel leaves little room."""
        is_tight = self.width() < self._theme.px(_TIGHT)
        self.answer.show_words(not is_tight)
        self.told.setText("· distant" if is_tight and self.distant.label else self._told)
        self.change.setText("Change" if is_tight or not self._hint else f"Change ({self._hint})")

    def clear(self) -> None:
        self._key = ""
        for widget in (self._lead, self.answer, self.told, *self._later, self.change):
            widget.setVisible(False)

    @Slot()
    def forget_key(self) -> None:
        """Something else was done since: the key would undo that first."""
        self._hint = ""
        self._fit()

    @property
    def key(self) -> str:
        return self._key

    @Slot()
    def _on_clicked(self) -> None:
        self.change_asked.emit(self._key)
