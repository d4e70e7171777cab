"""The shortcuts of all commands: a table, and the dialog to change one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from PySide6.QtCore import (
    QAbstractTableModel,
    QEvent,
    QKeyCombination,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    Signal,
    Slot,
)
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import (
    QAbstractItemView,
    QDialog,
    QHBoxLayout,
    QHeaderView,
    QPushButton,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from desktop.translation import tr
from desktop.ui.services.actions import ActionRegistry, RegisteredAction, first_of_each_setting, plain_text
from desktop.ui.services.settings_store import SettingsStore
from desktop.ui.theme import Theme
from desktop.ui.widgets.buttons import push_button
from desktop.ui.widgets.labels import PlainLabel
from desktop.ui.widgets.layouts import STRETCH, column_of, row_of
from desktop.ui.widgets.list_keys import remove_by

_Index = QModelIndex | QPersistentModelIndex
_KEYS_COLUMN = 2
_MODIFIER_KEYS = (Qt.Key.Key_Shift, Qt.Key.Key_Control, Qt.Key.Key_Alt, Qt.Key.Key_Meta, Qt.Key.Key_AltGr)


class ShortcutColumn(NamedTuple):
    title: str
    text: Callable[[RegisteredAction], str]


COLUMNS = (
    ShortcutColumn(tr("Command"), lambda entry: entry.text),
    ShortcutColumn(tr("Where"), lambda entry: tr("Every page") if entry.shared else entry.menu),
    ShortcutColumn(tr("Keys"), lambda entry: entry.shortcuts_text),
)


class ShortcutTableModel(QAbstractTableModel):
    """The commands in the order of their menus, or the matches of a search; commands that share keys are one row."""

    def __init__(self, actions: ActionRegistry, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._actions = actions
        self._typed = ""
        self._keys: list[str] = []
        self.search("")
        actions.keys_changed.connect(self._on_keys_changed)

    def search(self, typed: str) -> None:
        self.beginResetModel()
        self._typed = typed
        words = typed.casefold().split()
        self._keys = [
            entry.key
            for entry in first_of_each_setting(self._actions)
            if all(word in " ".join(column.text(entry) for column in COLUMNS).casefold() for word in words)
        ]
        self.endResetModel()

    def key(self, row: int) -> str:
        return self._keys[row]

    def rowCount(self, parent: _Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self._keys)

    def columnCount(self, parent: _Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(COLUMNS)

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:  # as Qt asks
        if not index.isValid() or self._keys[index.row()] not in self._actions:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return COLUMNS[index.column()].text(self._actions.entry(self._keys[index.row()]))
        return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if role == Qt.ItemDataRole.DisplayRole and orientation == Qt.Orientation.Horizontal:
            return COLUMNS[section].title
        return None

    @Slot()
    def _on_keys_changed(self) -> None:
        if self._keys:
            self.dataChanged.emit(self.index(0, _KEYS_COLUMN), self.index(len(self._keys) - 1, _KEYS_COLUMN))


class ShortcutTable(QWidget):
    """The table of shortcuts, with buttons to change and reset them."""

    def __init__(
        self, actions: ActionRegistry, settings_store: SettingsStore, theme: Theme, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._actions, self._settings_store, self._theme = actions, settings_store, theme
        px = theme.px
        self.model = ShortcutTableModel(actions, self)
        self.table = QTableView()
        self.table.setModel(self.model)
        self.table.setAccessibleName(tr("Shortcuts"))
        remove_by(self.table, self._on_remove)
        self.table.setProperty("look", "plain")
        self.table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.table.setTabKeyNavigation(False)
        self.table.setShowGrid(False)
        self.table.verticalHeader().hide()
        self.table.verticalHeader().setDefaultSectionSize(px(28))
        self.table.horizontalHeader().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        self.table.horizontalHeader().setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        self.table.horizontalHeader().setHighlightSections(False)
        self.table.setColumnWidth(1, px(120))
        self.table.setColumnWidth(_KEYS_COLUMN, px(180))
        self.table.setMinimumHeight(px(320))
        self.table.activated.connect(lambda _: self._on_change())
        self.change = push_button(tr("Change…"), self._on_change)
        self.reset = push_button(tr("Reset"), self._on_reset, tip=tr("Reset to the default shortcut"))
        self.reset_all = push_button(tr("Reset all"), lambda: self._settings_store.change(keys={}))
        buttons = QHBoxLayout()
        for button in (self.change, self.reset):
            buttons.addWidget(button)
        buttons.addStretch(1)
        buttons.addWidget(self.reset_all)
        self.setLayout(column_of(self.table, buttons, spacing=px(8)))
        self.table.selectionModel().currentChanged.connect(self._show_buttons)
        actions.keys_changed.connect(self._show_buttons)
        self._show_buttons()

    def search(self, typed: str) -> int:
        """Show the commands that contain all words of the search, and return their number."""
        self.model.search(typed)
        self._show_buttons()
        return self.model.rowCount()

    def set_shortcut(self, key: str, keys: str) -> None:
        """Give a command these keys; commands that conflict with it lose them."""
        new = dict(self._settings_store.settings.keys)
        new_keys = set(keys.split(", ")) - {""}
        for other in self._actions.conflicts(key, keys):
            remaining = [old for old in self._actions.keys(other.key).split(", ") if old not in new_keys]
            _store_if_changed(new, other, ", ".join(remaining))
        _store_if_changed(new, self._actions.entry(key), keys)
        self._settings_store.change(keys=new)

    def _selected_key(self) -> str:
        index = self.table.currentIndex()
        return self.model.key(index.row()) if index.isValid() else ""

    @Slot()
    def _on_change(self) -> None:
        key = self._selected_key()
        if not key:
            return
        dialog = ShortcutDialog(self._actions, key, self._theme, self)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.shortcut_selected.connect(lambda keys: self.set_shortcut(key, keys))
        dialog.open()

    @Slot()
    def _on_remove(self) -> None:
        """Leave the command without a shortcut."""
        if key := self._selected_key():
            self.set_shortcut(key, "")

    @Slot()
    def _on_reset(self) -> None:
        if key := self._selected_key():
            self.set_shortcut(key, self._actions.entry(key).default_keys)

    @Slot()
    def _show_buttons(self) -> None:
        key = self._selected_key()
        self.change.setEnabled(bool(key))
        self.reset.setEnabled(bool(key) and self._actions.entry(key).setting in self._settings_store.settings.keys)
        self.reset_all.setEnabled(bool(self._settings_store.settings.keys))


class ShortcutDialog(QDialog):
    """Asks for the new shortcut of a command, by pressing it."""

    shortcut_selected = Signal(str)  # portable text; "" for no shortcut

    def __init__(self, actions: ActionRegistry, key: str, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._actions, self._key = actions, key
        self.keys = ""
        px = theme.px
        name = plain_text(actions[key])
        self.setWindowTitle(tr("Change shortcut"))
        self.setMinimumWidth(px(440))
        introduction = PlainLabel(tr("Press the new keys for “{name}”. Escape cancels.", name=name), wraps=True)
        self.shortcut = PlainLabel(actions.hint(key) or "none", type="title")
        self.shortcut.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.shortcut.setMinimumHeight(px(64))
        self.note = PlainLabel(" ", wraps=True)
        self.note.setMinimumHeight(px(36))
        self.use = QPushButton(tr("Use"))
        self.use.setProperty("look", "primary")
        self.use.setEnabled(False)
        self.use.clicked.connect(self._on_use)
        none = push_button(tr("No shortcut"), self._on_none)
        cancel = push_button(tr("Cancel"), self.reject)
        for button in (none, cancel, self.use):
            button.setAutoDefault(False)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(px(24), px(20), px(24), px(20))
        layout.setSpacing(px(8))
        for widget in (introduction, self.shortcut, self.note):
            layout.addWidget(widget)
        layout.addLayout(row_of(none, STRETCH, cancel, self.use))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setFocus()

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride:
            event.accept()  # the keys are meant for the dialog, also if they are a shortcut
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key, modifiers = Qt.Key(event.key()), event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        if key in _MODIFIER_KEYS or event.key() == 0:
            return
        if key == Qt.Key.Key_Escape and modifiers == Qt.KeyboardModifier.NoModifier:
            self.reject()
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.keys and not modifiers:
            self._on_use()
        else:
            if modifiers == Qt.KeyboardModifier.ShiftModifier and event.text().strip() and not event.text().isalpha():
                modifiers = Qt.KeyboardModifier.NoModifier  # "?" rather than Shift and "?"
            self._show_shortcut(QKeySequence(QKeyCombination(modifiers, key)))

    def _show_shortcut(self, sequence: QKeySequence) -> None:
        self.keys = sequence.toString(QKeySequence.SequenceFormat.PortableText)
        self.shortcut.setText(sequence.toString(QKeySequence.SequenceFormat.NativeText))
        others = self._actions.conflicts(self._key, self.keys)
        names = " and ".join(f"“{entry.text}” ({entry.menu})" for entry in others)
        verb = "has" if len(others) == 1 else "have"
        self.note.setText(
            tr("▲ {names} {verb} these keys now and will lose them.", names=names, verb=verb) if others else " "
        )
        self.use.setText(tr("Use here") if others else tr("Use"))
        self.use.setEnabled(True)

    @Slot()
    def _on_use(self) -> None:
        self.accept()
        self.shortcut_selected.emit(self.keys)

    @Slot()
    def _on_none(self) -> None:
        self.accept()
        self.shortcut_selected.emit("")


def _store_if_changed(keys: dict[str, str], entry: RegisteredAction, shortcut: str) -> None:
    """Store the keys of a command, unless they are its default keys."""
    if _normalized(shortcut) == _normalized(entry.default_keys):
        keys.pop(entry.setting, None)
    else:
        keys[entry.setting] = shortcut


def _normalized(keys: str) -> list[str]:
    form = QKeySequence.SequenceFormat.PortableText
    return sorted(QKeySequence(part, form).toString(form) for part in keys.split(", ") if part)
