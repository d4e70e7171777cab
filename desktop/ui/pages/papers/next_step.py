"""The line above the list: what waits, and the button that goes on with it."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QToolButton, QWidget

from desktop.ui.theme import Theme
from desktop.ui.widgets.plain import PlainLabel, set_tip


class NextStep(QWidget):
    """Hidden while nothing waits."""

    asked = Signal(str)  # the step that was shown
    dismissed = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._step = ""
        self.setProperty("look", "notice")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.text = PlainLabel()
        self.button = QPushButton()
        self.button.clicked.connect(lambda: self.asked.emit(self._step))
        self.cross = QToolButton()
        self.cross.setProperty("look", "quiet")
        theme.give_icon(self.cross, "x")
        set_tip(self.cross, "Do not show this line")
        self.cross.setAccessibleName("Close this line")
        self.cross.clicked.connect(lambda: self.dismissed.emit(self._step))
        px = theme.px
        row = QHBoxLayout(self)
        row.setContentsMargins(px(12), px(6), px(8), px(6))
        row.addWidget(self.text, 1)
        row.addWidget(self.button)
        row.addWidget(self.cross)
        self.setVisible(False)

    def show_step(self, step: str, text: str = "", button: str = "", *, can_close: bool = True) -> None:
        """`step`: what `asked` and `dismissed` name; "" hides the line."""
        self._step = step
        self.text.setText(text)
        self.button.setText(button)
        self.cross.setVisible(can_close)
        self.setVisible(bool(step))
