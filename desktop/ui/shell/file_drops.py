"""Handles files that are dragged over the window and dropped on it."""

from __future__ import annotations

from PySide6.QtCore import QMimeData, QObject, QTimer
from PySide6.QtGui import QDragEnterEvent, QDropEvent

from desktop.translation import tr
from desktop.ui.shell.central_widget import CentralWidget
from desktop.ui.shell.project_commands import ProjectCommands, is_corpus
from miner.paths import ANSWERS_SUFFIX, PROJECT_SUFFIX

_LINKS_MESSAGE = tr("Links cannot be added: save the papers to a folder first, then drop them here.")


class FileDrops(QObject):
    """Handles the drag and drop events of the window."""

    def __init__(self, commands: ProjectCommands, central: CentralWidget, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._commands, self._central = commands, central

    def enter(self, event: QDragEnterEvent) -> None:
        is_own = event.source() is not None  # papers that are dragged out of the table
        if event.mimeData().hasUrls() and not self._commands.is_busy and not is_own:
            event.acceptProposedAction()
            self._central.start.highlight_drop_area(True)
            self._show_effect(event.mimeData())

    def leave(self) -> None:
        self._central.start.highlight_drop_area(False)
        self._central.drop_overlay.hide()

    def drop(self, event: QDropEvent) -> None:
        from desktop.ui.pages.papers.add_files import dropped_files

        self.leave()
        local, links = dropped_files(event.mimeData())
        if links:
            self._central.status_bar.show_message(_LINKS_MESSAGE)
        event.acceptProposedAction()
        # Later: the file manager waits for this event.
        QTimer.singleShot(0, self, lambda: self._commands.open_or_add(local, dropped=True))

    def _show_effect(self, data: QMimeData) -> None:
        from desktop.ui.pages.papers.add_files import dropped_files

        local, _ = dropped_files(data)
        context = self._commands.context
        if context is None or not local:
            return
        if all(is_corpus(path) for path in local):
            text = tr("Drop to open this corpus beside the project")
        elif any(path.suffix == PROJECT_SUFFIX for path in local):
            sent_back = context.assignment is None and any(path.name.endswith(ANSWERS_SUFFIX) for path in local)
            add = tr(", or to add its papers") if self._commands.can_add_project else ""
            text = tr("Drop to merge these answers") if sent_back else tr("Drop to open this project{add}", add=add)
        elif context.assignment is not None:
            text = tr("Papers are added to the project that this file was sent from")
        elif context.read_only:
            text = tr("Papers cannot be added: {read_only_reason}", read_only_reason=context.read_only_reason)
        else:
            text = tr("Drop to add to papers")
        self._central.drop_overlay.show_over(self._central.stack, text)
