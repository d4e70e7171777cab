"""A sentence over a page, or over all of them, that stays while it is true, with what can be done about it."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QSizePolicy, QToolButton, QWidget

from desktop.ui.theme import Theme
from desktop.ui.widgets.plain import PlainLabel, set_tip


class Banner(QWidget):
    """Hidden while it has nothing to say."""

    action_asked = Signal()
    dismissed = Signal()

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
        self.cross = QToolButton()
        self.cross.setProperty("look", "quiet")
        theme.give_icon(self.cross, "x")
        set_tip(self.cross, "Do not show this line")
        self.cross.setAccessibleName("Close this line")
        self.cross.clicked.connect(self.dismissed)
        px = theme.px
        layout = QHBoxLayout(self)
        layout.setContentsMargins(px(12), px(6), px(8), px(6))
        layout.setSpacing(px(8))
        layout.addWidget(self.words, 1)
        layout.addWidget(self.button)
        layout.addWidget(self.cross)
        self.setVisible(False)

    def tell(self, text: str, action: str = "", *, can_close: bool = False) -> None:
        """No text hides it; no `action`, no button."""
        self.words.setText(text)
        self.setAccessibleName(text)
        self.button.setText(action)
        self.button.setVisible(bool(action))
        self.cross.setVisible(can_close)
        self.setVisible(bool(text))

    def text(self) -> str:
        return self.words.text()
