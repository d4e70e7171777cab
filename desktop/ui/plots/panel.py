"""The base of all panels of a plot (margins, bars, texts, class letters, marks), and the colours of tones."""

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

from desktop.ui.plots.figures import ABSENT_TONE, HALF_TONE, NO_LABEL_TONE, PlotMark
from desktop.ui.theme import LETTERS, SMALL, Theme

# In unscaled pixels:
AXIS_HEIGHT = 24.0  # below the panel
GAP = 8.0  # between names, bars and numbers
LETTER_SIZE = 18.0  # of the square with the letter of a class

_TEXT_ANCHORS = {"left": 0.0, "middle": 0.5, "right": 1.0}  # share of a text's width left of its position
_THEME_TONES = frozenset(("accent", "muted", "warning", "bad"))
_PALE_TONES = frozenset((ABSENT_TONE, HALF_TONE, NO_LABEL_TONE))


def tone_color(theme: Theme, tone: str) -> QColor:
    if tone in (ABSENT_TONE, NO_LABEL_TONE):
        return blend(theme.color("muted"), theme.color("card"), 0.3)
    if tone == HALF_TONE:
        return blend(theme.color("accent"), theme.color("card"), 0.4)
    return theme.color(tone) if tone in _THEME_TONES else theme.label_text_color(tone)


def tone_brushes(theme: Theme, tone: str) -> list[QBrush]:
    """The brushes that fill a bar, to be drawn one over the other."""
    brushes = [QBrush(tone_color(theme, tone))]
    if tone == NO_LABEL_TONE:
        lines = blend(theme.color("muted"), theme.color("card"), 0.55)  # not so bright that a text on them is lost
        brushes.append(QBrush(lines, Qt.BrushStyle.BDiagPattern))
    return brushes


def text_color_on(theme: Theme, tone: str) -> QColor:
    return theme.color("ink" if tone in _PALE_TONES else "card")


def blend(color: QColor, background: QColor, share: float) -> QColor:
    """`share` of the colour over the background, opaque."""
    channels = (
        (color.red(), background.red()),
        (color.green(), background.green()),
        (color.blue(), background.blue()),
    )
    return QColor(*(round(share * over + (1 - share) * under) for over, under in channels))


class MarkArea(NamedTuple):
    """Where a mark is drawn and where the mouse hits it, in the panel's data coordinates.

    is_part: it lies on another mark; the mouse hits it first, and keys skip it.
    """

    mark: PlotMark
    drawn_rect: QRectF
    hit_rect: QRectF
    is_part: bool = False


class PlotPanel(pg.ViewBox):  # type: ignore[misc]  # pyqtgraph has no types
    """A part of a plot; it neither scrolls nor zooms. All of it is laid out again whenever its size changes.

    x is in units of the data. y is in pixels from the top for a panel of fixed `height`, else in units of the data.
    """

    def __init__(self, theme: Theme, height: float | None = None) -> None:
        super().__init__(enableMouse=False, enableMenu=False, invertY=height is not None, defaultPadding=0)
        self.theme = theme
        self.mark_areas: list[MarkArea] = []
        self.left_margin = self.right_margin = 0.0  # pixels left and right of the data
        self.x_per_pixel = 1.0
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
        """An axis to place below the panel. It shows as many of the ticks as fit."""
        theme = self.theme
        self._ticks = tuple(ticks)
        self.axis = pg.AxisItem(
            "bottom", linkView=self, pen=theme.color("line"), textPen=theme.color("muted"), showValues=True
        )
        self.axis.setStyle(tickFont=theme.font(SMALL), tickLength=-theme.px(4), hideOverlappingLabels=False)
        self.axis.setHeight(theme.px(AXIS_HEIGHT))
        return self.axis

    # Layout

    @abstractmethod
    def lay_out(self, width: float, height: float) -> None:
        """Set the margins and the range, and add all items. Width and height are in pixels."""

    def _on_resized(self) -> None:
        self.removeItem(self._contents)
        self.mark_areas, self._bars, self._outline = [], [], None
        self._contents = QGraphicsRectItem()  # added when complete, as the view updates for each item it gets
        size = self.size()
        if size.width() >= 1 and size.height() >= 1:
            self.lay_out(size.width(), size.height())
            if self._bars:
                self._draw_bars()
            self._thin_out_ticks()
        self.addItem(self._contents, ignoreBounds=True)

    def show_range(self, length: float, bottom: float, top: float) -> None:
        """Show x from 0 to `length` between the margins, and y from `bottom` to `top`."""
        self._length = length
        self.x_per_pixel = length / max(1.0, self.size().width() - self.left_margin - self.right_margin)
        across = (-self.left_margin * self.x_per_pixel, length + self.right_margin * self.x_per_pixel)
        self.setRange(xRange=across, yRange=sorted((bottom, top)), padding=0)

    def _thin_out_ticks(self) -> None:
        if self.axis is not None and self._ticks:
            positions = [position for position, _ in self._ticks]
            step = min((after - before for before, after in pairwise(positions)), default=0.0)
            widest = max(self.text_width(text) for _, text in self._ticks) + self.theme.px(GAP)
            every = max(1, ceil(widest / max(step / self.x_per_pixel, 1.0))) if step else 1
            self.axis.setTicks([self._ticks[::every]])

    # Items

    def add(self, item: QGraphicsItem) -> None:
        item.setParentItem(self._contents)

    def add_bars(self, bars: Sequence[tuple[QRectF, str]]) -> None:
        """Rectangles filled by tone, below all texts."""
        self._bars += bars

    def _draw_bars(self) -> None:
        scale = QTransform.fromScale(*self._pixel_size())  # patterns keep their size
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
        """Rectangles, each filled and, if there are pens, outlined. A lower level is below others."""
        if pens:
            boxes = [self._align_to_pixels(box) for box in boxes]
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

    def add_line(
        self, start: QPointF, end: QPointF, token: str, *, dashed: bool = False, level: int = 0, width: int = 1
    ) -> None:
        style = Qt.PenStyle.DashLine if dashed else Qt.PenStyle.SolidLine
        pen = pg.mkPen(self.theme.color(token), width=width, style=style)
        line = QGraphicsLineItem(QLineF(start, end))
        line.setPen(pen)
        line.setZValue(level)
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
        is_upright: bool = False,
    ) -> None:
        """Plain text. Its left, middle or right (`side`) is `shift` pixels right of `at`. Elided at `width` pixels.

        is_upright: it is written upwards from `at`.
        """
        font = self.theme.font(size, bold=bold)
        metrics = QFontMetricsF(font)
        if width is not None:
            text = metrics.elidedText(text, Qt.TextElideMode.ElideRight, width + 1)
        item = QGraphicsSimpleTextItem(text)
        item.setFont(font)
        item.setBrush(color)
        if is_upright:
            self._add_in_pixels(item, at, -metrics.height() / 2, 0)
            item.setTransform(item.transform().rotate(-90))
            return
        self._add_in_pixels(
            item, at, shift - _TEXT_ANCHORS[side] * metrics.horizontalAdvance(text), -metrics.height() / 2
        )

    def add_letter(self, label: str, at: QPointF, *, shift: float = 0.0) -> None:
        """The letter of a class in a square. The square's left side is `shift` pixels right of `at`."""
        side = self.theme.px(LETTER_SIZE)
        square = QPainterPath()
        square.addRoundedRect(QRectF(0, -side / 2, side, side), self.theme.px(4), self.theme.px(4))
        item = QGraphicsPathItem(square)
        item.setPen(QColor(Qt.GlobalColor.transparent))
        item.setBrush(self.theme.label_color(label))
        self._add_in_pixels(item, at, shift, 0)
        letter, white = LETTERS.get(label, "–"), QColor("#FFFFFF")
        self.add_text(letter, at, white, side="middle", shift=shift + side / 2, bold=True)

    def text_width(self, text: str, *, bold: bool = False, size: int = SMALL) -> float:
        return QFontMetricsF(self.theme.font(size, bold=bold)).horizontalAdvance(text)

    def _add_in_pixels(self, item: QGraphicsItem, at: QPointF, right: float, down: float) -> None:
        """Add an item with coordinates in pixels, moved right and down from `at`."""
        item.setFlag(QGraphicsItem.GraphicsItemFlag.ItemIgnoresTransformations)
        item.setPos(at)
        item.setTransform(QTransform.fromTranslate(right, down))
        self.add(item)

    def _align_to_pixels(self, box: QRectF) -> QRectF:
        """The box with its sides in the middle of pixels, so that its outline is sharp."""
        start, (right, down) = self.viewRange()[0][0], self._pixel_size()
        left, end = ((round((x - start) / right) + 0.5) * right + start for x in (box.left(), box.right()))
        return QRectF(left, box.top() + down / 2, end - left - right, box.height() - down)

    def _pixel_size(self) -> tuple[float, float]:
        """Width and height of a pixel in units of the data."""
        return self.viewPixelSize()  # type: ignore[no-any-return]

    # Marks

    def area_at(self, at: QPointF) -> MarkArea | None:
        """The mark at a point of the scene; None if there is none."""
        point = self.mapSceneToView(at)
        hits = [area for area in self.mark_areas if area.hit_rect.contains(point)]
        return min(hits, key=lambda area: not area.is_part) if hits else None

    def map_rect_to_scene(self, box: QRectF) -> QRectF:
        self.updateMatrix()
        return self.childGroup.mapRectToScene(box)  # type: ignore[no-any-return]

    def outline(self, mark: PlotMark | None) -> None:
        """Draw a line around a mark; None removes the line."""
        if self._outline is not None:
            self.removeItem(self._outline)
            self._outline = None
        area = next((area for area in self.mark_areas if area.mark is mark), None)
        if area is not None:
            self._outline = QGraphicsRectItem(area.drawn_rect)
            self._outline.setPen(pg.mkPen(self.theme.color("ink"), width=self.theme.px(2)))
            self._outline.setZValue(10)
            self.add(self._outline)
