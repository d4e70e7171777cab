"""A new text size or theme changes the widgets there are: nothing is built anew, and nothing in them is lost."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import pytest
from PySide6.QtCore import QItemSelectionModel, Qt
from PySide6.QtWidgets import (
    QAbstractButton,
    QGridLayout,
    QLabel,
    QLayout,
    QLineEdit,
    QPushButton,
    QStackedLayout,
    QTableWidget,
    QVBoxLayout,
    QWidget,
)
from pytestqt.qtbot import QtBot

from desktop.ui.pages.pairs.page import PairsPage
from desktop.ui.services.page import Page
from desktop.ui.shell.navigation import NAVIGATION
from desktop.ui.shell.window import MainWindow
from desktop.ui.theme import BODY, Theme
from desktop.ui.theme.rescale import unscaled
from desktop.ui.widgets.flow_layout import FlowLayout
from miner.progress import Job, Progress

Sizes = dict[str, Any]


def sizes_of(root: QWidget) -> Sizes:
    """The sizes that code and the style sheet have set in a widget and all it holds, by place and name."""
    for widget in (root, *root.findChildren(QWidget)):
        widget.ensurePolished()
    return dict(_sizes(root, type(root).__name__))


def _sizes(widget: QWidget, place: str) -> Iterator[tuple[str, object]]:
    yield f"{place} least", widget.minimumSize().toTuple()
    yield f"{place} most", widget.maximumSize().toTuple()
    yield f"{place} font", widget.font().pixelSize()
    yield f"{place} sheet", widget.styleSheet()
    if isinstance(widget, QAbstractButton) and not widget.icon().isNull():
        yield f"{place} icon", widget.iconSize().toTuple()
    if (layout := widget.layout()) is not None:
        yield from _layout_sizes(layout, f"{place}/layout")
    for number, child in enumerate(widget.children()):
        if isinstance(child, QWidget) and not (child.isWindow() or child.objectName().startswith("qt_scrollarea")):
            yield from _sizes(child, f"{place}/{type(child).__name__}{number}")


def _layout_sizes(layout: QLayout, place: str) -> Iterator[tuple[str, object]]:
    if isinstance(layout, QStackedLayout):
        return
    margins = layout.contentsMargins()
    yield f"{place} margins", (margins.left(), margins.top(), margins.right(), margins.bottom())
    if isinstance(layout, QGridLayout):
        yield f"{place} gaps", (layout.horizontalSpacing(), layout.verticalSpacing())
    elif layout.count() > 1:
        yield f"{place} gap", layout.spacing()
    for number in range(layout.count()):
        item = layout.itemAt(number)
        if (inner := item.layout()) is not None:
            yield from _layout_sizes(inner, f"{place}/{number}")
        elif (space := item.spacerItem()) is not None:
            yield f"{place}/{number} space", space.sizeHint().toTuple()


def different(sizes: Sizes, others: Sizes, tolerance: int = 0) -> dict[str, tuple[object, object]]:
    """What differs by more than `tolerance` pixels, of what is in both."""

    def is_close(one: Any, other: Any) -> bool:
        if isinstance(one, tuple):
            return all(map(is_close, one, other))
        return bool(abs(one - other) <= tolerance if isinstance(one, int) else one == other)

    both = sizes.keys() & others.keys()
    return {key: (sizes[key], others[key]) for key in sorted(both) if not is_close(sizes[key], others[key])}


def build(theme: Theme) -> QWidget:
    """A widget with one of each size that code sets."""
    px, widget = theme.px, QWidget()
    theme.dress(widget)
    column = QVBoxLayout(widget)
    column.setContentsMargins(px(16), px(13), 0, 1)
    column.setSpacing(px(6))
    label = QLabel("a label")
    label.setFont(theme.font(BODY, bold=True))
    label.setFixedHeight(px(31))
    line = QWidget()
    line.setFixedHeight(1)
    button = QPushButton("a button")
    button.setMinimumWidth(px(75))
    button.setIcon(theme.icon("x"))
    table = QTableWidget(3, 3)
    table.verticalHeader().setMinimumSectionSize(px(20))
    table.verticalHeader().setDefaultSectionSize(px(28))
    table.horizontalHeader().setMinimumSectionSize(px(40))
    table.setColumnWidth(1, px(90))
    table.setColumnHidden(2, True)
    table.setStyleSheet(f"QTableView::item {{ padding: 0 {px(5)}px; border: 1px solid; }}")
    grid = QGridLayout()
    grid.setHorizontalSpacing(px(12))
    grid.setVerticalSpacing(px(3))
    grid.setColumnMinimumWidth(0, px(64))
    grid.addWidget(table, 0, 0)
    flow = FlowLayout(px(7))
    flow.addWidget(QLabel("one"))
    flow.addWidget(QLabel("two"))
    for item in (label, line, button):
        column.addWidget(item)
    column.addSpacing(px(11))
    column.addLayout(grid)
    column.addLayout(flow)
    return widget


@pytest.mark.parametrize("scale", [0.8, 1.25, 1.5, 2.0])
def test_sizes_become_those_of_a_widget_built_at_that_scale_and_come_back(
    theme: Theme, qtbot: QtBot, scale: float
) -> None:
    widget = build(theme)
    table, label = widget.findChildren(QTableWidget)[0], widget.findChildren(QLabel)[0]
    before = sizes_of(widget)
    theme.apply("light", scale, reduced_motion=True)
    assert different(sizes_of(build(theme)), sizes_of(widget)) == {}
    assert table.columnWidth(1) == theme.px(90)
    assert table.rowHeight(2) == theme.px(28)
    label.setFixedHeight(theme.px(60))  # anew: what was is not to come back
    theme.apply("light", 1.75, reduced_motion=True)
    theme.apply("light", 1.0, reduced_motion=True)
    assert label.height() == label.minimumHeight() == 60
    label.setFixedHeight(31)
    assert different(before, sizes_of(widget)) == {}
    assert (table.columnWidth(1), table.rowHeight(2), table.isColumnHidden(2)) == (90, 28, True)


def test_whole_sizes_are_found_again() -> None:
    for scale in (1.0, 1.1, 1.25, 1.5, 1.75, 2.0):
        assert all(unscaled(round(size * scale), scale) == size for size in range(400))
    assert round(unscaled(41, 0.8) * 0.8) == 41


@pytest.mark.slow
@pytest.mark.parametrize("name", [item.name for item in NAVIGATION])
def test_a_page_gets_the_sizes_of_one_that_was_built_at_that_scale(window: MainWindow, qtbot: QtBot, name: str) -> None:
    def shown() -> Page:
        window.show_page(name)
        qtbot.waitUntil(lambda: not window.runner.running)
        return window.page(name)

    page = shown()
    before = sizes_of(page)
    window.settings_store.change(scale=1.5)
    rescaled = sizes_of(page)
    window.settings_store.change(scale=1.0)
    assert different(before, sizes_of(page), tolerance=1) == {}
    window.settings_store.change(scale=1.5)
    assert window.page(name) is page
    built = sizes_of(type(page)(window.context, window))  # type: ignore[call-arg, arg-type]
    assert different(built, rescaled, tolerance=1) == {}


def test_nothing_is_lost_by_another_scale_or_theme(window: MainWindow, qtbot: QtBot) -> None:
    window.show_page("pairs")
    qtbot.waitUntil(lambda: not window.runner.running)
    table = window.page("pairs").table  # type: ignore[attr-defined]
    rows = table.selectionModel()
    rows.select(
        table.model().index(3, 0),
        QItemSelectionModel.SelectionFlag.Rows | QItemSelectionModel.SelectionFlag.ClearAndSelect,
    )
    window.show_page("settings")
    page = window.page("settings")
    field = next(line for line in page.findChildren(QLineEdit) if line.isVisible())
    field.setText("e")
    field.setFocus(Qt.FocusReason.OtherFocusReason)
    area = page.area  # type: ignore[attr-defined]
    area.verticalScrollBar().setValue(area.verticalScrollBar().maximum())
    run = window.runner.start(Job("Waits", wait))
    widgets = window.findChildren(QWidget)

    try:
        for change in ({"scale": 1.5}, {"theme": "dark"}, {"scale": 0.9}, {"theme": "light", "scale": 1.0}):
            window.settings_store.change(**change)
            assert set(widgets) <= set(window.findChildren(QWidget))
            assert window.page("settings") is page
            assert window.focusWidget() is field
            assert field.text() == "e"
            assert area.verticalScrollBar().value() == area.verticalScrollBar().maximum() > 0
            assert [row.row() for row in rows.selectedRows()] == [3]
            assert run in window.runner.running
    finally:
        run.cancel()


def wait(progress: Progress) -> None:
    while True:
        progress.wait(0.01)
        progress.tick(1)


@pytest.mark.parametrize("name", ["export", "train", "mining", "experiments"])
def test_a_narrow_page_is_not_cut_at_its_side(window: MainWindow, qtbot: QtBot, name: str) -> None:
    window.show_page(name)
    page = window.page(name)
    assert page.least_size is not None
    for width, is_stacked in ((page.least_size[0] + 100, False), (page.least_size[0] - 100, True)):
        page.resize(width, 600)
        assert (page.is_stacked, page.scroll_area.horizontalScrollBar().maximum()) == (is_stacked, 0)


def test_what_stands_beside_the_search_of_pairs_is_not_covered(window: MainWindow, qtbot: QtBot, theme: Theme) -> None:
    theme.apply("light", 2.0, reduced_motion=True)
    window.resize(900, 600)
    window.show_page("pairs")
    page = window.page("pairs")
    assert isinstance(page, PairsPage)
    row = [page.search, page.saved, page.columns]
    qtbot.wait(100)  # until it is laid out
    for left, right in pairwise(row):
        assert left.geometry().right() < right.x()
    assert [one.width() for one in row[1:]] == [one.sizeHint().width() for one in row[1:]]
    assert page.search.width() > 120
