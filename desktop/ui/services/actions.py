"""Every verb of the window, so that menus, the command palette and the key settings agree."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QWidget

from desktop.ui.theme import Theme
from desktop.ui.widgets.plain import set_tip


@dataclass(frozen=True, slots=True)
class RegisteredAction:
    """An action and where it belongs. `widget`: where its keys work; None for the whole window."""

    key: str
    action: QAction
    menu: str
    default_keys: str
    widget: QWidget | None


class ActionRegistry(QObject):
    """WindowActions by key, such as `review.undo`."""

    added = Signal(object)  # RegisteredAction
    starting = Signal(str)  # the key of a verb that is about to be done
    keys_changed = Signal()
    help_asked = Signal(str)  # the shortcuts, those of this menu first

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._verbs: dict[str, RegisteredAction] = {}
        self._keys: dict[str, str] = {}

    def add(
        self,
        key: str,
        text: str,
        slot: Callable[[], object],
        *,
        menu: str,
        keys: str = "",
        icon: str = "",
        tip: str = "",
        widget: QWidget | None = None,
    ) -> QAction:
        """A new action in `menu`. `keys`: shortcuts as portable text, separated by ", ".

        With `widget` the shortcuts work inside it alone and may mean other things elsewhere. The action goes with its
        widget.
        """
        owner = widget or self.parent()
        action = QAction(text, owner)
        action.setObjectName(key)
        if tip:
            set_tip(action, tip)
            action.setStatusTip(tip)
        if icon:
            self._theme.give_icon(action, icon)
        if widget is not None:
            action.setShortcutContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        if isinstance(owner, QWidget):
            owner.addAction(action)
        action.triggered.connect(lambda _=False: self._do(key, slot))
        self._verbs[key] = verb = RegisteredAction(key, action, menu, keys, widget)
        action.destroyed.connect(lambda: self._forget(verb))
        self._set_keys(verb)
        self.added.emit(verb)
        return action

    def __iter__(self) -> Iterator[RegisteredAction]:
        return iter(list(self._verbs.values()))

    def __getitem__(self, key: str) -> QAction:
        return self._verbs[key].action

    def __contains__(self, key: str) -> bool:
        return key in self._verbs

    def use_keys(self, keys: dict[str, str]) -> None:
        """Take these shortcuts instead of the default ones, by action."""
        self._keys = dict(keys)
        for verb in self:
            self._set_keys(verb)
        self.keys_changed.emit()

    def hint(self, key: str) -> str:
        """The first shortcut of an action as people read it; "" for none."""
        shortcuts = self._verbs[key].action.shortcuts() if key in self._verbs else []
        return shortcuts[0].toString(QKeySequence.SequenceFormat.NativeText) if shortcuts else ""

    def conflicts(self, key: str, keys: str) -> list[RegisteredAction]:
        """ActionRegistry that would hear the same keys in the same place."""
        wanted = set(_sequences(keys))
        mine = self._verbs[key]
        return [
            verb
            for verb in self
            if verb.key != key and _meet(verb.widget, mine.widget) and wanted & set(verb.action.shortcuts())
        ]

    def verb(self, key: str) -> RegisteredAction:
        return self._verbs[key]

    def keys(self, key: str) -> str:
        """The shortcuts an action has now, as portable text."""
        return ", ".join(
            shortcut.toString(QKeySequence.SequenceFormat.PortableText)
            for shortcut in self._verbs[key].action.shortcuts()
        )

    def _do(self, key: str, slot: Callable[[], object]) -> None:
        self.starting.emit(key)
        slot()

    def _forget(self, verb: RegisteredAction) -> None:
        """The action is gone; unless its page was built anew, and with it the action, its key is free."""
        if self._verbs.get(verb.key) is verb:
            del self._verbs[verb.key]

    def _set_keys(self, verb: RegisteredAction) -> None:
        verb.action.setShortcuts(_sequences(self._keys.get(verb.key, verb.default_keys)))


def _meet(one: QWidget | None, other: QWidget | None) -> bool:
    """Whether one press can be meant for actions of both widgets."""
    if one is None or other is None or one is other:
        return True
    return one.isAncestorOf(other) or other.isAncestorOf(one)


def _sequences(keys: str) -> list[QKeySequence]:
    return [QKeySequence(part, QKeySequence.SequenceFormat.PortableText) for part in keys.split(", ") if part]
