"""The paragraphs a pair comes from, with both sentences marked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from PySide6.QtCore import QRectF, Qt, Slot
from PySide6.QtGui import (
    QFontMetrics,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextFrameFormat,
)
from PySide6.QtWidgets import QTextEdit, QWidget

from desktop.jobs.papers.evidence import Passage, SentenceRole
from desktop.ui.evidence.marking import LETTERS, draw_bar, draw_letter, wash
from desktop.ui.theme import SMALL, Theme

HIDDEN = "…"  # stands for a linking phrase that must not be seen yet
_LANE = 20  # pixels of margin for each role
_CHARACTERS = 72  # a line


class _Marked(NamedTuple):
    role: SentenceRole
    start: int  # in the document
    end: int


class ParagraphView(QTextEdit):
    """Read-only text; the margin has a lane for each role, so that marks that share a line can be told apart."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._passages: tuple[Passage, ...] = ()
        self._note = ""
        self._blind = False
        self._marked: list[_Marked] = []
        self.setReadOnly(True)
        self.setUndoRedoEnabled(False)
        self.setTabChangesFocus(True)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.setAccessibleName("Paragraph")
        theme.changed.connect(self._on_theme)

    def show_passages(self, passages: Sequence[Passage], *, note: str = "", blind: bool = False) -> None:
        """Show paragraphs, the first mark in sight. `note` is a line above them; `blind` hides the linking phrase."""
        self._passages, self._note, self._blind = tuple(passages), note, blind
        self._fill()

    def scroll_to(self, role: SentenceRole) -> None:
        for marked in self._marked:
            if marked.role is role:
                top = self._cursor_at(marked.start)
                bar = self.verticalScrollBar()
                bar.setValue(bar.value() + self.cursorRect(top).top() - self._theme.px(32))
                return

    @Slot()
    def _on_theme(self) -> None:
        self._fill()

    def _fill(self) -> None:
        self._marked = []
        document = self.document()
        document.clear()
        self._set_margins()
        cursor = QTextCursor(document)
        if self._note:
            self._add_block(cursor, self._note, title=True)
        for passage in self._passages:
            self._add_block(cursor, passage.title, title=True)
            self._add_passage(cursor, passage)
        self.setAccessibleDescription(self._described())
        self.moveCursor(QTextCursor.MoveOperation.Start)
        if self._marked:
            self.scroll_to(min(self._marked, key=lambda marked: marked.start).role)
        self.viewport().update()

    def _add_block(self, cursor: QTextCursor, text: str, *, title: bool) -> None:
        """Start a block, the document's own first one while it is empty."""
        block, characters = QTextBlockFormat(), QTextCharFormat()
        if title:
            characters.setFont(self._theme.font(SMALL, bold=True))
            characters.setForeground(self._theme.color("muted"))
            block.setBottomMargin(self._theme.px(4))
        else:
            characters.setFont(self._theme.reading_font())
            characters.setForeground(self._theme.color("ink"))
            block.setBottomMargin(self._theme.px(16))
            block.setLineHeight(
                self._theme.reading_spacing(), QTextBlockFormat.LineHeightTypes.ProportionalHeight.value
            )
        if self.document().isEmpty():
            cursor.setBlockFormat(block)
            cursor.setBlockCharFormat(characters)
        else:
            cursor.insertBlock(block, characters)
        cursor.insertText(text, characters)

    def _add_passage(self, cursor: QTextCursor, passage: Passage) -> None:
        self._add_block(cursor, "", title=False)
        plain = cursor.charFormat()
        at = 0
        for mark in passage.marks:
            cursor.insertText(passage.text[at : mark.start], plain)
            washed = QTextCharFormat(plain)
            washed.setBackground(wash(self._theme.color("accent")))
            start = cursor.position()
            text = passage.text[mark.start : mark.end]
            if self._blind and mark.phrase_end > mark.start:
                text = f"{HIDDEN} {passage.text[mark.phrase_end : mark.end].lstrip()}"
            cursor.insertText(text, washed)
            self._marked.append(_Marked(mark.role, start, cursor.position()))
            at = mark.end
        cursor.insertText(passage.text[at:], plain)

    def _described(self) -> str:
        """For who hears the text instead of seeing the marks."""
        parts = []
        for marked in self._marked:
            cursor = self._cursor_at(marked.start)
            cursor.setPosition(marked.end, QTextCursor.MoveMode.KeepAnchor)
            parts.append(f"{marked.role.value}: {cursor.selectedText()}")
        return " ".join(parts)

    def _set_margins(self) -> None:
        theme = self._theme
        left = theme.px(2 * _LANE + 8)
        widest = QFontMetrics(theme.reading_font()).averageCharWidth() * _CHARACTERS
        right = max(theme.px(12), self.viewport().width() - left - widest)
        frame = QTextFrameFormat()
        frame.setLeftMargin(left)
        frame.setRightMargin(right)
        frame.setTopMargin(theme.px(8))
        frame.setBottomMargin(theme.px(8))
        self.document().rootFrame().setFrameFormat(frame)

    def _cursor_at(self, position: int) -> QTextCursor:
        cursor = QTextCursor(self.document())
        cursor.setPosition(position)
        return cursor

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._set_margins()
        super().resizeEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        painter = QPainter(self.viewport())
        theme, lane = self._theme, self._theme.px(_LANE)
        accent, on_accent = theme.color("accent"), theme.color("on_accent")
        for marked in self._marked:
            first = self.cursorRect(self._cursor_at(marked.start))
            last = self.cursorRect(self._cursor_at(marked.end))
            right = theme.px(4) + lane * (1 + list(LETTERS).index(marked.role))
            size = theme.px(14)
            letter = QRectF(right - size - theme.px(5), first.center().y() - size / 2, size, size)
            draw_bar(painter, marked.role, first.top(), last.bottom(), right, accent)
            draw_letter(painter, marked.role, letter, theme.font(SMALL - 2, bold=True), accent, on_accent)
        painter.end()
