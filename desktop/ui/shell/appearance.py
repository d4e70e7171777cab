"""Applies theme and scale when the settings change."""

from __future__ import annotations

from PySide6.QtCore import QObject, Slot

from desktop.settings import Settings
from desktop.ui.services.settings_store import SettingsStore
from desktop.ui.theme import Theme


class Appearance(QObject):
    """Keeps the theme as the settings say."""

    def __init__(self, settings_store: SettingsStore, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._applied: tuple[str, float, bool] | None = None
        self._on_settings(settings_store.settings)
        settings_store.changed.connect(self._on_settings)

    @Slot(object)
    def _on_settings(self, settings: Settings) -> None:
        wanted = settings.theme, settings.scale, settings.reduced_motion
        if wanted != self._applied:
            self._applied = wanted
            self._theme.apply(settings.theme, settings.scale, reduced_motion=settings.reduced_motion)
