"""Whether projects are backed up, and what the backups of this one take."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QUrl, Slot
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from desktop.text import count, size
from desktop.ui.services.project_context import ProjectContext
from desktop.ui.widgets.labels import PlainLabel

if TYPE_CHECKING:
    from desktop.jobs.backups import Backups


class BackupsBox(QWidget):
    def __init__(self, context: ProjectContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = context
        px = context.theme.px
        self.on = QCheckBox("Keep backups of projects")
        self.on.setChecked(context.settings_store.settings.backups)
        self.on.toggled.connect(lambda on: context.settings_store.change(backups=on))
        self.sizes = PlainLabel()
        self.sizes.setProperty("type", "small")
        self.sizes.setWordWrap(True)
        self.restore = QPushButton("Restore a backup…")
        self.restore.clicked.connect(lambda: context.actions["file.restore"].trigger())
        self.folder = QPushButton("Open folder")
        self.folder.setAccessibleName("Open the folder of the backups")
        self.folder.clicked.connect(self._open)
        self._found: Backups | None = None
        buttons = QHBoxLayout()
        buttons.setSpacing(px(8))
        buttons.addWidget(self.restore)
        buttons.addWidget(self.folder)
        buttons.addStretch(1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(px(8))
        layout.addWidget(self.on)
        layout.addWidget(self.sizes)
        layout.addLayout(buttons)
        self.setFocusProxy(self.on)
        self._show(None)

    def refresh(self) -> None:
        """Look again at what there is."""
        from desktop.jobs.backups import backups

        run = self._context.runner.read(backups(self._context.path))
        run.done.connect(self._show)
        run.failed.connect(self._context.problems.show)

    @Slot(object)
    def _show(self, found: Backups | None) -> None:
        self._found = found
        self.folder.setEnabled(found is not None and found.rolling > 0)
        if found is None:
            self.sizes.setText("")
        elif not found.rolling:
            self.sizes.setText("This project has none yet.")
        else:
            last = f"{found.newest.astimezone():%d %B %Y, %H:%M}".lstrip("0") if found.newest else ""
            self.sizes.setText(
                f"This project has {count(found.rolling, 'backup')}, {size(found.size)} in all, the last of {last}."
            )

    @Slot()
    def _open(self) -> None:
        if self._found is not None:
            QDesktopServices.openUrl(QUrl.fromLocalFile(str(self._found.folder)))
