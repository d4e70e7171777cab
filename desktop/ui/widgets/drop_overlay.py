"""Over a page while files are held above the window: what a drop would do."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from desktop.ui.theme import READING, Theme


class DropOverlay(QWidget):
    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._text = ""
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.hide()

    @property
    def text(self) -> str:
        return self._text

    def show_over(self, page: QWidget, text: str) -> None:
        """Cover `page`, which has the same parent."""
        self._text = text
        self.setAccessibleName(text)
        self.setGeometry(page.geometry())
        self.raise_()
        self.show()
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = self._theme
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        ground = theme.color("paper")
        ground.setAlphaF(0.88)
        painter.fillRect(self.rect(), ground)
        margin = theme.px(16)
        frame = QRectF(self.rect()).adjusted(margin, margin, -margin, -margin)
        painter.setPen(QPen(theme.color("accent"), theme.px(2), Qt.PenStyle.DashLine))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(frame, theme.px(8), theme.px(8))
        painter.setPen(theme.color("ink"))
        painter.setFont(theme.font(READING, bold=True))
        painter.drawText(frame, Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap, self._text)
