"""What a plot shows, as data: marks, a sentence for each, what it opens, and the numbers behind the plot as a table.

Figures know nothing of pixels or Qt: pages make them, `plot.Plot` draws them. A tone is a colour by meaning: the name
of a class, one of the theme's ("accent", "muted", "warning", "bad"), or one of the tones below.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

ABSENT_TONE = "absent"  # missing, or not there yet
HALF_TONE = "half"  # between ABSENT_TONE and the accent
NO_LABEL_TONE = "none"  # hatched, so that it does not look like a class

Value = str | int | float


@dataclass(frozen=True, slots=True)
class PlotMark:
    """A part of a plot that can be pointed at and activated, and a row of the table of numbers.

    note: the sentence shown for it. opens: what activating it opens (such as a PairFilter), None for nothing.
    values: its row in the table: texts, counts (int), and shares (float, 0 to 1).
    """

    note: str
    opens: object = None
    values: tuple[Value, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """Base of all figures.

    summary: the line below the plot while nothing is pointed at. columns, numbers: the table behind the plot.
    decimals: of the percentages in the table; 0 for `desktop.text.percent`.
    """

    summary: str = ""
    columns: tuple[str, ...] = ()
    numbers: tuple[PlotMark, ...] = ()
    decimals: int = 0

    def marks(self) -> Iterator[PlotMark]:
        """All marks of the plot, in reading order."""
        yield from ()


@dataclass(frozen=True, slots=True)
class PlotBar:
    """A bar. texts: what may be written in it, the longest first; the first that fits is drawn."""

    mark: PlotMark
    length: float
    tone: str
    texts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class BarRow:
    """Bars end to end. A row without bars is a heading.

    full_length: the length that fills the width of the plot.
    total: in bold behind the last bar. detail: behind the total.
    label: the class whose letter is drawn before the name, "" for "no label", None for no letter.
    """

    name: str
    bars: tuple[PlotBar, ...] = ()
    full_length: float = 1
    detail: str = ""
    total: str = ""
    label: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class BarFigure(Figure):
    """Rows of bars.

    axis: "" for none, "count" (all rows have the same `full_length`), or "percent" of each row.
    row_height: in unscaled pixels.
    """

    rows: tuple[BarRow, ...]
    axis: str = ""
    row_height: int = 24

    def marks(self) -> Iterator[PlotMark]:
        return (bar.mark for row in self.rows for bar in row.bars)


@dataclass(frozen=True, slots=True)
class PlotPoint:
    """A value, drawn as a bar from 0. low, high: of its interval. text: behind it, such as stars."""

    mark: PlotMark
    value: float
    tone: str = "accent"
    low: float | None = None
    high: float | None = None
    text: str = ""


@dataclass(frozen=True, slots=True)
class PointRow:
    """Values one below the other. A row without values is a heading. total, detail: at the end of the row."""

    name: str
    points: tuple[PlotPoint, ...] = ()
    detail: str = ""
    total: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PointFigure(Figure):
    """Rows of values with intervals, on one scale.

    ticks: (value, text), from the lowest value of the scale to the highest. series: name and tone of each value of a
    row, shown above the rows; () for one value.
    """

    rows: tuple[PointRow, ...]
    ticks: tuple[tuple[float, str], ...]
    series: tuple[tuple[str, str], ...] = ()

    def marks(self) -> Iterator[PlotMark]:
        return (point.mark for row in self.rows for point in row.points)


@dataclass(frozen=True, slots=True)
class HistogramRow:
    """A distribution: a bar for each bin, `length` being its height. Bars of length 0 are not drawn.

    mean: in bins, None if it is not shown. detail: at the end of the row. label: as in BarRow.
    """

    bars: tuple[PlotBar, ...]
    name: str = ""
    label: str | None = None
    mean: float | None = None
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Histogram:
    """Rows with the same bins and the same scale. ticks: (position in bins, text)."""

    rows: tuple[HistogramRow, ...]
    bins: int
    ticks: tuple[tuple[float, str], ...]
    title: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class HistogramFigure(Figure):
    """Histograms side by side. row_height: in unscaled pixels."""

    histograms: tuple[Histogram, ...]
    row_height: int = 44

    def marks(self) -> Iterator[PlotMark]:
        return (bar.mark for histogram in self.histograms for row in histogram.rows for bar in row.bars if bar.length)


@dataclass(frozen=True, slots=True)
class HeatmapCell:
    """A cell. share: how strongly it is coloured, 0 to 1, by its tone.

    parts: of a thin bar at its foot, each a mark of its own.
    """

    mark: PlotMark
    text: str
    share: float = 0.0
    is_bold: bool = False
    parts: tuple[PlotBar, ...] = ()
    tone: str = "accent"


@dataclass(frozen=True, slots=True)
class Heatmap:
    """Cells by row and column. Rows and columns are classes, "" for "no label"; or plain names.

    cells: of each row; rows may be shorter than there are columns.
    sums: texts for the rows, for the columns, and for the whole; None for no sums.
    """

    rows: tuple[str, ...]
    columns: tuple[str, ...]
    cells: tuple[tuple[HeatmapCell, ...], ...]
    sums: tuple[tuple[str, ...], tuple[str, ...], str] | None = None
    are_classes: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class HeatmapFigure(Figure):
    """Heatmaps side by side, None for an empty place.

    corner: what the rows and the columns are. is_compact: small cells, and classes by letter only. is_upright: plain
    names of columns are written upwards.
    """

    heatmaps: tuple[Heatmap | None, ...]
    corner: str = ""
    is_compact: bool = False
    is_upright: bool = False

    def marks(self) -> Iterator[PlotMark]:
        return (cell.mark for heatmap in self.heatmaps if heatmap for row in heatmap.cells for cell in row)


@dataclass(frozen=True, slots=True)
class CurvePoint:
    """A point of a curve. Only a point with a mark is drawn as a dot; `is_filled`: the dot is filled."""

    x: float
    y: float
    mark: PlotMark | None = None
    is_filled: bool = False


@dataclass(frozen=True, slots=True)
class LineChart:
    """Curves over x.

    ticks: (value of y, text), from the bottom of the chart to its top. stretch: the chart's share of the height.
    chance: the y of a dashed line that curves are compared with.
    """

    title: str
    curves: tuple[tuple[CurvePoint, ...], ...]
    tone: str
    ticks: tuple[tuple[float, str], ...]
    stretch: int = 1
    chance: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LineFigure(Figure):
    """Charts one above the other, over x from 0 to `length`.

    ticks: (value of x, text). separators: values of x with a dashed vertical line.
    """

    charts: tuple[LineChart, ...]
    length: float
    ticks: tuple[tuple[float, str], ...] = ()
    separators: tuple[float, ...] = ()

    def marks(self) -> Iterator[PlotMark]:
        return (point.mark for chart in self.charts for curve in chart.curves for point in curve if point.mark)
