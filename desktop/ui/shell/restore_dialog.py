"""The dialog that lists a project's backups and restores one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import (
    QAbstractItemView,
    QDialog,
    QDialogButtonBox,
    QTableWidget,
    QTableWidgetItem,
    QWidget,
)

from desktop.text import size
from desktop.translation import tr
from desktop.ui.theme import Theme
from desktop.ui.widgets.labels import PlainLabel
from desktop.ui.widgets.layouts import column_of, stretched
from desktop.ui.widgets.list_keys import list_keys

if TYPE_CHECKING:
    from desktop.jobs.backups import Backups
    from storage.backups import Backup

_NO_BACKUPS = tr(
    "There is no backup yet. One is made when a project is closed, and once a day while it is open and changes."
)
_EXPLANATION = tr(
    "The project will be as it was at the chosen time. Its current state is kept in {}, so that you can go back to it."
)


class RestoreDialog(QDialog):
    """A dialog that is accepted to restore the `selected_backup`.

    damage: what is wrong with the project, if anything.
    """

    def __init__(self, backups: Backups, theme: Theme, damage: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        px = theme.px
        self._backups = backups.found
        self.setWindowTitle(tr("Restore a backup"))
        max_height = parent.window().height() - px(40) if parent is not None else px(440)
        self.resize(px(560), min(px(440), max(px(240), max_height)))
        heading = PlainLabel(tr("Restore a backup of {stem}", stem=backups.project.stem), type="heading")
        self.about = PlainLabel(_EXPLANATION.format(backups.folder.name) if backups.found else _NO_BACKUPS)
        self.problem = PlainLabel(damage)
        self.problem.setVisible(bool(damage))
        for label in (heading, self.about, self.problem):
            label.setWordWrap(True)
        self.table = QTableWidget(len(self._backups), 3)
        self.table.setAccessibleName(tr("Backups"))
        list_keys(self.table)
        self.table.setHorizontalHeaderLabels([tr("Made"), tr("Size"), ""])
        self.table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.table.setTabKeyNavigation(False)
        self.table.setShowGrid(False)
        self.table.verticalHeader().setVisible(False)
        self.table.verticalHeader().setDefaultSectionSize(px(30))
        self.table.setVisible(bool(self._backups))
        for row, backup in enumerate(self._backups):
            self._fill(row, backup)
        head = self.table.horizontalHeader()
        head.setHighlightSections(False)
        head.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        head.setStretchLastSection(True)
        self.table.resizeColumnsToContents()
        for column in (0, 1):
            self.table.setColumnWidth(column, self.table.columnWidth(column) + px(24))
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.dismiss = buttons.button(QDialogButtonBox.StandardButton.Cancel)
        self.restore = buttons.addButton(tr("Restore"), QDialogButtonBox.ButtonRole.AcceptRole)
        self.restore.setProperty("look", "danger")
        self.restore.setVisible(bool(self._backups))
        if not self._backups:
            self.dismiss.setText(tr("Close"))
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        layout = column_of(
            heading,
            self.problem,
            self.about,
            stretched(self.table),
            spacing=px(8),
            margins=(px(24), px(20), px(24), px(20)),
        )
        self.setLayout(layout)
        if not self._backups:
            layout.addStretch(1)
        layout.addWidget(buttons)
        self.dismiss.setDefault(True)  # only now: a button becomes the default of a dialog only once it belongs to it
        self.table.itemSelectionChanged.connect(self._on_selected)
        self.table.activated.connect(lambda _: self.restore.setFocus())  # a second Enter replaces the project
        self.table.selectRow(0)
        (self.table if self._backups else self.dismiss).setFocus()
        self._on_selected()

    @property
    def selected_backup(self) -> Backup | None:
        row = self.table.currentRow()
        return self._backups[row] if 0 <= row < len(self._backups) else None

    def _fill(self, row: int, backup: Backup) -> None:
        time = f"{backup.at.astimezone():%d %B %Y, %H:%M}".lstrip("0")
        for column, text in enumerate((time, size(backup.size), backup.note)):
            self.table.setItem(row, column, QTableWidgetItem(text))

    @Slot()
    def _on_selected(self) -> None:
        self.restore.setEnabled(bool(self.table.selectedItems()))
