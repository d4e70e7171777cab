"""The window, or a page alone, under the hands and eyes of a person: keys, buttons by their names, the text on screen.

    app.open("Pairs")
    app.press("Ctrl+Z")
    app.click("Export")
    assert "1 of 12" in app.text()

Whatever acts returns when nothing is read or saved any more, and the pair to answer is painted.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeVar

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QComboBox,
    QLabel,
    QLineEdit,
    QMenu,
    QPlainTextEdit,
    QWidget,
)
from pytestqt.qtbot import QtBot

from desktop.ui.judging.judging_page import JudgingPage
from desktop.ui.services.page import Page
from desktop.ui.services.project_context import ProjectContext
from desktop.ui.shell.navigation import NAVIGATION
from desktop.ui.shell.window import MainWindow
from tests.desktop.ui.conftest import is_idle

W = TypeVar("W", bound=QWidget)


class App:
    """shown: the window, or a page in a window of its own; it has the keyboard."""

    def __init__(self, shown: MainWindow | Page, context: ProjectContext, qtbot: QtBot) -> None:
        self.shown = shown
        self.context = context
        self._qtbot = qtbot

    @property
    def page(self) -> Page:
        """The page on the screen."""
        if isinstance(self.shown, Page):
            return self.shown
        page = self.shown.page(self.shown.current_page())
        assert page is not None
        return page

    @property
    def pair_key(self) -> str:
        """The key of the pair on the screen."""
        assert isinstance(self.page, JudgingPage)
        assert self.page.session.item is not None
        return self.page.session.item.pair.key

    def wait(self) -> None:
        """Return when nothing goes on any more."""
        self._qtbot.waitUntil(lambda: is_idle(self.page, self.context))

    def open(self, name: str) -> None:
        """Go to the page of this name, by its key."""
        [item] = [item for item in NAVIGATION if item.text == name]
        self.press(item.keys.partition(", ")[0])

    def press(self, *keys: str) -> None:
        """Press keys, such as "1" or "Ctrl+Z", one after the other."""
        for key in keys:
            self.press_at_once(key)

    def press_at_once(self, *keys: str) -> None:
        """Press keys faster than the page answers."""
        for key in keys:
            combination = QKeySequence(key)[0]
            QTest.keyClick(self._with_focus(), combination.key(), combination.keyboardModifiers())
        self.wait()

    def button(self, name: str) -> QAbstractButton:
        """The button on the screen with this text or accessible name."""
        [button] = [one for one in self._visible(QAbstractButton) if name in (_plain(one.text()), one.accessibleName())]
        return button

    def click(self, name: str) -> None:
        """Click the button of this name."""
        self._qtbot.mouseClick(self.button(name), Qt.MouseButton.LeftButton)
        self.wait()

    def menu(self, *path: str) -> None:
        """Choose an entry of the window's menus, such as `menu("Edit", "Undo")`."""
        assert isinstance(self.shown, MainWindow)
        actions = self.shown.menuBar().actions()
        for name in path[:-1]:
            menu = _named(actions, name).menu()
            assert isinstance(menu, QMenu)
            menu.aboutToShow.emit()
            actions = menu.actions()
        _named(actions, path[-1]).trigger()
        self.wait()

    def text(self) -> str:
        """All that can be read on the screen, a widget a line; what is drawn has its accessible name."""
        return "\n".join(filter(None, map(_words, self._visible(QWidget))))

    def _visible(self, kind: type[W]) -> Iterator[W]:
        return (one for one in self.shown.findChildren(kind) if one.isVisible())

    def _with_focus(self) -> QWidget:
        focused = QApplication.focusWidget()
        return focused if focused is not None and self.shown.isAncestorOf(focused) else self.shown


def _words(widget: QWidget) -> str:
    if isinstance(widget, QLabel | QAbstractButton | QLineEdit):
        return _plain(widget.text())
    if isinstance(widget, QPlainTextEdit):
        return widget.toPlainText()
    return widget.currentText() if isinstance(widget, QComboBox) else widget.accessibleName()


def _named(actions: list[QAction], name: str) -> QAction:
    return next(action for action in actions if _plain(action.text()).rstrip("…") == name)


def _plain(text: str) -> str:
    """Without the marks of letters that are keys."""
    return text.replace("&&", "\0").replace("&", "").replace("\0", "&")
