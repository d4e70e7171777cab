"""Backups of the window's project: made while it is open, and one put back when the person says so."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, QTimer, Signal, Slot
from PySide6.QtWidgets import QFileDialog, QWidget

from desktop.jobs.results import describe
from desktop.ui.services.problems import Problems
from desktop.ui.services.runner import JobRunner, Lane
from desktop.ui.services.settings_store import SettingsStore
from desktop.ui.shell.close_guard import CloseGuard
from desktop.ui.shell.project_commands import WAIT, ProjectCommands
from desktop.ui.shell.project_controller import ProjectController
from desktop.ui.theme import Theme

if TYPE_CHECKING:
    from desktop.jobs.backups import Backups, Restored
    from storage.backups import Backup

_FIRST = 60_000  # ms after opening, when nobody waits for the project any more
_AGAIN = 24 * 60 * 60_000
_FILTER = "Pairwright projects (*.pairwright)"


class BackupController(QObject):
    busy = Signal(str)  # what the start page shows in place of its choices; "" when it is over
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
        self._due = QTimer(self)
        self._due.timeout.connect(self._back_up)

    # Making backups

    def keep_backed_up(self) -> None:
        """Back the open project up soon, if the last closing did not, and then once a day."""
        self._due.start(_FIRST)

    @Slot()
    def _back_up(self) -> None:
        self._due.start(_AGAIN)
        context = self._controller.context
        if context is None or context.read_only or not self._settings_store.settings.backups:
            return
        from desktop.jobs.backups import back_up

        run = self._runner.start(back_up(context.path), lane=Lane.BACKUPS)
        run.failed.connect(self._problems.show)

    # Putting one back

    @Slot()
    def ask(self) -> None:
        """Which backup to restore: of the open project, else of one that is chosen first."""
        if self._controller.context is not None:
            self._look(self._controller.context.path)
            return
        recent = self._settings_store.settings.recent
        folder = str(Path(recent[0]).parent) if recent else ""
        dialog = QFileDialog(self._window, "Which project?", folder, _FILTER)
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptOpen)
        dialog.setFileMode(QFileDialog.FileMode.AnyFile)  # also one that is gone
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.fileSelected.connect(lambda name: self._look(Path(name)))
        dialog.open()

    def offer(self, error: Exception) -> None:
        """A project could not be opened: where it is damaged, and there are backups, ask which to restore."""
        from storage.errors import DamagedProject

        if isinstance(error, DamagedProject):
            self._look(error.path, why=str(error))

    def _look(self, path: Path, *, why: str = "") -> None:
        from desktop.jobs.backups import backups

        run = self._runner.read(backups(path))
        run.done.connect(lambda found: self._choose(found, why))
        run.failed.connect(self._problems.show)

    def _choose(self, found: Backups, why: str) -> None:
        if why and not found.found:
            return  # the error has said what else can be done
        from desktop.ui.shell.restore_dialog import RestoreDialog

        dialog = RestoreDialog(found, self._theme, why, self._window)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.accepted.connect(lambda: self._when_closed(found.project, dialog.chosen))
        dialog.open()

    def _when_closed(self, path: Path, backup: Backup | None) -> None:
        """Restore once the project is closed here: its jobs may have to be asked about first."""
        controller = self._controller
        if backup is None:
            return

        def close() -> None:
            if controller.context is not None:
                controller.context.backs_up = False  # it is kept anyhow, and one more could roll the chosen one away
            controller.closed.connect(restore, Qt.ConnectionType.SingleShotConnection)
            self._commands.close()

        def restore() -> None:
            self._restore(path, backup.path)

        if controller.is_busy:
            self.message.emit(WAIT)
        elif controller.context is not None and controller.context.path.resolve() == path.resolve():
            self._close_guard.confirm_then("Restore a backup", "Restore", close)
        else:
            restore()

    def _restore(self, path: Path, backup: Path) -> None:
        from desktop.jobs.backups import restore

        self.busy.emit(f"Restoring {path.name}…")
        run = self._runner.save(restore(path, backup))
        run.done.connect(self._on_restored)
        run.failed.connect(self._on_failed)

    @Slot(object)
    def _on_restored(self, restored: Restored) -> None:
        self.busy.emit("")
        path = restored.project
        text = describe(restored).sentence
        open_it = partial(self._commands.open, path, then=lambda context: context.say(text))
        self._close_guard.confirm_then("Another project", f"Open {path.stem}", open_it)

    @Slot(object)
    def _on_failed(self, error: Exception) -> None:
        self.busy.emit("")
        self._problems.show(error)
