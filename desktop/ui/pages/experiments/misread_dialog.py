"""The dialog of misread pairs that the Pairs page cannot show: those of files, or of papers that were removed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QAbstractItemView,
    QDialog,
    QDialogButtonBox,
    QHeaderView,
    QTableWidget,
    QTableWidgetItem,
    QWidget,
)

from desktop.text import chance, count
from desktop.translation import tr
from desktop.ui.theme import Theme
from desktop.ui.widgets.labels import PlainLabel, set_tip
from desktop.ui.widgets.layouts import column_of, stretched
from desktop.ui.widgets.tables import style_table

if TYPE_CHECKING:  # it imports numpy
    from desktop.jobs.lab.experiments.details import MisreadRows

_COLUMNS = (tr("Premise"), tr("Hypothesis"), tr("Label"), tr("Predicted"), tr("Probability"))


class MisreadRowsDialog(QDialog):
    """A table of misread rows, the most confident errors first."""

    def __init__(self, theme: Theme, name: str, found: MisreadRows, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        px = theme.px
        self.setWindowTitle(tr("Wrong predictions: {name}", name=name))
        self.resize(px(860), px(520))
        self.found = found
        shown = tr(
            "{pairs} outside the project with a wrong prediction, the most confident errors first.",
            pairs=count(found.total, "test pair"),
        )
        if found.total > len(found.rows):
            shown += tr(" The first {rows:,} are shown.", rows=len(found.rows))
        label = PlainLabel(shown, wraps=True)
        self.table = QTableWidget(len(found.rows), len(_COLUMNS))
        self.table.setHorizontalHeaderLabels(list(_COLUMNS))
        self.table.setAccessibleName(tr("Wrong predictions"))
        style_table(self.table, theme)
        self.table.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        for number, row in enumerate(found.rows):
            chances = "" if row.probability is None else chance(row.probability)
            for column, text in enumerate((row.premise or row.key, row.hypothesis, row.label, row.predicted, chances)):
                item = QTableWidgetItem(text)
                set_tip(item, text)
                self.table.setItem(number, column, item)
        header = self.table.horizontalHeader()
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        for column in range(len(_COLUMNS)):
            mode = QHeaderView.ResizeMode.Stretch if column < 2 else QHeaderView.ResizeMode.ResizeToContents
            header.setSectionResizeMode(column, mode)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        self.copy_button = buttons.addButton(tr("&Copy"), QDialogButtonBox.ButtonRole.ActionRole)
        self.copy_button.clicked.connect(self.copy)
        buttons.rejected.connect(self.reject)
        self.setLayout(
            column_of(label, stretched(self.table), buttons, spacing=px(12), margins=(px(24), px(20), px(24), px(20)))
        )

    def copy(self) -> None:
        """Put the rows on the clipboard as tab-separated text."""
        lines = ["\t".join(_COLUMNS)]
        for row in self.found.rows:
            number = "" if row.probability is None else f"{row.probability:.4f}"
            texts = (row.premise, row.hypothesis, row.label, row.predicted, number)
            lines.append("\t".join(" ".join(text.split()) for text in texts))
        QGuiApplication.clipboard().setText("\n".join(lines) + "\n")
