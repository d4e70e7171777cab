"""Holds the user's settings as one frozen value, and writes each change to disk at once."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from PySide6.QtCore import QObject, QSettings, Signal

from desktop import settings
from desktop.settings import Paths, Settings


class SettingsStore(QObject):
    changed = Signal(object)  # Settings
    failed = Signal(object)  # OSError: the settings could not be written, and last until the window closes

    def __init__(self, paths: Paths, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.paths = paths
        self.settings, self.load_error = settings.load(paths)
        self.window_settings = QSettings(str(paths.window), QSettings.Format.IniFormat, self)
        """The window's geometry and the like, which depend on the screen rather than the user."""

    def change(self, **values: Any) -> None:
        """Change single settings, such as `change(theme="dark")`."""
        self.put(replace(self.settings, **values))

    def put(self, new: Settings) -> None:
        """Replace all settings."""
        if new == self.settings:
            return
        self.settings = new
        try:
            settings.save(self.paths, new)
        except OSError as exc:
            self.failed.emit(exc)
        self.changed.emit(new)
