"""A card with a table of an experiment, its caption, and a menu for the pairs of the current number."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QPoint, Signal, Slot
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtWidgets import QToolButton, QWidget

from desktop.translation import tr
from desktop.ui.pages.experiments.result_table import ResultTableModel, ResultTableView
from desktop.ui.theme import Theme
from desktop.ui.widgets.card import Card
from desktop.ui.widgets.labels import PlainLabel
from desktop.ui.widgets.menus import KeyMenu, add_copy_menu
from miner.lab.experiments.experiment import TableAxis
from miner.text_tables import TableFormat

if TYPE_CHECKING:  # it imports numpy
    from miner.lab.experiments.table_values import TableValue, TableView

MISREAD, RIGHT, TESTED, AS_CLASS = "misread", "right", "tested", tr("as class")
REVIEW, CONFUSION, OUTSIDE = "review", "confusion", "outside"


class ResultCard(Card):
    """A card with one table. The result view answers `row_changed` with `set_outside`, and handles `number_opened`."""

    number_opened = Signal(object, str)  # TableValue; MISREAD, or another of the names above
    row_changed = Signal(object)  # QModelIndex: the current number

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, "", parent)
        self._has_outside = self._is_all_outside = False
        self.can_review = True
        self.pairs_button = self.add_button(tr("Pairs"), "", tr("Open the pairs of the current number"))
        self.pairs_button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.pairs_menu = KeyMenu(self.pairs_button)
        self.pairs_menu.aboutToShow.connect(self._fill_pairs_menu)
        self.pairs_button.setMenu(self.pairs_menu)
        self.copy_button = self.add_button("", "copy", tr("Copy the table"))
        self.copy_button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        add_copy_menu(self.copy_button, self.copy_as)
        self.model = ResultTableModel(theme, self)
        self.table = ResultTableView(theme, self.model)
        self.table.chosen.connect(self._open_current)
        self.table.menu_requested.connect(self._show_menu)
        self.table.copied.connect(self.copied)
        self.table.height_changed.connect(self.body.setFixedHeight)
        self.table.selectionModel().currentChanged.connect(self._on_current)
        self.body.addWidget(self.table)
        self.body.setCurrentIndex(1)
        self.note.hide()  # the caption is longer
        self.caption = PlainLabel(type="small", wraps=True)
        layout = self.layout()
        assert layout is not None
        layout.addWidget(self.caption)
        self._on_current()

    def show_view(self, view: TableView) -> None:
        """Show a table; if only its numbers changed, the current number stays current."""
        self.question = view.title
        self.heading.setText(view.title)
        self.setAccessibleName(view.title)
        self.table.setAccessibleName(tr("{title}: numbers", title=view.title))
        self.copy_button.setAccessibleName(tr("Copy the table: {title}", title=view.title))
        self.pairs_button.setAccessibleName(tr("Open the pairs of the current number: {title}", title=view.title))
        self.caption.setText(view.caption)
        if self.model.show_view(view):
            self._on_current()
        self.table.fit()

    @property
    def current(self) -> TableValue | None:
        """The current number; None for a published one, which has no pairs."""
        value = self.model.value(self.table.currentIndex())
        return value if value is not None and value.cells else None

    def set_outside(self, some: bool, all: bool) -> None:
        """Set whether some, or all, pairs of the current number are missing in the project."""
        self._has_outside, self._is_all_outside = some, all and some

    def tsv(self) -> str:
        from miner.lab.experiments.table_text import format_view

        return "" if self.model.view is None else format_view(self.model.view, TableFormat.TSV)

    @Slot(str)
    def copy_as(self, form: str) -> None:
        """Put the table on the clipboard as Markdown, LaTeX or tab-separated text."""
        from miner.lab.experiments.table_text import format_view

        if self.model.view is not None:
            QGuiApplication.clipboard().setText(format_view(self.model.view, TableFormat(form)))
            self.copied.emit(len(self.model.view.rows))

    def number_menu(self) -> KeyMenu:
        """A menu for the pairs of the current number."""
        menu = KeyMenu(self)
        self._add_items(menu)
        return menu

    @Slot()
    def _fill_pairs_menu(self) -> None:
        self.pairs_menu.clear()
        self._add_items(self.pairs_menu)

    def _add_items(self, menu: KeyMenu) -> None:
        value, view = self.current, self.model.view
        if value is None or view is None:
            return
        runs = tr(" in any of {runs} runs", runs=value.runs) if value.runs > 1 else ""
        items = [
            (MISREAD, tr("&Wrongly predicted pairs{runs}", runs=runs)),
            (RIGHT, tr("&Correctly predicted pairs{runs}", runs=runs)),
            (TESTED, tr("&All tested pairs")),
        ]
        if self.model.is_unreadable(self.table.currentIndex()):
            items = [(AS_CLASS, tr("Pairs without a &prediction{runs}", runs=runs)), *items[1:]]
        elif view.group_axis is TableAxis.CLASS and value.group:
            items.insert(1, (AS_CLASS, tr("Pairs wr&ongly predicted as {group}{runs}", group=value.group, runs=runs)))
        if self.can_review:
            items.append((REVIEW, tr("Read &some of these errors…")))
        for kind, text in items:
            action = menu.addAction(text)
            action.setEnabled(not self._is_all_outside)
            self._connect(action, value, kind)
        menu.addSeparator()
        self._connect(menu.addAction(tr("Confusion matri&x")), value, CONFUSION)
        if self._has_outside:
            self._connect(menu.addAction(tr("Wrong predictions outside the pro&ject…")), value, OUTSIDE)

    def _connect(self, action: QAction, value: TableValue, kind: str) -> None:
        action.triggered.connect(lambda _=False: self.number_opened.emit(value, kind))

    @Slot(QModelIndex)
    def _open_current(self, index: QModelIndex) -> None:
        value = self.model.value(index)
        if value is not None and value.cells:
            kind = AS_CLASS if self.model.is_unreadable(index) else MISREAD
            self.number_opened.emit(value, OUTSIDE if self._is_all_outside else kind)

    @Slot(object)
    def _show_menu(self, at: QPoint) -> None:
        if self.current is not None:
            menu = self.number_menu()
            menu.aboutToHide.connect(menu.deleteLater)
            menu.popup(at)

    @Slot()
    def _on_current(self) -> None:
        self.pairs_button.setEnabled(self.current is not None)
        if self.table.currentIndex().isValid():
            self.row_changed.emit(self.table.currentIndex())
