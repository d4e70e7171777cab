"""What stands where there is nothing yet: one sentence, one button."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from desktop.ui.theme import Theme
from desktop.ui.widgets.plain import PlainLabel


class Empty(QWidget):
    def __init__(self, theme: Theme, sentence: str, button: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        layout = QVBoxLayout(self)
        layout.setSpacing(theme.px(16))
        layout.addStretch(2)
        self.sentence = PlainLabel(sentence)
        self.sentence.setProperty("type", "lead")
        self.sentence.setWordWrap(True)
        self.sentence.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.sentence.setMaximumWidth(theme.px(560))
        self.sentence.setMinimumWidth(theme.px(360))
        across = QHBoxLayout()  # an aligned label would get the height of one line
        across.addStretch(1)
        across.addWidget(self.sentence, 1000)
        across.addStretch(1)
        layout.addLayout(across)
        self.button = QPushButton(button)
        self.button.setProperty("look", "primary")
        self.button.setAutoDefault(True)  # Enter presses it, as Space does
        if not button:
            self.button.hide()
        layout.addWidget(self.button, 0, Qt.AlignmentFlag.AlignHCenter)
        layout.addStretch(3)
