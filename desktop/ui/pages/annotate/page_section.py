"""The parts of the page: a heading with buttons beside it, and contents, or a table, below."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QPushButton, QWidget

from desktop.ui.theme import Theme
from desktop.ui.widgets.labels import PlainLabel, set_tip
from desktop.ui.widgets.layouts import CardFrame, column_of, row_of, stretched
from desktop.ui.widgets.sortable_table import SortableTableModel, SortableTableView

Row = TypeVar("Row")


class PageSection(CardFrame):
    """A section of the page; subclasses add their widgets to `contents`."""

    def __init__(self, theme: Theme, title: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(title)
        heading = PlainLabel(title, type="heading")
        self._header = row_of(stretched(heading), spacing=theme.px(4))
        self.contents = column_of(
            self._header, spacing=theme.px(8), margins=(theme.px(16), theme.px(10), theme.px(16), theme.px(12))
        )
        self.setLayout(self.contents)

    def add_button(self, text: str, slot: Callable[[], object], tip: str = "") -> QPushButton:
        """Add a button beside the heading, and return it."""
        button = QPushButton(text)
        button.setProperty("look", "quiet")
        set_tip(button, tip)
        button.clicked.connect(lambda: slot())
        self._header.addWidget(button)
        return button


class TableSection(PageSection, Generic[Row]):
    """A section with a table, or a sentence while there are no rows."""

    def __init__(
        self, theme: Theme, title: str, model: SortableTableModel[Row], empty: str, *, stretched: int, max_rows: int
    ) -> None:
        """stretched: the column with the remaining width.

        max_rows: how many rows are shown before the table scrolls.
        """
        super().__init__(theme, title)
        self.model, self.table = model, SortableTableView(theme, model, title)
        self._empty = PlainLabel(empty, type="muted", wraps=True)
        self._stretched, self._max_rows = stretched, max_rows
        self.contents.addWidget(self.table)
        self.contents.addWidget(self._empty)
        self.contents.addStretch(1)  # a section beside it may be higher

    def show_rows(self, rows: Sequence[Row]) -> None:
        """Show these rows."""
        self.model.show_rows(rows)
        self.table.setVisible(bool(rows))
        self._empty.setVisible(not rows)
        self.table.fit_height(self._max_rows)
        self.table.fit_columns(stretched=self._stretched)

    @property
    def selected(self) -> Row | None:
        """The selected row; None if there is none."""
        rows = self.table.selectionModel().selectedRows()
        return self.model.rows[rows[0].row()] if rows and rows[0].row() < len(self.model.rows) else None


def open_dialog(dialog: QDialog) -> None:
    """Show a dialog over its window; it is deleted when it closes."""
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.open()
