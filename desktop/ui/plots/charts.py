"""Panels with axes: rows of bars, histograms, and line charts."""

from __future__ import annotations

import pyqtgraph as pg
from PySide6.QtCore import QPointF, QRectF

from desktop.ui.plots.figures import BarFigure, BarRow, CurvePoint, Histogram, LineChart, LineFigure, PlotBar
from desktop.ui.plots.panel import GAP, LETTER_SIZE, MarkArea, PlotPanel, text_color_on, tone_color
from desktop.ui.theme import Theme

# In unscaled pixels:
_BAR_HEIGHT = 18.0
_HEADING_HEIGHT = 32.0  # of a row without bars
_HISTOGRAM_TITLE_HEIGHT = 24.0
_CHART_TITLE_HEIGHT = 26.0  # above the highest tick of a line chart
_CHART_FOOT_HEIGHT = 9.0  # below the lowest tick
_DOT_RADIUS = 5.0

_MAX_TICKS = 5


class BarPanel(PlotPanel):
    """Rows of bars, with names before and totals behind them. x: share of the row's full length."""

    def __init__(self, theme: Theme, figure: BarFigure) -> None:
        self._rows, self._row_height = figure.rows, theme.px(figure.row_height)
        heights = [self._row_height if row.bars else theme.px(_HEADING_HEIGHT) for row in figure.rows]
        self._tops = [float(sum(heights[:index])) for index in range(len(heights))]
        super().__init__(theme, float(sum(heights)) + theme.px(2))
        if figure.axis:
            longest = max((row.full_length for row in figure.rows if row.bars), default=1)
            percent = [(0.0, "0 %"), (0.5, "50 %"), (1.0, "100 %")]
            self.add_axis(percent if figure.axis == "percent" else round_ticks(int(longest)))

    def lay_out(self, width: float, height: float) -> None:
        px = self.theme.px
        rows = [row for row in self._rows if row.bars]
        names = max((self._letter_width(row) + self.text_width(row.name) for row in rows), default=0.0)
        self.left_margin = min(names, width * 0.45) + px(GAP)
        self.right_margin = max(
            (self._total_width(row) + self.text_width(row.detail) for row in rows), default=0.0
        ) + px(2)
        self.show_range(1.0, 0.0, height)
        for row, top in zip(self._rows, self._tops, strict=True):
            if row.bars:
                self._add_row(row, top)
            else:
                middle = QPointF(-self.left_margin * self.x_per_pixel, top + px((_HEADING_HEIGHT + GAP) / 2))
                self.add_text(row.name, middle, self.theme.color("ink"), bold=True, width=width)

    def _add_row(self, row: BarRow, top: float) -> None:
        px, ink = self.theme.px, self.theme.color("ink")
        start, middle = -self.left_margin * self.x_per_pixel, top + self._row_height / 2
        if row.label is not None:
            self.add_letter(row.label, QPointF(start, middle))
        indent = self._letter_width(row)
        name_width = self.left_margin - indent - px(GAP)
        self.add_text(row.name, QPointF(start, middle), ink, shift=indent, width=name_width)
        left, bars = 0.0, []
        for bar in row.bars:
            width = max(px(2) * self.x_per_pixel, bar.length / (row.full_length or 1))
            box = QRectF(
                left, middle - px(_BAR_HEIGHT) / 2, max(self.x_per_pixel, width - self.x_per_pixel), px(_BAR_HEIGHT)
            )
            self.mark_areas.append(MarkArea(bar.mark, box, QRectF(left, top, width, self._row_height)))
            bars.append((box, bar.tone))
            left += width
        self.add_bars(bars)
        for bar, (box, _) in zip(row.bars, bars, strict=True):
            self._add_bar_text(bar, box)
        end = QPointF(left, middle)
        self.add_text(row.total, end, ink, shift=px(6), bold=True)
        self.add_text(row.detail, end, self.theme.color("muted"), shift=self._total_width(row))

    def _add_bar_text(self, bar: PlotBar, box: QRectF) -> None:
        """Write the longest of a bar's texts that fits into it, if any does."""
        space = box.width() / self.x_per_pixel - self.theme.px(6)
        fitting = next((text for text in bar.texts if self.text_width(text, bold=True) <= space), None)
        if fitting is not None:
            self.add_text(fitting, box.center(), text_color_on(self.theme, bar.tone), side="middle", bold=True)

    def _letter_width(self, row: BarRow) -> int:
        """The width in pixels of a class's letter before the name."""
        return self.theme.px(LETTER_SIZE + GAP) if row.label is not None else 0

    def _total_width(self, row: BarRow) -> float:
        """The width in pixels from the last bar to the detail after the total."""
        return self.theme.px(6) + (self.text_width(row.total, bold=True) + self.theme.px(6) if row.total else 0.0)


class HistogramPanel(PlotPanel):
    """A row of thin bars for each distribution, all on one scale. x: bins."""

    def __init__(self, theme: Theme, histogram: Histogram, row_height: float) -> None:
        self._histogram, self._row_height = histogram, theme.px(row_height)
        self._has_means = any(row.mean is not None for row in histogram.rows)
        self._title_height = theme.px(_HISTOGRAM_TITLE_HEIGHT) if histogram.title or self._has_means else 0
        super().__init__(theme, float(self._title_height + self._row_height * len(histogram.rows)))
        self.add_axis(histogram.ticks)

    def lay_out(self, width: float, height: float) -> None:
        px, rows = self.theme.px, self._histogram.rows
        names = max((self.text_width(row.name) for row in rows), default=0.0)
        self._letter_width = px(LETTER_SIZE + GAP) if any(row.label is not None for row in rows) else 0
        self._shows_names = width > self._letter_width + names + px(200)
        ends = max((self.text_width(text) for _, text in self._histogram.ticks[-1:]), default=0.0) / 2
        self.left_margin = self._letter_width + (names + px(GAP) if names and self._shows_names else 0.0) or ends
        means = max((self.text_width(text) for text in ("mean", *(row.detail for row in rows))), default=0.0)
        self.right_margin = max(means + px(GAP) if self._has_means else 0.0, ends)
        self.show_range(float(self._histogram.bins), 0.0, height)
        start, end = -self.left_margin * self.x_per_pixel, self._histogram.bins + self.right_margin * self.x_per_pixel
        if self._title_height:
            middle = px(_HISTOGRAM_TITLE_HEIGHT) / 2
            self.add_text(self._histogram.title, QPointF(start, middle), self.theme.color("ink"), bold=True)
        if self._has_means:
            self.add_text("mean", QPointF(end, middle), self.theme.color("muted"), side="right")
        highest = max((bar.length for row in rows for bar in row.bars), default=1.0) or 1.0
        for index in range(len(rows)):
            self._add_row(index, highest, QPointF(start, 0), QPointF(end, 0))

    def _add_row(self, index: int, highest: float, start: QPointF, end: QPointF) -> None:
        theme, px, row = self.theme, self.theme.px, self._histogram.rows[index]
        base = float(self._title_height + self._row_height * (index + 1))
        ink, middle = theme.color("ink"), base - px(12)
        if row.label is not None:
            self.add_letter(row.label, QPointF(start.x(), middle))
        if self._shows_names:
            self.add_text(row.name, QPointF(start.x(), middle), ink, shift=self._letter_width)
        self.add_text(row.detail, QPointF(end.x(), middle), ink, side="right")
        bars = []
        for position, bar in enumerate(row.bars):
            if bar.length:
                height = max(px(2), (self._row_height - px(8)) * bar.length / highest)
                box = QRectF(position, base - height, max(self.x_per_pixel, 1 - self.x_per_pixel), height)
                hit_rect = QRectF(position, base - self._row_height, 1, self._row_height)
                self.mark_areas.append(MarkArea(bar.mark, box, hit_rect))
                bars.append((box, bar.tone))
        self.add_bars(bars)
        if index < len(self._histogram.rows) - 1:  # the axis is the base line of the last row
            self.add_line(QPointF(0, base), QPointF(self._histogram.bins, base), "line")
        if row.mean is not None:
            self.add_line(QPointF(row.mean, base - self._row_height + px(8)), QPointF(row.mean, base), "ink")


class LinePanel(PlotPanel):
    """One chart of a figure; the last chart has the axis.

    widest_tick: the longest tick text of all charts, so that they are aligned.
    """

    def __init__(self, theme: Theme, chart: LineChart, figure: LineFigure, widest_tick: str) -> None:
        super().__init__(theme)
        self._chart, self._figure, self._widest_tick = chart, figure, widest_tick
        self.setMinimumHeight(theme.px(60))

    def lay_out(self, width: float, height: float) -> None:
        theme, px, ticks = self.theme, self.theme.px, self._chart.ticks
        low, high = ticks[0][0], ticks[-1][0]
        last = max((self.text_width(text) for _, text in self._figure.ticks[-1:]), default=0.0)
        self.left_margin = self.text_width(self._widest_tick) + px(GAP)
        self.right_margin = max(px(12), last / 2)
        title, foot = px(_CHART_TITLE_HEIGHT), px(_CHART_FOOT_HEIGHT)
        self._y_per_pixel = (high - low) / max(1.0, height - title - foot)
        length = max(self._figure.length, 1)
        self.show_range(length, low - foot * self._y_per_pixel, high + title * self._y_per_pixel)
        start = QPointF(-self.left_margin * self.x_per_pixel, high + (title - px(9)) * self._y_per_pixel)
        self.add_text(self._chart.title, start, theme.color("ink"), bold=True)
        for value, text in ticks:
            self.add_line(QPointF(0, value), QPointF(length, value), "line")
            self.add_text(text, QPointF(0, value), theme.color("muted"), side="right", shift=-px(GAP))
        for x in self._figure.separators:
            self.add_line(QPointF(x, low), QPointF(x, high), "line", dashed=True)
        if (chance := self._chart.chance) is not None:
            self.add_line(QPointF(0, chance), QPointF(length, chance), "muted", dashed=True)
        for curve in self._chart.curves:
            self._add_curve(curve)

    def _add_curve(self, curve: tuple[CurvePoint, ...]) -> None:
        color, radius = tone_color(self.theme, self._chart.tone), self.theme.px(_DOT_RADIUS)
        pen = pg.mkPen(color, width=self.theme.px(2))
        self.add(pg.PlotCurveItem([point.x for point in curve], [point.y for point in curve], pen=pen, antialias=True))
        marked = [point for point in curve if point.mark is not None]
        if not marked:
            return
        fills = [color if point.is_filled else self.theme.color("card") for point in marked]
        self.add(pg.ScatterPlotItem(
            [point.x for point in marked], [point.y for point in marked], size=2 * radius, pen=pen,
            brush=[pg.mkBrush(fill) for fill in fills], antialias=True,
        ))  # fmt: skip
        low, high = self._chart.ticks[0][0], self._chart.ticks[-1][0]
        for point in marked:
            assert point.mark is not None
            right, up = radius * self.x_per_pixel, radius * self._y_per_pixel
            dot = QRectF(point.x - right, point.y - up, 2 * right, 2 * up)
            column = QRectF(point.x - 2 * right, low, 4 * right, high - low)
            self.mark_areas.append(MarkArea(point.mark, dot, column.united(dot)))


def round_ticks(total: int) -> list[tuple[float, str]]:
    """Round numbers from 0 to at most `total`, as (share of `total`, text)."""
    step = 1
    while total / step > _MAX_TICKS:
        step = step * 2 if str(step)[0] in "15" else step // 2 * 5  # 1, 2, 5, 10, 20, 50 ...
    return [(value / max(total, 1), f"{value:,}") for value in range(0, total + 1, step)]
