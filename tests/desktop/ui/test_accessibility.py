"""Every control says what it is to those who cannot see it, and the keyboard reaches it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible, QAccessibleInterface
from PySide6.QtWidgets import (
    QAbstractScrollArea,
    QAbstractSpinBox,
    QComboBox,
    QDialog,
    QLineEdit,
    QRadioButton,
    QTableView,
    QWidget,
)
from pytestqt.qtbot import QtBot

from desktop.ui.shell.navigation import NAVIGATION
from desktop.ui.shell.window import MainWindow
from tests.desktop.ui.test_looks import letters_used_twice

NAMES = [item.name for item in NAVIGATION]


def controls(within: QWidget) -> list[QWidget]:
    """What the Tab key should come to: visible, enabled, and not a part of another control."""
    found = []
    for widget in within.findChildren(QWidget):
        part = isinstance(widget.parentWidget(), QComboBox | QAbstractSpinBox | QAbstractScrollArea)
        wanted = widget.focusPolicy().value & Qt.FocusPolicy.TabFocus.value
        if widget.isVisible() and widget.isEnabled() and wanted and not part and widget.focusProxy() is None:
            found.append(widget)
    return found


def described(widget: QWidget) -> str:
    return f"{type(widget).__name__} {widget.objectName()!r} in {type(widget.parentWidget()).__name__}"


def name(widget: QWidget) -> str:
    interface = QAccessible.queryAccessibleInterface(widget)
    text = "" if interface is None else interface.text(QAccessible.Text.Name)
    return (text or widget.accessibleName()).strip()


def shown(window: MainWindow, qtbot: QtBot, page: str) -> QWidget:
    window.show_page(page)
    qtbot.waitUntil(lambda: not window.runner.running, timeout=30_000)
    return window.page(page)


def test_every_control_of_a_page_has_a_name_and_a_letter_of_its_own(window: MainWindow, qtbot: QtBot) -> None:
    """A hidden menu takes no letter."""
    for page in NAMES:
        print(f"on {page}")  # what failed
        nameless = [described(widget) for widget in controls(shown(window, qtbot, page)) if not name(widget)]
        assert nameless == []
        menus = window.menuBar().actions()
        assert letters_used_twice(window, [menu.text() for menu in menus if menu.isVisible()]) == {}
        assert [menu.text() for menu in menus if not menu.isVisible() and "&" in menu.text()] == []


PRESSED = {  # roles of what a screen reader reads out to be pressed, chosen or filled in, and of headings of tables
    *(QAccessible.Role.Button, QAccessible.Role.CheckBox, QAccessible.Role.RadioButton, QAccessible.Role.ComboBox),
    *(QAccessible.Role.EditableText, QAccessible.Role.SpinBox, QAccessible.Role.Slider, QAccessible.Role.Table),
    *(QAccessible.Role.List, QAccessible.Role.Tree, QAccessible.Role.PageTab, QAccessible.Role.ColumnHeader),
}


def nameless(of: QAccessibleInterface, path: str = "") -> Iterator[str]:
    """What is on the screen without a name, down the accessibility tree; not within a control that has one."""
    for at in range(of.childCount()):
        child = of.child(at)
        if child is None or child.state().invisible or child.state().disabled:
            continue
        role = child.role()
        where = f"{path}/{role.name}"
        text = child.text(QAccessible.Text.Name).strip()
        if role in PRESSED and not text:
            yield where
        is_whole = role in (QAccessible.Role.ComboBox, QAccessible.Role.SpinBox)
        is_contents = role in (QAccessible.Role.Table, QAccessible.Role.List, QAccessible.Role.Tree)
        if not (is_whole or is_contents):
            yield from nameless(child, where)


def test_the_accessibility_tree_has_names_down_to_clear_buttons(window: MainWindow, qtbot: QtBot) -> None:
    for page in NAMES:
        print(f"on {page}")  # what failed
        whole = shown(window, qtbot, page)
        for line in whole.findChildren(QLineEdit):
            if line.isClearButtonEnabled() and line.isVisible():
                line.setText("x")
        interface = QAccessible.queryAccessibleInterface(whole)
        assert interface is not None
        assert list(nameless(interface)) == []


def test_every_control_around_the_pages_has_a_name(window: MainWindow, empty_window: MainWindow) -> None:
    window.central.jobs.open()
    for place in (window.central.sidebar, window.central.status_bar, window.central.jobs, window.central.start):
        assert [described(widget) for widget in controls(place) if not name(widget)] == []


def test_the_tab_key_reaches_every_control_of_a_page(window: MainWindow, qtbot: QtBot) -> None:
    for page in NAMES:
        print(f"on {page}")  # what failed
        whole = shown(window, qtbot, page)
        wanted = controls(whole)
        if not wanted:
            continue
        wanted[0].setFocus(Qt.FocusReason.TabFocusReason)
        reached: set[QWidget] = set()
        for _ in range(4 * len(wanted) + 40):
            held = window.focusWidget()
            assert held is not None
            reached.add(held)
            qtbot.keyClick(held, Qt.Key.Key_Tab)
        missed = [described(widget) for widget in wanted if widget.isVisible() and not _is_reached(widget, reached)]
        assert missed == []


def _is_reached(widget: QWidget, reached: set[QWidget]) -> bool:
    """Tab comes to one of several radio buttons; the arrows go on from there."""
    if isinstance(widget, QRadioButton) and any(isinstance(held, QRadioButton) for held in reached):
        return any(held.parentWidget() is widget.parentWidget() for held in reached)
    return widget in reached or any(widget.isAncestorOf(held) for held in reached)


@pytest.mark.parametrize(
    "action",
    [
        "papers.edit",
        "review.mend",
        "review.round",
        "annotate.people",
        "annotate.round",
        "annotate.targets",
    ],
)
def test_every_control_of_a_dialog_has_a_name_and_a_letter_of_its_own(
    window: MainWindow, qtbot: QtBot, action: str
) -> None:
    page = shown(window, qtbot, action.partition(".")[0])
    for table in page.findChildren(QTableView):
        table.selectRow(0)
    if action == "review.mend":
        window.action_registry["review.round"].trigger()
        page.findChildren(QDialog)[0].accept()
        qtbot.waitUntil(lambda: not window.runner.running, timeout=30_000)
    window.action_registry[action].trigger()
    qtbot.waitUntil(lambda: not window.runner.running, timeout=30_000)
    [dialog] = [found for found in window.findChildren(QDialog) if found.isVisible()]
    assert [described(widget) for widget in controls(dialog) if not name(widget)] == []
    assert letters_used_twice(dialog) == {}
    dialog.reject()
