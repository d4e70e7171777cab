"""Cards with a table of figures; a row opens its pairs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from PySide6.QtCore import QModelIndex, QObject, Qt, Signal, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QComboBox, QWidget

from desktop.jobs.review.agreement_report import AgreementReport, GroupKind
from desktop.translation import tr
from desktop.ui.pages.agreement.rows import GROUP_COLUMNS, KIND_NAMES, RANGE, Column, FigureRow, group_rows, tsv
from desktop.ui.theme import Theme
from desktop.ui.widgets.card import Card
from desktop.ui.widgets.cell_delegates import INTERVAL_ROLE, Index, IntervalDelegate
from desktop.ui.widgets.fields import ComboBox
from desktop.ui.widgets.sortable_table import SortableTableModel, SortableTableView, TableColumn

_MAX_VISIBLE_ROWS = 14
# In unscaled pixels:
_NAME_MIN_WIDTH = 96
_RANGE_TEXT_WIDTH = 84  # the bar is behind the text
_RANGE_WIDTH = 150


class FigureRowsModel(SortableTableModel[FigureRow]):
    """Rows in their own order until the user sorts them."""

    def __init__(self, columns: Sequence[Column], parent: QObject | None = None) -> None:
        self.titles = tuple(columns)
        found: list[TableColumn[FigureRow]] = [
            TableColumn(
                column.title, _text_of(number), _sort_key_of(number), column.tip, is_left_aligned=column.is_left_aligned
            )
            for number, column in enumerate(columns)
        ]
        super().__init__(found, -1, parent)
        self._places: dict[str, int] = {}

    def show_rows(self, rows: Sequence[FigureRow]) -> None:  # type: ignore[override]  # narrower: they have an order
        self._places = {row.key: place for place, row in enumerate(rows)}
        super().show_rows(rows)

    def row_key(self, row: FigureRow) -> str:
        return row.key

    def tie_key(self, row: FigureRow) -> int:
        return self._places.get(row.key, 0)

    def row_tip(self, row: FigureRow) -> str:
        return row.note

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        if column >= 0:
            super().sort(column, order)
        else:  # as the rows came
            self.order = (column, order)
            self.show_rows(sorted(self.rows, key=self.tie_key))

    def _sorted(self, rows: Iterable[FigureRow]) -> list[FigureRow]:
        return sorted(rows, key=self.tie_key) if self.order[0] < 0 else super()._sorted(rows)

    def tsv(self) -> str:
        return tsv(self.titles, self.rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if role == INTERVAL_ROLE and index.isValid():
            cell = self.rows[index.row()].cells[index.column()]
            return (cell.value, cell.interval) if cell.interval is not None else None
        return super().data(index, role)


def _has(row: FigureRow, column: int) -> bool:
    return row.cells[column].value is not None


def _text_of(column: int) -> Callable[[FigureRow], str]:
    return lambda row: row.cells[column].text


def _sort_key_of(column: int) -> Callable[[FigureRow], Any]:
    def key(row: FigureRow) -> object:
        value = row.cells[column].value
        if isinstance(value, str):
            return value.casefold()
        return -2.0 if value is None else value  # below any kappa

    return key


class TableCard(Card):
    """A card with a table as high as its rows."""

    def __init__(self, theme: Theme, question: str, columns: Sequence[Column], parent: QWidget | None = None) -> None:
        super().__init__(theme, question, parent)
        self.model = FigureRowsModel(columns, self)
        self.table = SortableTableView(theme, self.model, question)
        self.table.activated.connect(self._open_pairs)
        self.table.selectionModel().currentRowChanged.connect(self._show_row_note)
        self.body.addWidget(self.table)
        self.copy_button = self.add_button("", "copy", tr("Copy numbers"))
        self.copy_button.clicked.connect(self.copy)

    def show_rows(self, rows: Sequence[FigureRow], summary: str) -> None:
        self.model.show_rows(rows)
        self.table.fit_height(_MAX_VISIBLE_ROWS)
        self.summary = summary
        self.body.setCurrentIndex(1)
        self._fit_columns()
        self._show_row_note(self.table.currentIndex())

    def show_text(self, text: str) -> None:
        """Show a sentence in place of the table."""
        self.model.show_rows([])
        self.waiting_label.setText(text)
        self.summary = ""
        self.body.setCurrentIndex(0)
        self.show_note("")

    def tsv(self) -> str:
        return self.model.tsv() if self.model.rows else ""

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_columns()

    def _fit_columns(self) -> None:
        """Give the name the remaining width; where it is too little, the least important columns are hidden.

        Columns without any number are hidden too, such as Krippendorff's alpha for single classes.
        """
        rows = self.model.rows
        blank = {column for column in range(1, self.model.columnCount()) if not any(_has(row, column) for row in rows)}
        for column in range(1, self.model.columnCount()):
            self.table.setColumnHidden(column, bool(rows) and column in blank)
        columns = [column for column in range(1, self.model.columnCount()) if not self.table.isColumnHidden(column)]
        widths = {column: self._needed_width(column) for column in columns}
        spare = self.table.viewport().width() - self._theme.px(_NAME_MIN_WIDTH) - sum(widths.values())
        for column in columns:
            self.table.setColumnWidth(column, widths[column])
        hideable = [column for column in columns if self.model.titles[column].hides is not None]
        for column in sorted(hideable, key=lambda column: self.model.titles[column].hides or 0):
            self.table.setColumnHidden(column, spare < 0)
            spare += widths[column] if spare < 0 else 0
        shown = sum(widths[column] for column in columns if not self.table.isColumnHidden(column))
        self.table.setColumnWidth(0, max(self._theme.px(_NAME_MIN_WIDTH), self.table.viewport().width() - shown))

    def _needed_width(self, column: int) -> int:
        return self.table.needed_width(column)

    @Slot(QModelIndex)
    def _show_row_note(self, current: QModelIndex) -> None:
        self.show_note(self.model.rows[current.row()].note if current.isValid() else "")

    @Slot(QModelIndex)
    def _open_pairs(self, index: QModelIndex) -> None:
        opens = self.model.rows[index.row()].opens
        if opens is not None:
            self.opened.emit(opens)


class GroupCard(TableCard):
    """Agreement by class, domain, round, strategy or phrase."""

    kind_changed = Signal(object)  # GroupKind

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, tr("Where do annotators agree less?"), GROUP_COLUMNS, parent)
        self._report: AgreementReport | None = None
        self.table.setItemDelegateForColumn(RANGE, IntervalDelegate(theme, _RANGE_TEXT_WIDTH, self))
        self.kinds = ComboBox()
        self.kinds.setAccessibleName(tr("Groups of pairs"))
        self.kinds.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.kinds.currentIndexChanged.connect(self._show_kind)
        self.header.insertWidget(1, self.kinds)

    @property
    def kind(self) -> GroupKind:
        data = self.kinds.currentData()
        return GroupKind.CLASS if data is None else GroupKind(data)

    def choose_kind(self, kind: GroupKind) -> None:
        self.kinds.setCurrentIndex(self.kinds.findData(kind.value))

    def show_report(self, report: AgreementReport) -> None:
        self._report = report
        kinds = [kind for kind in GroupKind if report.of_kind(kind)]
        if [self.kinds.itemData(n) for n in range(self.kinds.count())] != [kind.value for kind in kinds]:
            chosen = self.kind
            self.kinds.blockSignals(True)
            self.kinds.clear()
            for kind in kinds:
                self.kinds.addItem(KIND_NAMES[kind], kind.value)
            self.kinds.setCurrentIndex(max(0, self.kinds.findData(chosen.value)))
            self.kinds.blockSignals(False)
        self._show_kind()

    def tsv(self) -> str:
        """All groups, one table below the other."""
        report = self._report
        if report is None:
            return ""
        parts = [f"{KIND_NAMES[kind]}\n{tsv(GROUP_COLUMNS, group_rows(report, kind))}" for kind in GroupKind]
        return "\n".join(part for part in parts if part.count("\n") > 2)

    def _needed_width(self, column: int) -> int:
        return self._theme.px(_RANGE_WIDTH) if column == RANGE else super()._needed_width(column)

    @Slot()
    def _show_kind(self) -> None:
        if self._report is None:
            return
        rows = group_rows(self._report, self.kind)
        self.show_rows(rows, tr("Double-click a row for the pairs with different answers."))
        self.kind_changed.emit(self.kind)
