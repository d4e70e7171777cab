"""The paragraphs with a pair's sentences, which are marked in them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
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

from desktop.jobs.papers.evidence import Evidence, Passage, SentenceMark, SentenceRole
from desktop.translation import tr
from desktop.ui.evidence.sentence_marks import ROLE_LETTERS, ROLE_NAMES, draw_bar, draw_letter, highlight_color
from desktop.ui.theme import SMALL, Theme

_HIDDEN_PHRASE = "…"  # in place of a linking phrase that is hidden until the pair is answered
_LANE_PX = 20  # width of the margin for each role
_LINE_LENGTH = 72  # characters


class _MarkedRange(NamedTuple):
    """A sentence within the text document, as character positions."""

    role: SentenceRole
    start: int
    end: int


def passages_of(evidence: Evidence) -> Iterator[Passage]:
    """The paragraphs of a pair, then each sentence that is in none of them, as a separate passage."""
    yield from evidence.passages
    note = "" if evidence.paper.kind == "dataset" else tr(", no longer in the text read from the paper")
    for role in evidence.missing:
        text = evidence.sentences[role]
        phrase_end = evidence.phrase_length if role is SentenceRole.HYPOTHESIS else 0
        yield Passage(f"{ROLE_NAMES[role]}{note}", text, (SentenceMark(role, 0, len(text), phrase_end),))


class ParagraphView(QTextEdit):
    """Read-only text; the margin has a lane for each role, so that marks on one line can be told apart."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._passages: tuple[Passage, ...] = ()
        self._note = ""
        self._blind = False
        self._marked_ranges: list[_MarkedRange] = []
        self.setReadOnly(True)
        self.setUndoRedoEnabled(False)
        self.setTabChangesFocus(True)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.setAccessibleName(tr("Paragraph"))
        theme.changed.connect(self._on_theme_changed)

    def show_passages(self, passages: Sequence[Passage], *, note: str = "", blind: bool = False) -> None:
        """Show paragraphs, scrolled to the first mark. `note`: a line above them; `blind`: hide the linking phrase."""
        self._passages, self._note, self._blind = tuple(passages), note, blind
        self._update_document()

    def scroll_to(self, role: SentenceRole) -> None:
        """Show the beginning of a sentence."""
        for marked_range in self._marked_ranges:
            if marked_range.role is role:
                top = self._cursor_at(marked_range.start)
                bar = self.verticalScrollBar()
                bar.setValue(bar.value() + self.cursorRect(top).top() - self._theme.px(32))
                return

    @Slot()
    def _on_theme_changed(self) -> None:
        self._update_document()

    def _update_document(self) -> None:
        self._marked_ranges = []
        document = self.document()
        document.clear()
        self._set_margins()
        cursor = QTextCursor(document)
        if self._note:
            self._add_block(cursor, self._note, title=True)
        for passage in self._passages:
            self._add_block(cursor, passage.title, title=True)
            self._add_passage(cursor, passage)
        self.setAccessibleDescription(self._description())
        self.moveCursor(QTextCursor.MoveOperation.Start)
        if self._marked_ranges:
            self.scroll_to(min(self._marked_ranges, key=lambda marked_range: marked_range.start).role)
        self.viewport().update()

    def _add_block(self, cursor: QTextCursor, text: str, *, title: bool) -> None:
        """Add a block; in an empty document, use the first block that it always has."""
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
        position = 0
        for mark in passage.marks:
            cursor.insertText(passage.text[position : mark.start], plain)
            highlighted = QTextCharFormat(plain)
            highlighted.setBackground(highlight_color(self._theme.color("accent")))
            start = cursor.position()
            text = passage.text[mark.start : mark.end]
            if self._blind and mark.phrase_end > mark.start:
                text = f"{_HIDDEN_PHRASE} {passage.text[mark.phrase_end : mark.end].lstrip()}"
            cursor.insertText(text, highlighted)
            self._marked_ranges.append(_MarkedRange(mark.role, start, cursor.position()))
            position = mark.end
        cursor.insertText(passage.text[position:], plain)

    def _description(self) -> str:
        """The marked sentences, for screen readers."""
        parts = []
        for marked_range in self._marked_ranges:
            cursor = self._cursor_at(marked_range.start)
            cursor.setPosition(marked_range.end, QTextCursor.MoveMode.KeepAnchor)
            parts.append(f"{marked_range.role.value}: {cursor.selectedText()}")
        return " ".join(parts)

    def _set_margins(self) -> None:
        theme = self._theme
        left = theme.px(2 * _LANE_PX + 8)
        text_width = QFontMetrics(theme.reading_font()).averageCharWidth() * _LINE_LENGTH
        right = max(theme.px(12), self.viewport().width() - left - text_width)
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
        theme, lane = self._theme, self._theme.px(_LANE_PX)
        accent, on_accent = theme.color("accent"), theme.color("on_accent")
        for marked_range in self._marked_ranges:
            first = self.cursorRect(self._cursor_at(marked_range.start))
            last = self.cursorRect(self._cursor_at(marked_range.end))
            right = theme.px(4) + lane * (1 + list(ROLE_LETTERS).index(marked_range.role))
            size = theme.px(14)
            letter = QRectF(right - size - theme.px(5), first.center().y() - size / 2, size, size)
            draw_bar(painter, marked_range.role, first.top(), last.bottom(), right, accent)
            draw_letter(painter, marked_range.role, letter, theme.font(SMALL - 2, bold=True), accent, on_accent)
        painter.end()
