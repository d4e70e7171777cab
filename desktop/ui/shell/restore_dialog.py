"""Which backup to restore, and what follows from it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import (
    QAbstractItemView,
    QDialog,
    QDialogButtonBox,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from desktop.text import size
from desktop.ui.theme import Theme
from desktop.ui.widgets.labels import PlainLabel

if TYPE_CHECKING:
    from desktop.jobs.backups import Backups
    from storage.backups import Backup

_NONE = "There is no backup yet. One is made when a project is closed, and once a day while it is open and changes."
_FOLLOWS = "The project will be as it was then. What is there now is kept in {}, so that this can be taken back."


class RestoreDialog(QDialog):
    """Accepted when a backup was `chosen`. `why`: what is wrong with the project, where something is."""

    def __init__(self, found: Backups, theme: Theme, why: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        px = theme.px
        self._found = found.found
        self.setWindowTitle("Restore a backup")
        most = parent.window().height() - px(40) if parent is not None else px(440)
        self.resize(px(560), min(px(440), max(px(240), most)))
        heading = PlainLabel(f"Restore a backup of {found.project.stem}")
        heading.setProperty("type", "heading")
        self.about = PlainLabel(_FOLLOWS.format(found.folder.name) if found.found else _NONE)
        self.problem = PlainLabel(why)
        self.problem.setVisible(bool(why))
        for label in (heading, self.about, self.problem):
            label.setWordWrap(True)
        self.table = QTableWidget(len(self._found), 3)
        self.table.setAccessibleName("Backups")
        self.table.setHorizontalHeaderLabels(["Made", "Size", ""])
        self.table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.table.setTabKeyNavigation(False)
        self.table.setShowGrid(False)
        self.table.verticalHeader().setVisible(False)
        self.table.verticalHeader().setDefaultSectionSize(px(30))
        self.table.setVisible(bool(self._found))
        for row, backup in enumerate(self._found):
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
        self.restore = buttons.addButton("Restore", QDialogButtonBox.ButtonRole.AcceptRole)
        self.restore.setProperty("look", "danger")
        self.restore.setVisible(bool(self._found))
        if not self._found:
            self.dismiss.setText("Close")
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(px(24), px(20), px(24), px(20))
        layout.setSpacing(px(8))
        layout.addWidget(heading)
        layout.addWidget(self.problem)
        layout.addWidget(self.about)
        layout.addWidget(self.table, 1)
        if not self._found:
            layout.addStretch(1)
        layout.addWidget(buttons)
        self.dismiss.setDefault(True)  # now that it is this dialog's
        self.table.itemSelectionChanged.connect(self._on_selected)
        self.table.selectRow(0)
        (self.table if self._found else self.dismiss).setFocus()
        self._on_selected()

    @property
    def chosen(self) -> Backup | None:
        row = self.table.currentRow()
        return self._found[row] if 0 <= row < len(self._found) else None

    def _fill(self, row: int, backup: Backup) -> None:
        when = f"{backup.at.astimezone():%d %B %Y, %H:%M}".lstrip("0")
        for column, text in enumerate((when, size(backup.size), backup.note)):
            self.table.setItem(row, column, QTableWidgetItem(text))

    @Slot()
    def _on_selected(self) -> None:
        self.restore.setEnabled(bool(self.table.selectedItems()))
