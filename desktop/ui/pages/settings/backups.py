"""The controls of the backups: a switch, their number and size, and restoring."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QUrl, Slot
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QCheckBox, QWidget

from desktop.text import count, size
from desktop.translation import tr
from desktop.ui.services.project_context import ProjectContext
from desktop.ui.widgets.buttons import push_button
from desktop.ui.widgets.labels import PlainLabel
from desktop.ui.widgets.layouts import STRETCH, column_of, row_of

if TYPE_CHECKING:
    from desktop.jobs.backups import Backups


class BackupsBox(QWidget):
    """Turns backups of projects on or off; shows and restores the backups of this project."""

    def __init__(self, context: ProjectContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = context
        px = context.theme.px
        self.enabled = QCheckBox(tr("Keep backups of projects"))
        self.enabled.setChecked(context.settings_store.settings.backups)
        self.enabled.toggled.connect(lambda on: context.settings_store.change(backups=on))
        self.summary = PlainLabel(type="small", wraps=True)
        self.restore = push_button(tr("Restore a backup…"), lambda: context.actions["file.restore"].trigger())
        self.folder = push_button(tr("Open folder"), self._open_folder, name=tr("Open the folder of the backups"))
        self._backups: Backups | None = None
        self.setLayout(
            column_of(
                self.enabled, self.summary, row_of(self.restore, self.folder, STRETCH, spacing=px(8)), spacing=px(8)
            )
        )
        self.setFocusProxy(self.enabled)
        self._show(None)

    def refresh(self) -> None:
        """Read the backups of this project again."""
        from desktop.jobs.backups import backups

        self._context.read(backups(self._context.path), self._show)

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
