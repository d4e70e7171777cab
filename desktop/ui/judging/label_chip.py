"""A label as people see it everywhere: its letter in a coloured square, its word, and bars in its colour."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPaintEvent, QPixmap
from PySide6.QtWidgets import QSizePolicy, QWidget

from desktop.text import chance
from desktop.ui.theme import BODY, LETTERS, SMALL, Theme
from desktop.ui.widgets.labels import set_tip
from miner.records import Label

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


def letter_pixmap(theme: Theme, label: str) -> QPixmap:
    """The class' letter in its square, for a cell of a table."""
    side, ratio = theme.px(_SIDE), 2
    pixmap = QPixmap(side * ratio, side * ratio)
    pixmap.setDevicePixelRatio(ratio)
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    paint_letter(painter, theme, label, 0, side / 2)
    painter.end()
    return pixmap


class LabelChip(QWidget):
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


BAR = 8  # px: of a bar's height
_ROW = 20


def paint_bar(painter: QPainter, theme: Theme, track: QRectF, label: str, share: float) -> None:
    """A track, filled in the class' colour from its left as far as `share`, 0 to 1."""
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


class LabelBars(QWidget):
    """A row for each class: letter, bar, percent; hidden while there are none."""

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
        """In the order of `Label`; none hides the bars."""
        self._probabilities = probabilities
        told = [f"{label.value} {chance(value)}" for label, value in zip(Label, probabilities, strict=False)]
        self.setAccessibleName("The model says " + ", ".join(told) if told else "")
        set_tip(self, ", ".join(told))
        self.setVisible(bool(told))
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(self._theme.px(240), len(Label) * self._theme.px(_ROW))

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, px = self._theme, self._theme.px
        painter = QPainter(self)
        row = px(_ROW)
        highest = max(self._probabilities, default=0.0)
        for place, (label, value) in enumerate(zip(Label, self._probabilities, strict=False)):
            middle = place * row + row / 2
            paint_letter(painter, theme, label.value, 0, middle)
            left, right = px(26), self.width() - px(48)
            track = QRectF(left, middle - px(BAR) / 2, max(0, right - left), px(BAR))
            paint_bar(painter, theme, track, label.value, value)
            painter.setFont(theme.font(SMALL, bold=value == highest))
            painter.setPen(theme.color("ink" if value == highest else "muted"))
            place_of_text = QRectF(right, place * row, px(48), row)
            painter.drawText(place_of_text, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, chance(value))
