"""A sentence over all pages that stays while it is true, with what can be done about it."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QSizePolicy, QWidget

from desktop.ui.theme import Theme
from desktop.ui.widgets.plain import PlainLabel


class Banner(QWidget):
    """Hidden while it has nothing to say."""

    action_asked = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("look", "notice")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        self.words = PlainLabel()
        self.words.setWordWrap(True)
        self.words.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.button = QPushButton()
        self.button.clicked.connect(self.action_asked)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(theme.px(16), theme.px(6), theme.px(12), theme.px(6))
        layout.setSpacing(theme.px(16))
        layout.addWidget(self.words, 1)
        layout.addWidget(self.button)
        self.setVisible(False)

    def tell(self, text: str, action: str = "") -> None:
        """No text hides it; no `action`, no button."""
        self.words.setText(text)
        self.setAccessibleName(text)
        self.button.setText(action)
        self.button.setVisible(bool(action))
        self.setVisible(bool(text))

    def text(self) -> str:
        return self.words.text()
