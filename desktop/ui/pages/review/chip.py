"""A class as people see it everywhere: its letter in a filled square, and its word."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from desktop.ui.theme import BODY, LETTERS, SMALL, Theme
from desktop.ui.widgets.plain import set_tip

_SIDE, _GAP = 18, 6  # px: of the square, and between it and the word


def paint_letter(painter: QPainter, theme: Theme, label: str, x: float, middle: float) -> None:
    """The class' letter in its square, of which the left side is at `x`."""
    side = theme.px(_SIDE)
    square = QRectF(x, middle - side / 2, side, side)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.label_color(label))
    painter.drawRoundedRect(square, theme.px(4), theme.px(4))
    painter.setPen(QColor("#FFFFFF"))
    painter.setFont(theme.font(SMALL, bold=True))
    painter.drawText(square, Qt.AlignmentFlag.AlignCenter, LETTERS.get(label, "–"))


class Chip(QWidget):
    """Letter and word of a class, or the letter alone; nothing for ""."""

    def __init__(self, theme: Theme, label: str = "", parent: QWidget | None = None, *, words: bool = True) -> None:
        super().__init__(parent)
        self._words = words
        self._theme = theme
        self._label = label
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self.update)
        self.setAccessibleName(label)
        if not label:
            self.hide()

    def show_label(self, label: str) -> None:
        self._label = label
        self.setAccessibleName(label)
        set_tip(self, "" if self._words else label.capitalize())
        self.setVisible(bool(label))
        self.updateGeometry()
        self.update()

    def show_words(self, words: bool) -> None:
        """Whether the word stands behind the letter."""
        self._words = words
        set_tip(self, "" if words else self._label.capitalize())
        self.updateGeometry()
        self.update()

    @property
    def label(self) -> str:
        return self._label

    def sizeHint(self) -> QSize:
        px = self._theme.px
        if not self._words:
            return QSize(px(_SIDE), px(_SIDE) + px(4))
        words = QFontMetrics(self._theme.font(BODY)).horizontalAdvance(self._label)
        return QSize(px(_SIDE) + px(_GAP) + words + px(2), px(_SIDE) + px(4))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        px = self._theme.px
        middle = self.height() / 2
        paint_letter(painter, self._theme, self._label, 0, middle)
        if not self._words:
            return
        painter.setPen(self._theme.color("ink"))
        font = self._theme.font(BODY)
        painter.setFont(font)
        metrics = QFontMetrics(font)
        baseline = middle + (metrics.ascent() - metrics.descent()) / 2
        painter.drawText(QPointF(px(_SIDE) + px(_GAP), baseline), self._label)
