"""What a plot shows: marks, the words said of each, what is behind it, and the same numbers as a table.

Figures know nothing of pixels or of Qt; pages make them, `plot.Plot` draws them. Colours are tones, see `colors`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

Value = str | int | float


@dataclass(frozen=True, slots=True)
class PlotMark:
    """Something that can be pointed at, or a row of the table of numbers.

    `note` is the sentence said of it. `opens` is what choosing it asks for (such as a PairFilter), None for nothing.
    `values` is its row in the table: words, counts as int, shares as float from 0 to 1.
    """

    note: str
    opens: object = None
    values: tuple[Value, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """`columns` and `numbers` are the table behind the plot, `summary` the line below it while nothing is pointed at.

    `decimals`: of the shares in the table, which are shown in percent.
    """

    summary: str = ""
    columns: tuple[str, ...] = ()
    numbers: tuple[PlotMark, ...] = ()
    decimals: int = 0

    def marks(self) -> Iterator[PlotMark]:
        """All that can be pointed at in the plot, in reading order."""
        yield from ()


@dataclass(frozen=True, slots=True)
class PlotBar:
    """`texts`: what may stand in the bar, the longest first."""

    mark: PlotMark
    length: float
    tone: str
    texts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class BarRow:
    """Bars one after the other, on a row as long as `whole`. No bars: a heading.

    `label`: the class whose letter stands before the name, "" for none of the classes, None for no letter.
    `total` stands behind the last bar in bold, `after` behind that.
    """

    name: str
    bars: tuple[PlotBar, ...] = ()
    whole: float = 1
    after: str = ""
    total: str = ""
    label: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class BarFigure(Figure):
    """Rows of bars. `axis`: "" for none, "count" (all rows then have one `whole`), or "percent" of each row.

    `height`: of a row, in pixels as drawn.
    """

    rows: tuple[BarRow, ...]
    axis: str = ""
    height: int = 24

    def marks(self) -> Iterator[PlotMark]:
        return (bar.mark for row in self.rows for bar in row.bars)


@dataclass(frozen=True, slots=True)
class HistogramRow:
    """A distribution: a bar for each bin, as high as its `length`; bars of no length are left out.

    `mean`: in bins, None where it is not shown. `label`: as in BarRow.
    """

    bars: tuple[PlotBar, ...]
    name: str = ""
    label: str | None = None
    mean: float | None = None
    after: str = ""


@dataclass(frozen=True, slots=True)
class Histogram:
    """Rows over the same bins and on one scale. `ticks`: (place in bins, text)."""

    rows: tuple[HistogramRow, ...]
    bins: int
    ticks: tuple[tuple[float, str], ...]
    title: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class HistogramFigure(Figure):
    """Histograms side by side. `height`: of a row, in pixels as drawn."""

    histograms: tuple[Histogram, ...]
    height: int = 44

    def marks(self) -> Iterator[PlotMark]:
        return (bar.mark for one in self.histograms for row in one.rows for bar in row.bars if bar.length)


@dataclass(frozen=True, slots=True)
class HeatmapCell:
    """`share`: how strongly it is coloured, 0 to 1. `parts` make up the line at its foot, each a mark of its own."""

    mark: PlotMark
    text: str
    share: float = 0.0
    strong: bool = False
    parts: tuple[PlotBar, ...] = ()


@dataclass(frozen=True, slots=True)
class Heatmap:
    """Cells by row and column, which are classes ("" for none). `sums`: of the rows, the columns, and all, or none."""

    rows: tuple[str, ...]
    columns: tuple[str, ...]
    cells: tuple[tuple[HeatmapCell, ...], ...]
    sums: tuple[tuple[str, ...], tuple[str, ...], str] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class HeatmapFigure(Figure):
    """Heatmaps side by side, None for an empty place. `corner`: what rows and columns are. `dense`: letters alone."""

    heatmaps: tuple[Heatmap | None, ...]
    corner: str = ""
    dense: bool = False

    def marks(self) -> Iterator[PlotMark]:
        return (cell.mark for one in self.heatmaps if one for row in one.cells for cell in row)


@dataclass(frozen=True, slots=True)
class CurvePoint:
    """A point without a mark is only passed by its curve; `strong` ones are filled."""

    x: float
    y: float
    mark: PlotMark | None = None
    strong: bool = False


@dataclass(frozen=True, slots=True)
class LineChart:
    """Curves over x. `ticks` are values of y from the lowest shown to the highest; `height`: a share of the plot's."""

    title: str
    curves: tuple[tuple[CurvePoint, ...], ...]
    tone: str
    ticks: tuple[tuple[float, str], ...]
    height: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class LineFigure(Figure):
    """Charts one above the other, over x from 0 to `length`. `borders`: values of x where something else begins.

    `ticks`: (value of x, text); a text stands to the right of its border where there are borders.
    """

    charts: tuple[LineChart, ...]
    length: float
    ticks: tuple[tuple[float, str], ...] = ()
    borders: tuple[float, ...] = ()

    def marks(self) -> Iterator[PlotMark]:
        return (point.mark for one in self.charts for curve in one.curves for point in curve if point.mark)
