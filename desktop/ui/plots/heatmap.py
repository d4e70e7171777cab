"""Panels with classes or names against each other: cells coloured by their share, a thin bar of parts at their foot."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QBrush, QFontMetricsF

from desktop.ui.plots.figures import Heatmap, HeatmapCell, HeatmapFigure
from desktop.ui.plots.panel import GAP, LETTER_SIZE, MarkArea, PlotPanel, blend, tone_color
from desktop.ui.services.display_names import NO_LABEL
from desktop.ui.theme import BODY, SMALL, Theme

# In unscaled pixels:
_HEADER_HEIGHT = 28.0
_SUMS_HEIGHT = 28.0
_CELL_HEIGHT = 44.0
_COMPACT_CELL_HEIGHT = 28.0
_COMPACT_CELL_WIDTH = 56.0
_NAME_MAX_WIDTH = 170  # of a row's plain name
_NAMES_MIN_WIDTH = 480  # of the panel, for the names of the classes beside their letters

_MAX_ACCENT_SHARE = 0.4  # of a cell's colour; text stays readable on it


class HeatmapPanel(PlotPanel):
    """One heatmap of a figure. x: columns. rows: of the largest heatmap of the figure."""

    def __init__(self, theme: Theme, heatmap: Heatmap | None, figure: HeatmapFigure, rows: int) -> None:
        self._heatmap, self._corner, self._is_compact = heatmap, figure.corner, figure.is_compact
        self._row_height = theme.px(_COMPACT_CELL_HEIGHT if figure.is_compact else _CELL_HEIGHT)
        self._header_height = theme.px(_HEADER_HEIGHT)
        self._is_upright = figure.is_upright
        if figure.is_upright and heatmap is not None:
            metrics = QFontMetricsF(theme.font(SMALL))
            self._header_height = round(max(map(metrics.horizontalAdvance, heatmap.columns), default=0)) + theme.px(GAP)
        has_sums = any(one is not None and one.sums for one in figure.heatmaps)
        sums_height = theme.px(_SUMS_HEIGHT) if has_sums else 0
        super().__init__(theme, float(self._header_height + self._row_height * rows + sums_height))

    def lay_out(self, width: float, height: float) -> None:
        heatmap, px = self._heatmap, self.theme.px
        if heatmap is None:
            return
        if not heatmap.are_classes:
            self._lay_out_names(heatmap, height)
            return
        self._shows_names = not self._is_compact and width >= px(_NAMES_MIN_WIDTH)
        longest = max(self.text_width(label or NO_LABEL) for label in (*heatmap.rows, *heatmap.columns))
        self.left_margin = float(px(LETTER_SIZE + GAP))
        if self._shows_names:
            self.left_margin = max(self.left_margin + longest, self.text_width(self._corner)) + px(12)
        self.right_margin = self.text_width(heatmap.sums[2], size=SMALL) + px(16) if heatmap.sums else 0.0
        if self._is_compact:  # cells are no wider than their text needs
            self.right_margin = max(0.0, width - self.left_margin - len(heatmap.columns) * px(_COMPACT_CELL_WIDTH))
        self.show_range(float(len(heatmap.columns)), 0.0, height)
        start = -self.left_margin * self.x_per_pixel
        if self._shows_names:
            corner = QPointF(start, px(_HEADER_HEIGHT - 4) / 2)
            self.add_text(self._corner, corner, self.theme.color("muted"), width=self.left_margin)
        for column, label in enumerate(heatmap.columns):
            self._add_column_header(label, column)
        for row, label in enumerate(heatmap.rows):
            middle = QPointF(start, self._header_height + (row + 0.5) * self._row_height - px(1.5))
            self.add_letter(label, middle)
            if self._shows_names:
                self.add_text(label or NO_LABEL, middle, self.theme.color("ink"), shift=px(LETTER_SIZE + GAP))
        self._add_cells(heatmap)
        if heatmap.sums:
            self._add_sums(heatmap, *heatmap.sums)

    def _lay_out_names(self, heatmap: Heatmap, height: float) -> None:
        """Lay out the names of rows and columns instead of letters, cut where they lack room."""
        px, ink = self.theme.px, self.theme.color("ink")
        name_width = min(px(_NAME_MAX_WIDTH), max(self.text_width(name, size=BODY) for name in heatmap.rows))
        self.left_margin = float(name_width + px(12))
        self.show_range(float(len(heatmap.columns)), 0.0, height)
        start, cell_width = -self.left_margin * self.x_per_pixel, 1 / self.x_per_pixel
        for column, name in enumerate(heatmap.columns):
            if self._is_upright:
                self.add_text(name, QPointF(column + 0.5, self._header_height - px(4)), ink, is_upright=True)
                continue
            at = QPointF(column + 0.5, px(_HEADER_HEIGHT - 4) / 2)
            width = min(cell_width - px(8), self.text_width(name))
            self.add_text(name, at - QPointF(width / 2 * self.x_per_pixel, 0), ink, width=width)
        for row, name in enumerate(heatmap.rows):
            at = QPointF(start, self._header_height + (row + 0.5) * self._row_height - px(1.5))
            self.add_text(name, at, ink, size=BODY, width=name_width)
        self._add_cells(heatmap)

    def _add_column_header(self, label: str, column: int) -> None:
        px = self.theme.px
        width = px(LETTER_SIZE) + (px(6) + self.text_width(label) if self._shows_names else 0)
        middle = QPointF(column + 0.5 - px(1.5) * self.x_per_pixel, px(_HEADER_HEIGHT - 4) / 2)
        self.add_letter(label, middle, shift=-width / 2)
        if self._shows_names:
            self.add_text(label, middle, self.theme.color("ink"), shift=px(LETTER_SIZE + 6) - width / 2)

    def _add_cells(self, heatmap: Heatmap) -> None:
        theme, px = self.theme, self.theme.px
        gap = px(3)
        boxes, brushes, pens, parts, texts = [], [], [], [], []
        for row, cells in enumerate(heatmap.cells):
            for column, cell in enumerate(cells):
                top = self._header_height + row * self._row_height
                box = QRectF(column, top, 1 - gap * self.x_per_pixel, self._row_height - gap)
                boxes.append(box)
                brushes.append(
                    QBrush(blend(tone_color(theme, cell.tone), theme.color("card"), _MAX_ACCENT_SHARE * cell.share))
                )
                pens.append(theme.color("muted" if cell.is_bold else "line"))
                self.mark_areas.append(MarkArea(cell.mark, box, box))
                parts += self._add_parts(cell, box)
                texts.append((cell, box))
        self.add_boxes(boxes, brushes, pens)
        self.add_bars(parts)
        for cell, box in texts:
            down = 0.0 if self._is_compact else px(3)
            color = theme.color("muted" if cell.text == "–" or cell.text == "0" else "ink")
            size = SMALL if self._is_compact else BODY
            at = box.center() - QPointF(0, down)
            self.add_text(cell.text, at, color, side="middle", bold=cell.is_bold, size=size)

    def _add_parts(self, cell: HeatmapCell, box: QRectF) -> list[tuple[QRectF, str]]:
        """Add the marks of a cell's parts, and return their bars and tones."""
        px, total = self.theme.px, sum(part.length for part in cell.parts)
        left, full_width = box.left() + px(6) * self.x_per_pixel, box.width() - px(12) * self.x_per_pixel
        drawn = []
        for part in cell.parts:
            width = full_width * part.length / total
            bar = QRectF(left, box.bottom() - px(8), width, px(4))
            self.mark_areas.append(MarkArea(part.mark, bar, bar.adjusted(0, -px(3), 0, px(4)), is_part=True))
            drawn.append((bar, part.tone))
            left += width
        return drawn

    def _add_sums(self, heatmap: Heatmap, rows: tuple[str, ...], columns: tuple[str, ...], total: str) -> None:
        px, muted = self.theme.px, self.theme.color("muted")
        right = len(heatmap.columns) + self.right_margin * self.x_per_pixel
        bottom = self._header_height + len(heatmap.rows) * self._row_height + px(_SUMS_HEIGHT) / 2
        for row, text in enumerate(rows):
            middle = self._header_height + (row + 0.5) * self._row_height - px(1.5)
            self.add_text(text, QPointF(right, middle), muted, side="right")
        for column, text in enumerate(columns):
            self.add_text(text, QPointF(column + 0.5 - px(1.5) * self.x_per_pixel, bottom), muted, side="middle")
        self.add_text(total, QPointF(right, bottom), muted, side="right")
