"""What all panels of a plot have in common: room around the data, bars, words, letters of classes, and marks."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Sequence
from itertools import pairwise
from math import ceil
from typing import NamedTuple

import pyqtgraph as pg
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QFontMetricsF, QPainterPath, QTransform
from PySide6.QtWidgets import (
    QGraphicsItem,
    QGraphicsLineItem,
    QGraphicsPathItem,
    QGraphicsRectItem,
    QGraphicsSimpleTextItem,
)

from desktop.ui.plots.colors import tone_brushes
from desktop.ui.plots.figures import PlotMark
from desktop.ui.theme import LETTERS, SMALL, Theme

AXIS = 24.0  # pixels as drawn: the height of the axis below
GAP = 8.0  # between names, bars and numbers
LETTER = 18.0  # the side of a class' square
_TEXT_SHARE = {"left": 0.0, "middle": 0.5, "right": 1.0}  # of a text's width, to the left of where it is placed


class MarkArea(NamedTuple):
    """Where a mark is drawn, and where the mouse finds it, in the panel's data coordinates.

    A part of another mark is found first, and by mouse alone.
    """

    mark: PlotMark
    drawn: QRectF
    found: QRectF
    part: bool = False


class PlotPanel(pg.ViewBox):  # type: ignore[misc]  # pyqtgraph has no types
    """Neither scrolls nor zooms. It is laid out anew when its size changes, for what fits is a matter of pixels.

    x is data; y is data or, where the panel has a `height` of its own, pixels from the top.
    """

    def __init__(self, theme: Theme, height: float | None = None) -> None:
        super().__init__(enableMouse=False, enableMenu=False, invertY=height is not None, defaultPadding=0)
        self.theme = theme
        self.areas: list[MarkArea] = []
        self.gutter = self.room = 0.0  # pixels left of the data, and right of it
        self.unit = 1.0  # of the data to a pixel, across
        self.axis: pg.AxisItem | None = None
        self._length, self._ticks = 1.0, tuple[tuple[float, str], ...]()
        self._outline: QGraphicsRectItem | None = None
        self._contents: QGraphicsItem = QGraphicsRectItem()
        self.addItem(self._contents, ignoreBounds=True)
        self._bars: list[tuple[QRectF, str]] = []
        self.disableAutoRange()
        self.setMinimumWidth(theme.px(60))
        if height is not None:
            self.setMinimumHeight(height)
            self.setMaximumHeight(height)
        self.sigResized.connect(self._on_resized)

    def add_axis(self, ticks: Iterable[tuple[float, str]]) -> pg.AxisItem:
        """An axis for below the panel, with as many of the ticks as there is room for."""
        theme = self.theme
        self._ticks = tuple(ticks)
        self.axis = pg.AxisItem(
            "bottom", linkView=self, pen=theme.color("line"), textPen=theme.color("muted"), showValues=True
        )
        self.axis.setStyle(tickFont=theme.font(SMALL), tickLength=-theme.px(4), hideOverlappingLabels=False)
        self.axis.setHeight(theme.px(AXIS))
        return self.axis

    # Layout

    @abstractmethod
    def lay_out(self, width: float, height: float) -> None:
        """Set the range, and add all there is to see, in so many pixels."""

    def _on_resized(self) -> None:
        self.removeItem(self._contents)
        self.areas, self._bars, self._outline = [], [], None
        self._contents = QGraphicsRectItem()  # added when it is complete: the view hears of each item it is given
        size = self.size()
        if size.width() >= 1 and size.height() >= 1:
            self.lay_out(size.width(), size.height())
            if self._bars:
                self._draw_bars()
            self._thin_out_ticks()
        self.addItem(self._contents, ignoreBounds=True)

    def show_range(self, length: float, bottom: float, top: float) -> None:
        """Data from 0 to `length` across, between gutter and room, and from `bottom` to `top`."""
        self._length = length
        self.unit = length / max(1.0, self.size().width() - self.gutter - self.room)
        across = (-self.gutter * self.unit, length + self.room * self.unit)
        self.setRange(xRange=across, yRange=sorted((bottom, top)), padding=0)

    def _thin_out_ticks(self) -> None:
        if self.axis is not None and self._ticks:
            places = [place for place, _ in self._ticks]
            step = min((after - before for before, after in pairwise(places)), default=0.0)
            widest = max(self.width_of(text) for _, text in self._ticks) + self.theme.px(GAP)
            every = max(1, ceil(widest / max(step / self.unit, 1.0))) if step else 1
            self.axis.setTicks([self._ticks[::every]])

    # What can be seen

    def add(self, item: QGraphicsItem) -> None:
        item.setParentItem(self._contents)

    def add_bars(self, bars: Sequence[tuple[QRectF, str]]) -> None:
        """Rectangles filled by tone, below all words."""
        self._bars += bars

    def _draw_bars(self) -> None:
        scale = QTransform.fromScale(*self._pixel())  # patterns keep their size
        boxes, brushes = [], []
        for box, tone in self._bars:
            for brush in tone_brushes(self.theme, tone):
                brush.setTransform(scale)
                boxes.append(box)
                brushes.append(brush)
        self.add_boxes(boxes, brushes, level=-1)

    def add_boxes(
        self, boxes: Sequence[QRectF], brushes: Sequence[QBrush], pens: Sequence[QColor] = (), *, level: int = -2
    ) -> None:
        """Rectangles, each filled and, where there are pens, outlined; of a lower level, below others."""
        if pens:
            boxes = [self._on_pixels(box) for box in boxes]
        if boxes:
            sides = {
                "x0": [box.left() for box in boxes],
                "y0": [box.top() for box in boxes],
                "width": [box.width() for box in boxes],
                "height": [box.height() for box in boxes],
            }
            outline = {"pens": [pg.mkPen(pen, width=1) for pen in pens]} if pens else {"pen": None}
            item = pg.BarGraphItem(**sides, brushes=list(brushes), **outline)
            item.setZValue(level)
            self.add(item)

    def add_line(self, start: QPointF, end: QPointF, token: str, *, dashed: bool = False) -> None:
        style = Qt.PenStyle.DashLine if dashed else Qt.PenStyle.SolidLine
        pen = pg.mkPen(self.theme.color(token), width=1, style=style)
        line = QGraphicsLineItem(QLineF(start, end))
        line.setPen(pen)
        self.add(line)

    def add_text(
        self,
        text: str,
        at: QPointF,
        color: QColor,
        *,
        side: str = "left",
        shift: float = 0.0,
        bold: bool = False,
        size: int = SMALL,
        width: float | None = None,
    ) -> None:
        """Plain text of which the left, middle or right lies `shift` pixels right of a point; cut off at `width`."""
        font = self.theme.font(size, bold=bold)
        metrics = QFontMetricsF(font)
        if width is not None:
            text = metrics.elidedText(text, Qt.TextElideMode.ElideRight, width + 1)
        item = QGraphicsSimpleTextItem(text)
        item.setFont(font)
        item.setBrush(color)
        self._pin(item, at, shift - _TEXT_SHARE[side] * metrics.horizontalAdvance(text), -metrics.height() / 2)

    def add_letter(self, label: str, at: QPointF, *, shift: float = 0.0) -> None:
        """The class' letter in its square, of which the left side lies `shift` pixels right of a point."""
        side = self.theme.px(LETTER)
        square = QPainterPath()
        square.addRoundedRect(QRectF(0, -side / 2, side, side), self.theme.px(4), self.theme.px(4))
        item = QGraphicsPathItem(square)
        item.setPen(QColor(Qt.GlobalColor.transparent))
        item.setBrush(self.theme.label_color(label))
        self._pin(item, at, shift, 0)
        letter, white = LETTERS.get(label, "–"), QColor("#FFFFFF")
        self.add_text(letter, at, white, side="middle", shift=shift + side / 2, bold=True)

    def width_of(self, text: str, *, bold: bool = False, size: int = SMALL) -> float:
        return QFontMetricsF(self.theme.font(size, bold=bold)).horizontalAdvance(text)

    def _pin(self, item: QGraphicsItem, at: QPointF, right: float, down: float) -> None:
        """Add an item whose own coordinates are pixels."""
        item.setFlag(QGraphicsItem.GraphicsItemFlag.ItemIgnoresTransformations)
        item.setPos(at)
        item.setTransform(QTransform.fromTranslate(right, down))
        self.add(item)

    def _on_pixels(self, box: QRectF) -> QRectF:
        """The box with its sides in the middle of pixels, so that lines are sharp."""
        start, (right, down) = self.viewRange()[0][0], self._pixel()
        left, end = ((round((x - start) / right) + 0.5) * right + start for x in (box.left(), box.right()))
        return QRectF(left, box.top() + down / 2, end - left - right, box.height() - down)

    def _pixel(self) -> tuple[float, float]:
        """The data's units to a pixel, across and down."""
        return self.viewPixelSize()  # type: ignore[no-any-return]

    # Marks

    def area_at(self, at: QPointF) -> MarkArea | None:
        """`at`: in the scene."""
        point = self.mapSceneToView(at)
        found = [area for area in self.areas if area.found.contains(point)]
        return min(found, key=lambda area: not area.part) if found else None

    def in_scene(self, box: QRectF) -> QRectF:
        self.updateMatrix()
        return self.childGroup.mapRectToScene(box)  # type: ignore[no-any-return]

    def outline(self, mark: PlotMark | None) -> None:
        """Draw a line around a mark."""
        if self._outline is not None:
            self.removeItem(self._outline)
            self._outline = None
        area = next((area for area in self.areas if area.mark is mark), None)
        if area is not None:
            self._outline = QGraphicsRectItem(area.drawn)
            self._outline.setPen(pg.mkPen(self.theme.color("ink"), width=self.theme.px(2)))
            self._outline.setZValue(10)
            self.add(self._outline)
