"""Shows a class in the same way everywhere: its letter in a colored square, its word, and bars in its color."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPaintEvent, QPixmap
from PySide6.QtWidgets import QSizePolicy, QWidget

from desktop.text import chance
from desktop.translation import tr
from desktop.ui.theme import BODY, LETTERS, SMALL, Theme
from desktop.ui.widgets.labels import set_tip
from miner.records import Label

_SIDE_PX, _GAP_PX = 18, 6  # side of the square, gap between it and the word


def paint_letter(painter: QPainter, theme: Theme, label: str, x: float, middle: float) -> None:
    """Draw the letter of a class in its square. `x`: the left side; `middle`: the vertical center."""
    side = theme.px(_SIDE_PX)
    square = QRectF(x, middle - side / 2, side, side)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.label_color(label))
    painter.drawRoundedRect(square, theme.px(4), theme.px(4))
    painter.setPen(QColor("#FFFFFF"))
    painter.setFont(theme.font(SMALL, bold=True))
    painter.drawText(square, Qt.AlignmentFlag.AlignCenter, LETTERS.get(label, "–"))


def letter_pixmap(theme: Theme, label: str) -> QPixmap:
    """The letter of a class in its square, for a table cell."""
    side, ratio = theme.px(_SIDE_PX), 2
    pixmap = QPixmap(side * ratio, side * ratio)
    pixmap.setDevicePixelRatio(ratio)
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    paint_letter(painter, theme, label, 0, side / 2)
    painter.end()
    return pixmap


class LabelChip(QWidget):
    """The letter and word of a class, or only the letter without `words`. Hidden for ""."""

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
        """Show the class with this name; "" hides the chip."""
        self._label = label
        self.setAccessibleName(label)
        set_tip(self, "" if self._words else label.capitalize())
        self.setVisible(bool(label))
        self.updateGeometry()
        self.update()

    def show_words(self, words: bool) -> None:
        """Show or hide the word."""
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
            return QSize(px(_SIDE_PX), px(_SIDE_PX) + px(4))
        words = QFontMetrics(self._theme.font(BODY)).horizontalAdvance(self._label)
        return QSize(px(_SIDE_PX) + px(_GAP_PX) + words + px(2), px(_SIDE_PX) + px(4))

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
        painter.drawText(QPointF(px(_SIDE_PX) + px(_GAP_PX), baseline), self._label)


BAR_HEIGHT_PX = 8
_ROW_HEIGHT_PX = 20


def paint_bar(painter: QPainter, theme: Theme, track: QRectF, label: str, share: float) -> None:
    """Draw a bar whose left part, `share` from 0 to 1, is filled with the color of the class."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    radius = track.height() / 2
    painter.setBrush(theme.color("line"))
    painter.setOpacity(0.5)
    painter.drawRoundedRect(track, radius, radius)
    painter.setOpacity(1.0)
    if share > 0:
        width = max(track.height(), track.width() * min(share, 1.0))
        painter.setBrush(theme.label_color(label))
        painter.drawRoundedRect(QRectF(track.left(), track.top(), width, track.height()), radius, radius)


class ProbabilityBars(QWidget):
    """The probability of each class: letter, bar, percent. Hidden without probabilities."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._probabilities: Sequence[float] = ()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setMaximumWidth(theme.px(320))
        theme.changed.connect(self.update)
        self.hide()

    @property
    def probabilities(self) -> Sequence[float]:
        return self._probabilities

    def show_probabilities(self, probabilities: Sequence[float]) -> None:
        """Show probabilities in the order of `Label`; an empty sequence hides the bars."""
        self._probabilities = probabilities
        texts = [f"{label.value} {chance(value)}" for label, value in zip(Label, probabilities, strict=False)]
        self.setAccessibleName(tr("Model suggestion: ") + ", ".join(texts) if texts else "")
        set_tip(self, ", ".join(texts))
        self.setVisible(bool(texts))
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(self._theme.px(240), len(Label) * self._theme.px(_ROW_HEIGHT_PX))

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, px = self._theme, self._theme.px
        painter = QPainter(self)
        row = px(_ROW_HEIGHT_PX)
        highest = max(self._probabilities, default=0.0)
        for row_number, (label, value) in enumerate(zip(Label, self._probabilities, strict=False)):
            middle = row_number * row + row / 2
            paint_letter(painter, theme, label.value, 0, middle)
            left, right = px(26), self.width() - px(48)
            track = QRectF(left, middle - px(BAR_HEIGHT_PX) / 2, max(0, right - left), px(BAR_HEIGHT_PX))
            paint_bar(painter, theme, track, label.value, value)
            painter.setFont(theme.font(SMALL, bold=value == highest))
            painter.setPen(theme.color("ink" if value == highest else "muted"))
            text_rect = QRectF(right, row_number * row, px(48), row)
            painter.drawText(text_rect, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, chance(value))
