"""How the cells of the table of pairs are painted: one line each, and never more text measured than can be seen."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from desktop.ui.pages.pairs.columns import COLUMNS, Kind
from desktop.ui.pages.pairs.highlights import Highlights
from desktop.ui.pages.pairs.table_model import LINE_ROLE
from desktop.ui.theme import LETTERS, SMALL, Theme
from storage.pairs.filters import PairStatus
from storage.pairs.table import PairTableRow

ROW = 28  # pixels as drawn
_LEAD = 28  # characters shown at most before the first match of a search
_Index = QModelIndex | QPersistentModelIndex
_MARKS = (("flagged", "flag", "warning"), ("noted", "sticky-note", "muted"), ("contested", "circle-help", "muted"))


class PairDelegate(QStyledItemDelegate):
    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.highlights = Highlights()
        theme.changed.connect(self._dress)
        self._dress()

    def sizeHint(self, option: QStyleOptionViewItem, index: _Index) -> QSize:
        return QSize(self._theme.px(COLUMNS[index.column()].width), self._theme.px(ROW))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        line: PairTableRow | None = index.data(LINE_ROLE)
        column = COLUMNS[index.column()]
        painter.save()
        self._paint_ground(painter, option)
        rect = option.rect.adjusted(self._pad, 0, -self._pad, 0)
        if line is None:
            self._paint_waiting(painter, rect, index.row(), column.kind)
        elif column.kind is Kind.LABEL:
            self._paint_label(painter, rect, column.text(line))
        elif column.kind is Kind.MARKS:
            self._paint_marks(painter, rect, line)
        elif column.kind is Kind.SENTENCE:
            self._paint_sentence(
                painter, rect, column.text(line), is_bad=line.status in (PairStatus.BAD, PairStatus.GONE)
            )
        else:
            self._paint_text(painter, rect, column.text(line), is_number=column.kind is Kind.NUMBER)
        painter.restore()

    def _dress(self) -> None:
        theme = self._theme
        self._pad = theme.px(8)
        self._font = theme.font()
        self._struck = QFont(self._font)
        self._struck.setStrikeOut(True)
        self._letter_font = theme.font(SMALL, bold=True)
        self._metrics = QFontMetrics(self._font)
        self._character = max(1, self._metrics.averageCharWidth())
        side = theme.px(14)
        self._icons = [(name, theme.icon(icon, token), side) for name, icon, token in _MARKS]
        self._ink, self._muted, self._line = theme.color("ink"), theme.color("muted"), theme.color("line")
        self._selected, self._accent = theme.color("selected"), theme.color("accent")
        self._mark = theme.color("accent")
        self._mark.setAlpha(64 if theme.is_dark else 46)

    def _paint_ground(self, painter: QPainter, option: QStyleOptionViewItem) -> None:
        state = option.state
        if state & QStyle.StateFlag.State_Selected:
            painter.fillRect(option.rect, self._selected)
        painter.setPen(self._line)
        painter.drawLine(option.rect.bottomLeft(), option.rect.bottomRight())
        if state & QStyle.StateFlag.State_HasFocus:
            painter.fillRect(QRect(option.rect.topLeft(), QSize(self._theme.px(2), option.rect.height())), self._accent)

    def _paint_waiting(self, painter: QPainter, rect: QRect, row: int, kind: Kind) -> None:
        """A bar where text will be, its length differing from row to row as text's does."""
        share = 0.55 + 0.4 * (row * 7 % 10) / 10 if kind is Kind.SENTENCE else 0.6
        height = self._theme.px(6)
        top = rect.center().y() - height // 2
        bar = QRectF(rect.left(), top, rect.width() * share, height)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._line)
        painter.setOpacity(0.6)
        painter.drawRoundedRect(bar, height / 2, height / 2)

    def _paint_label(self, painter: QPainter, rect: QRect, label: str) -> None:
        if not label:
            self._paint_text(painter, rect, "–", muted=True)
            return
        theme = self._theme
        side = theme.px(18)
        square = QRect(rect.left(), rect.center().y() - side // 2 + 1, side, side)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.label_color(label))
        painter.drawRoundedRect(square, theme.px(4), theme.px(4))
        painter.setPen(Qt.GlobalColor.white)
        painter.setFont(self._letter_font)
        painter.drawText(square, Qt.AlignmentFlag.AlignCenter, LETTERS.get(label, "?"))
        self._paint_text(painter, rect.adjusted(side + theme.px(6), 0, 0, 0), label)

    def _paint_marks(self, painter: QPainter, rect: QRect, line: PairTableRow) -> None:
        left = rect.left()
        for name, icon, side in self._icons:
            if getattr(line, name):
                icon.paint(painter, QRect(left, rect.center().y() - side // 2 + 1, side, side))
                left += side + self._theme.px(4)

    def _paint_sentence(self, painter: QPainter, rect: QRect, sentence: str, *, is_bad: bool) -> None:
        fitting = rect.width() // self._character * 2 + 8  # characters, also if all are narrow
        spans = self.highlights.spans(sentence) if self.highlights else []
        start = 0
        if spans and spans[0][1] * self._character > rect.width():
            lead = min(_LEAD, rect.width() // self._character // 4)
            start = max(0, sentence.rfind(" ", 0, max(0, spans[0][0] - lead)) + 1)
        cut = "… " if start else ""
        shown = cut + sentence[start : start + fitting].replace("\n", " ")
        painter.setFont(self._struck if is_bad else self._font)
        elided = self._metrics.elidedText(shown, Qt.TextElideMode.ElideRight, rect.width())
        shift = len(cut) - start
        for low, high in spans:
            if low + shift >= len(elided) or low < start:
                continue
            left = self._metrics.horizontalAdvance(elided, low + shift)
            right = min(rect.width(), self._metrics.horizontalAdvance(elided, min(high + shift, len(elided))))
            height = self._metrics.height() + 2
            mark = QRectF(rect.left() + left - 1, rect.center().y() - height / 2 + 1, right - left + 2, height)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self._mark)
            painter.drawRoundedRect(mark, 3, 3)
        painter.setPen(self._muted if is_bad else self._ink)
        painter.drawText(rect, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, elided)

    def _paint_text(
        self, painter: QPainter, rect: QRect, text: str, *, is_number: bool = False, muted: bool = False
    ) -> None:
        painter.setFont(self._font)
        painter.setPen(self._muted if muted else self._ink)
        shown = self._metrics.elidedText(text[:200], Qt.TextElideMode.ElideRight, rect.width())
        side = Qt.AlignmentFlag.AlignRight if is_number else Qt.AlignmentFlag.AlignLeft
        painter.drawText(rect, Qt.AlignmentFlag.AlignVCenter | side, shown)
