"""A menu that is searched by typing, one that stays open while its items are checked, and one for copying tables."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from PySide6.QtCore import QEvent, Qt, Slot
from PySide6.QtGui import QAction, QKeyEvent, QMouseEvent, QShowEvent
from PySide6.QtWidgets import QLineEdit, QMenu, QPushButton, QToolButton, QWidget, QWidgetAction

from desktop.translation import tr

_COPIES = {"markdown": tr("As &Markdown"), "latex": tr("As &LaTeX"), "tsv": tr("As &tab-separated text")}


class KeyMenu(QMenu):
    """A menu that takes all keys while it is open; in a QMenu, letters would trigger shortcuts of the window."""

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride:
            event.accept()
            return True
        return super().event(event)


class _SearchItem(NamedTuple):
    action: QAction
    found_by: str  # in small letters
    has_heading: bool


class SearchMenu(KeyMenu):
    """A menu that shows only the items that contain the typed words; Return triggers the first of them.

    Items under a heading are in a submenu of that name until something is typed.
    """

    def __init__(self, placeholder: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.search = QLineEdit(placeholderText=placeholder)
        self.search.setAccessibleName(placeholder)
        self.search.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.search.textChanged.connect(self._filter)
        field = QWidgetAction(self)
        field.setDefaultWidget(self.search)
        self.addAction(field)
        self._field = field
        self._items: list[_SearchItem] = []
        self._headings: dict[str, QMenu] = {}

    def add_item(self, text: str, slot: Callable[[], object], *, keywords: str = "", heading: str = "") -> None:
        """Add an item, which is also found by its heading and its keywords."""
        action = self.addAction(text)
        action.triggered.connect(lambda _=False: slot())
        action.setVisible(not heading)
        self._items.append(_SearchItem(action, f"{text} {heading} {keywords}".casefold(), bool(heading)))
        if heading:
            if not self._headings:
                self.insertSeparator(action)
            if heading not in self._headings:
                self._headings[heading] = submenu = KeyMenu(heading, self)
                self.insertMenu(action, submenu)
            self._headings[heading].addAction(text).triggered.connect(action.trigger)

    def visible_items(self) -> list[QAction]:
        """The items that contain the typed words; while nothing is typed, those without a heading."""
        return [item.action for item in self._items if item.action.isVisible()]

    def showEvent(self, event: QShowEvent) -> None:
        self.search.clear()
        super().showEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Backspace:
            self.search.backspace()
        elif event.text().isprintable() and event.text() and (event.text() != " " or self.search.text()):
            self.search.insert(event.text())
        elif event.key() == Qt.Key.Key_Escape and self.search.text():
            self.search.clear()
        elif event.key() == Qt.Key.Key_Down and self.activeAction() in (None, self._field) and self.visible_items():
            self.setActiveAction(self.visible_items()[0])
        else:
            super().keyPressEvent(event)

    @Slot(str)
    def _filter(self, typed: str) -> None:
        words = typed.casefold().split()
        for action in self.actions():
            if action.isSeparator() or action.menu() is not None:
                action.setVisible(not words)
        for item in self._items:
            item.action.setVisible(all(word in item.found_by for word in words) if words else not item.has_heading)
        if words and (found := self.visible_items()):
            by_name = (action for action in found if all(word in action.text().casefold() for word in words))
            self.setActiveAction(next(by_name, found[0]))


class CheckMenu(KeyMenu):
    """A menu that stays open when a click or a key checks one of its items."""

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if not self._toggle(self.actionAt(event.position().toPoint())):
            super().mouseReleaseEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        keys = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space)
        if event.key() not in keys or not self._toggle(self.activeAction()):
            super().keyPressEvent(event)

    def _toggle(self, action: QAction | None) -> bool:
        """Toggle the action; False if it is not checkable."""
        if action is None or not action.isCheckable() or not action.isEnabled():
            return False
        action.trigger()
        return True


def add_copy_menu(button: QPushButton | QToolButton, copy: Callable[[str], None]) -> None:
    """Give a button the menu of formats for copying tables; `copy` receives "markdown", "latex" or "tsv"."""
    menu = KeyMenu(button)
    for form, text in _COPIES.items():
        menu.addAction(text).triggered.connect(lambda _=False, form=form: copy(form))
    button.setMenu(menu)
