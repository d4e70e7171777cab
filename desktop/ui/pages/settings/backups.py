"""The controls of the backups: a switch, their number and size, and restoring."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QUrl, Slot
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from desktop.text import count, size
from desktop.translation import tr
from desktop.ui.services.project_context import ProjectContext
from desktop.ui.widgets.labels import PlainLabel

if TYPE_CHECKING:
    from desktop.jobs.backups import Backups


class BackupsBox(QWidget):
    """Keeps backups of projects or not; shows and restores those of this project."""

    def __init__(self, context: ProjectContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = context
        px = context.theme.px
        self.enabled = QCheckBox(tr("Keep backups of projects"))
        self.enabled.setChecked(context.settings_store.settings.backups)
        self.enabled.toggled.connect(lambda on: context.settings_store.change(backups=on))
        self.summary = PlainLabel()
        self.summary.setProperty("type", "small")
        self.summary.setWordWrap(True)
        self.restore = QPushButton(tr("Restore a backup…"))
        self.restore.clicked.connect(lambda: context.actions["file.restore"].trigger())
        self.folder = QPushButton(tr("Open folder"))
        self.folder.setAccessibleName(tr("Open the folder of the backups"))
        self.folder.clicked.connect(self._open_folder)
        self._backups: Backups | None = None
        buttons = QHBoxLayout()
        buttons.setSpacing(px(8))
        buttons.addWidget(self.restore)
        buttons.addWidget(self.folder)
        buttons.addStretch(1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(px(8))
        layout.addWidget(self.enabled)
        layout.addWidget(self.summary)
        layout.addLayout(buttons)
        self.setFocusProxy(self.enabled)
        self._show(None)

    def refresh(self) -> None:
        """Read the backups of this project again."""
        from desktop.jobs.backups import backups

        run = self._context.runner.read(backups(self._context.path))
        run.done.connect(self._show)
        run.failed.connect(self._context.problems.show)

    @Slot(object)
    def _show(self, backups: Backups | None) -> None:
        self._backups = backups
        self.folder.setEnabled(backups is not None and backups.rolling > 0)
        if backups is None:
            self.summary.setText("")
        elif not backups.rolling:
            self.summary.setText(tr("This project has no backup yet."))
        else:
            last = f"{backups.newest.astimezone():%d %B %Y, %H:%M}".lstrip("0") if backups.newest else ""
            total = tr("{backups}, {size} in all", backups=count(backups.rolling, "backup"), size=size(backups.size))
            self.summary.setText(tr("This project has {total}, the last from {last}.", total=total, last=last))

    @Slot()
    def _open_folder(self) -> None:
        if self._backups is not None:
            QDesktopServices.openUrl(QUrl.fromLocalFile(str(self._backups.folder)))
