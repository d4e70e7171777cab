"""Pictures made of marks that can be pointed at and chosen, by mouse and by keys, painted at the theme's sizes."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QFontMetricsF,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import QWidget

from desktop.ui.theme import SMALL, Theme


@dataclass(frozen=True, slots=True)
class Mark:
    """Something to point at: `note` says what it is, `opens` is what choosing it asks for, None for nothing."""

    note: str
    opens: object = None


@dataclass(frozen=True, slots=True)
class Place:
    """Where a mark is painted, and where the mouse finds it. A part of another mark is found first, by mouse alone."""

    mark: Mark
    painted: QRectF
    found: QRectF
    part: bool = False


def mixed(color: QColor, ground: QColor, share: float) -> QColor:
    """`share` of the colour on the ground, opaque."""
    color_parts, ground_parts = color.getRgb(), ground.getRgb()
    assert isinstance(color_parts, tuple)
    assert isinstance(ground_parts, tuple)
    parts = zip(color_parts[:3], ground_parts[:3], strict=True)
    return QColor(*(round(share * part + (1 - share) * below) for part, below in parts))


class Marks(QWidget):
    """Arrows go from mark to mark, Enter chooses one."""

    pointed = Signal(object)  # Mark | None
    chosen = Signal(object)  # Mark

    def __init__(self, theme: Theme, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.theme = theme
        self.places: list[Place] = []
        self.current: Mark | None = None
        self.setAccessibleName(name)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        theme.changed.connect(self.arrange)

    @abstractmethod
    def lay_out(self) -> None:
        """Find the marks' places for the size there is."""

    @abstractmethod
    def draw(self, painter: QPainter) -> None: ...

    def arrange(self) -> None:
        """Something is another: find all places anew. What is pointed at stays so if it says the same."""
        before = self.current.note if self.current else None
        self.places = []
        self.lay_out()
        self.current = next((place.mark for place in self.places if place.mark.note == before), None)
        if before is not None:
            self.pointed.emit(self.current)
        self.update()

    # Looks

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self.draw(painter)
        place = next((place for place in self.places if place.mark is self.current), None)
        if place is not None:
            painter.setPen(QPen(self.theme.color("ink"), self.theme.px(2)))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(place.painted, self.theme.px(3), self.theme.px(3))
        painter.end()

    def text(
        self,
        painter: QPainter,
        box: QRectF,
        text: str,
        color: QColor,
        *,
        side: Qt.AlignmentFlag = Qt.AlignmentFlag.AlignLeft,
        bold: bool = False,
        size: int = SMALL,
        elide: Qt.TextElideMode = Qt.TextElideMode.ElideRight,
    ) -> None:
        font = self.theme.font(size, bold=bold)
        painter.setFont(font)
        painter.setPen(color)
        fitting = QFontMetricsF(font).elidedText(text, elide, box.width() + 1)
        painter.drawText(box, side | Qt.AlignmentFlag.AlignVCenter, fitting)

    def fill(self, painter: QPainter, box: QRectF, color: QColor, radius: float = 0.0) -> None:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(color)
        painter.drawRoundedRect(box, radius, radius)

    def width_of(self, text: str, *, bold: bool = False, size: int = SMALL) -> float:
        return QFontMetricsF(self.theme.font(size, bold=bold)).horizontalAdvance(text)

    # Mouse and keys

    def resizeEvent(self, event: QResizeEvent) -> None:
        self.arrange()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        mark = self.mark_at(event.position())
        hand = mark is not None and mark.opens is not None
        self.setCursor(Qt.CursorShape.PointingHandCursor if hand else Qt.CursorShape.ArrowCursor)
        self.point(mark)

    def leaveEvent(self, event: QEvent) -> None:
        self.point(None)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        event.accept()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton and (mark := self.mark_at(event.position())):
            self.chosen.emit(mark)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        way = _WAYS.get(Qt.Key(event.key()))
        if way is not None and self.places:
            self.point(self._beside(way))
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space) and self.current:
            self.chosen.emit(self.current)
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        by_keys = event.reason() in (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason)
        if by_keys and self.current is None and self.places:
            self.point(self._whole()[0].mark)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        self.point(None)

    def point(self, mark: Mark | None) -> None:
        if mark is not self.current:
            self.current = mark
            self.setAccessibleDescription(mark.note if mark else "")
            self.update()
            self.pointed.emit(mark)

    def mark_at(self, at: QPointF) -> Mark | None:
        found = [place for place in self.places if place.found.contains(at)]
        return min(found, key=lambda place: not place.part).mark if found else None

    def _whole(self) -> list[Place]:
        return [place for place in self.places if not place.part]

    def _beside(self, way: tuple[int, int]) -> Mark | None:
        """The nearest mark in that direction, else the one pointed at."""
        whole = self._whole()
        here = next((place for place in whole if place.mark is self.current), None)
        if here is None:
            return whole[0].mark
        return _nearest(here, whole, way).mark


def _nearest(here: Place, places: Sequence[Place], way: tuple[int, int]) -> Place:
    across, down = way
    start = here.found.center()

    def ahead(place: Place) -> tuple[float, float]:
        """How far it lies in that direction, and beside it."""
        x, y = place.found.center().x() - start.x(), place.found.center().y() - start.y()
        return (x * across, abs(y)) if across else (y * down, abs(x))

    far: Callable[[Place], float] = lambda place: ahead(place)[0] + 4 * ahead(place)[1]  # noqa: E731
    return min((place for place in places if ahead(place)[0] > 1), key=far, default=here)


_WAYS = {
    Qt.Key.Key_Right: (1, 0),
    Qt.Key.Key_Left: (-1, 0),
    Qt.Key.Key_Down: (0, 1),
    Qt.Key.Key_Up: (0, -1),
}
