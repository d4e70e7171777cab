"""The registry of all actions. Menus, command palette, shortcuts and key settings read it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QWidget

from desktop.ui.theme import Theme
from desktop.ui.widgets.labels import set_tip


@dataclass(frozen=True, slots=True)
class RegisteredAction:
    """An action and its menu. `default_keys`: shortcuts as portable text, separated by ", ".

    `widget`: the shortcuts work inside it; None for the whole window. `shared`: the name of keys that several actions
    share, such as `answer.neutral` on every page; "" for none.
    """

    key: str
    action: QAction
    menu: str
    default_keys: str
    widget: QWidget | None
    shared: str = ""

    @property
    def setting(self) -> str:
        """The name of its shortcuts in the settings."""
        return self.shared or self.key

    @property
    def text(self) -> str:
        """The menu text without mnemonic and ellipsis."""
        return plain_text(self.action)

    @property
    def shortcuts_text(self) -> str:
        """All shortcuts in the platform's notation."""
        form = QKeySequence.SequenceFormat.NativeText
        return ", ".join(shortcut.toString(form) for shortcut in self.action.shortcuts())


def plain_text(action: QAction) -> str:
    """The text of an action without mnemonic and ellipsis."""
    return action.text().replace("&", "").removesuffix("…")


def first_of_each_setting(entries: Iterable[RegisteredAction]) -> list[RegisteredAction]:
    """One action for each setting of shortcuts."""
    found: dict[str, RegisteredAction] = {}
    for entry in entries:
        found.setdefault(entry.setting, entry)
    return list(found.values())


class ActionRegistry(QObject):
    """Actions by key, such as `review.undo`."""

    added = Signal(object)  # RegisteredAction
    about_to_run = Signal(str)  # the key of an action, before its slot is called
    keys_changed = Signal()
    help_requested = Signal(str)  # show all shortcuts, those of this menu first

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._entries: dict[str, RegisteredAction] = {}
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
        shared: str = "",
    ) -> QAction:
        """Add an action to `menu`. `keys`: shortcuts as portable text, separated by ", ".

        With `widget`, the shortcuts work inside it only, may be used elsewhere for other actions, and the action is
        deleted with the widget. With `shared`, its shortcuts are those of all actions with this name.
        """
        owner = widget or self.parent()
        action = QAction(text, owner)
        action.setObjectName(key)
        if tip:
            set_tip(action, tip)
            action.setStatusTip(tip)
        if icon:
            self._theme.set_icon(action, icon)
        if widget is not None:
            action.setShortcutContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        if isinstance(owner, QWidget):
            owner.addAction(action)
        action.triggered.connect(lambda _=False: self._run(key, slot))
        self._entries[key] = entry = RegisteredAction(key, action, menu, keys, widget, shared)
        action.destroyed.connect(lambda: self._forget(entry))
        self._set_keys(entry)
        if entry.setting in self._keys:
            for other in self:
                self._set_keys(other)
        self.added.emit(entry)
        return action

    def __iter__(self) -> Iterator[RegisteredAction]:
        return iter(list(self._entries.values()))

    def __getitem__(self, key: str) -> QAction:
        return self._entries[key].action

    def __contains__(self, key: str) -> bool:
        return key in self._entries

    def use_keys(self, keys: dict[str, str]) -> None:
        """Set shortcuts by `RegisteredAction.setting`; actions that are not in `keys` get their default ones.

        A shortcut in `keys` is removed from actions that have it by default and would be triggered too.
        """
        self._keys = dict(keys)
        for entry in self:
            self._set_keys(entry)
        self.keys_changed.emit()

    def hint(self, key: str) -> str:
        """The first shortcut of an action in the platform's notation; "" for none."""
        shortcuts = self._entries[key].action.shortcuts() if key in self._entries else []
        return shortcuts[0].toString(QKeySequence.SequenceFormat.NativeText) if shortcuts else ""

    def conflicts(self, key: str, keys: str) -> list[RegisteredAction]:
        """The other actions that these shortcuts would trigger in the same widgets, one for each setting."""
        sequences, setting = set(_sequences(keys)), self._entries[key].setting
        own = [entry for entry in self if entry.setting == setting]
        others = [
            entry
            for entry in self
            if entry.setting != setting
            and sequences & set(entry.action.shortcuts())
            and any(_overlap(entry.widget, one.widget) for one in own)
        ]
        return first_of_each_setting(others)

    def entry(self, key: str) -> RegisteredAction:
        return self._entries[key]

    def keys(self, key: str) -> str:
        """The current shortcuts of an action as portable text, separated by ", "."""
        return ", ".join(
            shortcut.toString(QKeySequence.SequenceFormat.PortableText)
            for shortcut in self._entries[key].action.shortcuts()
        )

    def _run(self, key: str, slot: Callable[[], object]) -> None:
        self.about_to_run.emit(key)
        slot()

    def _forget(self, entry: RegisteredAction) -> None:
        """Remove a deleted action, unless its page was built again and has registered a new one."""
        if self._entries.get(entry.key) is entry:
            del self._entries[entry.key]

    def _set_keys(self, entry: RegisteredAction) -> None:
        if entry.setting in self._keys:
            entry.action.setShortcuts(_sequences(self._keys[entry.setting]))
            return
        taken = {
            shortcut
            for other in (self if self._keys else ())
            if other.setting in self._keys and _overlap(other.widget, entry.widget)
            for shortcut in _sequences(self._keys[other.setting])
        }
        entry.action.setShortcuts([one for one in _sequences(entry.default_keys) if one not in taken])


def _overlap(one: QWidget | None, other: QWidget | None) -> bool:
    """Whether one key press can reach actions of both widgets."""
    if one is None or other is None or one is other:
        return True
    return one.isAncestorOf(other) or other.isAncestorOf(one)


def _sequences(keys: str) -> list[QKeySequence]:
    return [QKeySequence(part, QKeySequence.SequenceFormat.PortableText) for part in keys.split(", ") if part]
