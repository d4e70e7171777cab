"""Shortcuts as a table that can be changed: which command, where, which keys."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt, Slot
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QAbstractItemView, QHBoxLayout, QHeaderView, QPushButton, QTableView, QVBoxLayout, QWidget

from desktop.ui.pages.settings.capture import CaptureDialog
from desktop.ui.services.actions import ActionRegistry, RegisteredAction
from desktop.ui.services.settings_store import SettingsStore
from desktop.ui.theme import Theme
from desktop.ui.widgets.labels import set_tip

_Index = QModelIndex | QPersistentModelIndex


class Column(NamedTuple):
    title: str
    text: Callable[[RegisteredAction], str]


COLUMNS = (
    Column("Command", lambda entry: entry.text),
    Column("Where", lambda entry: entry.menu),
    Column("Keys", lambda entry: entry.shortcuts_text),
)


class KeysModel(QAbstractTableModel):
    """All actions in the order of their menus; `search` leaves those that contain all its words."""

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
            for entry in self._actions
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
            self.dataChanged.emit(self.index(0, 2), self.index(len(self._keys) - 1, 2))


class KeysTable(QWidget):
    def __init__(
        self, actions: ActionRegistry, settings_store: SettingsStore, theme: Theme, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._actions, self._settings_store, self._theme = actions, settings_store, theme
        px = theme.px
        self.model = KeysModel(actions, self)
        self.table = QTableView()
        self.table.setModel(self.model)
        self.table.setAccessibleName("Shortcuts")
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
        self.table.setColumnWidth(2, px(180))
        self.table.setMinimumHeight(px(320))
        self.table.activated.connect(lambda _: self._on_change())
        self.change = QPushButton("Change…")
        self.change.clicked.connect(self._on_change)
        self.reset = QPushButton("Reset")
        set_tip(self.reset, "Reset to the default shortcut")
        self.reset.clicked.connect(self._on_reset)
        self.reset_all = QPushButton("Reset all")
        self.reset_all.clicked.connect(lambda: self._settings_store.change(keys={}))
        buttons = QHBoxLayout()
        for button in (self.change, self.reset):
            buttons.addWidget(button)
        buttons.addStretch(1)
        buttons.addWidget(self.reset_all)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(px(8))
        layout.addWidget(self.table)
        layout.addLayout(buttons)
        self.table.selectionModel().currentChanged.connect(self._show_buttons)
        actions.keys_changed.connect(self._show_buttons)
        self._show_buttons()

    def search(self, typed: str) -> int:
        """Show the commands that fit; how many."""
        self.model.search(typed)
        self._show_buttons()
        return self.model.rowCount()

    def give(self, key: str, keys: str) -> None:
        """These shortcuts for a command; whichever heard them in the same place loses them."""
        new = dict(self._settings_store.settings.keys)
        wanted = set(keys.split(", ")) - {""}
        for other in self._actions.conflicts(key, keys):
            left = [old for old in self._actions.keys(other.key).split(", ") if old not in wanted]
            _put(new, other, ", ".join(left))
        _put(new, self._actions.entry(key), keys)
        self._settings_store.change(keys=new)

    def _key(self) -> str:
        index = self.table.currentIndex()
        return self.model.key(index.row()) if index.isValid() else ""

    @Slot()
    def _on_change(self) -> None:
        key = self._key()
        if not key:
            return
        dialog = CaptureDialog(self._actions, key, self._theme, self)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.chosen.connect(lambda keys: self.give(key, keys))
        dialog.open()

    @Slot()
    def _on_reset(self) -> None:
        if key := self._key():
            self.give(key, self._actions.entry(key).default_keys)

    @Slot()
    def _show_buttons(self) -> None:
        key = self._key()
        self.change.setEnabled(bool(key))
        self.reset.setEnabled(key in self._settings_store.settings.keys)
        self.reset_all.setEnabled(bool(self._settings_store.settings.keys))


def _put(keys: dict[str, str], entry: RegisteredAction, wanted: str) -> None:
    """Keep only what differs from the default shortcuts."""
    if _normal(wanted) == _normal(entry.default_keys):
        keys.pop(entry.key, None)
    else:
        keys[entry.key] = wanted


def _normal(keys: str) -> list[str]:
    form = QKeySequence.SequenceFormat.PortableText
    return sorted(QKeySequence(part, form).toString(form) for part in keys.split(", ") if part)
