"""The start page: a project to begin with."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFileDialog, QLabel, QPushButton, QVBoxLayout, QWidget

from desktop.ui.keeper import SettingsKeeper
from desktop.ui.theme import Theme


class StartPage(QWidget):
    open_asked = Signal(object)  # Path
    create_asked = Signal(object)  # Path

    def __init__(self, keeper: SettingsKeeper, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._keeper, self._theme = keeper, theme
        layout = QVBoxLayout(self)
        self._state = QLabel("Drop papers here to start a project.")
        layout.addWidget(self._state)
        for text, slot in (("New project…", self.ask_new), ("Open project…", self.ask_open)):
            button = QPushButton(text)
            button.clicked.connect(slot)
            layout.addWidget(button)

    def set_busy(self, text: str) -> None:
        self._state.setText(text)

    def refresh(self) -> None:
        """Show the recent projects as they are now."""

    def ask_new(self) -> None:
        name, _ = QFileDialog.getSaveFileName(self, "New project", "", "Pairwright projects (*.pairwright)")
        if name:
            self.create_asked.emit(Path(name))

    def ask_open(self) -> None:
        name, _ = QFileDialog.getOpenFileName(self, "Open project", "", "Pairwright projects (*.pairwright)")
        if name:
            self.open_asked.emit(Path(name))

    def ask_sample(self) -> None:
        """Make and open the sample project."""

    def ask_new_for(self, files: list[Path], then: Callable[..., None]) -> None:
        """Files were dropped with no project open: name one for them, then add them."""
