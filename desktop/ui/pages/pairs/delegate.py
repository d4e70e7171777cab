"""Paints the cells of the table of pairs, and marks the words of a search in the sentences."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from desktop.ui.pages.pairs.columns import COLUMNS, ColumnKind
from desktop.ui.pages.pairs.table_model import LINE_ROLE
from desktop.ui.theme import LETTERS, SMALL, Theme
from storage.pairs.filters import PairStatus, full_text_query
from storage.pairs.table import PairTableRow

ROW_HEIGHT_PX = 28
_MAX_LEAD_LENGTH = 28  # characters shown before the first match of a search
_MAX_TEXT_LENGTH = 200  # characters that are measured
_Index = QModelIndex | QPersistentModelIndex
_MARK_ICONS = (
    ("flagged", "flag", "warning"),
    ("noted", "sticky-note", "muted"),
    ("contested", "circle-help", "muted"),
    ("edited", "pencil-line", "muted"),
)
_TERM_PATTERN = re.compile(r'"([^"]*)"(\*?)')


class PairDelegate(QStyledItemDelegate):
    """Paints each cell in one line, and measures no more text than can be seen."""

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.matcher = SearchMatcher()
        theme.changed.connect(self._update_theme)
        self._update_theme()

    def sizeHint(self, option: QStyleOptionViewItem, index: _Index) -> QSize:
        return QSize(self._theme.px(COLUMNS[index.column()].width), self._theme.px(ROW_HEIGHT_PX))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        line: PairTableRow | None = index.data(LINE_ROLE)
        column = COLUMNS[index.column()]
        painter.save()
        self._paint_background(painter, option)
        rect = option.rect.adjusted(self._padding, 0, -self._padding, 0)
        if line is None:
            self._paint_placeholder(painter, rect, index.row(), column.kind)
        elif column.kind is ColumnKind.LABEL:
            self._paint_label(painter, rect, column.text(line))
        elif column.kind is ColumnKind.MARKS:
            self._paint_marks(painter, rect, line)
        elif column.kind is ColumnKind.SENTENCE:
            self._paint_sentence(
                painter, rect, column.text(line), is_bad=line.status in (PairStatus.BAD, PairStatus.GONE)
            )
        else:
            self._paint_text(painter, rect, column.text(line), is_number=column.kind is ColumnKind.NUMBER)
        painter.restore()

    def _update_theme(self) -> None:
        theme = self._theme
        self._padding = theme.px(8)
        self._font = theme.font()
        self._strikeout_font = QFont(self._font)
        self._strikeout_font.setStrikeOut(True)
        self._letter_font = theme.font(SMALL, bold=True)
        self._metrics = QFontMetrics(self._font)
        self._character_width = max(1, self._metrics.averageCharWidth())
        side = theme.px(14)
        self._icons = [(name, theme.icon(icon, token), side) for name, icon, token in _MARK_ICONS]
        self._ink, self._muted, self._line = theme.color("ink"), theme.color("muted"), theme.color("line")
        self._selected, self._accent = theme.color("selected"), theme.color("accent")
        self._highlight = theme.color("accent")
        self._highlight.setAlpha(64 if theme.is_dark else 46)

    def _paint_background(self, painter: QPainter, option: QStyleOptionViewItem) -> None:
        state = option.state
        if state & QStyle.StateFlag.State_Selected:
            painter.fillRect(option.rect, self._selected)
        painter.setPen(self._line)
        painter.drawLine(option.rect.bottomLeft(), option.rect.bottomRight())
        if state & QStyle.StateFlag.State_HasFocus:
            painter.fillRect(QRect(option.rect.topLeft(), QSize(self._theme.px(2), option.rect.height())), self._accent)

    def _paint_placeholder(self, painter: QPainter, rect: QRect, row: int, kind: ColumnKind) -> None:
        """Paint a bar in place of text that is still being read; like text, it differs in length from row to row."""
        share = 0.55 + 0.4 * (row * 7 % 10) / 10 if kind is ColumnKind.SENTENCE else 0.6
        height = self._theme.px(6)
        top = rect.center().y() - height // 2
        bar = QRectF(rect.left(), top, rect.width() * share, height)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._line)
        painter.setOpacity(0.6)
        painter.drawRoundedRect(bar, height / 2, height / 2)

    def _paint_label(self, painter: QPainter, rect: QRect, label: str) -> None:
        if not label:
            self._paint_text(painter, rect, "–", is_muted=True)
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
        max_length = rect.width() // self._character_width * 2 + 8  # characters that fit if all of them are narrow
        spans = self.matcher.spans(sentence) if self.matcher else []
        start = 0
        if spans and spans[0][1] * self._character_width > rect.width():
            lead = min(_MAX_LEAD_LENGTH, rect.width() // self._character_width // 4)
            start = max(0, sentence.rfind(" ", 0, max(0, spans[0][0] - lead)) + 1)
        ellipsis = "… " if start else ""
        text = ellipsis + sentence[start : start + max_length].replace("\n", " ")
        painter.setFont(self._strikeout_font if is_bad else self._font)
        elided = self._metrics.elidedText(text, Qt.TextElideMode.ElideRight, rect.width())
        shift = len(ellipsis) - start
        for low, high in spans:
            if low + shift >= len(elided) or low < start:
                continue
            left = self._metrics.horizontalAdvance(elided, low + shift)
            right = min(rect.width(), self._metrics.horizontalAdvance(elided, min(high + shift, len(elided))))
            height = self._metrics.height() + 2
            highlight = QRectF(rect.left() + left - 1, rect.center().y() - height / 2 + 1, right - left + 2, height)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self._highlight)
            painter.drawRoundedRect(highlight, 3, 3)
        painter.setPen(self._muted if is_bad else self._ink)
        painter.drawText(rect, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, elided)

    def _paint_text(
        self, painter: QPainter, rect: QRect, text: str, *, is_number: bool = False, is_muted: bool = False
    ) -> None:
        painter.setFont(self._font)
        painter.setPen(self._muted if is_muted else self._ink)
        elided = self._metrics.elidedText(text[:_MAX_TEXT_LENGTH], Qt.TextElideMode.ElideRight, rect.width())
        side = Qt.AlignmentFlag.AlignRight if is_number else Qt.AlignmentFlag.AlignLeft
        painter.drawText(rect, Qt.AlignmentFlag.AlignVCenter | side, elided)


class SearchMatcher:
    """Finds the words of a search in a sentence like the full-text index, which ignores case and accents.

    >>> SearchMatcher("cafe").spans("Café owners"), bool(SearchMatcher(""))
    ([(0, 4)], False)
    """

    def __init__(self, text: str = "") -> None:
        terms = []
        for phrase, is_prefix in _TERM_PATTERN.findall(full_text_query(text)):
            words = re.findall(r"[^\W_]+", plain_letters(phrase))
            if words:
                terms.append(r"[\W_]+".join(map(re.escape, words)) + (r"[^\W_]*" if is_prefix else ""))
        alternatives = "|".join(sorted(terms, key=len, reverse=True))
        self._pattern = re.compile(rf"(?<![^\W_])(?:{alternatives})(?![^\W_])") if terms else None

    def __bool__(self) -> bool:
        return self._pattern is not None

    def spans(self, sentence: str) -> list[tuple[int, int]]:
        """Start and end of each match, in order."""
        if self._pattern is None:
            return []
        return [found.span() for found in self._pattern.finditer(plain_letters(sentence))]


@lru_cache(maxsize=512)
def plain_letters(text: str) -> str:
    """The text in lower case without accents; of the same length, so that positions stay valid."""
    if text.isascii():
        return text.lower()
    return "".join(_plain_letter(character) for character in text)


def _plain_letter(character: str) -> str:
    lower = unicodedata.normalize("NFD", character.lower())
    return lower[0] if lower else character
