"""Buttons with only an icon, chips that can be clicked and removed, and groups of buttons of which one is on."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from PySide6.QtCore import QSize, Qt, Signal, SignalInstance, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractButton, QButtonGroup, QFrame, QHBoxLayout, QPushButton, QToolButton, QWidget

from desktop.translation import tr
from desktop.ui.theme import Theme
from desktop.ui.widgets.labels import set_tip


def push_button(
    text: str, slot: Callable[..., object] | SignalInstance, *, look: str = "", tip: str = "", name: str = ""
) -> QPushButton:
    """A button that calls `slot` when it is clicked.

    look: of the style sheet, such as primary or link. name: for screen readers, if the text alone is ambiguous.
    """
    button = QPushButton(text)
    if look:
        button.setProperty("look", look)
    button.clicked.connect(slot)
    if tip:
        set_tip(button, tip)
    if name:
        button.setAccessibleName(name)
    return button


def icon_button(theme: Theme, icon: str, tip: str, name: str = "") -> QToolButton:
    """A button without a text. name: for screen readers, if the tip does not distinguish it from other buttons."""
    button = QToolButton()
    button.setProperty("look", "quiet")
    theme.set_icon(button, icon)
    set_tip(button, tip)
    button.setAccessibleName(name or tip)
    return button


class Chip(QFrame):
    """A text with a button that removes it, like Delete and Backspace; a click on the text emits `opened`."""

    opened = Signal()
    removed = Signal()

    def __init__(self, theme: Theme, text: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("look", "chip")
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        self.text_button = QToolButton()
        self.text_button.setProperty("look", "chip")
        self.text_button.clicked.connect(self.opened)
        self.remove_button = QToolButton()
        self.remove_button.setProperty("look", "chip")
        theme.set_icon(self.remove_button, "x")
        self.remove_button.setIconSize(QSize(theme.px(12), theme.px(12)))
        self.remove_button.clicked.connect(self.removed)
        for button in (self.text_button, self.remove_button):
            button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
            layout.addWidget(button)
        self.set_text(text)

    def set_text(self, text: str) -> None:
        self.text_button.setText(text.replace("&", "&&"))
        set_tip(self.text_button, tr("Change “{text}”", text=text))
        set_tip(self.remove_button, tr("Remove “{text}”", text=text))
        self.remove_button.setAccessibleName(tr("Remove {text}", text=text))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace):
            self.removed.emit()
        else:
            super().keyPressEvent(event)


class ToggleGroup(QWidget):
    """Buttons side by side, of which exactly one is on: `key`."""

    key_changed = Signal(str)  # by a click

    def __init__(self, theme: Theme, name: str, texts: Mapping[str, str], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        self._buttons: dict[str, QToolButton] = {}
        self._group = QButtonGroup(self)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(theme.px(4))
        for key, text in texts.items():
            button = QToolButton()
            button.setText(text)
            button.setCheckable(True)
            button.setProperty("look", "quiet")
            button.setAccessibleName(f"{name}: {text}")
            self._group.addButton(button)
            self._buttons[key] = button
            layout.addWidget(button)
        self.choose(next(iter(texts)))
        self._group.buttonClicked.connect(self._on_clicked)

    @property
    def key(self) -> str:
        return next(key for key, button in self._buttons.items() if button.isChecked())

    def choose(self, key: str) -> None:
        self._buttons[key].setChecked(True)

    @Slot(QAbstractButton)
    def _on_clicked(self, _: QAbstractButton) -> None:
        self.key_changed.emit(self.key)
