"""The dialog for a new project: its name and its folder."""

from __future__ import annotations

import re
from pathlib import Path

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import (
    QDialog,
    QGridLayout,
    QLineEdit,
    QPushButton,
    QWidget,
)

from desktop.translation import tr
from desktop.ui.services.runner import JobRunner
from desktop.ui.theme import Theme
from desktop.ui.widgets.file_dialogs import FileDialog, Purpose
from desktop.ui.widgets.labels import PlainLabel
from desktop.ui.widgets.layouts import STRETCH, column_of, row_of
from miner.paths import PROJECT_SUFFIX, exists, expand_home, is_folder
from miner.progress import Job, Progress

_FORBIDDEN_PATTERN = re.compile(r'[<>:"/\\|?*\x00-\x1f]')


def suggest_location(files: list[Path]) -> tuple[str, Path]:
    """The name and folder proposed for a project of these files: their folder's name, and a folder beside them."""
    first = files[0]
    folder = first if is_folder(first) else first.parent
    name = folder.name or "papers"
    return name, folder.parent if is_folder(first) else folder


class NewProjectDialog(QDialog):
    """Asks for a path. If that file exists already, it offers to open it instead."""

    create_requested = Signal(object)  # Path: there is no such file
    open_requested = Signal(object)  # Path: the file exists

    def __init__(
        self, theme: Theme, runner: JobRunner, name: str, folder: Path, intro: str = "", parent: QWidget | None = None
    ) -> None:
        """`intro`: a sentence below the title, in place of the usual one."""
        super().__init__(parent)
        self._runner = runner
        px = theme.px
        self.setWindowTitle(tr("New project"))
        self.setMinimumWidth(px(480))
        title = PlainLabel(tr("New project"), type="title")
        lead = PlainLabel(
            intro or tr("A project is one file. It holds the papers' text, the pairs and every answer."),
            type="muted",
            wraps=True,
        )
        self.name = QLineEdit(name)
        self.name.selectAll()
        self.name.setAccessibleName(tr("Name"))
        self.folder = QLineEdit(str(folder))
        self.folder.setAccessibleName(tr("Folder"))
        choose_button = QPushButton(tr("Choose…"))
        choose_button.setAccessibleName(tr("Choose the folder"))
        choose_button.setAutoDefault(False)
        choose_button.clicked.connect(self._on_choose)
        grid = QGridLayout()
        grid.setHorizontalSpacing(px(12))
        grid.setVerticalSpacing(px(8))
        for row, (text, field) in enumerate(((tr("&Name"), self.name), (tr("&Folder"), self.folder))):
            label = PlainLabel(text)
            label.setBuddy(field)
            grid.addWidget(label, row, 0)
            grid.addWidget(field, row, 1)
        grid.addWidget(choose_button, 1, 2)
        self.note = PlainLabel(type="muted", wraps=True)
        self.note.setMinimumHeight(px(36))
        self.note.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.open_button = QPushButton(tr("Open it"))
        self.open_button.setVisible(False)
        self.open_button.setAutoDefault(False)
        self.open_button.clicked.connect(self._on_open)
        cancel = QPushButton(tr("Cancel"))
        cancel.setAutoDefault(False)
        cancel.clicked.connect(self.reject)
        self.create_button = QPushButton(tr("Create project"))
        self.create_button.setProperty("look", "primary")
        self.create_button.setDefault(True)
        self.create_button.clicked.connect(self._on_create)
        buttons = row_of(STRETCH)
        for button in (self.open_button, cancel, self.create_button):
            buttons.addWidget(button)
        self.setLayout(
            column_of(title, lead, grid, self.note, buttons, spacing=px(12), margins=(px(24), px(20), px(24), px(20)))
        )
        self.name.textChanged.connect(self._on_typed)
        self.folder.textChanged.connect(self._on_typed)
        self._on_typed()

    @property
    def path(self) -> Path:
        """The file of the project, as entered."""
        name = self.name.text().strip().removesuffix(PROJECT_SUFFIX)
        folder = expand_home(self.folder.text().strip())
        return folder / f"{name}{PROJECT_SUFFIX}"

    @Slot()
    def _on_typed(self) -> None:
        self._runner.cancel_read(self._on_checked)  # it is about another path
        name = self.name.text().strip().removesuffix(PROJECT_SUFFIX)
        error = ""
        if not name:
            error = tr("Enter a name.")
        elif _FORBIDDEN_PATTERN.search(name) or name.startswith("."):
            error = tr('A name cannot contain < > : " / \\ | ? * or start with a full stop.')
        elif not self.folder.text().strip() or not self.path.is_absolute():
            error = tr("Choose a folder.")
        self.create_button.setEnabled(not error)
        self.open_button.setVisible(False)
        self.note.setText(error or f"{self.path}")

    @Slot()
    def _on_choose(self) -> None:
        dialog = FileDialog(self, Purpose.PROJECTS, tr("Folder for the project"), self.folder.text())
        dialog.setFileMode(FileDialog.FileMode.Directory)
        dialog.chosen.connect(lambda paths: self.folder.setText(str(paths[0])))
        dialog.open()

    @Slot()
    def _on_create(self) -> None:
        path = self.path

        def work(progress: Progress) -> bool:
            return exists(path)

        self.create_button.setEnabled(False)
        self._runner.read(Job(tr("Looking for a project of that name"), work), self._on_checked)

    @Slot(object)
    def _on_checked(self, exists: bool) -> None:
        if not exists:
            path = self.path
            self.accept()
            self.create_requested.emit(path)
            return
        self.note.setText(tr("{name} exists already. Open it, or choose another name.", name=self.path.name))
        self.open_button.setVisible(True)
        self.open_button.setFocus()

    @Slot()
    def _on_open(self) -> None:
        path = self.path
        self.accept()
        self.open_requested.emit(path)
