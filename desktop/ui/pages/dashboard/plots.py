"""Plots of figures: told of by one line, reached by mouse and keys."""

from __future__ import annotations

from collections.abc import Sequence

import pyqtgraph as pg
from PySide6.QtCore import QEvent, QRectF, Qt, Signal, Slot
from PySide6.QtGui import QContextMenuEvent, QFocusEvent, QKeyEvent, QMouseEvent, QWheelEvent
from PySide6.QtWidgets import QWidget

from desktop.ui.pages.dashboard.canvases import BarCanvas, Canvas, RidgeCanvas
from desktop.ui.pages.dashboard.figures import Bars, Figure, Mark, Panel, Ridges
from desktop.ui.theme import SMALL, Theme

_AXIS = 24.0  # pixels as drawn
_TICKS = 5


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
        hand = mark is not None and mark.leads_on
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
        if event.reason() in (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason) and not self.current:
            marks = [place.mark for canvas in self.canvases for place in canvas.places]
            self._point(marks[0] if marks else None)

    def focusOutEvent(self, event: QFocusEvent) -> None:
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


def round_ticks(whole: int) -> list[tuple[float, str]]:
    """Round numbers from 0 to at most `whole`, as (share of `whole`, text)."""
    step = 1
    while whole / step > _TICKS:
        step = step * 2 if str(step)[0] in "15" else step // 2 * 5  # 1, 2, 5, 10, 20, 50 ...
    return [(value / max(whole, 1), f"{value:,}") for value in range(0, whole + 1, step)]
