"""The plot of a data map: variability across, confidence upwards, coloured by correctness; pairs are selected in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QImage, QPainter
from PySide6.QtWidgets import QWidget

from desktop.jobs.lab.experiments.map_axes import MapAxis, map_axes
from desktop.translation import tr
from desktop.ui.pages.experiments.data_map_raster import MapPoints, paint_points
from desktop.ui.plots.selectable_points import ImagePoints, SelectablePoints, faded
from desktop.ui.theme import SMALL, Theme
from miner.libraries import NDArray, np

if TYPE_CHECKING:
    from desktop.jobs.lab.experiments.experiment_map import ExperimentMap

_LEFT, _BOTTOM, _TOP, _RIGHT = 48, 44, 26, 12  # unscaled pixels around the points and their histograms
_HISTOGRAM = 36  # unscaled pixels, at most
_GAP = 4
_BINS = 50
_DOT_RADIUS, _DOT_RADIUS_OF_FEW = 1.6, 2.8
_FEW = 2_000  # points


class DataMapPlot(SelectablePoints):
    """Shows a map: `SelectablePoints` of its pairs."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, tr("Data map"), parent)
        self._map: ExperimentMap | None = None
        self._axes: tuple[MapAxis, MapAxis] | None = None  # of the map
        self._histograms: tuple[NDArray[np.float64], NDArray[np.float64]] | None = None

    def show_map(self, found: ExperimentMap | None) -> None:
        """Show a map without a selection; None clears the plot."""

        self._map, self._shown, self._selected = found, None, None
        self._axes = None if found is None else map_axes(found.data)
        self._set_current(-1)
        self._count()
        self._paint_again()

    def show_only(self, shown: NDArray[np.bool_] | None) -> None:
        super().show_only(shown)
        self._count()

    # Where things are

    def points_rect(self) -> QRectF:
        """The area of the points, from no variability and no confidence at its lower left corner."""
        px = self._theme.px
        beside = self._histogram_height() + px(_GAP)
        return QRectF(self.rect()).adjusted(px(_LEFT), px(_TOP) + beside, -px(_RIGHT) - beside, -px(_BOTTOM))

    def _histogram_height(self) -> int:
        """The height of the histograms in pixels; less where the points would lack room."""
        return min(self._theme.px(_HISTOGRAM), self.height() // 12)

    def _coordinates(self) -> tuple[NDArray[np.float64], NDArray[np.float64]] | None:
        if self._map is None or self._axes is None:
            return None
        return self._map.data.variability / self._axes[0].length, self._map.data.confidence

    # Painting

    def _count(self) -> None:
        """Count the histograms beside the map."""

        self._histograms = None
        if self._map is not None and self._axes is not None:
            data = self._map.data
            shown = slice(None) if self._shown is None else self._shown
            across, _ = np.histogram(data.variability[shown], _BINS, (0, self._axes[0].length))
            upwards, _ = np.histogram(data.confidence[shown], _BINS, (0, self._axes[1].length))
            self._histograms = across.astype(np.float64), upwards.astype(np.float64)

    def _points_image(self, points: ImagePoints) -> QImage:
        assert self._map is not None
        x, y, places, size, scale = points
        selected = None if self._selected is None else self._selected[places]
        radius = max(1.0, scale * (_DOT_RADIUS_OF_FEW if len(places) < _FEW else _DOT_RADIUS))
        return paint_points(MapPoints(x, y, self._map.data.correctness[places]), selected, size, radius, self._theme)

    def _paint_around(self, painter: QPainter, area: QRectF) -> None:
        self._paint_axes(painter, area)
        self._paint_histograms(painter, area)
        self._paint_regions(painter, area)
        self._paint_legend(painter, area)

    def _paint_axes(self, painter: QPainter, area: QRectF) -> None:
        assert self._axes is not None
        theme, px = self._theme, self._theme.px
        across, upwards = self._axes
        painter.setFont(theme.font(SMALL))
        painter.setPen(theme.color("muted"))
        height = QFontMetricsF(theme.font(SMALL)).height()
        for share, text in upwards.ticks:
            y = area.bottom() - share * area.height()
            box = QRectF(0, y - height / 2, area.left() - px(6), height)
            painter.drawText(box, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, text)
        for share, text in across.ticks:
            x = area.left() + share * area.width()
            box = QRectF(x - px(24), area.bottom() + px(4), px(48), height)
            painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)
        below = QRectF(area.left(), area.bottom() + px(4) + height, area.width(), height + px(2))
        painter.drawText(below, Qt.AlignmentFlag.AlignCenter, across.meaning)
        painter.save()
        painter.translate(px(2), area.center().y())
        painter.rotate(-90)
        length = area.height() + px(80)
        meaning = painter.fontMetrics().elidedText(upwards.meaning, Qt.TextElideMode.ElideRight, int(length))
        painter.drawText(QRectF(-length / 2, 0, length, height), Qt.AlignmentFlag.AlignCenter, meaning)
        painter.restore()

    def _paint_histograms(self, painter: QPainter, area: QRectF) -> None:
        if self._histograms is None:
            return
        px = self._theme.px
        across, upwards = self._histograms
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(faded(self._theme.color("muted"), 0.45))
        most = max(across.max(), 1.0)
        for number, count in enumerate(across.tolist()):
            height = count / most * self._histogram_height()
            left = area.left() + number / _BINS * area.width()
            painter.drawRect(QRectF(left, area.top() - px(_GAP) - height, area.width() / _BINS - 1, height))
        most = max(upwards.max(), 1.0)
        for number, count in enumerate(upwards.tolist()):
            width = count / most * self._histogram_height()
            top = area.bottom() - (number + 1) / _BINS * area.height()
            painter.drawRect(QRectF(area.right() + px(_GAP), top, width, area.height() / _BINS - 1))
        painter.restore()

    def _paint_regions(self, painter: QPainter, area: QRectF) -> None:
        """Paint the papers' names for the regions of the map."""
        theme, px = self._theme, self._theme.px
        painter.setFont(theme.font(SMALL, bold=True))
        metrics = QFontMetricsF(theme.font(SMALL, bold=True))
        inner = area.adjusted(px(8), px(8), -px(8), -px(8))
        places = (
            (tr("easy to learn"), Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignRight),
            ("ambiguous", Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight),
            (tr("hard to learn"), Qt.AlignmentFlag.AlignBottom | Qt.AlignmentFlag.AlignRight),
        )
        for text, side in places:
            box = metrics.boundingRect(inner, int(side), text).adjusted(-px(4), -px(1), px(4), px(1))
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(faded(theme.color("card"), 0.8))
            painter.drawRoundedRect(box, px(4), px(4))
            painter.setPen(theme.color("muted"))
            painter.drawText(inner, int(side), text)

    def _paint_legend(self, painter: QPainter, area: QRectF) -> None:
        """Paint the legend of colours, from labels that were never predicted to labels that always were."""
        assert self._map is not None
        theme, px = self._theme, self._theme.px
        font = theme.font(SMALL)
        metrics = QFontMetricsF(font)
        painter.setFont(font)
        epochs = self._map.epochs
        levels = range(epochs + 1) if epochs <= 10 else range(0, epochs + 1, -(-epochs // 10))
        left, middle = area.left(), px(4) + metrics.height() / 2
        for text in (tr("Epochs after which the label was predicted: none"), None, "all"):
            if text is not None:
                painter.setPen(theme.color("muted"))
                width = metrics.horizontalAdvance(text)
                painter.drawText(QRectF(left, px(4), width + 2, metrics.height()), Qt.AlignmentFlag.AlignVCenter, text)
                left += width + px(8)
                continue
            painter.setPen(Qt.PenStyle.NoPen)
            for level in levels:
                painter.setBrush(theme.scale_color(level / epochs))
                painter.drawEllipse(QPointF(left + px(5), middle), px(4), px(4))
                left += px(12)
            left += px(4)
