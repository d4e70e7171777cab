"""The questions what to do with a project or an answer file that was dropped on the window of another project."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QDialogButtonBox, QWidget

from desktop.text import listed
from desktop.translation import tr
from desktop.ui.theme import Theme
from desktop.ui.widgets.questions import Question

if TYPE_CHECKING:  # the database takes a while to import
    from storage.annotation.sent_assignments import SentAssignment


class DroppedProjectQuestion(Question):
    """A dialog that is accepted to add the papers of the projects at `paths` to the open project, called `here`."""

    open_requested = Signal()  # open the first of them instead

    def __init__(self, theme: Theme, paths: Sequence[Path], here: str, parent: QWidget | None = None) -> None:
        names = listed([path.stem for path in paths])
        action = tr("Add its papers") if len(paths) == 1 else tr("Add their papers")
        super().__init__(
            theme,
            tr("Drop a project"),
            tr("Add {names} to {here}?", names=names, here=here),
            action,
            about=tr(
                "Papers come as they were read there, with all answers, notes and lists. {here} keeps its "
                "own settings, and {names} will not be changed. One undo takes everything back.",
                here=here,
                names=names,
            ),
            parent=parent,
        )
        text = tr("Open it instead") if len(paths) == 1 else tr("Open {stem} instead", stem=paths[0].stem)
        self.open_button = self.buttons.addButton(text, QDialogButtonBox.ButtonRole.ActionRole)
        self.open_button.clicked.connect(self.reject)
        self.open_button.clicked.connect(self.open_requested)


class ForeignAnswersQuestion(Question):
    """A dialog that is accepted to open an answer file of another project in place of the open one, called `here`."""

    def __init__(self, theme: Theme, sent: SentAssignment, here: str, parent: QWidget | None = None) -> None:
        super().__init__(
            theme,
            tr("Drop an answer file"),
            tr(
                "This file is for the answers of {name} to round {round:,} of another project.",
                name=sent.name,
                round=sent.round,
            ),
            tr("Open it"),
            about=tr(
                "It is opened in place of {here}. To merge its answers, drop it on the project that it was sent from.",
                here=here,
            ),
            parent=parent,
        )
