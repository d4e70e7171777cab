"""A sentence that says what is the matter, and what can be done about it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from desktop.ui.theme import Theme
from desktop.ui.widgets.plain import PlainLabel


class Way(NamedTuple):
    """A button: what it says and does."""

    text: str
    act: Callable[[], object]


class Notice(QFrame):
    """Fills a place that has nothing else to show or, `slim`, lies above what is shown."""

    def __init__(self, theme: Theme, *, slim: bool = False, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._slim = slim
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
        if slim:
            self.setProperty("look", "notice")
            layout.setContentsMargins(theme.px(12), theme.px(8), theme.px(12), theme.px(8))
        else:
            layout.setContentsMargins(*(theme.px(24),) * 4)
            layout.addStretch(1)
        layout.addWidget(self.sentence)
        layout.addWidget(self.hint)
        layout.addLayout(self._buttons)
        if not slim:
            layout.addStretch(2)

    @property
    def buttons(self) -> list[QPushButton]:
        return list(self._shown)

    def say(self, sentence: str, hint: str = "", ways: Sequence[Way] = ()) -> None:
        self.sentence.setText(sentence)
        self.hint.setText(hint)
        self.hint.setVisible(bool(hint))
        for button in self._shown:
            self._buttons.removeWidget(button)
            button.hide()
            button.deleteLater()
        self._shown.clear()
        for number, way in enumerate(ways):
            button = QPushButton(way.text, self)
            if number == 0 and not self._slim:
                button.setProperty("look", "primary")
            button.clicked.connect(lambda _=False, act=way.act: act())
            self._buttons.insertWidget(number, button)
            self._shown.append(button)
