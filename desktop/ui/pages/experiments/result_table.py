"""The view of an experiment's table: numbers, the best ones marked, with deviations and stars; opened and copied."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QBrush,
    QContextMenuEvent,
    QFontMetricsF,
    QKeyEvent,
    QKeySequence,
    QPainter,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QHeaderView,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from desktop.text import count, listed
from desktop.translation import tr
from desktop.ui.theme import BODY, SMALL, Theme
from desktop.ui.widgets.labels import PlainLabel, plain_tip
from desktop.ui.widgets.list_keys import list_keys
from desktop.ui.widgets.tables import HEADER_HEIGHT, ROW_HEIGHT, style_table
from miner.lab.experiments.experiment import TableAxis
from miner.text_tables import TableFormat

if TYPE_CHECKING:  # it imports numpy
    from miner.lab.experiments.table_values import TableValue, TableView

Index = QModelIndex | QPersistentModelIndex
IN_DOMAIN_ROLE = Qt.ItemDataRole.UserRole
NO_VALUE = "—"
_NOT_YET = "…"
_ROOT = QModelIndex()
_OPEN_KEYS = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space)
# In unscaled pixels:
_HEAD_MIN_WIDTH, _HEAD_MAX_WIDTH = 150, 240  # of the names of rows, where there is room
_NUMBER_MIN_WIDTH = 56
_PADDING, _NARROW_PADDING = 24, 18
_TITLE_PADDING = 24  # with less, the widest title is elided
_NAME_PADDING = 34  # with less, the widest name is elided


class ResultTableModel(QAbstractTableModel):
    """Rows and columns as in the table; `view` is None before there is one."""

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.view: TableView | None = None
        self.is_narrow = False  # numbers are smaller

    def show_view(self, view: TableView) -> bool:
        """Show a table. False if only numbers changed, so that the current number and the selection stay."""
        old, self_view = self.view, view
        if old is not None and (old.rows, old.columns) == (view.rows, view.columns):
            self.view = self_view
            self.dataChanged.emit(self.index(0, 0), self.index(len(view.rows) - 1, len(view.columns) - 1))
            return False
        self.beginResetModel()
        self.view = self_view
        self.endResetModel()
        return True

    def value(self, index: Index) -> TableValue | None:
        if self.view is None or not index.isValid():
            return None
        return self.view.values[index.row()][index.column()]

    def text(self, row: int, column: int) -> str:
        """The text of a number; where there is none yet, a sign whether it will be computed."""
        from miner.lab.experiments.table_text import value_text

        assert self.view is not None
        value = self.view.values[row][column]
        if value is not None:
            return value_text(value, with_difference=self.view.shows_differences)
        return _NOT_YET if self.reason(row, column).startswith("Not computed yet") else NO_VALUE

    def is_unreadable(self, index: Index) -> bool:
        """Whether a number is the share of pairs without an answer."""
        from miner.lab.experiments.scored_cells import ScoreName

        if self.view is None or not index.isValid():
            return False
        is_score = self.view.columns_axis is TableAxis.SCORE
        return is_score and self.view.columns[index.column()] == ScoreName.UNREADABLE.value

    def reason(self, row: int, column: int) -> str:
        """Why there is no number; "" where there is one."""
        reasons = self.view.reasons if self.view is not None else ()
        return reasons[row][column] if reasons else ""

    def about(self, index: Index) -> str:
        """A sentence about a number, or about why there is none."""
        from miner.lab.experiments.table_values import MARKS

        if self.view is None or not index.isValid():
            return ""
        where = f"{self.view.rows[index.row()]}, {self.view.columns[index.column()]}: "
        value = self.value(index)
        if value is None:
            return where + (self.reason(index.row(), index.column()) or tr("not known."))
        if value.text:
            return f"{where}{value.text}{'' if value.cells else ', as published'}."
        text = f"{value.mean:.2f} %"
        text += f" ± {value.sd:.2f}" if value.sd is not None else ""
        text += tr(", {runs} on {pairs}", runs=count(value.runs, "run"), pairs=count(value.pairs, "pair"))
        if value.difference is not None:
            text += tr(
                ", {difference:+.2f} points compared with the reference row", difference=value.difference
            ).replace("-", "−")
        text += "" if value.p is None else f", p = {value.p:.3f}" if value.p >= 0.001 else ", p < 0.001"
        if value.difference is None and value.marks:
            others = [self.view.rows[MARKS.index(mark)] for mark in value.marks]
            text += tr(", significantly better than {others}", others=listed(others))
        text += (
            tr(", the best of its column")
            if value.is_best
            else tr(", the second of its column")
            if value.is_second
            else ""
        )
        text += tr(", trained and tested on the same set") if value.is_in_domain else ""
        return f"{where}{text}."

    def rowCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() or self.view is None else len(self.view.rows)

    def columnCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() or self.view is None else len(self.view.columns)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid():
            return None
        value = self.value(index)
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return self.text(index.row(), index.column())
            case Qt.ItemDataRole.ToolTipRole | Qt.ItemDataRole.AccessibleDescriptionRole:
                return plain_tip(self.about(index))
            case Qt.ItemDataRole.TextAlignmentRole:
                return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
            case Qt.ItemDataRole.ForegroundRole if value is None:
                return QBrush(self._theme.color("muted"))
            case Qt.ItemDataRole.FontRole if value is not None:
                font = self._theme.font(SMALL if self.is_narrow else BODY, bold=value.is_best)
                font.setUnderline(value.is_second)
                return font
            case int(role) if role == IN_DOMAIN_ROLE:
                return value is not None and value.is_in_domain
        return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if self.view is None:
            return None
        is_row = orientation == Qt.Orientation.Vertical
        names = self.view.rows if is_row else self.view.columns
        if not 0 <= section < len(names):
            return None
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return names[section]
            case Qt.ItemDataRole.ToolTipRole:
                return plain_tip(names[section])
            case Qt.ItemDataRole.TextAlignmentRole:
                side = Qt.AlignmentFlag.AlignLeft if is_row else Qt.AlignmentFlag.AlignRight
                return side | Qt.AlignmentFlag.AlignVCenter
        return None


class _NumberDelegate(QStyledItemDelegate):
    """Draws a frame around the numbers of in-domain cells."""

    def __init__(self, theme: Theme, parent: QObject) -> None:
        super().__init__(parent)
        self._theme = theme

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        super().paint(painter, option, index)
        if index.data(IN_DOMAIN_ROLE):
            painter.save()
            painter.setPen(QPen(self._theme.color("muted"), 1))
            painter.drawRect(QRectF(option.rect).adjusted(3.5, 2.5, -2.5, -2.5))
            painter.restore()


class ResultTableView(QTableView):
    """Shows a table as high as its rows. A click or Enter opens a number; Ctrl+C copies the selected numbers."""

    chosen = Signal(QModelIndex)
    menu_requested = Signal(object)  # QPoint, global: for the current number
    copied = Signal(int)  # rows
    height_changed = Signal(int)

    def __init__(self, theme: Theme, model: ResultTableModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme, self._model = theme, model
        self.setModel(model)
        keys = list_keys(self)
        keys.opens = keys.copies = False
        style_table(self, theme)
        padding = f"padding: {theme.px(6)}px {theme.px(5)}px;"
        self.setStyleSheet(
            f"{self.styleSheet()} QHeaderView::section:vertical {{ border: none; }}"
            f"QHeaderView::section:horizontal {{ {padding} }}"
        )
        self.setItemDelegate(_NumberDelegate(theme, self))
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectItems)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        self.setMouseTracking(True)
        rows = self.verticalHeader()
        rows.setVisible(True)
        rows.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        rows.setHighlightSections(False)
        self.horizontalHeader().setFixedHeight(theme.px(HEADER_HEIGHT))
        self.horizontalHeader().setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.corner = PlainLabel("", self, type="small")
        self.corner.setContentsMargins(theme.px(8), 0, 0, 0)
        self.clicked.connect(self._on_clicked)
        self.entered.connect(self._on_entered)
        theme.changed.connect(self.fit)

    def fit(self) -> None:
        """Make the table as high as its rows, and its columns as wide as their texts, or wider where there is room."""
        view = self._model.view
        if view is None:
            return
        px = self._theme.px
        names, widths = self._needed_widths(view, BODY, _PADDING)
        least = px(_HEAD_MAX_WIDTH)
        self._model.is_narrow = min(names, least) + sum(widths) > self.width()
        if self._model.is_narrow:  # with smaller numbers and shorter names
            names, widths = self._needed_widths(view, SMALL, _NARROW_PADDING)
            least = px(_HEAD_MIN_WIDTH)
        room = self.width() - sum(widths)
        head = max(min(names, max(least, room)), min(px(_HEAD_MIN_WIDTH), room))
        self.verticalHeader().setFixedWidth(head)
        header = self.horizontalHeader()
        header.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        header.setMinimumSectionSize(px(40))
        spare = self.width() - head - sum(widths)
        extra = min(max(0, spare) // max(1, len(widths)), px(48))
        for column, width in enumerate(widths):
            self.setColumnWidth(column, width + extra)
        scroll_bar = px(14) if spare < 0 else 0
        height = px(HEADER_HEIGHT) + px(ROW_HEIGHT) * len(view.rows) + scroll_bar + 2
        self.setFixedHeight(height)
        self.height_changed.emit(height)
        self.corner.setText(view.row_head)
        self.corner.setGeometry(0, 0, self.verticalHeader().width(), px(HEADER_HEIGHT))

    def _needed_widths(self, view: TableView, size: int, padding: int) -> tuple[int, list[int]]:
        """The widths for the full row names, and for each column. size: of the numbers' font."""
        px = self._theme.px
        metrics, small = QFontMetricsF(self._theme.font(size, bold=True)), QFontMetricsF(self._theme.font(SMALL))
        head = max((small.horizontalAdvance(name) for name in view.rows), default=0.0)
        head = max(head, small.horizontalAdvance(view.row_head)) + px(_NAME_PADDING)
        widths = []
        for column, name in enumerate(view.columns):
            texts = (self._model.text(row, column) for row in range(len(view.rows)))
            widest = max((metrics.horizontalAdvance(text) for text in texts), default=0.0)
            title = round(min(small.horizontalAdvance(name), px(_HEAD_MAX_WIDTH))) + px(_TITLE_PADDING)
            widths.append(max(px(_NUMBER_MIN_WIDTH), round(widest) + px(padding), title))
        return round(head), widths

    def minimumSizeHint(self) -> QSize:
        return QSize(0, super().minimumSizeHint().height())

    def selected_tsv(self) -> str:
        """The rows and columns with selected numbers, as tab-separated text; "" if none is selected."""
        from miner.lab.experiments.table_text import format_view

        view, indexes = self._model.view, self.selectionModel().selectedIndexes()
        if view is None or not indexes:
            return ""
        chosen = {(index.row(), index.column()) for index in indexes}
        rows, columns = (sorted({place[side] for place in chosen}) for side in (0, 1))
        part = replace(
            view,
            rows=tuple(view.rows[row] for row in rows),
            columns=tuple(view.columns[column] for column in columns),
            values=tuple(
                tuple(view.values[row][column] if (row, column) in chosen else None for column in columns)
                for row in rows
            ),
        )
        return format_view(part, TableFormat.TSV)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in _OPEN_KEYS and self.currentIndex().isValid():
            self.chosen.emit(self.currentIndex())
        elif event.matches(QKeySequence.StandardKey.Copy):
            if text := self.selected_tsv():
                QApplication.clipboard().setText(text)
                self.copied.emit(text.count("\n") - 1)
        else:
            super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        at = event.globalPos()
        if event.reason() == QContextMenuEvent.Reason.Keyboard:
            at = self.viewport().mapToGlobal(self.visualRect(self.currentIndex()).bottomLeft())
        elif (index := self.indexAt(event.pos())).isValid():
            self.setCurrentIndex(index)
        if self.currentIndex().isValid():
            self.menu_requested.emit(at)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.oldSize().width() != event.size().width():
            self.fit()

    def _on_clicked(self, index: QModelIndex) -> None:
        """Open a number, unless the click was part of selecting several numbers."""
        is_selecting = QApplication.keyboardModifiers() != Qt.KeyboardModifier.NoModifier
        if not is_selecting and len(self.selectionModel().selectedIndexes()) == 1:
            self.chosen.emit(index)

    def _on_entered(self, index: QModelIndex) -> None:
        shape = Qt.CursorShape.ArrowCursor if self._model.value(index) is None else Qt.CursorShape.PointingHandCursor
        self.viewport().setCursor(shape)
