"""Bars and ridges, painted in pixels at the theme's sizes."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from math import ceil
from typing import NamedTuple

import pyqtgraph as pg
from PySide6.QtCore import QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QBrush, QColor, QFontMetricsF, QPainter, QPen
from PySide6.QtWidgets import QGraphicsWidget, QStyleOptionGraphicsItem, QWidget

from desktop.ui.pages.dashboard.figures import Bars, Mark, Panel, Row
from desktop.ui.theme import LETTERS, SMALL, Theme

# What is no class; classes have their own colours.
TONES = {"kept": "accent", "settled": "accent", "accepted": "accent", "unsettled": "warning", "bad": "bad"}
_GREY = frozenset(("dropped", "open", "none"))  # what is not there (yet)
_PALE = _GREY | {"accepted"}  # and what is there by half: nobody has answered
_ROW, _HEADING, _RIDGE = 24.0, 32.0, 44.0  # pixels as drawn
_GAP = 8.0


def tone_color(theme: Theme, tone: str) -> QColor:
    if tone in _GREY:
        return _mixed(theme.color("muted"), theme.color("card"), 0.3)
    if tone == "accepted":
        return _mixed(theme.color("accent"), theme.color("card"), 0.4)
    return theme.color(TONES[tone]) if tone in TONES else theme.label_text_color(tone)


def _mixed(color: QColor, ground: QColor, share: float) -> QColor:
    parts = zip(color.getRgb()[:3], ground.getRgb()[:3], strict=True)  # type: ignore[index]  # a tuple
    return QColor(*(round(share * part + (1 - share) * below) for part, below in parts))


class Place(NamedTuple):
    """Where a mark is painted, and where the mouse finds it."""

    mark: Mark
    painted: QRectF
    found: QRectF


class Canvas(QGraphicsWidget):
    """A part of a plot that paints marks in pixels of its own."""

    def __init__(self, theme: Theme, height: float) -> None:
        super().__init__()
        self.theme = theme
        self.places: list[Place] = []
        self.current: Mark | None = None
        self.gutter = self.room = 0.0  # left of the marks, for names, and right of them
        self._axis: tuple[pg.AxisItem, float, Sequence[tuple[float, str]]] | None = None
        self.setMinimumHeight(height)
        self.setMaximumHeight(height)
        self.setMinimumWidth(theme.px(60))

    def mark_at(self, at: QPointF) -> Mark | None:
        return next((place.mark for place in self.places if place.found.contains(at)), None)

    def resizeEvent(self, event: object) -> None:
        self.lay_out(self.size())
        self._fit_axis()

    def take_axis(self, axis: pg.AxisItem, length: float, ticks: Sequence[tuple[float, str]]) -> None:
        """Keep the axis below at the marks' scale, 0 to `length`, with as many of the ticks as there is room for."""
        self._axis = (axis, length, ticks)
        self._fit_axis()

    def _fit_axis(self) -> None:
        if self._axis:
            axis, length, ticks = self._axis
            unit = length / max(1.0, self.size().width() - self.gutter - self.room)
            axis.setRange(-self.gutter * unit, length + self.room * unit)
            step = ticks[1][0] / unit if len(ticks) > 1 else 0.0
            widest = max(self.width_of(text) for _, text in ticks) + self.theme.px(_GAP)
            axis.setTicks([ticks[:: max(1, ceil(widest / max(step, 1.0)))]])

    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setRenderHint(QPainter.RenderHint.TextAntialiasing)
        self.draw(painter)
        for place in self.places:
            if place.mark is self.current:
                pen = QPen(self.theme.color("ink"), self.theme.px(2))
                painter.setPen(pen)
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.drawRect(place.painted.adjusted(-1, -1, 1, 1))

    @abstractmethod
    def lay_out(self, size: QSizeF) -> None:
        """Find the marks' places."""

    @abstractmethod
    def draw(self, painter: QPainter) -> None: ...

    def text(
        self, painter: QPainter, box: QRectF, text: str, color: QColor, *, bold: bool = False, side: str = "left"
    ) -> None:
        font = self.theme.font(SMALL, bold=bold)
        painter.setFont(font)
        painter.setPen(color)
        fitting = QFontMetricsF(font).elidedText(text, Qt.TextElideMode.ElideRight, box.width() + 1)
        align = {"left": Qt.AlignmentFlag.AlignLeft, "right": Qt.AlignmentFlag.AlignRight}
        align["middle"] = Qt.AlignmentFlag.AlignHCenter
        painter.drawText(box, align[side] | Qt.AlignmentFlag.AlignVCenter, fitting)

    def width_of(self, text: str, *, bold: bool = False) -> float:
        return QFontMetricsF(self.theme.font(SMALL, bold=bold)).horizontalAdvance(text)

    def fill(self, painter: QPainter, box: QRectF, tone: str) -> None:
        color = tone_color(self.theme, tone)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(color)
        painter.drawRect(box)
        if tone == "none":  # no label: hatched, so that it is no colour of its own
            painter.setBrush(QBrush(self.theme.color("muted"), Qt.BrushStyle.BDiagPattern))
            painter.drawRect(box)

    def on_fill(self, tone: str) -> QColor:
        return self.theme.color("ink" if tone in _PALE else "card")


class BarCanvas(Canvas):
    """Rows of bars with their names before and their totals behind."""

    def __init__(self, theme: Theme, bars: Bars) -> None:
        self._bars = bars
        heights = [theme.px(_ROW if row.marks else _HEADING) for row in bars.rows]
        self._tops = [float(sum(heights[:index])) for index in range(len(heights) + 1)]
        super().__init__(theme, self._tops[-1] + theme.px(2))

    def lay_out(self, size: QSizeF) -> None:
        rows = [row for row in self._bars.rows if row.marks]
        gap = self.theme.px(_GAP)
        widest = max((self.width_of(row.name) for row in rows), default=0.0)
        self.gutter = min(widest, size.width() * 0.4) + gap
        self.room = max((self.width_of(row.after) for row in rows), default=0.0) + gap
        self.places = []
        for row, top in zip(self._bars.rows, self._tops, strict=False):
            self._place_row(row, top, max(1.0, size.width() - self.gutter - self.room))

    def _place_row(self, row: Row, top: float, width: float) -> None:
        height = self.theme.px(_ROW)
        inset = self.theme.px(3)
        left, least = self.gutter, self.theme.px(2)
        for mark in row.marks:
            wide = max(least, width * mark.count / max(row.whole, 1))
            painted = QRectF(left, top + inset, max(1.0, wide - 1), height - 2 * inset)
            self.places.append(Place(mark, painted, QRectF(left, top, wide, height)))
            left += wide

    def draw(self, painter: QPainter) -> None:
        for row, top in zip(self._bars.rows, self._tops, strict=False):
            if not row.marks:
                box = QRectF(0, top + self.theme.px(8), self.size().width(), self.theme.px(_HEADING - 8))
                self.text(painter, box, row.name, self.theme.color("ink"), bold=True)
                continue
            height = self.theme.px(_ROW)
            box = QRectF(0, top, self.gutter - self.theme.px(_GAP), height)
            self.text(painter, box, row.name, self.theme.color("ink"))
            end = max(place.found.right() for place in self.places if place.mark in row.marks)
            box = QRectF(end + self.theme.px(6), top, self.room + self.size().width() - end, height)
            self.text(painter, box, row.after, self.theme.color("muted"))
        for place in self.places:
            self.fill(painter, place.painted, place.mark.tone)
            space = place.painted.width() - self.theme.px(6)
            fitting = next((text for text in place.mark.texts if self.width_of(text, bold=True) <= space), None)
            if fitting:
                self.text(painter, place.painted, fitting, self.on_fill(place.mark.tone), bold=True, side="middle")


class RidgeCanvas(Canvas):
    """A row of thin bars for each class, all on one scale."""

    def __init__(self, theme: Theme, panel: Panel) -> None:
        self._panel = panel
        super().__init__(theme, theme.px(_ROW + _RIDGE * len(panel.ridges)))

    def lay_out(self, size: QSizeF) -> None:
        ridges, theme = self._panel.ridges, self.theme
        chip = theme.px(18.0)
        words = max((self.width_of(ridge.name) for ridge in ridges), default=0.0)
        self.words = size.width() > chip + words + theme.px(200)
        self.gutter = chip + theme.px(_GAP) + (words + theme.px(_GAP) if self.words else 0.0)
        self.room = max([self.width_of("mean"), *(self.width_of(ridge.after) for ridge in ridges)]) + theme.px(_GAP)
        self.step = max(1.0, (size.width() - self.gutter - self.room) / self._panel.bins)
        most = max((mark.share for ridge in ridges for mark in ridge.marks), default=1.0) or 1.0
        tall = theme.px(_RIDGE) - theme.px(8)
        self.places = []
        for index, ridge in enumerate(ridges):
            base = theme.px(_ROW) + theme.px(_RIDGE) * (index + 1)
            for number, mark in enumerate(ridge.marks):
                if mark.count:
                    left = self.gutter + number * self.step
                    height = max(theme.px(2.0), tall * mark.share / most)
                    painted = QRectF(left, base - height, max(1.0, self.step - 1), height)
                    found = QRectF(left, base - theme.px(_RIDGE), self.step, theme.px(_RIDGE))
                    self.places.append(Place(mark, painted, found))

    def draw(self, painter: QPainter) -> None:
        theme, width = self.theme, self.size().width()
        head = QRectF(0, 0, width, theme.px(_ROW))
        self.text(painter, head, self._panel.title, theme.color("ink"), bold=True)
        self.text(painter, head, "mean", theme.color("muted"), side="right")
        for index, ridge in enumerate(self._panel.ridges):
            base = theme.px(_ROW) + theme.px(_RIDGE) * (index + 1)
            middle = QRectF(0, base - theme.px(24), width, theme.px(24))
            self._name(painter, ridge.name, middle)
            self.text(painter, middle, ridge.after, theme.color("ink"), side="right")
            painter.setPen(QPen(theme.color("line"), 1))
            painter.drawLine(QPointF(self.gutter, base + 0.5), QPointF(width - self.room, base + 0.5))
        for place in self.places:
            self.fill(painter, place.painted, place.mark.tone)
        for index, ridge in enumerate(self._panel.ridges):
            base = theme.px(_ROW) + theme.px(_RIDGE) * (index + 1)
            x = self.gutter + ridge.mean * self.step
            painter.setPen(QPen(theme.color("ink"), max(1, theme.px(1))))
            painter.drawLine(QPointF(x, base - theme.px(_RIDGE) + theme.px(8)), QPointF(x, base))

    def _name(self, painter: QPainter, name: str, box: QRectF) -> None:
        theme = self.theme
        chip = QRectF(0, box.center().y() - theme.px(9), theme.px(18), theme.px(18))
        painter.setPen(Qt.PenStyle.NoPen)
        tone = name if name in LETTERS else "none"
        painter.setBrush(tone_color(theme, tone))
        painter.drawRoundedRect(chip, theme.px(4), theme.px(4))
        self.text(painter, chip, LETTERS.get(name, "–"), self.on_fill(tone), bold=True, side="middle")
        if self.words:
            box = QRectF(chip.right() + theme.px(_GAP), box.top(), self.gutter - chip.right(), box.height())
            self.text(painter, box, name, theme.color("ink"))
