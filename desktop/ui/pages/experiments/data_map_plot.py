"""The plot of a data map: variability across, confidence upwards, coloured by correctness; pairs are selected in it."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal, Slot
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QFontMetricsF,
    QImage,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPolygonF,
    QResizeEvent,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from desktop.ui.pages.experiments.data_map_raster import MapPoints, paint_points
from desktop.ui.theme import SMALL, Theme

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from desktop.jobs.experiments.experiment_map import ExperimentMap

_LEFT, _BOTTOM, _TOP, _RIGHT = 48, 44, 26, 12  # unscaled pixels around the points and their histograms
_HISTOGRAM = 36  # unscaled pixels, at most
_GAP = 4
_BINS = 50
_DOT_RADIUS = 1.6
_HIT_RADIUS = 9
_DRAG_FROM = 4  # a shorter way is a click
_TICK = 0.1
_FAR_STEP = 40  # unscaled pixels, with Shift
_DIRECTIONS = {
    Qt.Key.Key_Right: (1, 0),
    Qt.Key.Key_Left: (-1, 0),
    Qt.Key.Key_Down: (0, 1),
    Qt.Key.Key_Up: (0, -1),
}
_ACTIVATION_KEYS = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space)


class SelectionTool(StrEnum):
    """What dragging over the map draws."""

    LASSO = "lasso"
    RECTANGLE = "rectangle"


class DataMapPlot(QWidget):
    """Shows a map. Dragging draws around pairs and emits `drawn` with those inside; Escape emits `cleared`.

    The mouse or the arrow keys make a pair current; a click or Enter emits `activated`.
    """

    current_changed = Signal(int)  # the place of a pair in the map, -1 for none
    activated = Signal(int)
    drawn = Signal(object)  # a mask over the map's pairs
    cleared = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._map: ExperimentMap | None = None
        self._shown: NDArray[np.bool_] | None = None  # None: all
        self._selected: NDArray[np.bool_] | None = None
        self._image: QImage | None = None
        self._widest = 0.5
        self._ends: list[QPointF] = []  # what is being drawn
        self._pressed_at: QPointF | None = None
        self._histograms: tuple[NDArray[np.float64], NDArray[np.float64]] | None = None
        self.current = -1
        self.tool = SelectionTool.LASSO
        self.setAccessibleName("Data map")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMinimumSize(theme.px(280), theme.px(180))
        theme.changed.connect(self._paint_again)

    def sizeHint(self) -> QSize:
        return QSize(self._theme.px(640), self._theme.px(420))

    def show_map(self, found: ExperimentMap | None) -> None:
        """Show a map without a selection; None for none."""
        import numpy as np

        self._map, self._shown, self._selected = found, None, None
        if found is not None:
            self._widest = max(_TICK, float(np.ceil(found.data.variability.max() / _TICK - 1e-9)) * _TICK)
        self._set_current(-1)
        self._count()
        self._paint_again()

    def show_only(self, shown: NDArray[np.bool_] | None) -> None:
        """Show only some of the pairs; None for all."""
        self._shown = shown
        if shown is not None and self.current >= 0 and not shown[self.current]:
            self._set_current(-1)
        self._count()
        self._paint_again()

    def select(self, selected: NDArray[np.bool_] | None) -> None:
        """Make pairs stand out; None for none."""
        self._selected = selected
        self._paint_again()

    # Where things are

    def points_rect(self) -> QRectF:
        """The area of the points, from no variability and no confidence at its lower left corner."""
        px = self._theme.px
        beside = self._histogram_height() + px(_GAP)
        return QRectF(self.rect()).adjusted(px(_LEFT), px(_TOP) + beside, -px(_RIGHT) - beside, -px(_BOTTOM))

    def _histogram_height(self) -> int:
        """In pixels; less where the points would lack room."""
        return min(self._theme.px(_HISTOGRAM), self.height() // 12)

    def place_at(self, at: QPointF) -> int:
        """The nearest shown pair to a point of the widget; -1 if there is none near."""
        import numpy as np

        x, y, places = self._shown_points()
        if not len(places):
            return -1
        distances = (x - at.x()) ** 2 + (y - at.y()) ** 2
        nearest = int(np.argmin(distances))
        return int(places[nearest]) if distances[nearest] <= self._theme.px(_HIT_RADIUS) ** 2 else -1

    def point_of(self, place: int) -> QPointF:
        """Where a pair is on the widget."""
        assert self._map is not None
        data, area = self._map.data, self.points_rect()
        x = area.left() + float(data.variability[place]) / self._widest * area.width()
        return QPointF(x, area.bottom() - float(data.confidence[place]) * area.height())

    def _shown_points(self) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.int64]]:
        """Where the shown pairs are on the widget, and their places in the map."""
        import numpy as np

        if self._map is None:
            return np.empty(0), np.empty(0), np.empty(0, np.int64)
        data, area = self._map.data, self.points_rect()
        places = np.arange(len(data)) if self._shown is None else np.flatnonzero(self._shown)
        x = area.left() + data.variability[places] / self._widest * area.width()
        y = area.bottom() - data.confidence[places] * area.height()
        return x, y, places

    # Mouse and keys

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton and self._map is not None:
            self._pressed_at, self._ends = event.position(), [event.position()]
        event.accept()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        at = event.position()
        if self._pressed_at is None:
            place = self.place_at(at)
            hand = Qt.CursorShape.PointingHandCursor if place >= 0 else Qt.CursorShape.CrossCursor
            self.setCursor(hand)
            self._set_current(place)
            return
        if self.tool is SelectionTool.RECTANGLE:
            box = QRectF(self._pressed_at, at).normalized()
            self._ends = [box.bottomLeft(), box.bottomRight(), box.topRight(), box.topLeft()]
        elif (at - self._ends[-1]).manhattanLength() >= 2:
            self._ends.append(at)
        self.update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() != Qt.MouseButton.LeftButton or self._pressed_at is None:
            return
        ends, start = self._ends, self._pressed_at
        self._ends, self._pressed_at = [], None
        self.update()
        way = max(((end - start).manhattanLength() for end in [*ends, event.position()]), default=0)
        if way >= self._theme.px(_DRAG_FROM):
            self._emit_drawn(ends)
        elif (place := self.place_at(event.position())) >= 0:
            self._set_current(place)
            self.activated.emit(place)

    def leaveEvent(self, event: QEvent) -> None:
        if self._pressed_at is None:
            self._set_current(-1)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        direction = _DIRECTIONS.get(Qt.Key(event.key()))
        if direction is not None and self._map is not None:
            is_far = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
            self._set_current(self._neighbour(*direction, self._theme.px(_FAR_STEP) if is_far else 1))
        elif event.key() in _ACTIVATION_KEYS and self.current >= 0:
            self.activated.emit(self.current)
        elif event.key() == Qt.Key.Key_Escape and self._pressed_at is not None:
            self._pressed_at, self._ends = None, []
            self.update()
        elif event.key() == Qt.Key.Key_Escape and self._selected is not None:
            self.cleared.emit()
        else:
            event.ignore()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.update()

    def _emit_drawn(self, ends: list[QPointF]) -> None:
        """Emit the shown pairs inside of what was drawn."""
        from miner.experiments.cartography import inside_polygon

        assert self._map is not None
        area, data = self.points_rect(), self._map.data
        corners = [
            (
                (end.x() - area.left()) / area.width() * self._widest,
                (area.bottom() - end.y()) / area.height(),
            )
            for end in ends
        ]
        inside = inside_polygon(data.variability, data.confidence, corners)
        if self._shown is not None:
            inside &= self._shown
        self.drawn.emit(inside)

    def _neighbour(self, across: int, down: int, least: int) -> int:
        """The nearest pair in a direction, at least so many pixels away; the current one if there is none."""
        import numpy as np

        x, y, places = self._shown_points()
        if not len(places):
            return -1
        if self.current < 0:
            return int(places[np.argmax(-np.abs(x - x.mean()) - np.abs(y - y.mean()))])
        at = self.point_of(self.current)
        ahead = (x - at.x()) * across + (y - at.y()) * down
        aside = np.abs((x - at.x()) * down) + np.abs((y - at.y()) * across)
        candidates = np.flatnonzero((ahead >= least) & (aside <= ahead))
        if not len(candidates):
            return self.current
        return int(places[candidates[np.argmin(ahead[candidates] + 2 * aside[candidates])]])

    def _set_current(self, place: int) -> None:
        if place != self.current:
            self.current = place
            self.update()
            self.current_changed.emit(place)

    # Painting

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._paint_again()

    @Slot()
    def _paint_again(self) -> None:
        self._image = None
        self.update()

    def _count(self) -> None:
        """Count the histograms beside the map."""
        import numpy as np

        self._histograms = None
        if self._map is not None:
            data = self._map.data
            shown = slice(None) if self._shown is None else self._shown
            across, _ = np.histogram(data.variability[shown], _BINS, (0, self._widest))
            upwards, _ = np.histogram(data.confidence[shown], _BINS, (0, 1))
            self._histograms = across.astype(np.float64), upwards.astype(np.float64)

    def _draw_image(self, area: QRectF) -> QImage:
        x, y, places = self._shown_points()
        assert self._map is not None
        ratio = self.devicePixelRatioF()
        points = MapPoints((x - area.left()) * ratio, (y - area.top()) * ratio, self._map.data.correctness[places])
        selected = None if self._selected is None else self._selected[places]
        size = max(1, round(area.width() * ratio)), max(1, round(area.height() * ratio))
        image = paint_points(
            points, selected, size, max(1.0, self._theme.px(10) / 10 * _DOT_RADIUS * ratio), self._theme
        )
        image.setDevicePixelRatio(ratio)
        return image

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        theme, area = self._theme, self.points_rect()
        painter.fillRect(self.rect(), theme.color("card"))
        if self._map is None or area.width() < 1 or area.height() < 1:
            return
        if self._image is None:
            self._image = self._draw_image(area)
        painter.drawImage(area.topLeft(), self._image)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._paint_axes(painter, area)
        self._paint_histograms(painter, area)
        self._paint_regions(painter, area)
        self._paint_legend(painter, area)
        self._paint_drawn(painter)
        if self.hasFocus():
            painter.setPen(QPen(theme.color("accent"), 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(QRectF(self.rect()).adjusted(1, 1, -1, -1))

    def _paint_axes(self, painter: QPainter, area: QRectF) -> None:
        theme, px = self._theme, self._theme.px
        painter.setPen(theme.color("line"))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(area)
        painter.setFont(theme.font(SMALL))
        painter.setPen(theme.color("muted"))
        height = QFontMetricsF(theme.font(SMALL)).height()
        for step in range(6):
            y = area.bottom() - step / 5 * area.height()
            box = QRectF(0, y - height / 2, area.left() - px(6), height)
            painter.drawText(box, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, f"{step / 5:.1f}")
        steps = round(self._widest / _TICK)
        for step in range(steps + 1):
            x = area.left() + step / steps * area.width()
            box = QRectF(x - px(24), area.bottom() + px(4), px(48), height)
            painter.drawText(box, Qt.AlignmentFlag.AlignCenter, f"{step * _TICK:.1f}")
        below = QRectF(area.left(), area.bottom() + px(4) + height, area.width(), height + px(2))
        painter.drawText(
            below, Qt.AlignmentFlag.AlignCenter, "Variability: how much the probability of the label changed"
        )
        painter.save()
        painter.translate(px(2), area.center().y())
        painter.rotate(-90)
        beside = QRectF(-area.height() / 2 - px(40), 0, area.height() + px(80), height)
        painter.drawText(beside, Qt.AlignmentFlag.AlignCenter, "Confidence: its mean")
        painter.restore()

    def _paint_histograms(self, painter: QPainter, area: QRectF) -> None:
        if self._histograms is None:
            return
        px = self._theme.px
        across, upwards = self._histograms
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(_faded(self._theme.color("muted"), 0.45))
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
        """What the papers call the ends of the map."""
        theme, px = self._theme, self._theme.px
        painter.setFont(theme.font(SMALL, bold=True))
        metrics = QFontMetricsF(theme.font(SMALL, bold=True))
        inner = area.adjusted(px(8), px(8), -px(8), -px(8))
        places = (
            ("easy to learn", Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignRight),
            ("ambiguous", Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight),
            ("hard to learn", Qt.AlignmentFlag.AlignBottom | Qt.AlignmentFlag.AlignRight),
        )
        for text, side in places:
            box = metrics.boundingRect(inner, int(side), text).adjusted(-px(4), -px(1), px(4), px(1))
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(_faded(theme.color("card"), 0.8))
            painter.drawRoundedRect(box, px(4), px(4))
            painter.setPen(theme.color("muted"))
            painter.drawText(inner, int(side), text)

    def _paint_legend(self, painter: QPainter, area: QRectF) -> None:
        """The colours, from a label that was never predicted to one that always was."""
        assert self._map is not None
        theme, px = self._theme, self._theme.px
        font = theme.font(SMALL)
        metrics = QFontMetricsF(font)
        painter.setFont(font)
        epochs = self._map.epochs
        levels = range(epochs + 1) if epochs <= 10 else range(0, epochs + 1, -(-epochs // 10))
        left, middle = area.left(), px(4) + metrics.height() / 2
        for text in ("Its label was predicted: never", None, "after every epoch"):
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

    def _paint_drawn(self, painter: QPainter) -> None:
        """The ring around the current pair, and what is being drawn."""
        theme, px = self._theme, self._theme.px
        painter.setBrush(Qt.BrushStyle.NoBrush)
        if self.current >= 0:
            at = self.point_of(self.current)
            painter.setPen(QPen(theme.color("card"), 4))
            painter.drawEllipse(at, px(6), px(6))
            painter.setPen(QPen(theme.color("ink"), 2))
            painter.drawEllipse(at, px(6), px(6))
        if len(self._ends) > 1:
            painter.setPen(QPen(theme.color("accent"), 2))
            painter.setBrush(_faded(theme.color("accent"), 0.12))
            painter.drawPolygon(QPolygonF(self._ends))


def _faded(color: QColor, opacity: float) -> QColor:
    faded = QColor(color)
    faded.setAlphaF(opacity)
    return faded
