"""Rows of bars, and histograms."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF

from desktop.ui.plots.colors import text_color_on
from desktop.ui.plots.figures import BarFigure, BarRow, Histogram, PlotBar
from desktop.ui.plots.panel import GAP, LETTER, MarkArea, PlotPanel
from desktop.ui.theme import Theme

_BAR, _HEADING, _HEAD = 18.0, 32.0, 24.0  # pixels as drawn
_TICKS = 5


class BarPanel(PlotPanel):
    """Rows of bars with their names before and their totals behind. Across: shares of a row's whole."""

    def __init__(self, theme: Theme, figure: BarFigure) -> None:
        self._rows, self._row = figure.rows, theme.px(figure.height)
        heights = [self._row if row.bars else theme.px(_HEADING) for row in figure.rows]
        self._tops = [float(sum(heights[:index])) for index in range(len(heights))]
        super().__init__(theme, float(sum(heights)) + theme.px(2))
        if figure.axis:
            whole = max((row.whole for row in figure.rows if row.bars), default=1)
            percent = [(0.0, "0 %"), (0.5, "50 %"), (1.0, "100 %")]
            self.add_axis(percent if figure.axis == "percent" else round_ticks(int(whole)))

    def lay_out(self, width: float, height: float) -> None:
        px = self.theme.px
        rows = [row for row in self._rows if row.bars]
        names = max((self._indent(row) + self.width_of(row.name) for row in rows), default=0.0)
        self.gutter = min(names, width * 0.45) + px(GAP)
        self.room = max((self._behind(row) + self.width_of(row.after) for row in rows), default=0.0) + px(2)
        self.show_range(1.0, 0.0, height)
        for row, top in zip(self._rows, self._tops, strict=True):
            if row.bars:
                self._add_row(row, top)
            else:
                middle = QPointF(-self.gutter * self.unit, top + px((_HEADING + GAP) / 2))
                self.add_text(row.name, middle, self.theme.color("ink"), bold=True, width=width)

    def _add_row(self, row: BarRow, top: float) -> None:
        px, ink = self.theme.px, self.theme.color("ink")
        start, middle = -self.gutter * self.unit, top + self._row / 2
        if row.label is not None:
            self.add_letter(row.label, QPointF(start, middle))
        indent = self._indent(row)
        room = self.gutter - indent - px(GAP)
        self.add_text(row.name, QPointF(start, middle), ink, shift=indent, width=room)
        left, bars = 0.0, []
        for bar in row.bars:
            wide = max(px(2) * self.unit, bar.length / (row.whole or 1))
            drawn = QRectF(left, middle - px(_BAR) / 2, max(self.unit, wide - self.unit), px(_BAR))
            self.areas.append(MarkArea(bar.mark, drawn, QRectF(left, top, wide, self._row)))
            bars.append((drawn, bar.tone))
            left += wide
        self.add_bars(bars)
        for bar, (drawn, _) in zip(row.bars, bars, strict=True):
            self._add_words(bar, drawn)
        end = QPointF(left, middle)
        self.add_text(row.total, end, ink, shift=px(6), bold=True)
        self.add_text(row.after, end, self.theme.color("muted"), shift=self._behind(row))

    def _add_words(self, bar: PlotBar, drawn: QRectF) -> None:
        """The longest words that fit into a bar, if any."""
        space = drawn.width() / self.unit - self.theme.px(6)
        fitting = next((text for text in bar.texts if self.width_of(text, bold=True) <= space), None)
        if fitting is not None:
            self.add_text(fitting, drawn.center(), text_color_on(self.theme, bar.tone), side="middle", bold=True)

    def _indent(self, row: BarRow) -> int:
        """Pixels that a class' letter takes before the name."""
        return self.theme.px(LETTER + GAP) if row.label is not None else 0

    def _behind(self, row: BarRow) -> float:
        """Pixels from the last bar to what stands after the total."""
        return self.theme.px(6) + (self.width_of(row.total, bold=True) + self.theme.px(6) if row.total else 0.0)


class HistogramPanel(PlotPanel):
    """A row of thin bars for each distribution, all on one scale. Across: bins."""

    def __init__(self, theme: Theme, histogram: Histogram, row: float) -> None:
        self._shown, self._row = histogram, theme.px(row)
        self._means = any(one.mean is not None for one in histogram.rows)
        self._head = theme.px(_HEAD) if histogram.title or self._means else 0
        super().__init__(theme, float(self._head + self._row * len(histogram.rows)))
        self.add_axis(histogram.ticks)

    def lay_out(self, width: float, height: float) -> None:
        px, rows = self.theme.px, self._shown.rows
        names = max((self.width_of(row.name) for row in rows), default=0.0)
        self._letters = px(LETTER + GAP) if any(row.label is not None for row in rows) else 0
        self._names = width > self._letters + names + px(200)
        ends = max((self.width_of(text) for _, text in self._shown.ticks[-1:]), default=0.0) / 2
        self.gutter = self._letters + (names + px(GAP) if names and self._names else 0.0) or ends
        means = max((self.width_of(text) for text in ("mean", *(row.after for row in rows))), default=0.0)
        self.room = max(means + px(GAP) if self._means else 0.0, ends)
        self.show_range(float(self._shown.bins), 0.0, height)
        start, end = -self.gutter * self.unit, self._shown.bins + self.room * self.unit
        if self._head:
            middle = px(_HEAD) / 2
            self.add_text(self._shown.title, QPointF(start, middle), self.theme.color("ink"), bold=True)
        if self._means:
            self.add_text("mean", QPointF(end, middle), self.theme.color("muted"), side="right")
        most = max((bar.length for row in rows for bar in row.bars), default=1.0) or 1.0
        for index in range(len(rows)):
            self._add_row(index, most, QPointF(start, 0), QPointF(end, 0))

    def _add_row(self, index: int, most: float, start: QPointF, end: QPointF) -> None:
        theme, px, row = self.theme, self.theme.px, self._shown.rows[index]
        base = float(self._head + self._row * (index + 1))
        ink, middle = theme.color("ink"), base - px(12)
        if row.label is not None:
            self.add_letter(row.label, QPointF(start.x(), middle))
        if self._names:
            self.add_text(row.name, QPointF(start.x(), middle), ink, shift=self._letters)
        self.add_text(row.after, QPointF(end.x(), middle), ink, side="right")
        bars = []
        for place, bar in enumerate(row.bars):
            if bar.length:
                high = max(px(2), (self._row - px(8)) * bar.length / most)
                drawn = QRectF(place, base - high, max(self.unit, 1 - self.unit), high)
                self.areas.append(MarkArea(bar.mark, drawn, QRectF(place, base - self._row, 1, self._row)))
                bars.append((drawn, bar.tone))
        self.add_bars(bars)
        if index < len(self._shown.rows) - 1:  # the axis is the line of the last one
            self.add_line(QPointF(0, base), QPointF(self._shown.bins, base), "line")
        if row.mean is not None:
            self.add_line(QPointF(row.mean, base - self._row + px(8)), QPointF(row.mean, base), "ink")


def round_ticks(whole: int) -> list[tuple[float, str]]:
    """Round numbers from 0 to at most `whole`, as (share of `whole`, text)."""
    step = 1
    while whole / step > _TICKS:
        step = step * 2 if str(step)[0] in "15" else step // 2 * 5  # 1, 2, 5, 10, 20, 50 ...
    return [(value / max(whole, 1), f"{value:,}") for value in range(0, whole + 1, step)]
