"""Keeps the user's settings: one frozen value, changed as a whole and written at once."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from PySide6.QtCore import QObject, QSettings, Signal

from desktop import settings
from desktop.settings import Paths, Settings


class SettingsStore(QObject):
    changed = Signal(object)  # Settings
    failed = Signal(object)  # OSError: the change holds, but only until the window closes

    def __init__(self, paths: Paths, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.paths = paths
        self.settings, self.note = settings.load(paths)
        self.window = QSettings(str(paths.window), QSettings.Format.IniFormat, self)
        """Geometry and the like: what belongs to the screen, not to the person."""

    def change(self, **values: Any) -> None:
        self.put(replace(self.settings, **values))

    def put(self, new: Settings) -> None:
        if new == self.settings:
            return
        self.settings = new
        try:
            settings.save(self.paths, new)
        except OSError as exc:
            self.failed.emit(exc)
        self.changed.emit(new)
