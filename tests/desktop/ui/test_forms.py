"""What forms and tables have in common: the wheel, the keyboard, and heads that sort."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QPointF, QRect, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractSpinBox, QApplication, QComboBox, QPushButton, QTableView, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from desktop import ui
from desktop.ui.pages.pairs import columns as pair_columns
from desktop.ui.pages.pairs.page import PairsPage
from desktop.ui.pages.papers import table_model as papers
from desktop.ui.shell.window import MainWindow
from desktop.ui.theme import Theme
from desktop.ui.widgets.fields import ComboBox, FormScrollArea, NumberBox, Slider, Tabs


def roll(window: MainWindow, widget: QWidget) -> None:
    """One step down, as from a mouse."""
    handle = window.windowHandle()
    assert handle is not None
    QTest.wheelEvent(handle, QPointF(widget.mapTo(window, QPoint(4, 4))), QPoint(0, -120))


@pytest.mark.parametrize("name", ["mining", "train", "export", "suggest"])
def test_the_wheel_scrolls_a_form_wherever_the_mouse_is_and_changes_no_number(
    window: MainWindow, qtbot: QtBot, name: str
) -> None:
    window.resize(1024, 560)
    window.show_page(name)
    qtbot.waitUntil(lambda: not window.runner.running)
    areas = [area for area in window.page(name).findChildren(FormScrollArea) if area.isVisible()]
    area = next(area for area in areas if not area.findChildren(FormScrollArea))  # not the one of the whole page
    column = area.widget()
    assert column is not None
    column.setMinimumHeight(area.viewport().height() + 400)
    bar = area.verticalScrollBar()
    qtbot.waitUntil(lambda: bar.maximum() >= 400)
    controls = [*column.findChildren(QComboBox), *column.findChildren(QAbstractSpinBox)]
    before = [(box.currentIndex() if isinstance(box, QComboBox) else box.text()) for box in controls]
    tried = 0
    for widget in column.findChildren(QWidget):
        bar.setValue(0)
        seen = area.viewport().rect().contains(widget.mapTo(area.viewport(), QPoint(4, 4)))
        if not seen or not widget.isVisible() or window.childAt(widget.mapTo(window, QPoint(4, 4))) is not widget:
            continue
        roll(window, widget)
        assert bar.value() > 0, (type(widget).__name__, widget.accessibleName())
        tried += 1
    assert tried > 2
    assert [(box.currentIndex() if isinstance(box, QComboBox) else box.text()) for box in controls] == before


def test_the_keyboard_stays_on_the_page_when_the_button_that_was_pressed_goes_grey(
    window: MainWindow, qtbot: QtBot
) -> None:
    window.show_page("export")
    page = window.page("export")
    qtbot.waitUntil(lambda: not window.runner.running)
    last = [button for button in page.findChildren(QPushButton) if button.isVisible() and button.isEnabled()][-1]
    last.clicked.connect(lambda: last.setEnabled(False))
    last.setFocus()
    QWidget.setTabOrder(last, window.central.sidebar.buttons["papers"])
    last.setEnabled(False)
    held = QApplication.focusWidget()
    assert held is not None
    assert held is page or page.isAncestorOf(held)
    last.setEnabled(True)


def test_the_wheel_changes_a_field_only_while_it_has_the_focus(qtbot: QtBot) -> None:
    form = QWidget()
    qtbot.addWidget(form)
    layout = QVBoxLayout(form)
    number, choice, slider = NumberBox(maximum=9, value=5), ComboBox(), Slider(Qt.Orientation.Horizontal)
    choice.addItems(["one", "two", "three"])
    slider.setValue(50)
    tabs = Tabs()
    for name in ("first", "second"):
        tabs.addTab(QWidget(), name)
    for field in (number, choice, slider, tabs):
        layout.addWidget(field)
    form.show()
    handle = form.windowHandle()
    assert handle is not None
    values = (number.value, choice.currentIndex, slider.value, tabs.currentIndex)
    before = [value() for value in values]
    for focused in (None, number, choice, slider, tabs.tabBar()):
        (focused or form).setFocus()
        for field in (number, choice, slider, tabs.tabBar()):
            QTest.wheelEvent(handle, QPointF(field.mapTo(form, QPoint(4, 4))), QPoint(0, -120))
        changed = [was != value() for was, value in zip(before, values, strict=True)]
        fields = (number, choice, slider, tabs.tabBar())
        assert changed == [field is focused for field in fields], focused
        before = [value() for value in values]


def test_no_line_is_drawn_above_the_titles_of_tabs(theme: Theme, qtbot: QtBot) -> None:
    tabs = Tabs()
    qtbot.addWidget(tabs)
    theme.dress(tabs)
    for name in ("first", "second"):
        tabs.addTab(QWidget(), name)
    tabs.resize(400, 200)
    tabs.show()
    top = tabs.grab(QRect(0, 0, 400, 3)).toImage()
    assert len({top.pixel(x, y) for x in range(top.width()) for y in range(top.height())}) == 1


def test_all_fields_are_of_the_kinds_that_leave_the_wheel_alone() -> None:
    plain = re.compile(r"\bQ(SpinBox|DoubleSpinBox|ComboBox|Slider|TabBar|TabWidget|DateEdit|Dial)\(")
    found = [path.name for path in Path(ui.__file__).parent.rglob("*.py") if plain.search(path.read_text("utf-8"))]
    assert found == []


@pytest.mark.parametrize("name", ["pairs", "papers"])
def test_a_click_on_the_head_of_a_column_without_an_order_shows_no_arrow(
    window: MainWindow, qtbot: QtBot, name: str
) -> None:
    window.show_page(name)
    qtbot.waitUntil(lambda: not window.runner.running)
    page = window.page(name)
    table = page.table if isinstance(page, PairsPage) else page.findChild(QTableView)
    assert isinstance(table, QTableView)
    columns = pair_columns.COLUMNS if name == "pairs" else papers.COLUMNS
    head = table.horizontalHeader()
    for number, column in enumerate(columns):
        if table.isColumnHidden(number):
            continue
        before = head.sortIndicatorSection()
        at = QPoint(head.sectionViewportPosition(number) + 20, head.height() // 2)
        qtbot.mouseClick(head.viewport(), Qt.MouseButton.LeftButton, pos=at)
        assert head.sortIndicatorSection() == (before if column.sort is None else number), column
        qtbot.waitUntil(lambda: not window.runner.running)


def test_more_pairs_than_were_counted_are_not_said_to_be_of_fewer(window: MainWindow, qtbot: QtBot) -> None:
    window.show_page("pairs")
    page = window.page("pairs")
    assert isinstance(page, PairsPage)
    qtbot.waitUntil(lambda: page.loader.is_complete and page._total is not None)
    page._on_counted(3)  # before more were mined
    assert page.toolbar.counter.text() == f"{page.model.rowCount():,}"
