"""What stands where there is nothing to show: why, what to do, and buttons that do it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from desktop.ui.theme import Theme
from desktop.ui.widgets.labels import PlainLabel


class PlaceholderAction(NamedTuple):
    """A button: what it says and does."""

    text: str
    act: Callable[[], object]


class Placeholder(QFrame):
    """Fills the place; the first of its buttons is the main one."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.sentence, self.hint = PlainLabel(), PlainLabel()
        self.hint.setProperty("type", "muted")
        for label in (self.sentence, self.hint):
            label.setWordWrap(True)
            label.setTextInteractionFlags(
                Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
            )
        self._buttons = QHBoxLayout()
        self._buttons.setSpacing(theme.px(8))
        self._buttons.addStretch(1)
        self._shown: list[QPushButton] = []
        layout = QVBoxLayout(self)
        layout.setSpacing(theme.px(8))
        layout.setContentsMargins(*(theme.px(24),) * 4)
        layout.addStretch(1)
        layout.addWidget(self.sentence)
        layout.addWidget(self.hint)
        layout.addLayout(self._buttons)
        layout.addStretch(2)

    @property
    def buttons(self) -> list[QPushButton]:
        return list(self._shown)

    def explain(self, sentence: str, hint: str = "", actions: Sequence[PlaceholderAction] = ()) -> None:
        self.sentence.setText(sentence)
        self.hint.setText(hint)
        self.hint.setVisible(bool(hint))
        for button in self._shown:
            self._buttons.removeWidget(button)
            button.hide()
            button.deleteLater()
        self._shown.clear()
        for number, action in enumerate(actions):
            button = QPushButton(action.text, self)
            if number == 0:
                button.setProperty("look", "primary")
            button.clicked.connect(lambda _=False, act=action.act: act())
            self._buttons.insertWidget(number, button)
            self._shown.append(button)
