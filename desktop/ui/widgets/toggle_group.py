"""A few buttons side by side of which one is on."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QAbstractButton, QButtonGroup, QHBoxLayout, QToolButton, QWidget

from desktop.ui.theme import Theme


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
