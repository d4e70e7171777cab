"""Curves, with points on them that can be pointed at."""

from __future__ import annotations

import pyqtgraph as pg
from PySide6.QtCore import QPointF, QRectF

from desktop.ui.plots.colors import tone_color
from desktop.ui.plots.figures import CurvePoint, LineChart, LineFigure
from desktop.ui.plots.panel import GAP, MarkArea, PlotPanel
from desktop.ui.theme import Theme

_TITLE, _FOOT = 26.0, 9.0  # pixels as drawn, above the highest tick and below the lowest
_DOT = 5.0  # half a point


class LinePanel(PlotPanel):
    """One chart of a figure; the last one has the axis."""

    def __init__(self, theme: Theme, chart: LineChart, figure: LineFigure, gutter: str) -> None:
        super().__init__(theme)
        self._chart, self._figure, self._widest = chart, figure, gutter
        self.setMinimumHeight(theme.px(60))

    def lay_out(self, width: float, height: float) -> None:
        theme, px, ticks = self.theme, self.theme.px, self._chart.ticks
        low, high = ticks[0][0], ticks[-1][0]
        last = max((self.width_of(text) for _, text in self._figure.ticks[-1:]), default=0.0)
        self.gutter = self.width_of(self._widest) + px(GAP)
        self.room = max(px(12), last / 2)
        title, foot = px(_TITLE), px(_FOOT)
        self._down = (high - low) / max(1.0, height - title - foot)  # of data to a pixel
        length = max(self._figure.length, 1)
        self.show_range(length, low - foot * self._down, high + title * self._down)
        start = QPointF(-self.gutter * self.unit, high + (title - px(9)) * self._down)
        self.add_text(self._chart.title, start, theme.color("ink"), bold=True)
        for value, text in ticks:
            self.add_line(QPointF(0, value), QPointF(length, value), "line")
            self.add_text(text, QPointF(0, value), theme.color("muted"), side="right", shift=-px(GAP))
        for border in self._figure.borders:
            self.add_line(QPointF(border, low), QPointF(border, high), "line", dashed=True)
        for curve in self._chart.curves:
            self._add_curve(curve)

    def _add_curve(self, curve: tuple[CurvePoint, ...]) -> None:
        color, dot = tone_color(self.theme, self._chart.tone), self.theme.px(_DOT)
        pen = pg.mkPen(color, width=self.theme.px(2))
        self.add(pg.PlotCurveItem([at.x for at in curve], [at.y for at in curve], pen=pen, antialias=True))
        marked = [point for point in curve if point.mark is not None]
        if not marked:
            return
        fills = [color if point.strong else self.theme.color("card") for point in marked]
        self.add(pg.ScatterPlotItem(
            [point.x for point in marked], [point.y for point in marked], size=2 * dot, pen=pen,
            brush=[pg.mkBrush(fill) for fill in fills], antialias=True,
        ))  # fmt: skip
        low, high = self._chart.ticks[0][0], self._chart.ticks[-1][0]
        for point in marked:
            assert point.mark is not None
            right, up = dot * self.unit, dot * self._down
            drawn = QRectF(point.x - right, point.y - up, 2 * right, 2 * up)
            found = QRectF(point.x - 2 * right, low, 4 * right, high - low)
            self.areas.append(MarkArea(point.mark, drawn, found.united(drawn)))
