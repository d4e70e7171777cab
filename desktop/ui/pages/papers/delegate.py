"""How cells of the papers' table are painted."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, Qt
from PySide6.QtGui import QColor, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem, QTableView

from desktop.ui.pages.papers.table_model import TITLE, Cell, PaperTable
from desktop.ui.theme import Theme

_LEFT = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
_RIGHT = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight


class PaperDelegate(QStyledItemDelegate):
    """Asks the model itself, once a cell: the style would ask through Qt ten times, each time for the interpreter."""

    def __init__(self, theme: Theme, table: PaperTable, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._table = table
        self._look()
        theme.changed.connect(self._look)

    def _look(self) -> None:
        tokens, px = self._theme.tokens, self._theme.px
        names = ("ink", "muted", "good", "warning", "selected", "accent")
        self._colors = {name: QColor(getattr(tokens, name)) for name in names}
        self._side, self._shape, self._bar = px(8), px(18), px(3)

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        cell = self._table.cell(index.row(), index.column())
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(option.rect, self._colors["selected"])
        if index.column() == TITLE and self._is_current(option, index.row()):
            painter.fillRect(option.rect.adjusted(0, 0, self._bar - option.rect.width(), 0), self._colors["accent"])
        if cell.remedy:
            self._paint_failure(painter, option, cell)
            return
        if not cell.text:
            return
        rect = option.rect.adjusted(self._side, 0, -self._side, 0)
        if cell.state is not None:
            painter.setPen(self._colors[cell.state.tone])
            painter.drawText(rect, _LEFT, cell.state.shape)
            rect.setLeft(rect.left() + self._shape)
        painter.setPen(self._colors[_tone(cell)])
        text = cell.text if cell.state is None else cell.state.word
        shown = option.fontMetrics.elidedText(text, Qt.TextElideMode.ElideRight, rect.width())
        painter.drawText(rect, _RIGHT if cell.is_number else _LEFT, shown)

    def _paint_failure(self, painter: QPainter, option: QStyleOptionViewItem, cell: Cell) -> None:
        """What is wrong and what to do, over all columns behind the title: each cell paints its part of it."""
        view, state = option.widget, cell.state
        if not isinstance(view, QTableView) or state is None:
            return
        head = view.horizontalHeader()
        shown = [column for column in range(TITLE + 1, head.count()) if not head.isSectionHidden(column)]
        left = head.sectionViewportPosition(shown[0])
        right = head.sectionViewportPosition(shown[-1]) + head.sectionSize(shown[-1])
        whole = option.rect.adjusted(left + self._side - option.rect.left(), 0, 0, 0)
        whole.setRight(right - self._side)
        painter.save()
        painter.setClipRect(option.rect)
        painter.setPen(self._colors[state.tone])
        painter.drawText(whole, _LEFT, state.shape)
        whole.setLeft(whole.left() + self._shape)
        words = f"{state.word[:1].upper()}{state.word[1:]}. "
        painter.drawText(whole, _LEFT, words)
        whole.setLeft(whole.left() + option.fontMetrics.horizontalAdvance(words))
        painter.setPen(self._colors["ink"])
        remedy = option.fontMetrics.elidedText(cell.remedy, Qt.TextElideMode.ElideRight, whole.width())
        painter.drawText(whole, _LEFT, remedy)
        painter.restore()

    def _is_current(self, option: QStyleOptionViewItem, row: int) -> bool:
        """The keyboard is at this row, selected or not."""
        view = option.widget
        return isinstance(view, QTableView) and view.hasFocus() and view.currentIndex().row() == row


def _tone(cell: Cell) -> str:
    if cell.state is not None:
        return "warning" if cell.state.tone == "warning" else "ink"
    return "muted" if cell.is_muted else "ink"
