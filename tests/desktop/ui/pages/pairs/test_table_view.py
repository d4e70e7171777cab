"""The table of pairs on the screen: its order, columns and selection."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QMenu
from pytestqt.qtbot import QtBot

from desktop.jobs.review import answers
from desktop.ui.pages.pairs.columns import COLUMNS
from desktop.ui.pages.pairs.page import PairsPage
from desktop.ui.services.project_context import ProjectContext
from miner.progress import Progress
from storage.annotation.marks import MarkKind
from storage.pairs.filters import PairFilter, PairOrder, SortColumn
from tests.desktop.ui.app_driver import App
from tests.desktop.ui.pages.pairs.page_helpers import answered_keys, count_pairs, displayed_key

Ctrl, Shift, No = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.NoModifier


def test_sorting_and_returning_to_paper_order(app: App, page: PairsPage, context: ProjectContext) -> None:
    usual = page.model.ids
    number = [column.key for column in COLUMNS].index("year")
    page.table.sortByColumn(number, Qt.SortOrder.DescendingOrder)
    app.wait()
    with context.project.read_transaction() as stores:
        assert page.model.ids == stores.pair_table.ids(PairFilter(), PairOrder(SortColumn.YEAR, True))
    page.table.horizontalHeader().setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
    app.wait()
    assert page.model.ids == usual


def test_the_columns_menu_can_sort(app: App, page: PairsPage, context: ProjectContext) -> None:
    [sort] = [action.menu() for action in page.table.column_menu().actions() if action.text() == "Sort by"]
    [action] = [action for action in sort.actions() if action.text() == "Word overlap"]
    action.trigger()
    app.wait()
    with context.project.read_transaction() as stores:
        assert page.model.ids == stores.pair_table.ids(PairFilter(), PairOrder(SortColumn.OVERLAP))


@pytest.mark.qt_log_ignore("This plugin does not support", extend=True)
def test_the_context_menu_filters_by_the_paper_of_a_pair(app: App, page: PairsPage) -> None:
    page.table.select_rows([3], 3)
    line = page.model.line(3)
    assert line is not None
    page.table.menu_requested.emit(page.mapToGlobal(QPoint(50, 200)))
    [menu] = [menu for menu in page.findChildren(QMenu) if menu.isVisible()]
    [action] = [action for action in menu.actions() if action.text() == "Only this paper"]
    action.trigger()
    menu.close()
    app.wait()
    assert page.filter == PairFilter(papers=frozenset({line.paper}))
    assert page.filter_bar.chips["papers"].text_button.text().startswith(f"Paper: {line.title[:20]}")


def test_a_change_by_others_keeps_selection_and_scroll_position(
    app: App, page: PairsPage, context: ProjectContext
) -> None:
    unflagged = PairFilter(flagged=False)
    page.show_filter(unflagged)
    app.wait()
    chosen = [page.model.ids[row] for row in (12, 14)]
    page.table.scroll_to_top(10, 0)
    top = page.model.ids[10]
    page.table.select_rows([12, 14], 14)
    with context.project.read_transaction() as stores:
        keys = stores.pair_table.keys(page.model.ids[2:5])
    judged = answers.mark(context.project, keys, "ada", MarkKind.FLAG, "1").work(Progress())
    context.events.changed.emit(judged.changes)
    app.wait()
    assert page.model.rowCount() == count_pairs(context, unflagged)
    assert page.model.ids[page.table.top_row()] == top
    assert [page.model.ids[row] for rows in page.table.ranges() for row in rows] == chosen
    assert page.model.ids[page.table.cursor_row()] == chosen[1]


def test_home_and_end_select_the_first_and_last_row(page: PairsPage, qtbot: QtBot) -> None:
    last = page.model.rowCount() - 1
    page.table.select_rows([4], 4)
    for modifiers in (No, Ctrl):
        qtbot.keyClick(page.table, Qt.Key.Key_End, modifiers)
        assert page.table.ranges() == [range(last, last + 1)]
        qtbot.keyClick(page.table, Qt.Key.Key_Home, modifiers)
        assert page.table.ranges() == [range(1)]
    qtbot.keyClick(page.table, Qt.Key.Key_End, Shift)
    assert page.table.ranges() == [range(last + 1)]


def test_deselecting_a_row_shows_the_remaining_selection(
    app: App, page: PairsPage, context: ProjectContext, qtbot: QtBot
) -> None:
    page.table.select_rows([1, 3], 1)
    place = page.table.visualRect(page.model.index(3, 1)).center()
    qtbot.mouseClick(page.table.viewport(), Qt.MouseButton.LeftButton, Ctrl, QPoint(place))
    app.wait()
    shown = displayed_key(page)
    qtbot.keyClick(page.table, Qt.Key.Key_1)
    app.wait()
    assert answered_keys(context) == [shown]
    assert page.table.ranges() == [range(1, 2)]


def test_visible_columns_are_remembered(page: PairsPage, context: ProjectContext, qtbot: QtBot) -> None:
    number = [column.key for column in COLUMNS].index("title")
    assert page.table.isColumnHidden(number)
    [action] = [action for action in page.table.column_menu().actions() if action.text() == "Paper"]
    action.trigger()
    another = PairsPage(context)
    qtbot.addWidget(another)
    assert not another.table.isColumnHidden(number)


@pytest.mark.qt_log_ignore("This plugin does not support", extend=True)
def test_the_columns_menu_stays_open(page: PairsPage, qtbot: QtBot) -> None:
    menu = page.table.column_menu()
    menu.popup(page.mapToGlobal(QPoint(0, 0)))
    for name, how in (("Paper", "key"), ("Page", "click")):
        number = [column.title for column in COLUMNS].index(name)
        [action] = [action for action in menu.actions() if action.text() == name]
        assert page.table.isColumnHidden(number)
        if how == "key":
            menu.setActiveAction(action)
            qtbot.keyClick(menu, Qt.Key.Key_Space)
        else:
            qtbot.mouseClick(menu, Qt.MouseButton.LeftButton, pos=menu.actionGeometry(action).center())
        assert not page.table.isColumnHidden(number)
        assert menu.isVisible()
    menu.close()
