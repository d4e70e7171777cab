"""Bars and ridges: painted at the theme's sizes, told of by one line, reached by mouse and keys."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from math import ceil
from typing import NamedTuple

import pyqtgraph as pg
from PySide6.QtCore import QEvent, QPointF, QRectF, QSizeF, Qt, Signal, Slot
from PySide6.QtGui import (
    QBrush,
    QColor,
    QContextMenuEvent,
    QFocusEvent,
    QFontMetricsF,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPen,
    QWheelEvent,
)
from PySide6.QtWidgets import QGraphicsWidget, QStyleOptionGraphicsItem, QWidget

from desktop.ui.dashboard.figures import Bars, Figure, Mark, Panel, Ridges, Row
from desktop.ui.theme import LETTERS, SMALL, Theme

# What is no class; classes have their own colours.
TONES = {"kept": "accent", "settled": "good", "unsettled": "warning", "bad": "bad"}
_PALE = frozenset(("dropped", "open", "none"))  # what is not there (yet)
_ROW, _HEADING, _RIDGE, _AXIS = 24.0, 32.0, 44.0, 24.0  # pixels as drawn
_GAP = 8.0
_TICKS = 5


def tone_color(theme: Theme, tone: str) -> QColor:
    if tone in _PALE:
        return _mixed(theme.color("muted"), theme.color("card"), 0.3)
    return theme.color(TONES[tone]) if tone in TONES else theme.label_text_color(tone)


def _mixed(color: QColor, ground: QColor, share: float) -> QColor:
    parts = zip(color.getRgb()[:3], ground.getRgb()[:3], strict=True)  # type: ignore[index]  # a tuple
    return QColor(*(round(share * part + (1 - share) * below) for part, below in parts))


class Place(NamedTuple):
    """Where a mark is painted, and where the mouse finds it."""

    mark: Mark
    painted: QRectF
    found: QRectF


class Canvas(QGraphicsWidget):
    """A part of a plot that paints marks in pixels of its own."""

    def __init__(self, theme: Theme, height: float) -> None:
        super().__init__()
        self.theme = theme
        self.places: list[Place] = []
        self.current: Mark | None = None
        self.focused = False
        self.gutter = self.room = 0.0  # left of the marks, for names, and right of them
        self._axis: tuple[pg.AxisItem, float, Sequence[tuple[float, str]]] | None = None
        self.setMinimumHeight(height)
        self.setMaximumHeight(height)
        self.setMinimumWidth(theme.px(60))

    def mark_at(self, at: QPointF) -> Mark | None:
        return next((place.mark for place in self.places if place.found.contains(at)), None)

    def resizeEvent(self, event: object) -> None:
        self.lay_out(self.size())
        self._fit_axis()

    def take_axis(self, axis: pg.AxisItem, length: float, ticks: Sequence[tuple[float, str]]) -> None:
        """Keep the axis below at the marks' scale, 0 to `length`, with as many of the ticks as there is room for."""
        self._axis = (axis, length, ticks)
        self._fit_axis()

    def _fit_axis(self) -> None:
        if self._axis:
            axis, length, ticks = self._axis
            unit = length / max(1.0, self.size().width() - self.gutter - self.room)
            axis.setRange(-self.gutter * unit, length + self.room * unit)
            step = ticks[1][0] / unit if len(ticks) > 1 else 0.0
            widest = max(self.width_of(text) for _, text in ticks) + self.theme.px(_GAP)
            axis.setTicks([ticks[:: max(1, ceil(widest / max(step, 1.0)))]])

    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setRenderHint(QPainter.RenderHint.TextAntialiasing)
        self.draw(painter)
        for place in self.places:
            if place.mark is self.current:
                pen = QPen(self.theme.color("accent" if self.focused else "ink"), self.theme.px(2))
                painter.setPen(pen)
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.drawRect(place.painted.adjusted(-1, -1, 1, 1))

    @abstractmethod
    def lay_out(self, size: QSizeF) -> None:
        """Find the marks' places."""

    @abstractmethod
    def draw(self, painter: QPainter) -> None: ...

    def text(
        self, painter: QPainter, box: QRectF, text: str, color: QColor, *, bold: bool = False, side: str = "left"
    ) -> None:
        font = self.theme.font(SMALL, bold=bold)
        painter.setFont(font)
        painter.setPen(color)
        fitting = QFontMetricsF(font).elidedText(text, Qt.TextElideMode.ElideRight, box.width() + 1)
        align = {"left": Qt.AlignmentFlag.AlignLeft, "right": Qt.AlignmentFlag.AlignRight}
        align["middle"] = Qt.AlignmentFlag.AlignHCenter
        painter.drawText(box, align[side] | Qt.AlignmentFlag.AlignVCenter, fitting)

    def width_of(self, text: str, *, bold: bool = False) -> float:
        return QFontMetricsF(self.theme.font(SMALL, bold=bold)).horizontalAdvance(text)

    def fill(self, painter: QPainter, box: QRectF, tone: str) -> None:
        color = tone_color(self.theme, tone)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(color)
        painter.drawRect(box)
        if tone == "none":  # no label: hatched, so that it is no colour of its own
            painter.setBrush(QBrush(self.theme.color("muted"), Qt.BrushStyle.BDiagPattern))
            painter.drawRect(box)

    def on_fill(self, tone: str) -> QColor:
        return self.theme.color("ink" if tone in _PALE else "card")


class BarCanvas(Canvas):
    """Rows of bars with their names before and their totals behind."""

    def __init__(self, theme: Theme, bars: Bars) -> None:
        self._bars = bars
        heights = [theme.px(_ROW if row.marks else _HEADING) for row in bars.rows]
        self._tops = [float(sum(heights[:index])) for index in range(len(heights) + 1)]
        super().__init__(theme, self._tops[-1] + theme.px(2))

    def lay_out(self, size: QSizeF) -> None:
        rows = [row for row in self._bars.rows if row.marks]
        gap = self.theme.px(_GAP)
        widest = max((self.width_of(row.name) for row in rows), default=0.0)
        self.gutter = min(widest, size.width() * 0.4) + gap
        self.room = max((self.width_of(row.after) for row in rows), default=0.0) + gap
        self.places = []
        for row, top in zip(self._bars.rows, self._tops, strict=False):
            self._place_row(row, top, max(1.0, size.width() - self.gutter - self.room))

    def _place_row(self, row: Row, top: float, width: float) -> None:
        height = self.theme.px(_ROW)
        inset = self.theme.px(3)
        left, least = self.gutter, self.theme.px(2)
        for mark in row.marks:
            wide = max(least, width * mark.count / max(row.whole, 1))
            painted = QRectF(left, top + inset, max(1.0, wide - 1), height - 2 * inset)
            self.places.append(Place(mark, painted, QRectF(left, top, wide, height)))
            left += wide

    def draw(self, painter: QPainter) -> None:
        for row, top in zip(self._bars.rows, self._tops, strict=False):
            if not row.marks:
                box = QRectF(0, top + self.theme.px(8), self.size().width(), self.theme.px(_HEADING - 8))
                self.text(painter, box, row.name, self.theme.color("ink"), bold=True)
                continue
            height = self.theme.px(_ROW)
            box = QRectF(0, top, self.gutter - self.theme.px(_GAP), height)
            self.text(painter, box, row.name, self.theme.color("ink"))
            end = max(place.found.right() for place in self.places if place.mark in row.marks)
            box = QRectF(end + self.theme.px(6), top, self.room + self.size().width() - end, height)
            self.text(painter, box, row.after, self.theme.color("muted"))
        for place in self.places:
            self.fill(painter, place.painted, place.mark.tone)
            space = place.painted.width() - self.theme.px(6)
            fitting = next((text for text in place.mark.texts if self.width_of(text, bold=True) <= space), None)
            if fitting:
                self.text(painter, place.painted, fitting, self.on_fill(place.mark.tone), bold=True, side="middle")


class RidgeCanvas(Canvas):
    """A row of thin bars for each class, all on one scale."""

    def __init__(self, theme: Theme, panel: Panel) -> None:
        self._panel = panel
        super().__init__(theme, theme.px(_ROW + _RIDGE * len(panel.ridges)))

    def lay_out(self, size: QSizeF) -> None:
        ridges, theme = self._panel.ridges, self.theme
        chip = theme.px(18.0)
        words = max((self.width_of(ridge.name) for ridge in ridges), default=0.0)
        self.words = size.width() > chip + words + theme.px(200)
        self.gutter = chip + theme.px(_GAP) + (words + theme.px(_GAP) if self.words else 0.0)
        self.room = max([self.width_of("mean"), *(self.width_of(ridge.after) for ridge in ridges)]) + theme.px(_GAP)
        self.step = max(1.0, (size.width() - self.gutter - self.room) / self._panel.bins)
        most = max((mark.share for ridge in ridges for mark in ridge.marks), default=1.0) or 1.0
        tall = theme.px(_RIDGE) - theme.px(8)
        self.places = []
        for index, ridge in enumerate(ridges):
            base = theme.px(_ROW) + theme.px(_RIDGE) * (index + 1)
            for number, mark in enumerate(ridge.marks):
                if mark.count:
                    left = self.gutter + number * self.step
                    height = max(theme.px(2.0), tall * mark.share / most)
                    painted = QRectF(left, base - height, max(1.0, self.step - 1), height)
                    found = QRectF(left, base - theme.px(_RIDGE), self.step, theme.px(_RIDGE))
                    self.places.append(Place(mark, painted, found))

    def draw(self, painter: QPainter) -> None:
        theme, width = self.theme, self.size().width()
        head = QRectF(0, 0, width, theme.px(_ROW))
        self.text(painter, head, self._panel.title, theme.color("ink"), bold=True)
        self.text(painter, head, "mean", theme.color("muted"), side="right")
        for index, ridge in enumerate(self._panel.ridges):
            base = theme.px(_ROW) + theme.px(_RIDGE) * (index + 1)
            middle = QRectF(0, base - theme.px(24), width, theme.px(24))
            self._name(painter, ridge.name, middle)
            self.text(painter, middle, ridge.after, theme.color("ink"), side="right")
            painter.setPen(QPen(theme.color("line"), 1))
            painter.drawLine(QPointF(self.gutter, base + 0.5), QPointF(width - self.room, base + 0.5))
        for place in self.places:
            self.fill(painter, place.painted, place.mark.tone)
        for index, ridge in enumerate(self._panel.ridges):
            base = theme.px(_ROW) + theme.px(_RIDGE) * (index + 1)
            x = self.gutter + ridge.mean * self.step
            painter.setPen(QPen(theme.color("ink"), max(1, theme.px(1))))
            painter.drawLine(QPointF(x, base - theme.px(_RIDGE) + theme.px(8)), QPointF(x, base))

    def _name(self, painter: QPainter, name: str, box: QRectF) -> None:
        theme = self.theme
        chip = QRectF(0, box.center().y() - theme.px(9), theme.px(18), theme.px(18))
        painter.setPen(Qt.PenStyle.NoPen)
        tone = name if name in LETTERS else "none"
        painter.setBrush(tone_color(theme, tone))
        painter.drawRoundedRect(chip, theme.px(4), theme.px(4))
        self.text(painter, chip, LETTERS.get(name, "–"), self.on_fill(tone), bold=True, side="middle")
        if self.words:
            box = QRectF(chip.right() + theme.px(_GAP), box.top(), self.gutter - chip.right(), box.height())
            self.text(painter, box, name, theme.color("ink"))


class Plot(pg.GraphicsLayoutWidget):  # type: ignore[misc]  # pyqtgraph has no types
    """Shows a figure. Arrows go from mark to mark, Enter chooses; the mouse does both."""

    pointed = Signal(object)  # Mark | None
    chosen = Signal(object)  # Mark

    def __init__(self, theme: Theme, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.canvases: list[Canvas] = []
        self._figure: Figure | None = None
        self.setAccessibleName(name)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.viewport().setMouseTracking(True)
        self.setAntialiasing(True)
        self.ci.layout.setContentsMargins(0, 0, 0, 0)
        self.ci.layout.setSpacing(0)
        theme.changed.connect(self.draw_again)

    def show_figure(self, figure: Figure) -> None:
        self._figure = figure
        self.draw_again()

    @Slot()
    def draw_again(self) -> None:
        self.setBackground(self._theme.color("card"))
        self.ci.clear()
        self.canvases = []
        if isinstance(self._figure, Bars):
            self._add_bars(self._figure)
        elif isinstance(self._figure, Ridges):
            for column, panel in enumerate(self._figure.panels):
                self._add_ridge(panel, column)
            self.ci.layout.setHorizontalSpacing(self._theme.px(24))
        axis = isinstance(self._figure, Ridges) or (isinstance(self._figure, Bars) and bool(self._figure.axis))
        height = max((canvas.minimumHeight() for canvas in self.canvases), default=0.0)
        self.setFixedHeight(round(height + (self._theme.px(_AXIS) if axis else 0) + 2))

    def _add_bars(self, bars: Bars) -> None:
        canvas = BarCanvas(self._theme, bars)
        self.ci.addItem(canvas, 0, 0)
        self.canvases.append(canvas)
        if bars.axis:
            whole = max((row.whole for row in bars.rows if row.marks), default=1)
            steps = [(0.0, "0 %"), (0.5, "50 %"), (1.0, "100 %")] if bars.axis == "percent" else round_ticks(whole)
            self._add_axis(canvas, steps, 1.0, 0)

    def _add_ridge(self, panel: Panel, column: int) -> None:
        canvas = RidgeCanvas(self._theme, panel)
        self.ci.addItem(canvas, 0, column)
        self.canvases.append(canvas)
        self._add_axis(canvas, panel.ticks, float(panel.bins), column)

    def _add_axis(self, canvas: Canvas, ticks: Sequence[tuple[float, str]], length: float, column: int) -> None:
        axis = pg.AxisItem("bottom", pen=self._theme.color("line"), textPen=self._theme.color("muted"))
        axis.setStyle(tickFont=self._theme.font(SMALL), tickLength=-self._theme.px(4), hideOverlappingLabels=False)
        axis.setHeight(self._theme.px(_AXIS))
        self.ci.addItem(axis, 1, column)
        canvas.take_axis(axis, length, ticks)

    # Mouse and keys

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        mark = self._mark_at(event)
        hand = mark is not None and mark.opens is not None
        self.viewport().setCursor(Qt.CursorShape.PointingHandCursor if hand else Qt.CursorShape.ArrowCursor)
        self._point(mark)

    def leaveEvent(self, event: QEvent) -> None:
        self._point(None)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        event.accept()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton and (mark := self._mark_at(event)):
            self.chosen.emit(mark)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        event.accept()

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()  # the page scrolls

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        event.ignore()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        steps = {Qt.Key.Key_Right: 1, Qt.Key.Key_Down: 1, Qt.Key.Key_Left: -1, Qt.Key.Key_Up: -1}
        marks = [place.mark for canvas in self.canvases for place in canvas.places]
        current = self.current
        if (step := steps.get(Qt.Key(event.key()))) and marks:
            at = next((index for index, mark in enumerate(marks) if mark is current), -1 if step > 0 else 0)
            self._point(marks[(at + step) % len(marks)])
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space) and current:
            self.chosen.emit(current)
        else:
            event.ignore()

    def focusInEvent(self, event: QFocusEvent) -> None:
        self._set_focused(True)
        if event.reason() in (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason) and not self.current:
            marks = [place.mark for canvas in self.canvases for place in canvas.places]
            self._point(marks[0] if marks else None)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        self._set_focused(False)
        self._point(None)

    @property
    def current(self) -> Mark | None:
        return next((canvas.current for canvas in self.canvases if canvas.current), None)

    def where(self, mark: Mark) -> QRectF:
        """Where a mark is on the widget; empty when it is not shown."""
        for canvas in self.canvases:
            for place in canvas.places:
                if place.mark is mark:
                    return canvas.mapRectToScene(place.painted)
        return QRectF()

    def _mark_at(self, event: QMouseEvent) -> Mark | None:
        at = self.mapToScene(event.position().toPoint())
        found = (canvas.mark_at(canvas.mapFromScene(at)) for canvas in self.canvases)
        return next((mark for mark in found if mark), None)

    def _point(self, mark: Mark | None) -> None:
        if mark is self.current:
            return
        for canvas in self.canvases:
            canvas.current = next((place.mark for place in canvas.places if place.mark is mark), None)
            canvas.update()
        self.setAccessibleDescription(mark.note if mark else "")
        self.pointed.emit(mark)

    def _set_focused(self, focused: bool) -> None:
        for canvas in self.canvases:
            canvas.focused = focused
            canvas.update()


def round_ticks(whole: int) -> list[tuple[float, str]]:
    """Round numbers from 0 to at most `whole`, as (share of `whole`, text)."""
    step = 1
    while whole / step > _TICKS:
        step = step * 2 if str(step)[0] in "15" else step // 2 * 5  # 1, 2, 5, 10, 20, 50 ...
    return [(value / max(whole, 1), f"{value:,}") for value in range(0, whole + 1, step)]
