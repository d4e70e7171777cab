"""Classes against classes: cells coloured by their share of the row, with a line of parts at their foot."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QBrush

from desktop.ui.plots.colors import mixed
from desktop.ui.plots.figures import Heatmap, HeatmapCell, HeatmapFigure
from desktop.ui.plots.panel import GAP, LETTER, MarkArea, PlotPanel
from desktop.ui.services.display_names import NO_LABEL
from desktop.ui.theme import BODY, SMALL, Theme

_HEAD, _SUMS = 28.0, 28.0  # pixels as drawn
_CELL, _DENSE_CELL, _DENSE_WIDTH = 44.0, 28.0, 56.0
_WORDS = 480  # the width from which there is room for the classes' words
_STRONGEST = 0.4  # of the accent in a cell; text stays readable on it


class HeatmapPanel(PlotPanel):
    """Across: columns. The classes' words stand beside their letters where there is room."""

    def __init__(self, theme: Theme, heatmap: Heatmap | None, figure: HeatmapFigure, rows: int) -> None:
        self._shown, self._corner, self._dense = heatmap, figure.corner, figure.dense
        self._cell = theme.px(_DENSE_CELL if figure.dense else _CELL)
        sums = any(one is not None and one.sums for one in figure.heatmaps)
        super().__init__(theme, float(theme.px(_HEAD) + self._cell * rows + (theme.px(_SUMS) if sums else 0)))

    def lay_out(self, width: float, height: float) -> None:
        shown, px = self._shown, self.theme.px
        if shown is None:
            return
        self._words = not self._dense and width >= px(_WORDS)
        longest = max(self.width_of(label or NO_LABEL) for label in (*shown.rows, *shown.columns))
        self.gutter = float(px(LETTER + GAP))
        if self._words:
            self.gutter = max(self.gutter + longest, self.width_of(self._corner)) + px(12)
        self.room = self.width_of(shown.sums[2], size=SMALL) + px(16) if shown.sums else 0.0
        if self._dense:  # cells are no wider than they need be
            self.room = max(0.0, width - self.gutter - len(shown.columns) * px(_DENSE_WIDTH))
        self.show_range(float(len(shown.columns)), 0.0, height)
        start = -self.gutter * self.unit
        if self._words:
            corner = QPointF(start, px(_HEAD - 4) / 2)
            self.add_text(self._corner, corner, self.theme.color("muted"), width=self.gutter)
        for column, label in enumerate(shown.columns):
            self._add_head(label, column)
        for row, label in enumerate(shown.rows):
            middle = QPointF(start, px(_HEAD) + (row + 0.5) * self._cell - px(1.5))
            self.add_letter(label, middle)
            if self._words:
                self.add_text(label or NO_LABEL, middle, self.theme.color("ink"), shift=px(LETTER + GAP))
        self._add_cells(shown)
        if shown.sums:
            self._add_sums(shown, *shown.sums)

    def _add_head(self, label: str, column: int) -> None:
        px = self.theme.px
        wide = px(LETTER) + (px(6) + self.width_of(label) if self._words else 0)
        middle = QPointF(column + 0.5 - px(1.5) * self.unit, px(_HEAD - 4) / 2)
        self.add_letter(label, middle, shift=-wide / 2)
        if self._words:
            self.add_text(label, middle, self.theme.color("ink"), shift=px(LETTER + 6) - wide / 2)

    def _add_cells(self, shown: Heatmap) -> None:
        theme, px = self.theme, self.theme.px
        gap = px(3)
        boxes, brushes, pens, parts, texts = [], [], [], [], []
        for row, cells in enumerate(shown.cells):
            for column, cell in enumerate(cells):
                top = px(_HEAD) + row * self._cell
                box = QRectF(column, top, 1 - gap * self.unit, self._cell - gap)
                boxes.append(box)
                brushes.append(QBrush(mixed(theme.color("accent"), theme.color("card"), _STRONGEST * cell.share)))
                pens.append(theme.color("muted" if cell.strong else "line"))
                self.areas.append(MarkArea(cell.mark, box, box))
                parts += self._parts(cell, box)
                texts.append((cell, box))
        self.add_boxes(boxes, brushes, pens)
        self.add_bars(parts)
        for cell, box in texts:
            down = 0.0 if self._dense else px(3)
            color = theme.color("muted" if cell.text == "–" or cell.text == "0" else "ink")
            size = SMALL if self._dense else BODY
            at = box.center() - QPointF(0, down)
            self.add_text(cell.text, at, color, side="middle", bold=cell.strong, size=size)

    def _parts(self, cell: HeatmapCell, box: QRectF) -> list[tuple[QRectF, str]]:
        px, whole = self.theme.px, sum(part.length for part in cell.parts)
        left, width = box.left() + px(6) * self.unit, box.width() - px(12) * self.unit
        drawn = []
        for part in cell.parts:
            wide = width * part.length / whole
            bar = QRectF(left, box.bottom() - px(8), wide, px(4))
            self.areas.append(MarkArea(part.mark, bar, bar.adjusted(0, -px(3), 0, px(4)), part=True))
            drawn.append((bar, part.tone))
            left += wide
        return drawn

    def _add_sums(self, shown: Heatmap, rows: tuple[str, ...], columns: tuple[str, ...], total: str) -> None:
        px, muted = self.theme.px, self.theme.color("muted")
        right = len(shown.columns) + self.room * self.unit
        bottom = px(_HEAD) + len(shown.rows) * self._cell + px(_SUMS) / 2
        for row, text in enumerate(rows):
            middle = px(_HEAD) + (row + 0.5) * self._cell - px(1.5)
            self.add_text(text, QPointF(right, middle), muted, side="right")
        for column, text in enumerate(columns):
            self.add_text(text, QPointF(column + 0.5 - px(1.5) * self.unit, bottom), muted, side="middle")
        self.add_text(total, QPointF(right, bottom), muted, side="right")
