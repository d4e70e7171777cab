"""Something chosen, that can be changed by a click on it and removed by a click on its cross."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractButton, QButtonGroup, QFrame, QHBoxLayout, QToolButton, QWidget

from desktop.ui.theme import Theme
from desktop.ui.widgets.labels import set_tip


class Chip(QFrame):
    """Delete and Backspace remove it too."""

    opened = Signal()
    removed = Signal()

    def __init__(self, theme: Theme, text: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("look", "chip")
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        self.text = QToolButton()
        self.text.setProperty("look", "chip")
        self.text.clicked.connect(self.opened)
        self.cross = QToolButton()
        self.cross.setProperty("look", "chip")
        theme.give_icon(self.cross, "x")
        self.cross.setIconSize(QSize(theme.px(12), theme.px(12)))
        self.cross.clicked.connect(self.removed)
        for button in (self.text, self.cross):
            button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
            layout.addWidget(button)
        self.tell(text)

    def tell(self, text: str) -> None:
        """What is chosen now."""
        self.text.setText(text)
        set_tip(self.text, f"Change “{text}”")
        set_tip(self.cross, f"Remove “{text}”")
        self.cross.setAccessibleName(f"Remove {text}")

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace):
            self.removed.emit()
        else:
            super().keyPressEvent(event)


class ToggleGroup(QWidget):
    """Shows texts by key; `chosen` tells the key that a person put on."""

    chosen = Signal(str)

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
        self.chosen.emit(self.key)
