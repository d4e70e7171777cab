"""Keys and double clicks mean the same in every list."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QItemSelectionModel, QMimeData, QPoint, QPointF, QSettings, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QComboBox,
    QFrame,
    QHeaderView,
    QScrollArea,
    QTableView,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)
from pytestqt.qtbot import QtBot

from desktop.ui.shell.navigation import NAVIGATION
from desktop.ui.shell.window import MainWindow
from desktop.ui.theme import Theme
from desktop.ui.widgets.card_keys import CardKeys
from desktop.ui.widgets.column_choice import ColumnChoice
from desktop.ui.widgets.list_keys import ListKeys, list_keys, remove_by, rows_as_text
from desktop.ui.widgets.row_drag import row_data
from desktop.ui.widgets.tables import style_table

PAGES = [item.name for item in NAVIGATION]
Key = Qt.Key
_ROW_TOO = QItemSelectionModel.SelectionFlag.Select | QItemSelectionModel.SelectionFlag.Rows


def lists(page: QWidget) -> list[QAbstractItemView]:
    found = page.findChildren(QAbstractItemView)
    parts = (QHeaderView, QComboBox)
    return [view for view in found if not isinstance(view, QHeaderView) and not _is_in(view, parts)]


def _is_in(view: QAbstractItemView, kinds: tuple[type, ...]) -> bool:
    parent = view.parentWidget()
    while parent is not None and not isinstance(parent, kinds):
        parent = parent.parentWidget()
    return parent is not None


def test_every_list_of_a_page_has_the_same_keys(window: MainWindow, qtbot: QtBot) -> None:
    for name in PAGES:
        print(f"on {name}")  # what failed
        window.show_page(name)
        qtbot.waitUntil(lambda: not window.runner.running, timeout=30_000)
        page = window.page(name)
        for view in lists(page):
            keys = view.findChildren(ListKeys, options=Qt.FindChildOption.FindDirectChildrenOnly)
            assert len(keys) == 1, (type(view).__name__, view.accessibleName())
            if not view.isVisible() or not isinstance(view, QTableView) or not view.model().rowCount():
                continue
            if view.selectionBehavior() is not QTableView.SelectionBehavior.SelectRows:
                continue
            last = view.model().rowCount() - 1
            for key, row in ((Key.Key_End, last), (Key.Key_Home, 0)):
                qtbot.keyClick(view, key)
                assert view.currentIndex().row() == row, view.accessibleName()
                assert {index.row() for index in view.selectedIndexes()} == {row}
            QApplication.clipboard().setText("before")
            view.setFocus()
            qtbot.keyClick(view, Key.Key_C, Qt.KeyboardModifier.ControlModifier)
            qtbot.waitUntil(lambda: not window.runner.running)
            lines = QApplication.clipboard().text().splitlines()
            assert len(lines) == 2, (view.accessibleName(), lines)


def test_keys_of_a_list(qtbot: QtBot, theme: Theme) -> None:
    table = QTableWidget(3, 3)
    qtbot.addWidget(table)
    table.setHorizontalHeaderLabels(["Name", "Hidden", "Number ↓"])
    for row in range(3):
        for column, text in enumerate((f"row {row}\tof 3", "no", str(row))):
            table.setItem(row, column, QTableWidgetItem(text))
    style_table(table, theme)
    table.setSelectionMode(QTableWidget.SelectionMode.ExtendedSelection)
    table.hideColumn(1)
    table.horizontalHeader().moveSection(2, 0)
    table.show()
    assert rows_as_text(table) == ""
    qtbot.keyClick(table, Key.Key_Return)  # without a current row
    heard: list[str] = []
    table.activated.connect(lambda index: heard.append(f"open {index.row()}"))
    remove_by(table, lambda: heard.append("remove"))
    assert list_keys(table) is list_keys(table)
    for key in (Key.Key_End, Key.Key_Return, Key.Key_Delete):
        qtbot.keyClick(table, key)
    at = table.visualItemRect(table.item(0, 0)).center()
    for click in (qtbot.mouseClick, qtbot.mouseDClick):
        click(table.viewport(), Qt.MouseButton.LeftButton, pos=at)
    assert heard == ["open 2", "remove", "open 0"]
    qtbot.keyClick(table, Key.Key_Down, Qt.KeyboardModifier.ShiftModifier)
    qtbot.keyClick(table, Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QApplication.clipboard().text() == "Number\tName\n0\trow 0 of 3\n1\trow 1 of 3\n"


def test_a_right_click_on_a_header_chooses_columns_and_the_choice_is_remembered(
    qtbot: QtBot, theme: Theme, tmp_path: Path
) -> None:
    settings = QSettings(str(tmp_path / "window.ini"), QSettings.Format.IniFormat)
    names = ["Title", "Year", "Domain"]

    def shown(table: QTableWidget) -> list[str]:
        return [name for number, name in enumerate(names) if not table.isColumnHidden(number)]

    def table() -> tuple[QTableWidget, ColumnChoice]:
        new = QTableWidget(1, 3)
        qtbot.addWidget(new)
        choice = ColumnChoice(new, names, settings, "test/columns")
        choice.hide_without_room(frozenset({2}))
        return new, choice

    first, choice = table()
    assert shown(first) == ["Title", "Year"]
    choice.fill_menu()
    title, year, domain, _, reset = choice.menu.actions()
    assert not title.isEnabled()
    domain.trigger()
    year.trigger()
    assert shown(first) == shown(table()[0]) == ["Title", "Domain"]
    year.trigger()
    assert shown(table()[0]) == names
    reset.trigger()
    assert shown(first) == ["Title", "Year"]


def test_rows_are_dragged_as_text_cells_and_files(
    window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = row_data(["A", "B"], [["one\n1", 'a "<b>"']], [Path("/papers/a b.pdf")])
    assert data.text() == 'A\tB\none 1\ta "<b>"\n'
    assert bytes(data.data("text/csv").data()) == b'A,B\r\none 1,"a ""<b>"""\r\n'
    assert "<td>one 1</td><td>a &quot;&lt;b&gt;&quot;</td>" in data.html()
    assert [url.toLocalFile() for url in data.urls()] == ["/papers/a b.pdf"]
    for name, files in (("papers", True), ("pairs", False)):
        window.show_page(name)
        view = window.page(name).table
        qtbot.waitUntil(lambda view=view: view.model().rowCount() > 1 and view.model().line(1) is not None)
        qtbot.waitUntil(lambda: not window.runner.running, timeout=30_000)
        view.clearSelection()
        view.selectRow(0)
        view.selectionModel().select(view.model().index(1, 0), _ROW_TOO)
        dropped: list[QMimeData] = []
        monkeypatch.setattr(
            f"desktop.ui.pages.{name}.table_view.drag_rows", lambda _, data, dropped=dropped: dropped.append(data)
        )
        at = view.visualRect(view.model().index(1, 0)).center()
        for kind, step in ((QEvent.Type.MouseButtonPress, 0), (QEvent.Type.MouseMove, 20), (QEvent.Type.MouseMove, 40)):
            left, place = Qt.MouseButton.LeftButton, QPointF(at + QPoint(step, 0))
            event = QMouseEvent(kind, place, view.viewport().mapToGlobal(place), left, left, Qt.KeyboardModifier(0))
            QApplication.sendEvent(view.viewport(), event)
        [dragged] = dropped
        assert len(dragged.text().splitlines()) == 3
        assert dragged.hasUrls() is files


def test_keys_of_a_list_of_cards(qtbot: QtBot) -> None:
    area, column = QScrollArea(), QWidget()
    qtbot.addWidget(area)
    layout = QVBoxLayout(column)
    opened: list[int] = []
    cards = [QFrame() for _ in range(3)]
    for number, card in enumerate(cards):
        layout.addWidget(card)
        CardKeys(card, lambda number=number: f"card {number}", lambda number=number: opened.append(number))
    area.setWidget(column)
    area.show()
    cards[0].setFocus()
    for key, focused in ((Key.Key_Down, 1), (Key.Key_End, 2), (Key.Key_Down, 2), (Key.Key_Up, 1), (Key.Key_Home, 0)):
        held = area.focusWidget()
        assert held is not None
        qtbot.keyClick(held, key)
        assert area.focusWidget() is cards[focused]
    qtbot.keyClick(cards[2], Key.Key_Return)
    qtbot.keyClick(cards[1], Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert (opened, QApplication.clipboard().text()) == ([2], "card 1")
