"""The field for the folder to export to, which finds out what an export there would replace."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QTimer, Signal, Slot
from PySide6.QtWidgets import QLineEdit, QWidget

from desktop.jobs.exchange import export as exchange
from desktop.jobs.exchange.export import ReplacedExport
from desktop.text import count
from desktop.translation import tr
from desktop.ui.services.project_context import ProjectContext
from desktop.ui.widgets.file_dialogs import Purpose, choose_folder
from miner.paths import expand_home

_LOOK_DELAY_MS = 150  # after the last change


class FolderEdit(QLineEdit):
    """A field for a folder; a relative path starts from the folder of the project."""

    looked = Signal()  # `replaces` has changed

    def __init__(self, context: ProjectContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self.replaces = ""
        """What an export replaces, as a sentence; "" for nothing, and while that is not known."""
        self.setAccessibleName(tr("Folder to export to"))
        self.setPlaceholderText(tr("Folder"))
        self._timer = QTimer(self, singleShot=True, interval=_LOOK_DELAY_MS)
        self._timer.timeout.connect(self.look)
        self.textChanged.connect(self._on_changed)

    @property
    def is_empty(self) -> bool:
        return not self.text().strip()

    @property
    def path(self) -> Path:
        return self._context.path.parent / expand_home(self.text().strip())

    @Slot()
    def choose(self) -> None:
        """Let the user choose a folder."""
        folder = choose_folder(self, Purpose.EXPORT, tr("Export to"), self.text())
        if folder is not None:
            self.setText(str(folder))

    @Slot()
    def look(self) -> None:
        """Look for an earlier export in the folder."""
        self._context.cancel_read(self._on_found)
        if not self.is_empty:
            self._context.read(exchange.find_replaced(self.path), self._on_found)

    @Slot()
    def _on_changed(self) -> None:
        self._context.cancel_read(self._on_found)
        self._show("")
        self._timer.start()

    @Slot(object)
    def _on_found(self, replaced: ReplacedExport | None) -> None:
        rows = replaced and count(replaced.rows, "pair")
        self._show(tr("This folder has an export of {rows}: exporting replaces it.", rows=rows) if rows else "")

    def _show(self, replaces: str) -> None:
        self.replaces = replaces
        self.looked.emit()
