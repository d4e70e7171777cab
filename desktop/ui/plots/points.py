"""Panels with rows of values and their intervals: a bar from 0 to each value, and a line from bound to bound."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF

from desktop.ui.plots.figures import PlotPoint, PointFigure, PointRow
from desktop.ui.plots.panel import GAP, MarkArea, PlotPanel
from desktop.ui.theme import Theme

# In unscaled pixels:
_LINE_HEIGHT = 16.0  # of a value
_ROW_SPACE = 8.0  # between rows
_HEADING_HEIGHT = 32.0
_SERIES_HEIGHT = 26.0
_BAR_HEIGHT = 12.0
_CAP_HEIGHT = 6.0  # at the ends of an interval
_SQUARE = 12.0  # of the tone of a series


class PointPanel(PlotPanel):
    """Rows of values and intervals. x: from the lowest value of the scale."""

    def __init__(self, theme: Theme, figure: PointFigure) -> None:
        self._figure, self._low = figure, figure.ticks[0][0]
        self._tops, top = [], float(theme.px(_SERIES_HEIGHT)) if figure.series else 0.0
        for row in figure.rows:
            self._tops.append(top)
            top += _row_height(theme, row)
        super().__init__(theme, top + theme.px(2))
        self.add_axis([(value - self._low, text) for value, text in figure.ticks])

    def lay_out(self, width: float, height: float) -> None:
        px, rows = self.theme.px, [row for row in self._figure.rows if row.points]
        names = max((self.text_width(row.name) for row in rows), default=0.0)
        self.left_margin = min(names, width * 0.4) + px(GAP + 4)
        last = self.text_width(self._figure.ticks[-1][1]) / 2
        totals = max((self.text_width(row.total, bold=True) for row in rows), default=0.0)
        self._detail_width = max((self.text_width(row.detail) for row in rows), default=0.0) + px(GAP)
        self.right_margin = max(totals + self._detail_width + px(2 * GAP), last)
        self.show_range(self._figure.ticks[-1][0] - self._low, 0.0, height)
        bottom, first = height, self._tops[0] if self._tops else 0.0
        for value, _ in self._figure.ticks:
            x = value - self._low
            self.add_line(QPointF(x, first), QPointF(x, bottom), "muted" if value == 0 else "line", level=-3)
        self._add_series()
        for row, top in zip(self._figure.rows, self._tops, strict=True):
            self._add_row(row, top)

    def _add_series(self) -> None:
        """Add the names of the series, cut where they lack room."""
        px, left = self.theme.px, 0.0
        side = px(_SQUARE)
        widths = [self.text_width(name) for name, _ in self._figure.series]
        around = side + px(26)  # of each name
        room = self.size().width() - self.left_margin - around * len(widths)
        if sum(widths) > room:
            widths = [min(width, room / len(widths)) for width in widths]
        for (name, tone), width in zip(self._figure.series, widths, strict=True):
            box = QRectF(left * self.x_per_pixel, px(4), side * self.x_per_pixel, side)
            self.add_bars([(box, tone)])
            self.add_text(
                name, QPointF(box.right(), box.center().y()), self.theme.color("ink"), shift=px(6), width=width
            )
            left += around + width

    def _add_row(self, row: PointRow, top: float) -> None:
        px, ink = self.theme.px, self.theme.color("ink")
        start, height = -self.left_margin * self.x_per_pixel, _row_height(self.theme, row)
        if not row.points:
            middle = QPointF(start, top + (height + px(GAP)) / 2)
            self.add_text(row.name, middle, ink, bold=True, width=self.left_margin)
            return
        center = top + height / 2
        self.add_text(row.name, QPointF(start, center), ink, width=self.left_margin - px(GAP))
        end = self._figure.ticks[-1][0] - self._low + self.right_margin * self.x_per_pixel
        self.add_text(row.detail, QPointF(end, center), self.theme.color("muted"), side="right")
        self.add_text(row.total, QPointF(end, center), ink, side="right", shift=-self._detail_width, bold=True)
        for number, point in enumerate(row.points):
            self._add_point(point, top + px(_ROW_SPACE) / 2 + number * px(_LINE_HEIGHT))

    def _add_point(self, point: PlotPoint, top: float) -> None:
        px, length = self.theme.px, self._figure.ticks[-1][0] - self._low
        middle = top + px(_LINE_HEIGHT) / 2
        zero, at = max(0.0, -self._low), point.value - self._low
        left, width = min(zero, at), max(abs(at - zero), px(2) * self.x_per_pixel)
        bar = QRectF(left, middle - px(_BAR_HEIGHT) / 2, width, px(_BAR_HEIGHT))
        self.add_bars([(bar, point.tone)])
        drawn = bar
        if point.low is not None and point.high is not None:
            low, high = max(0.0, point.low - self._low), min(length, point.high - self._low)
            cap = px(_CAP_HEIGHT) / 2
            lines = [(QPointF(low, middle), QPointF(high, middle))]
            for x, bound in ((low, point.low), (high, point.high)):
                if 0 <= bound - self._low <= length:
                    lines.append((QPointF(x, middle - cap), QPointF(x, middle + cap)))
            for token, width in (("card", px(3)), ("ink", px(1))):  # the margin sets it off from the bar
                for start, end in lines:
                    self.add_line(start, end, token, width=width)
            drawn = bar.united(QRectF(low, bar.top(), max(high - low, self.x_per_pixel), bar.height()))
        if point.text:
            self.add_text(point.text, QPointF(drawn.right(), middle), self.theme.color("ink"), shift=px(5), bold=True)
        row = QRectF(-self.left_margin * self.x_per_pixel, top, 0, px(_LINE_HEIGHT))
        row.setRight(length + self.right_margin * self.x_per_pixel)
        self.mark_areas.append(MarkArea(point.mark, drawn, row))


def _row_height(theme: Theme, row: PointRow) -> int:
    return theme.px(_LINE_HEIGHT * len(row.points) + _ROW_SPACE) if row.points else theme.px(_HEADING_HEIGHT)
