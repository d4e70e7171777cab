"""Applies theme and scale when the settings change; a new scale once the window's widgets can be rebuilt."""

from __future__ import annotations

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from desktop.settings import Settings
from desktop.ui.services.runner import JobRunner
from desktop.ui.services.settings_store import SettingsStore
from desktop.ui.shell.project_controller import ProjectController
from desktop.ui.theme import Theme


class Appearance(QObject):
    """Keeps the theme as the settings say. Widgets take their sizes when built, so a new scale needs new widgets."""

    rebuild_requested = Signal()  # delete all widgets, call `apply`, and build them again

    def __init__(
        self,
        settings_store: SettingsStore,
        theme: Theme,
        runner: JobRunner,
        projects: ProjectController,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._settings_store, self._theme, self._runner, self._projects = settings_store, theme, runner, projects
        self._is_waiting = False
        self._applied = settings_store.settings
        self.apply()
        settings_store.changed.connect(self._on_settings)
        for signal in (projects.opened, projects.open_failed, projects.closed):
            signal.connect(self._on_not_busy)

    def apply(self) -> None:
        """Apply the settings to the theme."""
        self._applied = settings = self._settings_store.settings
        self._theme.apply(settings.theme, settings.scale, reduced_motion=settings.reduced_motion)

    @Slot(object)
    def _on_settings(self, settings: Settings) -> None:
        before, self._applied = self._applied, settings
        if settings.scale != before.scale:  # later: the caller may be one of the widgets
            QTimer.singleShot(0, self._rebuild)
        elif (settings.theme, settings.reduced_motion) != (before.theme, before.reduced_motion):
            self.apply()

    @Slot()
    def _on_not_busy(self) -> None:
        if self._is_waiting:
            QTimer.singleShot(0, self._rebuild)  # after the other slots of the signal

    @Slot()
    def _rebuild(self) -> None:
        """Request a rebuild; wait for saves, since pages use their results, and for a project that is being opened."""
        is_busy = self._runner.is_saving or self._projects.is_busy
        if is_busy and not self._is_waiting:
            self._runner.saves_finished.connect(self._on_not_busy)
        elif self._is_waiting and not is_busy:
            self._runner.saves_finished.disconnect(self._on_not_busy)
        self._is_waiting = is_busy
        if not is_busy:
            self.rebuild_requested.emit()
