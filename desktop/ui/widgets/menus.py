"""Menus that do more than a menu: one is searched by typing, one stays open while boxes in it are checked."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt, Slot
from PySide6.QtGui import QAction, QKeyEvent, QMouseEvent, QShowEvent
from PySide6.QtWidgets import QLineEdit, QMenu, QWidget, QWidgetAction


class _KeyMenu(QMenu):
    """A menu that keys are meant for while it is open; in a plain one a letter is still a shortcut of what is below."""

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride:
            event.accept()
            return True
        return super().event(event)


class SearchMenu(_KeyMenu):
    """What is typed while it is open leaves the entries that have it; Return takes the first of them."""

    def __init__(self, placeholder: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.search = QLineEdit(placeholderText=placeholder)
        self.search.setAccessibleName(placeholder)
        self.search.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.search.textChanged.connect(self._show_found)
        field = QWidgetAction(self)
        field.setDefaultWidget(self.search)
        self.addAction(field)
        self._field = field

    def found(self) -> list[QAction]:
        """The entries that are shown."""
        entries = (action for action in self.actions() if action is not self._field and not action.isSeparator())
        return [action for action in entries if action.isVisible()]

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
        else:
            super().keyPressEvent(event)

    @Slot(str)
    def _show_found(self, typed: str) -> None:
        words = typed.casefold().split()
        for action in self.actions():
            if action.isSeparator():
                action.setVisible(not words)
            elif action is not self._field:
                action.setVisible(all(word in action.text().casefold() for word in words))
        if words and (found := self.found()):
            self.setActiveAction(found[0])


class CheckMenu(_KeyMenu):
    """A click or Return on an entry with a box checks it, and the menu stays."""

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if not self._check(self.actionAt(event.position().toPoint())):
            super().mouseReleaseEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        keys = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space)
        if event.key() not in keys or not self._check(self.activeAction()):
            super().keyPressEvent(event)

    def _check(self, action: QAction | None) -> bool:
        if action is None or not action.isCheckable() or not action.isEnabled():
            return False
        action.trigger()
        return True
