"""Base of plots whose points can be pointed at and drawn around, by mouse and by keys."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal, Slot
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
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

from desktop.ui.plots.polygon import inside_polygon
from desktop.ui.theme import Theme
from miner.libraries import NDArray, np

_HIT_RADIUS = 9
_DRAG_FROM = 4  # a shorter way is a click
_FAR_STEP = 40  # unscaled pixels, with Shift
_DIRECTIONS = {
    Qt.Key.Key_Right: (1, 0),
    Qt.Key.Key_Left: (-1, 0),
    Qt.Key.Key_Down: (0, 1),
    Qt.Key.Key_Up: (0, -1),
}
_ACTIVATION_KEYS = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space)


class ImagePoints(NamedTuple):
    """The points to paint into an image of this size.

    x, y: in pixels from its upper left corner. places: of the points among all. scale: pixels of the image for each
    unscaled pixel.
    """

    x: NDArray[np.float64]
    y: NDArray[np.float64]
    places: NDArray[np.int64]
    size: tuple[int, int]
    scale: float


class SelectionTool(StrEnum):
    """What dragging over the points draws."""

    LASSO = "lasso"
    RECTANGLE = "rectangle"


class SelectablePoints(QWidget):
    """Shows points. Dragging draws around some and emits `drawn` with those inside; Escape emits `cleared`.

    The mouse or the arrow keys make a point current; a click or Enter emits `activated`. Subclasses say where the
    points are, and paint them.
    """

    current_changed = Signal(int)  # the place of a point, -1 for none
    activated = Signal(int)
    drawn = Signal(object)  # a mask over the points
    cleared = Signal()

    def __init__(self, theme: Theme, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._shown: NDArray[np.bool_] | None = None  # None: all
        self._selected: NDArray[np.bool_] | None = None
        self._image: QImage | None = None
        self._ends: list[QPointF] = []  # what is being drawn
        self._pressed_at: QPointF | None = None
        self.current = -1
        self.tool = SelectionTool.LASSO
        self.setAccessibleName(name)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMinimumSize(theme.px(280), theme.px(180))
        theme.changed.connect(self._paint_again)

    def sizeHint(self) -> QSize:
        return QSize(self._theme.px(640), self._theme.px(420))

    def points_rect(self) -> QRectF:
        """The area of the points on the widget."""
        raise NotImplementedError

    def _coordinates(self) -> tuple[NDArray[np.float64], NDArray[np.float64]] | None:
        """The coordinates of all points, across and upwards, from 0.0 to 1.0 of the area; None without points."""
        raise NotImplementedError

    def _points_image(self, points: ImagePoints) -> QImage:
        """An image of the shown points on the colour of cards."""
        raise NotImplementedError

    def _paint_around(self, painter: QPainter, area: QRectF) -> None:
        """Paint axes, legend and other parts around the points and over them."""
        raise NotImplementedError

    def show_only(self, shown: NDArray[np.bool_] | None) -> None:
        """Show only some of the points; None for all."""
        self._shown = shown
        if shown is not None and self.current >= 0 and not shown[self.current]:
            self._set_current(-1)
        self._paint_again()

    def select(self, selected: NDArray[np.bool_] | None) -> None:
        """Highlight points; None highlights none."""
        self._selected = selected
        self._paint_again()

    # Where things are

    def place_at(self, at: QPointF) -> int:
        """The nearest shown point to one of the widget; -1 if there is none near."""

        x, y, places = self._shown_points()
        if not len(places):
            return -1
        distances = (x - at.x()) ** 2 + (y - at.y()) ** 2
        nearest = int(np.argmin(distances))
        return int(places[nearest]) if distances[nearest] <= self._theme.px(_HIT_RADIUS) ** 2 else -1

    def point_of(self, place: int) -> QPointF:
        """Where a point is on the widget."""
        found, area = self._coordinates(), self.points_rect()
        assert found is not None
        x = area.left() + float(found[0][place]) * area.width()
        return QPointF(x, area.bottom() - float(found[1][place]) * area.height())

    def _shown_points(self) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.int64]]:
        """Where the shown points are on the widget, and their places."""

        found, area = self._coordinates(), self.points_rect()
        if found is None:
            return np.empty(0), np.empty(0), np.empty(0, np.int64)
        places = np.arange(len(found[0])) if self._shown is None else np.flatnonzero(self._shown)
        x = area.left() + found[0][places] * area.width()
        y = area.bottom() - found[1][places] * area.height()
        return x, y, places

    # Mouse and keys

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton and self._coordinates() is not None:
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
        if direction is not None and self._coordinates() is not None:
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
        """Emit the shown points inside the drawn outline."""
        area, found = self.points_rect(), self._coordinates()
        assert found is not None
        corners = [((end.x() - area.left()) / area.width(), (area.bottom() - end.y()) / area.height()) for end in ends]
        inside = inside_polygon(*found, corners)
        if self._shown is not None:
            inside &= self._shown
        self.drawn.emit(inside)

    def _neighbour(self, across: int, down: int, least: int) -> int:
        """The nearest point in a direction, at least so many pixels away; the current one if there is none."""

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

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        theme, area = self._theme, self.points_rect()
        painter.fillRect(self.rect(), theme.color("card"))
        if self._coordinates() is None or area.width() < 1 or area.height() < 1:
            return
        if self._image is None:
            self._image = self._draw_image(area)
        painter.drawImage(area.topLeft(), self._image)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(theme.color("line"))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(area)
        self._paint_around(painter, area)
        self._paint_drawn(painter)
        if self.hasFocus():
            painter.setPen(QPen(theme.color("accent"), 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(QRectF(self.rect()).adjusted(1, 1, -1, -1))

    def _draw_image(self, area: QRectF) -> QImage:
        x, y, places = self._shown_points()
        ratio = self.devicePixelRatioF()
        size = max(1, round(area.width() * ratio)), max(1, round(area.height() * ratio))
        x, y = (x - area.left()) * ratio, (y - area.top()) * ratio
        image = self._points_image(ImagePoints(x, y, places, size, self._theme.px(10) / 10 * ratio))
        image.setDevicePixelRatio(ratio)
        return image

    def _paint_drawn(self, painter: QPainter) -> None:
        """The ring around the current point, and what is being drawn."""
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
            painter.setBrush(faded(theme.color("accent"), 0.12))
            painter.drawPolygon(QPolygonF(self._ends))


def faded(color: QColor, opacity: float) -> QColor:
    """The colour with an opacity from 0.0 to 1.0."""
    faded = QColor(color)
    faded.setAlphaF(opacity)
    return faded
