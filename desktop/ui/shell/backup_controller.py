"""Backs up the open project every day, and restores a backup that the user chooses."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, QTimer, Signal, Slot
from PySide6.QtWidgets import QWidget

from desktop.jobs.results import describe
from desktop.translation import tr
from desktop.ui.services.problems import Problems
from desktop.ui.services.runner import JobQueue, JobRunner
from desktop.ui.services.settings_store import SettingsStore
from desktop.ui.shell.close_guard import CloseGuard
from desktop.ui.shell.project_commands import BUSY_MESSAGE, ProjectCommands
from desktop.ui.shell.project_controller import ProjectController
from desktop.ui.theme import Theme
from desktop.ui.widgets.file_dialogs import FileDialog, Purpose

if TYPE_CHECKING:
    from desktop.jobs.backups import Backups, RestoredProject
    from storage.backups import Backup

_FIRST_BACKUP_DELAY_MS = 60_000  # after the project was opened
_BACKUP_INTERVAL_MS = 24 * 60 * 60_000
_FILE_FILTER = tr("Pairwright projects (*.pairwright)")


class BackupController(QObject):
    """Makes backups of the open project, and restores one."""

    busy = Signal(str)  # a text that the start page shows instead of its buttons; "" at the end
    message = Signal(str)  # for the status bar

    def __init__(
        self,
        controller: ProjectController,
        commands: ProjectCommands,
        close_guard: CloseGuard,
        settings_store: SettingsStore,
        theme: Theme,
        runner: JobRunner,
        problems: Problems,
        window: QWidget,
    ) -> None:
        super().__init__(window)
        self._controller, self._commands, self._close_guard = controller, commands, close_guard
        self._settings_store, self._theme, self._runner, self._problems = settings_store, theme, runner, problems
        self._window = window
        self._backup_timer = QTimer(self)
        self._backup_timer.timeout.connect(self._back_up)

    # Making backups

    def schedule_backups(self) -> None:
        """Back up the open project in a minute, unless that was done when it was closed, and then once a day."""
        self._backup_timer.start(_FIRST_BACKUP_DELAY_MS)

    @Slot()
    def _back_up(self) -> None:
        self._backup_timer.start(_BACKUP_INTERVAL_MS)
        context = self._controller.context
        if context is None or context.read_only or not self._settings_store.settings.backups:
            return
        from desktop.jobs.backups import back_up

        run = self._runner.start(back_up(context.path), queue=JobQueue.BACKUPS)
        run.failed.connect(self._problems.show)

    # Restoring a backup

    @Slot()
    def choose_backup(self) -> None:
        """Let the user restore a backup of the open project, or of a project file chosen first."""
        if self._controller.context is not None:
            self._list_backups(self._controller.context.path)
            return
        recent = self._settings_store.settings.recent
        folder = str(Path(recent[0]).parent) if recent else ""
        dialog = FileDialog(self._window, Purpose.PROJECTS, tr("Which project?"), folder, _FILE_FILTER)
        dialog.setAcceptMode(FileDialog.AcceptMode.AcceptOpen)
        dialog.setFileMode(FileDialog.FileMode.AnyFile)  # also one that no longer exists
        dialog.chosen.connect(lambda paths: self._list_backups(paths[0]))
        dialog.open()

    def offer_backups(self, error: Exception) -> None:
        """If a project could not be opened because it is damaged, offer its backups, if there are any."""
        from storage.errors import DamagedProject

        if isinstance(error, DamagedProject):
            self._list_backups(error.path, damage=str(error))

    def _list_backups(self, path: Path, *, damage: str = "") -> None:
        from desktop.jobs.backups import backups as list_backups

        run = self._runner.read(list_backups(path))
        run.done.connect(lambda backups: self._show_dialog(backups, damage))
        run.failed.connect(self._problems.show)

    def _show_dialog(self, backups: Backups, damage: str) -> None:
        if damage and not backups.found:
            return  # the error message has said what else can be done
        from desktop.ui.shell.restore_dialog import RestoreDialog

        dialog = RestoreDialog(backups, self._theme, damage, self._window)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.accepted.connect(lambda: self._close_and_restore(backups.project, dialog.selected_backup))
        dialog.open()

    def _close_and_restore(self, path: Path, backup: Backup | None) -> None:
        """Restore a backup; if its project is open, close it first, after a question about unfinished jobs."""
        controller = self._controller
        if backup is None:
            return

        def close() -> None:
            if controller.context is not None:
                # Restoring keeps it as it is now, and one more backup could roll the selected one away.
                controller.context.back_up_on_close = False
            controller.closed.connect(restore, Qt.ConnectionType.SingleShotConnection)
            self._commands.close()

        def restore() -> None:
            self._restore(path, backup.path)

        context = controller.context
        if controller.is_busy:
            self.message.emit(BUSY_MESSAGE)
        elif context is not None and context.path.resolve() == path.resolve():
            if context.is_elsewhere:
                self.message.emit(context.read_only_reason)
                return
            self._close_guard.confirm_then(tr("Restore a backup"), tr("Restore"), close)
        else:
            restore()

    def _restore(self, path: Path, backup: Path) -> None:
        from desktop.jobs.backups import restore

        self.busy.emit(tr("Restoring {name}…", name=path.name))
        run = self._runner.save(restore(path, backup))
        run.done.connect(self._on_restored)
        run.failed.connect(self._on_failed)

    @Slot(object)
    def _on_restored(self, restored: RestoredProject) -> None:
        self.busy.emit("")
        path = restored.project
        text = describe(restored).sentence
        open_project = partial(self._commands.open, path, then=lambda context: context.show_message(text))
        self._close_guard.confirm_then(tr("Another project"), tr("Open {stem}", stem=path.stem), open_project)

    @Slot(object)
    def _on_failed(self, error: Exception) -> None:
        self.busy.emit("")
        self._problems.show(error)
