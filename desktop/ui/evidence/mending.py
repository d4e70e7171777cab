"""The dialog that mends a pair's sentences, for a view that shows pairs in turn; it closes with its pair."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot
from PySide6.QtWidgets import QWidget

from desktop.ui.services.project_context import ProjectContext

if TYPE_CHECKING:  # it imports the parser's records
    from desktop.ui.evidence.mend_dialog import MendDialog


class Mending(QObject):
    """Opens and closes the dialog, of which there is at most one. view: its parent."""

    def __init__(self, context: ProjectContext, view: QWidget) -> None:
        super().__init__(view)
        self._context, self._view = context, view
        self._dialog: MendDialog | None = None

    def open(self, key: str, *, blind: bool) -> None:
        """Open the dialog for a pair, if the project can save its sentences. blind: hide the linking phrase."""
        context = self._context
        if context.read_only or context.assignment is not None:
            return
        if not (context.annotator or context.ask_annotator(self._view)):
            return
        from desktop.ui.evidence.mend_dialog import MendDialog

        self.stay_with(None)
        self._dialog = MendDialog(context, key, self._view, blind=blind)
        self._dialog.finished.connect(self._on_finished)
        self._dialog.open()

    def stay_with(self, key: str | None) -> None:
        """Close the dialog of any other pair."""
        if self._dialog is not None and self._dialog.key != key:
            self._dialog.leave_pair()

    @Slot()
    def _on_finished(self) -> None:
        self._dialog = None
