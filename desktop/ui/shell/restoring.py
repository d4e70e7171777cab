"""Backups of the window's project: made while it is open, and one put back when the person says so."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, QTimer, Slot
from PySide6.QtWidgets import QFileDialog

from desktop.ui.services.runner import Lane

if TYPE_CHECKING:
    from desktop.jobs.backups import Backups, Restored
    from desktop.ui.shell.window import MainWindow
    from storage.backups import Backup

_FIRST = 60_000  # ms after opening, when nobody waits for the project any more
_AGAIN = 24 * 60 * 60_000
_FILTER = "Pairwright projects (*.pairwright)"


class BackupController(QObject):
    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._path = Path()
        self._due = QTimer(self)
        self._due.timeout.connect(self._back_up)

    # Making backups

    def keep_backed_up(self) -> None:
        """Back the open project up soon, if the last closing did not, and then once a day."""
        self._due.start(_FIRST)

    @Slot()
    def _back_up(self) -> None:
        self._due.start(_AGAIN)
        context = self._window.context
        if context is None or context.read_only or not self._window.settings_store.settings.backups:
            return
        from desktop.jobs.backups import back_up

        run = self._window.runner.start(back_up(context.path), lane=Lane.BACKUPS)
        run.failed.connect(self._window.problems.show)

    # Putting one back

    @Slot()
    def ask(self) -> None:
        """Which backup to restore: of the open project, else of one that is chosen first."""
        if self._window.context is not None:
            self._look(self._window.context.path)
            return
        recent = self._window.settings_store.settings.recent
        folder = str(Path(recent[0]).parent) if recent else ""
        dialog = QFileDialog(self._window, "Which project?", folder, _FILTER)
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptOpen)
        dialog.setFileMode(QFileDialog.FileMode.AnyFile)  # also one that is gone
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.fileSelected.connect(lambda name: self._look(Path(name)))
        dialog.open()

    def offer(self, error: Exception) -> None:
        """A project could not be opened: where it is damaged, and there are backups, ask which to restore."""
        from storage.errors import Damaged

        if isinstance(error, Damaged):
            self._look(error.path, why=str(error))

    def _look(self, path: Path, *, why: str = "") -> None:
        from desktop.jobs.backups import backups

        run = self._window.runner.read(backups(path))
        run.done.connect(lambda found: self._choose(found, why))
        run.failed.connect(self._window.problems.show)

    def _choose(self, found: Backups, why: str) -> None:
        if why and not found.found:
            return  # the error has said what else can be done
        from desktop.ui.shell.restore_dialog import RestoreDialog

        dialog = RestoreDialog(found, self._window.theme, why, self._window)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.accepted.connect(lambda: self._when_closed(found.project, dialog.chosen))
        dialog.open()

    def _when_closed(self, path: Path, backup: Backup | None) -> None:
        """Restore once the project is closed here: its jobs may have to be asked about first."""
        window = self._window
        if backup is None:
            return

        def close() -> None:
            if window.context is not None:
                window.context.backs_up = False  # it is kept anyhow, and one more could roll the chosen one away
            window.closed.connect(restore, Qt.ConnectionType.SingleShotConnection)
            window.close_project()

        def restore() -> None:
            self._restore(path, backup.path)

        if window.project_controller.is_busy:
            window.status_bar.say("Another project is being opened or closed. Try again in a moment.")
        elif window.context is not None and window.context.path.resolve() == path.resolve():
            window.close_guard.confirm_then("Restore a backup", "Restore", close)
        else:
            restore()

    def _restore(self, path: Path, backup: Path) -> None:
        from desktop.jobs.backups import restore

        self._window.start.set_busy(f"BackupController {path.name}…")
        run = self._window.runner.save(restore(path, backup))
        run.done.connect(self._on_restored)
        run.failed.connect(self._on_failed)

    @Slot(object)
    def _on_restored(self, restored: Restored) -> None:
        self._window.start.set_busy("")
        path = restored.project
        when = f"{restored.backup.at.astimezone():%d %B %Y, %H:%M}".lstrip("0")
        open_it = partial(
            self._window.open, path, then=lambda context: context.say(f"{path.stem} is as it was on {when}.")
        )
        self._window.close_guard.confirm_then("Another project", f"Open {path.stem}", open_it)

    @Slot(object)
    def _on_failed(self, error: Exception) -> None:
        self._window.start.set_busy("")
        self._window.problems.show(error)
