"""Theme and scale as Settings say: applied at once, or, for another scale, once the window can be built anew."""

from __future__ import annotations

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from desktop.settings import Settings
from desktop.ui.services.runner import JobRunner
from desktop.ui.services.settings_store import SettingsStore
from desktop.ui.shell.project_controller import ProjectController
from desktop.ui.theme import Theme


class Appearance(QObject):
    """Sizes are given when a widget is built: another scale needs new widgets, which the window builds."""

    rebuild_requested = Signal()  # build all widgets anew, and `apply` between the old and the new

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
        self._waits = False
        self._applied = settings_store.settings
        self.apply()
        settings_store.changed.connect(self._on_settings)
        for over in (projects.opened, projects.open_failed, projects.closed):
            over.connect(self._on_over)

    def apply(self) -> None:
        """Give the theme what the settings say now."""
        self._applied = settings = self._settings_store.settings
        self._theme.use(settings.theme, settings.scale, reduced_motion=settings.reduced_motion)

    @Slot(object)
    def _on_settings(self, settings: Settings) -> None:
        before, self._applied = self._applied, settings
        if settings.scale != before.scale:  # later, for one of the widgets may be what asks
            QTimer.singleShot(0, self._rebuild)
        elif (settings.theme, settings.reduced_motion) != (before.theme, before.reduced_motion):
            self.apply()

    @Slot()
    def _on_over(self) -> None:
        if self._waits:
            QTimer.singleShot(0, self._rebuild)  # after whoever else hears of it

    @Slot()
    def _rebuild(self) -> None:
        """Not while a save is on its way, since its page goes on from it, nor while a project is being opened."""
        waits = self._runner.is_saving or self._projects.is_busy
        if waits and not self._waits:
            self._runner.saving.connect(self._on_over)
        elif self._waits and not waits:
            self._runner.saving.disconnect(self._on_over)
        self._waits = waits
        if not waits:
            self.rebuild_requested.emit()
