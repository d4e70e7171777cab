"""The widget that draws a figure; its marks can be reached by mouse and keys."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pyqtgraph as pg
from PySide6.QtCore import QEvent, QPointF, QRectF, Qt, Signal, Slot
from PySide6.QtGui import QContextMenuEvent, QFocusEvent, QKeyEvent, QMouseEvent, QShowEvent, QWheelEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from desktop.ui.plots.charts import BarPanel, HistogramPanel, LinePanel
from desktop.ui.plots.figures import (
    BarFigure,
    Figure,
    HeatmapFigure,
    HistogramFigure,
    LineFigure,
    PlotMark,
    PointFigure,
)
from desktop.ui.plots.heatmap import HeatmapPanel
from desktop.ui.plots.panel import AXIS_HEIGHT, PlotPanel
from desktop.ui.plots.points import PointPanel
from desktop.ui.theme import Theme

_PANEL_SPACING = 24  # unscaled pixels between panels side by side
_MIN_CHART_HEIGHT = 190  # unscaled pixels
_MAX_WIDGET_HEIGHT = 16_777_215  # QWIDGETSIZE_MAX
_ACTIVATION_KEYS = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space)
_TAB_REASONS = (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason)
_DIRECTIONS = {
    Qt.Key.Key_Right: (1, 0),
    Qt.Key.Key_Left: (-1, 0),
    Qt.Key.Key_Down: (0, 1),
    Qt.Key.Key_Up: (0, -1),
}


class Plot(pg.GraphicsLayoutWidget):  # type: ignore[misc]  # pyqtgraph has no types
    """Draws a figure. The mouse or the arrow keys make a mark current; a click or Enter activates it."""

    current_changed = Signal(object)  # PlotMark | None
    activated = Signal(object)  # PlotMark

    def __init__(self, theme: Theme, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.figure: Figure | None = None
        self.panels: list[PlotPanel] = []
        self.current: PlotMark | None = None
        self.setAccessibleName(name)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.viewport().setMouseTracking(True)
        self.setAntialiasing(True)
        self.ci.layout.setContentsMargins(0, 0, 0, 0)
        self.ci.layout.setVerticalSpacing(0)
        self._is_stale = False
        theme.changed.connect(self._on_theme)

    def show_figure(self, figure: Figure) -> None:
        """Draw a figure. The current mark stays current if the new figure has one with the same note."""
        if figure != self.figure:
            self.figure = figure
            self.redraw()

    @Slot()
    def _on_theme(self) -> None:
        """Draw in the new colours and sizes; a hidden plot is drawn when it is shown again."""
        self._is_stale = not self.isVisible()
        if not self._is_stale:
            self.redraw()

    def showEvent(self, event: QShowEvent) -> None:
        if self._is_stale:
            self.redraw()
        super().showEvent(event)

    @Slot()
    def redraw(self) -> None:
        self._is_stale = False
        note = self.current.note if self.current is not None else None
        self.setBackground(self._theme.color("card"))
        self.ci.layout.setHorizontalSpacing(self._theme.px(_PANEL_SPACING))
        self.ci.clear()
        self.panels = []
        theme = self._theme
        match self.figure:
            case BarFigure() as bars:
                self._add_columns([BarPanel(theme, bars)])
            case PointFigure() as points:
                self._add_columns([PointPanel(theme, points)])
            case HistogramFigure() as figure:
                self._add_columns([HistogramPanel(theme, one, figure.row_height) for one in figure.histograms])
            case HeatmapFigure() as figure:
                rows = max((len(one.rows) for one in figure.heatmaps if one), default=0)
                self._add_columns([HeatmapPanel(theme, one, figure, rows) for one in figure.heatmaps])
            case LineFigure() as figure:
                self._add_charts(figure)
        marks = self.figure.marks() if self.figure is not None else ()
        self.set_current(next((mark for mark in marks if mark.note == note), None))

    def close(self) -> bool:
        """Close like any widget: pyqtgraph's `close` clears the scene while Qt still sends it events."""
        return QWidget.close(self)

    def _add_columns(self, panels: Sequence[PlotPanel]) -> None:
        """Panels of fixed height, side by side."""
        for column, panel in enumerate(panels):
            self._add(panel, 0, column)
            if panel.axis is not None:
                self.ci.addItem(panel.axis, 1, column)
        axis = self._theme.px(AXIS_HEIGHT) if any(panel.axis is not None for panel in panels) else 0
        height = max((panel.minimumHeight() for panel in panels), default=0.0)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFixedHeight(round(height + axis))

    def _add_charts(self, figure: LineFigure) -> None:
        """Panels one above the other, as high as the widget."""
        widest_tick = max((text for chart in figure.charts for _, text in chart.ticks), key=len, default="")
        for row, chart in enumerate(figure.charts):
            panel = LinePanel(self._theme, chart, figure, widest_tick)
            self._add(panel, row, 0)
            self.ci.layout.setRowStretchFactor(row, chart.stretch)
        if self.panels:
            self.ci.addItem(self.panels[-1].add_axis(figure.ticks), len(figure.charts), 0)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMinimumHeight(self._theme.px(_MIN_CHART_HEIGHT))
        self.setMaximumHeight(_MAX_WIDGET_HEIGHT)

    def _add(self, panel: PlotPanel, row: int, column: int) -> None:
        self.ci.addItem(panel, row, column)
        self.panels.append(panel)
        panel.sigResized.connect(self._on_resized)

    @Slot()
    def _on_resized(self) -> None:
        for panel in self.panels:
            panel.outline(self.current)

    # Mouse and keys

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        mark = self.mark_at(event.position())
        hand = mark is not None and mark.opens is not None
        self.viewport().setCursor(Qt.CursorShape.PointingHandCursor if hand else Qt.CursorShape.ArrowCursor)
        self.set_current(mark)

    def leaveEvent(self, event: QEvent) -> None:
        self.set_current(None)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        event.accept()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton and (mark := self.mark_at(event.position())):
            self.activated.emit(mark)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        event.accept()

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()  # the page scrolls

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        event.ignore()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        direction = _DIRECTIONS.get(Qt.Key(event.key()))
        if direction is not None and any(self._key_areas()):
            self.set_current(self._neighbour(*direction))
        elif event.key() in _ACTIVATION_KEYS and self.current is not None:
            self.activated.emit(self.current)
        else:
            event.ignore()

    def focusInEvent(self, event: QFocusEvent) -> None:
        if event.reason() in _TAB_REASONS and self.current is None:
            self.set_current(next((mark for mark, _ in self._key_areas()), None))

    def focusOutEvent(self, event: QFocusEvent) -> None:
        self.set_current(None)

    # Marks

    def set_current(self, mark: PlotMark | None) -> None:
        if mark is not self.current:
            self.current = mark
            for panel in self.panels:
                panel.outline(mark)
            self.setAccessibleDescription(mark.note if mark else "")
            self.current_changed.emit(mark)

    def mark_at(self, at: QPointF) -> PlotMark | None:
        """The mark at a point of the widget; None if there is none."""
        point = self.mapToScene(at.toPoint())
        areas = (panel.area_at(point) for panel in self.panels if panel.sceneBoundingRect().contains(point))
        return next((area.mark for area in areas if area is not None), None)

    def mark_rect(self, mark: PlotMark) -> QRectF:
        """Where a mark is drawn on the widget; an empty rectangle if it is not drawn."""
        rects = (
            panel.map_rect_to_scene(area.drawn_rect)
            for panel in self.panels
            for area in panel.mark_areas
            if area.mark is mark
        )
        return next(rects, QRectF())

    def _key_areas(self) -> Iterator[tuple[PlotMark, QRectF]]:
        """Marks that keys can reach, each with its rectangle in the scene."""
        for panel in self.panels:
            yield from (
                (area.mark, panel.map_rect_to_scene(area.hit_rect)) for area in panel.mark_areas if not area.is_part
            )

    def _neighbour(self, across: int, down: int) -> PlotMark | None:
        """The next mark of the row, or the nearest mark of the next row; the current one if there is none."""
        areas = list(self._key_areas())
        current = next((box for mark, box in areas if mark is self.current), None)
        if current is None:
            return areas[0][0]
        candidates = []
        for mark, box in areas:
            offset = box.center() - current.center()
            right, below = offset.x() * (across or 1), offset.y()
            in_row = min(box.bottom(), current.bottom()) - max(box.top(), current.top()) > 1
            if across and in_row and right > 0.5:
                candidates.append((right, 0.0, mark))
            elif down and not in_row and below * down > 0:
                candidates.append((abs(below), abs(right), mark))
        return min(candidates, key=lambda candidate: candidate[:2])[2] if candidates else self.current
