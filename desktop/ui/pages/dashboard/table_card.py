"""A card with one of the papers' tables, to be copied into a text."""

from __future__ import annotations

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, QSize, Qt, Signal, Slot
from PySide6.QtGui import QBrush, QGuiApplication, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QHeaderView, QTableView, QToolButton, QWidget

from desktop.translation import tr
from desktop.ui.theme import Theme
from desktop.ui.widgets.card import Card
from desktop.ui.widgets.labels import plain_tip
from desktop.ui.widgets.list_keys import list_keys
from desktop.ui.widgets.menus import add_copy_menu
from desktop.ui.widgets.tables import ROW_HEIGHT, style_table
from miner.text_tables import TableCell, TableFormat, TextTable, format_table

Index = QModelIndex | QPersistentModelIndex
_ROOT = QModelIndex()
_HEADER_HEIGHT = 44  # unscaled pixels: two lines
_LEAST_NAME_WIDTH = 160  # unscaled pixels that names of rows need, unless all are shorter
_KEYS = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space)


class TextTableModel(QAbstractTableModel):
    """Shows a table; sums are bold, published figures grey."""

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.table = TextTable("", (), ())

    def show_table(self, table: TextTable) -> None:
        """Show a table. The selection stays if only values changed."""
        same = [row.cells[0].text for row in table.rows] == [row.cells[0].text for row in self.table.rows]
        if same and table.columns == self.table.columns and table.rows:
            self.table = table
            self.dataChanged.emit(self.index(0, 0), self.index(len(table.rows) - 1, len(table.columns) - 1))
            return
        self.beginResetModel()
        self.table = table
        self.endResetModel()

    def cell(self, index: Index) -> TableCell:
        return self.table.rows[index.row()].cells[index.column()]

    def rowCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self.table.rows)

    def columnCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self.table.columns)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid():
            return None
        row = self.table.rows[index.row()]
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return self.cell(index).text
            case Qt.ItemDataRole.ToolTipRole:
                return plain_tip(self.cell(index).note) or None
            case Qt.ItemDataRole.TextAlignmentRole:
                return self._alignment(index.column())
            case Qt.ItemDataRole.FontRole if row.kind == "sum":
                return self._theme.font(bold=True)
            case Qt.ItemDataRole.ForegroundRole if self.cell(index).is_published:
                return QBrush(self._theme.color("muted"))
        return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if orientation != Qt.Orientation.Horizontal or not 0 <= section < len(self.table.columns):
            return None
        match role:
            case Qt.ItemDataRole.DisplayRole:
                title = self.table.columns[section]
                return "\n".join(title.rsplit(" ", 1)) if section else title
            case Qt.ItemDataRole.ToolTipRole:
                tips = self.table.tips
                return plain_tip(tips[section]) if section < len(tips) and tips[section] else None
            case Qt.ItemDataRole.TextAlignmentRole:
                return self._alignment(section)
        return None

    def _alignment(self, column: int) -> Qt.AlignmentFlag:
        side = Qt.AlignmentFlag.AlignRight if column else Qt.AlignmentFlag.AlignLeft
        return side | Qt.AlignmentFlag.AlignVCenter


class CellTableView(QTableView):
    """A table in which a click, Return or Space on a cell emits `chosen`."""

    chosen = Signal(QModelIndex)
    resized = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        list_keys(self).opens = False
        self.clicked.connect(self.chosen)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in _KEYS and self.currentIndex().isValid():
            self.chosen.emit(self.currentIndex())
        else:
            super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.resized.emit()


class TextTableCard(Card):
    """A question answered by a table; a cell that stands for pairs opens them."""

    def __init__(self, theme: Theme, question: str, parent: QWidget | None = None) -> None:
        super().__init__(theme, question, parent)
        self.copy_button = self.add_button("", "copy", tr("Copy the table"))
        self.copy_button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        add_copy_menu(self.copy_button, lambda form: self.copy_as(TableFormat(form)))
        self.model = TextTableModel(theme, self)
        self.table = CellTableView()
        self.table.setModel(self.model)
        self.table.setAccessibleName(question)
        style_table(self.table, theme)
        self.table.setSelectionBehavior(QTableView.SelectionBehavior.SelectItems)
        self.table.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        self.table.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.table.horizontalHeader().setFixedHeight(theme.px(_HEADER_HEIGHT))
        self.table.setMouseTracking(True)
        self.table.entered.connect(self._on_entered)
        self.table.chosen.connect(self._open)
        self.table.resized.connect(self._fit_columns)  # also when it is laid out, after it was filled
        self.table.selectionModel().currentChanged.connect(self._on_current)
        self.body.addWidget(self.table)
        theme.changed.connect(self._fit_height)

    def show_table(self, table: TextTable) -> None:
        self.summary = " ".join(table.notes)
        self.model.show_table(table)
        self._fit_columns()
        self._fit_height()
        self.body.setCurrentIndex(1)
        self.show_note("")

    @Slot()
    def _fit_height(self) -> None:
        """Make the card as high as its table and the scroll bar."""
        px, rows = self._theme.px, self.model.rowCount()
        if rows:
            self.body.setFixedHeight(px(_HEADER_HEIGHT) + px(ROW_HEIGHT) * rows + px(14))

    def tsv(self) -> str:
        return format_table(self.model.table, TableFormat.TSV)

    def copy_as(self, form: TableFormat) -> None:
        """Put the table on the clipboard in this form."""
        QGuiApplication.clipboard().setText(format_table(self.model.table, form))
        self.copied.emit(len(self.model.table.rows))

    def minimumSizeHint(self) -> QSize:
        return QSize(0, super().minimumSizeHint().height())

    @Slot()
    def _fit_columns(self) -> None:
        """Give the first column the width that the others leave; where that is too little, the table scrolls."""
        header, table = self.table.horizontalHeader(), self.table
        if not self.model.columnCount():
            return
        header.setMinimumSectionSize(self._theme.px(40))
        left = table.viewport().width()
        for column in range(1, self.model.columnCount()):
            header.setSectionResizeMode(column, QHeaderView.ResizeMode.ResizeToContents)
            left -= max(header.sectionSizeHint(column), table.sizeHintForColumn(column))
        least = min(self._theme.px(_LEAST_NAME_WIDTH), table.sizeHintForColumn(0))
        fits = left >= least
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch if fits else QHeaderView.ResizeMode.Fixed)
        if not fits:
            header.resizeSection(0, least)

    @Slot(QModelIndex)
    def _on_entered(self, index: QModelIndex) -> None:
        cell = self.model.cell(index)
        shape = Qt.CursorShape.ArrowCursor if cell.opens is None else Qt.CursorShape.PointingHandCursor
        self.table.viewport().setCursor(shape)
        self.show_note(cell.note)

    @Slot(QModelIndex)
    def _on_current(self, index: QModelIndex) -> None:
        if index.isValid():
            self.show_note(self.model.cell(index).note)

    @Slot(QModelIndex)
    def _open(self, index: QModelIndex) -> None:
        target = self.model.cell(index).opens
        if target is not None:
            self.opened.emit(target)
