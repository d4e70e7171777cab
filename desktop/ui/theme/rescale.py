"""Gives widgets that were built at one scale the sizes of another."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from types import FunctionType
from weakref import WeakKeyDictionary

from PySide6.QtCore import QCoreApplication, QEvent, QMargins, QObject, QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QAbstractScrollArea,
    QFormLayout,
    QGridLayout,
    QHeaderView,
    QLayout,
    QLineEdit,
    QMainWindow,
    QPushButton,
    QScrollBar,
    QSplitter,
    QStackedLayout,
    QToolButton,
    QWidget,
)

_NO_LIMIT = 524_287  # px; Qt's QLAYOUTSIZE_MAX, its QWIDGETSIZE_MAX is larger
_LINE = 1  # px; lines are as thin at every scale
_PIXELS = re.compile(r"\b(\d+)px")
_OWN_SIZES = {  # with which Qt remembers what a size was before a style sheet has changed it
    "minimumWidth": "_q_stylesheet_minw",
    "minimumHeight": "_q_stylesheet_minh",
    "maximumWidth": "_q_stylesheet_maxw",
    "maximumHeight": "_q_stylesheet_maxh",
}


class Rescaler:
    """Multiplies the sizes that code has set: of widgets, layouts, fonts, icons, columns and style sheets.

    Sizes are stored as at 100 %, so that changing the scale and back gives the same pixels. A size that was set since
    then counts as set at the scale of that time.
    """

    def __init__(self) -> None:
        self._known: WeakKeyDictionary[QObject, dict[str, tuple[float, int]]] = WeakKeyDictionary()
        self._before = self._after = 1.0

    def rescale(self, window: QWidget, before: float, after: float) -> None:
        """Give `window` and all its children, which have the sizes of scale `before`, the sizes of scale `after`."""
        self._before, self._after = before, after
        for widget in (window, *window.findChildren(QWidget)):
            self._rescale_widget(widget)
            if (layout := widget.layout()) is not None and not isinstance(widget, QMainWindow):
                self._rescale_layout(layout)

    def _size(self, target: QObject, name: str, value: int) -> int:
        """The size `name` of `target` at the new scale, from its present value."""
        if value <= _LINE or value >= _NO_LIMIT:
            return value
        sizes = self._known.setdefault(target, {})
        at_100, last = sizes.get(name, (0.0, 0))
        if value != last:
            at_100 = unscaled(value, self._before)
        new = round(at_100 * self._after)
        sizes[name] = at_100, new
        return new

    def _change(self, target: QObject, name: str, value: int, change: Callable[[int], object]) -> None:
        if (new := self._size(target, name, value)) != value:
            change(new)

    def _rescale_widget(self, widget: QWidget) -> None:
        self._rescale_limits(widget)
        margins = widget.contentsMargins()
        if not margins.isNull():
            widget.setContentsMargins(self._margins(widget, margins))
        if widget.testAttribute(Qt.WidgetAttribute.WA_SetFont) and widget.font().pixelSize() > 0:
            font = widget.font()
            font.setPixelSize(self._size(widget, "font", font.pixelSize()))
            widget.setFont(font)
        if sheet := widget.styleSheet() if widget.parentWidget() is not None else "":
            widget.setStyleSheet(_PIXELS.sub(lambda found: self._css_size(widget, found), sheet))
        if isinstance(widget, (QPushButton, QToolButton, QAbstractItemView)) and (icon := widget.iconSize()).isValid():
            width = self._size(widget, "icon width", icon.width())
            widget.setIconSize(QSize(width, self._size(widget, "icon height", icon.height())))
        if isinstance(widget, QLineEdit):
            widget.setTextMargins(self._margins(widget, widget.textMargins(), "text"))
        elif isinstance(widget, QHeaderView):
            self._rescale_header(widget)
        elif isinstance(widget, QSplitter):
            self._rescale_splitter(widget)

    def _rescale_limits(self, widget: QWidget) -> None:
        """Rescale the minimum and maximum size. A window's sizes stay as they are if they follow from its contents."""
        if isinstance(widget, QMainWindow) or widget.objectName().startswith("qt_"):  # the latter are Qt's own
            return
        layout = widget.layout() if widget.isWindow() else None
        needed = layout.totalMinimumSize() if layout is not None else QSize(-1, -1)
        for name, value, change in (
            ("minimumWidth", widget.minimumWidth(), widget.setMinimumWidth),
            ("minimumHeight", widget.minimumHeight(), widget.setMinimumHeight),
            ("maximumWidth", widget.maximumWidth(), widget.setMaximumWidth),
            ("maximumHeight", widget.maximumHeight(), widget.setMaximumHeight),
        ):
            if not _LINE < value < _NO_LIMIT or widget.property(_OWN_SIZES[name]) is not None:
                continue
            is_needed = value == (needed.width() if name == "minimumWidth" else needed.height())
            if not (name.startswith("minimum") and is_needed):
                self._change(widget, name, value, change)

    def _margins(self, target: QObject, margins: QMargins, name: str = "margin") -> QMargins:
        sides = (margins.left(), margins.top(), margins.right(), margins.bottom())
        return QMargins(*(self._size(target, f"{name} {side}", value) for side, value in enumerate(sides)))

    def _css_size(self, widget: QWidget, found: re.Match[str]) -> str:
        return f"{self._size(widget, f'sheet {found.start()}', int(found[1]))}px"

    def _rescale_layout(self, layout: QLayout) -> None:
        if isinstance(layout, QStackedLayout):  # it has neither margins nor gaps, but speaks of some
            return
        for index, item in enumerate(map(layout.itemAt, range(layout.count()))):
            assert item is not None
            if (inner := item.layout()) is not None:
                self._rescale_layout(inner)
            elif (space := item.spacerItem()) is not None:
                size, policy = space.sizeHint(), space.sizePolicy()
                width = self._size(layout, f"space across {index}", size.width())
                height = self._size(layout, f"space down {index}", size.height())
                space.changeSize(width, height, policy.horizontalPolicy(), policy.verticalPolicy())
        layout.setContentsMargins(self._margins(layout, layout.contentsMargins()))
        if isinstance(layout, QGridLayout):
            for column in range(layout.columnCount()):
                width, change = layout.columnMinimumWidth(column), partial(layout.setColumnMinimumWidth, column)
                self._change(layout, f"column {column}", width, change)
        if isinstance(layout, (QGridLayout, QFormLayout)):
            self._change(layout, "across", layout.horizontalSpacing(), layout.setHorizontalSpacing)
            self._change(layout, "down", layout.verticalSpacing(), layout.setVerticalSpacing)
        else:  # after the inner layouts, which have the spacing of this one where they have none
            self._change(layout, "spacing", layout.spacing(), layout.setSpacing)
        layout.invalidate()

    def _rescale_header(self, header: QHeaderView) -> None:
        """Rescale default sizes of rows and columns, and column widths, without signals, since no user resized them."""
        header.blockSignals(True)
        if self._after < self._before:  # else the usual size would stop at the least
            self._change(header, "least", header.minimumSectionSize(), header.setMinimumSectionSize)
        if header.orientation() == Qt.Orientation.Horizontal:
            self._rescale_columns(header)
        else:
            self._change(header, "usual", header.defaultSectionSize(), header.setDefaultSectionSize)
        self._change(header, "least", header.minimumSectionSize(), header.setMinimumSectionSize)
        header.blockSignals(False)

    def _rescale_columns(self, header: QHeaderView) -> None:
        for column in range(header.count()):
            if header.sectionResizeMode(column) not in (
                QHeaderView.ResizeMode.Interactive,
                QHeaderView.ResizeMode.Fixed,
            ):
                continue
            is_hidden = header.isSectionHidden(column)
            header.setSectionHidden(column, False)  # Qt tells no size of a hidden one
            header.resizeSection(column, self._size(header, f"column {column}", header.sectionSize(column)))
            header.setSectionHidden(column, is_hidden)

    def _rescale_splitter(self, splitter: QSplitter) -> None:
        self._change(splitter, "handle", splitter.handleWidth(), splitter.setHandleWidth)
        if type(splitter) is QSplitter:  # those with a class of their own see to their panes
            self._rescale_panes(splitter)

    def _rescale_panes(self, splitter: QSplitter) -> None:
        """Rescale the panes that do not stretch; the others take the remaining space."""
        across = splitter.orientation() == Qt.Orientation.Horizontal
        panes = filter(None, map(splitter.widget, range(splitter.count())))
        policies = [pane.sizePolicy() for pane in panes]
        stretches = [policy.horizontalStretch() if across else policy.verticalStretch() for policy in policies]
        sizes = splitter.sizes()
        if sum(map(bool, stretches)) != 1:
            return
        new = [
            size if stretch else self._size(splitter, f"pane {index}", size)
            for index, (size, stretch) in enumerate(zip(sizes, stretches, strict=True))
        ]
        new[stretches.index(max(stretches))] += sum(sizes) - sum(new)
        splitter.setSizes([max(0, size) for size in new])


def unscaled(pixels: int, scale: float) -> float:
    """The size at 100 % of a size that is `pixels` at a scale; a whole number if there is one."""
    whole = round(pixels / scale)
    return next((float(n) for n in (whole, whole - 1, whole + 1) if round(n * scale) == pixels), pixels / scale)


def arrange_again(window: QWidget) -> None:
    """Let the widgets that arrange themselves by width in `resizeEvent` do so again."""
    for widget in (window, *window.findChildren(QWidget)):
        widget.updateGeometry()  # some layouts have asked for sizes amid the change
        if isinstance(type(widget).resizeEvent, FunctionType):
            QCoreApplication.sendEvent(widget, QResizeEvent(widget.size(), widget.size()))


def scroll_places(window: QWidget) -> list[tuple[QScrollBar, float]]:
    """The scroll positions of contents measured in pixels, not in rows, as shares of the scroll range."""
    bars = [
        bar
        for area in window.findChildren(QAbstractScrollArea)
        if not isinstance(area, QAbstractItemView)
        or area.verticalScrollMode() == QAbstractItemView.ScrollMode.ScrollPerPixel
        for bar in (area.verticalScrollBar(), area.horizontalScrollBar())
    ]
    return [(bar, bar.value() / bar.maximum()) for bar in bars if bar.value() > 0]


def restore_scroll_places(places: list[tuple[QScrollBar, float]]) -> None:
    """Restore these scroll positions, after the contents have been laid out."""
    if places:
        QCoreApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest.value)
    for bar, share in places:
        bar.setValue(round(share * bar.maximum()))
