"""Adds another project's papers and annotations to the open project."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Slot
from PySide6.QtWidgets import QWidget

from desktop.jobs.results import describe
from desktop.translation import tr
from desktop.ui.pages.papers.import_controller import import_controller
from desktop.ui.services.conflict_receipt import ConflictReceipt
from desktop.ui.services.project_context import ProjectContext
from desktop.ui.widgets.file_dialogs import Purpose, choose_files
from miner.paths import PROJECT_SUFFIX

if TYPE_CHECKING:  # the database takes a while to import
    from storage.exchange.added_project import AddedProject

_FILTER = tr("Pairwright projects (*{project_suffix})", project_suffix=PROJECT_SUFFIX)


class ProjectAdder(QObject):
    """Adds projects to the project of `context`, and shows the result of each. window: the parent of its dialogs."""

    def __init__(self, context: ProjectContext, window: QWidget) -> None:
        super().__init__(context)
        self._context, self._window = context, window

    def choose_and_add(self) -> None:
        """Let the user choose projects, and add them."""
        self.add(choose_files(self._window, Purpose.PROJECTS, tr("Add another project"), _FILTER))

    def add(self, paths: Sequence[Path]) -> None:
        """Add projects, one after the other; their papers are mined afterwards."""
        if self._context.read_only:
            self._context.show_message(
                tr("Papers cannot be added: {read_only_reason}", read_only_reason=self._context.read_only_reason)
            )
            return
        for path in paths:
            import_controller(self._context).add_project(path).done.connect(self._on_added)

    @Slot(object)
    def _on_added(self, added: AddedProject) -> None:
        if added.title:
            self._context.show_message(f"{added.title}.", undo=True)
        text = describe(added)
        relations, kinds = (added.conflict_keys(of_kinds=of_kinds) for of_kinds in (False, True))
        receipt = ConflictReceipt(
            self._context.theme, tr("Add a project"), [text.sentence], [], text.notes, relations, kinds, self._window
        )
        receipt.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        receipt.conflicts_chosen.connect(self._context.review_requested)
        receipt.kinds_conflicts_chosen.connect(self._context.kinds_requested)
        receipt.open()


def project_adder(context: ProjectContext, parent: QWidget) -> ProjectAdder:
    """The project adder of this project; it is created at the first call."""
    existing = context.findChild(ProjectAdder)
    return existing if isinstance(existing, ProjectAdder) else ProjectAdder(context, parent.window())
