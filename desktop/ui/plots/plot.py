"""The widget that draws figures, and finds what the mouse and the keys point at."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pyqtgraph as pg
from PySide6.QtCore import QEvent, QPointF, QRectF, Qt, Signal, Slot
from PySide6.QtGui import QContextMenuEvent, QFocusEvent, QKeyEvent, QMouseEvent, QWheelEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from desktop.ui.plots.bars import BarPanel, HistogramPanel
from desktop.ui.plots.figures import BarFigure, Figure, HeatmapFigure, HistogramFigure, LineFigure, PlotMark
from desktop.ui.plots.heatmap import HeatmapPanel
from desktop.ui.plots.lines import LinePanel
from desktop.ui.plots.panel import AXIS, PlotPanel
from desktop.ui.theme import Theme

_BETWEEN = 24  # pixels as drawn, between panels side by side
_CHOOSE = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space)
_BY_TAB = (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason)
_DIRECTIONS = {
    Qt.Key.Key_Right: (1, 0),
    Qt.Key.Key_Left: (-1, 0),
    Qt.Key.Key_Down: (0, 1),
    Qt.Key.Key_Up: (0, -1),
}


class Plot(pg.GraphicsLayoutWidget):  # type: ignore[misc]  # pyqtgraph has no types
    """Shows a figure. Arrows go from mark to mark, Enter chooses; the mouse does both."""

    pointed = Signal(object)  # PlotMark | None
    chosen = Signal(object)  # PlotMark

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
        theme.changed.connect(self.draw_again)

    def show_figure(self, figure: Figure) -> None:
        """What is pointed at stays so if the same is said of something in the new figure."""
        if figure != self.figure:
            self.figure = figure
            self.draw_again()

    @Slot()
    def draw_again(self) -> None:
        before = self.current.note if self.current is not None else None
        self.setBackground(self._theme.color("card"))
        self.ci.layout.setHorizontalSpacing(self._theme.px(_BETWEEN))
        self.ci.clear()
        self.panels = []
        theme = self._theme
        match self.figure:
            case BarFigure() as bars:
                self._add_columns([BarPanel(theme, bars)])
            case HistogramFigure() as figure:
                self._add_columns([HistogramPanel(theme, one, figure.height) for one in figure.histograms])
            case HeatmapFigure() as figure:
                rows = max((len(one.rows) for one in figure.heatmaps if one), default=0)
                self._add_columns([HeatmapPanel(theme, one, figure, rows) for one in figure.heatmaps])
            case LineFigure() as figure:
                self._add_charts(figure)
        marks = self.figure.marks() if self.figure is not None else ()
        self.point(next((mark for mark in marks if mark.note == before), None))

    def close(self) -> bool:
        """As any widget closes: pyqtgraph's own takes the scene apart while Qt still sends it events."""
        return QWidget.close(self)

    def _add_columns(self, panels: Sequence[PlotPanel]) -> None:
        """Panels of a height of their own, side by side."""
        for column, panel in enumerate(panels):
            self._add(panel, 0, column)
            if panel.axis is not None:
                self.ci.addItem(panel.axis, 1, column)
        axis = self._theme.px(AXIS) if any(panel.axis is not None for panel in panels) else 0
        height = max((panel.minimumHeight() for panel in panels), default=0.0)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFixedHeight(round(height + axis))

    def _add_charts(self, figure: LineFigure) -> None:
        """Panels one above the other, in as much room as there is."""
        widest = max((text for chart in figure.charts for _, text in chart.ticks), key=len, default="")
        for row, chart in enumerate(figure.charts):
            panel = LinePanel(self._theme, chart, figure, widest)
            self._add(panel, row, 0)
            self.ci.layout.setRowStretchFactor(row, chart.height)
        if self.panels:
            self.ci.addItem(self.panels[-1].add_axis(figure.ticks), len(figure.charts), 0)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMinimumHeight(self._theme.px(190))
        self.setMaximumHeight(16_777_215)

    def _add(self, panel: PlotPanel, row: int, column: int) -> None:
        self.ci.addItem(panel, row, column)
        self.panels.append(panel)
        panel.sigResized.connect(self._on_resized)

    @Slot()
    def _on_resized(self) -> None:
        """The panels have been laid out anew."""
        for panel in self.panels:
            panel.outline(self.current)

    # Mouse and keys

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        mark = self.mark_at(event.position())
        hand = mark is not None and mark.opens is not None
        self.viewport().setCursor(Qt.CursorShape.PointingHandCursor if hand else Qt.CursorShape.ArrowCursor)
        self.point(mark)

    def leaveEvent(self, event: QEvent) -> None:
        self.point(None)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        event.accept()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton and (mark := self.mark_at(event.position())):
            self.chosen.emit(mark)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        event.accept()

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()  # the page scrolls

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        event.ignore()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        direction = _DIRECTIONS.get(Qt.Key(event.key()))
        if direction is not None and any(self._areas()):
            self.point(self._neighbour(*direction))
        elif event.key() in _CHOOSE and self.current is not None:
            self.chosen.emit(self.current)
        else:
            event.ignore()

    def focusInEvent(self, event: QFocusEvent) -> None:
        if event.reason() in _BY_TAB and self.current is None:
            self.point(next((mark for mark, _ in self._areas()), None))

    def focusOutEvent(self, event: QFocusEvent) -> None:
        self.point(None)

    # Marks

    def point(self, mark: PlotMark | None) -> None:
        if mark is not self.current:
            self.current = mark
            for panel in self.panels:
                panel.outline(mark)
            self.setAccessibleDescription(mark.note if mark else "")
            self.pointed.emit(mark)

    def mark_at(self, at: QPointF) -> PlotMark | None:
        """`at`: in the widget."""
        in_scene = self.mapToScene(at.toPoint())
        found = (panel.area_at(in_scene) for panel in self.panels if panel.sceneBoundingRect().contains(in_scene))
        return next((area.mark for area in found if area is not None), None)

    def where(self, mark: PlotMark) -> QRectF:
        """Where a mark is drawn on the widget; empty when it is not shown."""
        found = (panel.in_scene(area.drawn) for panel in self.panels for area in panel.areas if area.mark is mark)
        return next(found, QRectF())

    def _areas(self) -> Iterator[tuple[PlotMark, QRectF]]:
        """Marks that keys go to, and where the mouse finds them."""
        for panel in self.panels:
            yield from ((area.mark, panel.in_scene(area.found)) for area in panel.areas if not area.part)

    def _neighbour(self, across: int, down: int) -> PlotMark | None:
        """The next mark of the row, or the nearest of the next row, in a direction; at the edge the same one."""
        areas = list(self._areas())
        here = next((box for mark, box in areas if mark is self.current), None)
        if here is None:
            return areas[0][0]
        found = []
        for mark, box in areas:
            right, below = (box.center().x() - here.center().x()) * (across or 1), box.center().y() - here.center().y()
            in_row = min(box.bottom(), here.bottom()) - max(box.top(), here.top()) > 1
            if across and in_row and right > 0.5:
                found.append((right, 0.0, mark))
            elif down and not in_row and below * down > 0:
                found.append((abs(below), abs(right), mark))
        return min(found, key=lambda one: one[:2])[2] if found else self.current
