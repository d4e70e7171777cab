"""The plot of pairs at one layer of a model: a point for each pair, coloured by categories, label or relation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QImage, QPainter
from PySide6.QtWidgets import QWidget

from desktop.jobs.lab.layers.groups_shown import ColoredPairs, ShownGroup, colored_pairs, unit_points
from desktop.translation import tr
from desktop.ui.plots.point_raster import FAINT_OPACITY, OPACITY, add_points, blank_canvas, rgb, to_image
from desktop.ui.plots.selectable_points import ImagePoints, SelectablePoints
from desktop.ui.theme import LETTERS, SMALL, Theme
from miner.lab.layers.layer_embedding import GroupedBy
from miner.libraries import NDArray, np

if TYPE_CHECKING:
    from desktop.jobs.lab.layers.embedding import KindsEmbedding

_MARGIN, _LINE = 8, 18  # unscaled pixels
_DOT_RADIUS = 2.2
_REST_OPACITY = 0.35


class EmbeddingPlot(SelectablePoints):
    """Shows one layer of an embedding at a time: `SelectablePoints` of its pairs, with a legend above."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, tr("Pairs at a layer of the model"), parent)
        self._embedding: KindsEmbedding | None = None
        self._points: tuple[NDArray[np.float64], NDArray[np.float64]] | None = None
        self._colored: ColoredPairs | None = None
        self._category_names: dict[str, str] = {}
        self.layer = 0
        self.by = GroupedBy.CATEGORY

    def show_embedding(self, found: KindsEmbedding | None, names: dict[str, str]) -> None:
        """Show an embedding without a selection, at its last layer; None clears the plot. names: of categories."""
        self._embedding, self._shown, self._selected = found, None, None
        self._category_names = names
        self._set_current(-1)
        self.layer = 0 if found is None else found.layer_count - 1
        self._place()
        self.color_by(self.by)

    def show_layer(self, layer: int) -> None:
        self.layer = layer
        self._place()
        self._paint_again()

    def color_by(self, by: GroupedBy) -> None:
        self.by = by
        self._colored = None if self._embedding is None else colored_pairs(self._embedding.pairs, by)
        self.updateGeometry()
        self._paint_again()

    def legend(self) -> list[tuple[str, QColor]]:
        """The groups with their numbers of pairs, and the colours in which their points are drawn."""
        rows = []
        for group in self._colored.groups if self._colored is not None else ():
            color = QColor(self._color(group))
            color.setAlphaF(_REST_OPACITY if group.color is None else OPACITY)
            rows.append((f"{self._group_name(group.text)} {group.pairs:,}", color))
        return rows

    def points_rect(self) -> QRectF:
        px = self._theme.px
        rows = self._legend_rows()
        top = px(_MARGIN) + (rows[-1][2].bottom() if rows else 0)
        area = QRectF(self.rect()).adjusted(px(_MARGIN), top, -px(_MARGIN), -px(_MARGIN))
        side = max(1.0, min(area.width(), area.height()))  # distances across and upwards are alike
        return QRectF(area.center().x() - side / 2, area.top() + (area.height() - side) / 2, side, side)

    def _coordinates(self) -> tuple[NDArray[np.float64], NDArray[np.float64]] | None:
        return self._points

    def _place(self) -> None:
        if self._embedding is None:
            self._points = None
            return
        placed = unit_points(self._embedding.layers.points[self.layer].astype("f8"))
        self._points = placed[:, 0], 1 - placed[:, 1]  # as the file has them: downwards

    def _group_name(self, text: str) -> str:
        if self.by is not GroupedBy.CATEGORY:
            return text[:1].upper() + text[1:]
        return " + ".join(self._category_names.get(name, name.capitalize()) for name in text.split(" + "))

    def _color(self, group: ShownGroup) -> QColor:
        if group.color is None:
            return self._theme.color("muted")
        if self.by is not GroupedBy.CATEGORY and group.text in LETTERS:
            return self._theme.label_text_color(group.text)
        return QColor(group.color)

    # Painting

    def _paint_around(self, painter: QPainter, area: QRectF) -> None:
        painter.setFont(self._theme.font(SMALL))
        for text, color, box in self._legend_rows():
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(color)
            middle = QPointF(box.left() + self._theme.px(5), box.center().y())
            painter.drawEllipse(middle, self._theme.px(4), self._theme.px(4))
            painter.setPen(self._theme.color("ink"))
            inner = box.adjusted(self._theme.px(13), 0, 0, 0)
            painter.drawText(inner, Qt.AlignmentFlag.AlignVCenter, text)

    def _points_image(self, points: ImagePoints) -> QImage:
        assert self._colored is not None
        canvas = blank_canvas(points.size, self._theme.color("card"))
        shades = np.array([rgb(self._color(group)) for group in self._colored.groups])
        rest = np.array([group.color is None for group in self._colored.groups])
        groups = self._colored.colors[points.places]
        is_rest = rest[groups]
        is_chosen = np.ones(len(groups), np.bool_) if self._selected is None else self._selected[points.places]
        radius = max(1.0, _DOT_RADIUS * points.scale)
        for which, opacity in (
            (~is_chosen, FAINT_OPACITY),
            (is_chosen & is_rest, _REST_OPACITY),
            (is_chosen & ~is_rest, OPACITY),
        ):
            if which.any():
                add_points(canvas, points.x[which], points.y[which], shades[groups[which]], radius, opacity)
        return to_image(canvas)

    def _legend_rows(self) -> list[tuple[str, QColor, QRectF]]:
        """The legend's texts with their colours and places, in as many rows as they need."""
        px, metrics = self._theme.px, QFontMetricsF(self._theme.font(SMALL))
        left, top = float(px(_MARGIN)), float(px(4))
        found: list[tuple[str, QColor, QRectF]] = []
        for text, color in self.legend():
            width = metrics.horizontalAdvance(text) + px(18)
            if found and left + width > self.width() - px(_MARGIN):
                left, top = float(px(_MARGIN)), top + px(_LINE)
            found.append((text, color, QRectF(left, top, width, px(_LINE))))
            left += width + px(8)
        return found
