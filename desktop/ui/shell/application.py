"""The application for the system's desktop: its names, its icon, and the files that it is to open."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import PySide6
from PySide6.QtCore import QEvent, Signal
from PySide6.QtGui import QFileOpenEvent
from PySide6.QtWidgets import QApplication

from desktop.translation import tr
from desktop.ui.theme import program_icon


class Application(QApplication):
    """Qt's application with the program's names and icon."""

    file_opened = Signal(str)  # the path of a file that macOS asks the running program to open

    def __init__(self, arguments: Sequence[str]) -> None:
        # Qt reads where its plugins are from settings of PySide's, which end at a comma in the path.
        for folder in ("Qt/plugins", "plugins"):
            self.addLibraryPath(str(Path(PySide6.__file__).parent / folder))  # one that is not there is left out
        super().__init__(list(arguments))
        self.setApplicationName("pairwright")
        self.setApplicationDisplayName(tr("Pairwright"))
        self.setDesktopFileName("pairwright")
        self.setWindowIcon(program_icon())

    def event(self, event: QEvent) -> bool:
        """Open a file that was double-clicked: on macOS it arrives as an event, elsewhere as an argument."""
        if isinstance(event, QFileOpenEvent) and event.file():
            self.file_opened.emit(event.file())
            return True
        return super().event(event)
