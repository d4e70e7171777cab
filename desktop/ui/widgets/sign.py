"""An icon that stands beside text, in a colour of the theme and following it."""

from __future__ import annotations

from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from desktop.ui.theme import Theme


class Sign(QWidget):
    def __init__(self, theme: Theme, name: str, token: str, size: int = 18, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._icon = theme.icon(name, token)
        self.setFixedSize(theme.px(size), theme.px(size))

    def paintEvent(self, event: QPaintEvent) -> None:
        self._icon.paint(QPainter(self), self.rect())
