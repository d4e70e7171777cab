"""Actions by key: shortcuts can be changed, and conflicts are seen."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QWidget
from pytestqt.qtbot import QtBot
from shiboken6 import isValid

from desktop.ui.services.actions import ActionRegistry
from desktop.ui.theme import Theme


def two_pages(qtbot: QtBot, theme: Theme) -> tuple[QWidget, QWidget, QWidget, ActionRegistry]:
    window, left, right = QWidget(), QWidget(), QWidget()
    layout = QHBoxLayout(window)
    layout.addWidget(left)
    layout.addWidget(right)
    qtbot.addWidget(window)
    return window, left, right, ActionRegistry(theme, window)


def nothing() -> None:
    pass


def test_one_key_means_different_things_on_different_pages(qtbot: QtBot, theme: Theme) -> None:
    window, left, right, actions = two_pages(qtbot, theme)
    heard: list[str] = []
    actions.add("left.flag", "Flag", lambda: heard.append("left"), menu="Left", keys="F", widget=left)
    actions.add("right.find", "Find", lambda: heard.append("right"), menu="Right", keys="F", widget=right)
    for page in (left, right):
        page.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    with qtbot.waitExposed(window):
        window.show()
    for page in (left, right, left):
        page.setFocus()
        qtbot.keyClick(page, Qt.Key.Key_F)
    assert heard == ["left", "right", "left"]


def test_single_letters_are_typed_in_text_fields(qtbot: QtBot, theme: Theme) -> None:
    window, left, _, actions = two_pages(qtbot, theme)
    line = QLineEdit(left)
    actions.add("left.flag", "Flag", lambda: line.setText("not this"), menu="Left", keys="F", widget=left)
    with qtbot.waitExposed(window):
        window.show()
    line.setFocus()
    qtbot.keyClick(line, Qt.Key.Key_F)
    assert line.text() == "f"


def test_a_conflict_is_where_both_would_hear_the_keys(qtbot: QtBot, theme: Theme) -> None:
    _window, left, right, actions = two_pages(qtbot, theme)
    actions.add("edit.undo", "Undo", nothing, menu="Edit", keys="Ctrl+Z")
    actions.add("left.flag", "Flag", nothing, menu="Left", keys="F", widget=left)
    actions.add("left.find", "Find", nothing, menu="Left", keys="Ctrl+F, /", widget=QWidget(left))
    actions.add("right.flag", "Flag", nothing, menu="Right", keys="F", widget=right)
    assert [entry.key for entry in actions.conflicts("left.find", "F")] == ["left.flag"]
    assert [entry.key for entry in actions.conflicts("right.flag", "/")] == []
    assert [entry.key for entry in actions.conflicts("right.flag", "Ctrl+Z")] == ["edit.undo"]
    assert [entry.key for entry in actions.conflicts("left.flag", "F")] == []


def test_chosen_keys_stand_in_for_the_default_ones(qtbot: QtBot, theme: Theme) -> None:
    _window, left, _right, actions = two_pages(qtbot, theme)
    actions.add("left.flag", "Flag", nothing, menu="Left", keys="F", widget=left)
    actions.use_keys({"left.flag": "Ctrl+L, L", "left.later": "X"})
    assert (actions.keys("left.flag"), actions.hint("left.flag")) == ("Ctrl+L, L", "Ctrl+L")
    actions.add("left.later", "Later", nothing, menu="Left", keys="Y", widget=left)
    assert actions.keys("left.later") == "X"
    actions.use_keys({})
    assert (actions.keys("left.flag"), actions.keys("left.later")) == ("F", "Y")


def test_an_action_goes_with_its_page_and_comes_with_the_next_one(qtbot: QtBot, theme: Theme) -> None:
    _window, left, right, actions = two_pages(qtbot, theme)
    actions.add("page.flag", "Flag", nothing, menu="Page", keys="F", widget=left)
    new = actions.add("page.flag", "Flag", nothing, menu="Page", keys="F", widget=right)
    left.deleteLater()
    qtbot.waitUntil(lambda: not isValid(left))
    assert actions["page.flag"] is new
    right.deleteLater()
    qtbot.waitUntil(lambda: not isValid(right))
    assert "page.flag" not in actions


def test_shared_keys_are_changed_for_all_pages_and_taken_from_what_has_them_by_default(
    qtbot: QtBot, theme: Theme
) -> None:
    _window, left, right, actions = two_pages(qtbot, theme)
    actions.use_keys({"answer.no": "F"})
    actions.add("left.no", "No", nothing, menu="Left", keys="1", widget=left, shared="answer.no")
    actions.add("left.flag", "Flag", nothing, menu="Left", keys="F, Ctrl+L", widget=left)
    actions.add("right.flag", "Flag", nothing, menu="Right", keys="F", widget=right)
    assert actions.keys("right.flag") == "F"
    actions.add("right.no", "No", nothing, menu="Right", keys="1", widget=right, shared="answer.no")
    keys = ("left.no", "right.no", "left.flag", "right.flag")
    assert [actions.keys(key) for key in keys] == ["F", "F", "Ctrl+L", ""]
    actions.use_keys({})
    assert [actions.keys(key) for key in keys] == ["1", "1", "F, Ctrl+L", "F"]
    assert [entry.key for entry in actions.conflicts("left.no", "F")] == ["left.flag", "right.flag"]
    assert [entry.key for entry in actions.conflicts("left.flag", "1")] == ["left.no"]
