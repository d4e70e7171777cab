"""Files held over the window and dropped on it: what a drop would do is shown, then done."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QMimeData, QObject, QTimer
from PySide6.QtGui import QDragEnterEvent, QDropEvent

from desktop.ui.shell.central_widget import CentralWidget
from desktop.ui.shell.project_commands import SUFFIX, ProjectCommands

_LINKS = "Links cannot be added: save the papers to a folder first, then drop them here."


class FileDrops(QObject):
    """The window passes its drag and drop events on. `central` gives the window's widgets of now."""

    def __init__(
        self, commands: ProjectCommands, central: Callable[[], CentralWidget], parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._commands, self._central = commands, central

    def enter(self, event: QDragEnterEvent) -> None:
        if event.mimeData().hasUrls() and not self._commands.is_busy:
            event.acceptProposedAction()
            self._central().start.set_held(True)
            self._show_effect(event.mimeData())

    def leave(self) -> None:
        self._central().start.set_held(False)
        self._central().drop_overlay.hide()

    def drop(self, event: QDropEvent) -> None:
        from desktop.ui.pages.papers.add_files import dropped

        self.leave()
        local, links = dropped(event.mimeData())
        if links:
            self._central().status_bar.say(_LINKS)
        event.acceptProposedAction()
        QTimer.singleShot(0, self, lambda: self._commands.offer(local))  # the file manager waits for the answer

    def _show_effect(self, data: QMimeData) -> None:
        from desktop.ui.pages.papers.add_files import dropped

        local, _ = dropped(data)
        context = self._commands.context
        if context is None or not local:
            return
        if any(path.suffix == SUFFIX for path in local):
            text = "Drop to open this project"
        elif context.read_only:
            text = f"Papers cannot be added: {context.why_read_only}"
        else:
            text = "Drop to add to papers"
        self._central().drop_overlay.show_over(self._central().stack, text)
