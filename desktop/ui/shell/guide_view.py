"""Shows a page of the guide: its pictures, tables and code in the colours and sizes of the theme."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import (
    QFont,
    QFontDatabase,
    QImage,
    QResizeEvent,
    QTextBlock,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFormat,
    QTextFrameFormat,
    QTextLength,
    QTextOption,
    QTextTable,
)
from PySide6.QtWidgets import QTextEdit, QWidget

from desktop.ui.theme import BODY, SMALL, TITLE, Theme
from desktop.ui.widgets.markdown import MarkdownView

_LINE_HEIGHT = 140  # percent of the font's
_HEADING_SIZES = {1: TITLE, 2: 18}
_MIN_COLUMN, _MAX_COLUMN = 20, 70  # characters that a column of a table is made for
_MARGIN = 20  # around the text, in px at 100 %


class GuideView(MarkdownView):
    """A Markdown view for the program's own pages. pictures: the content of each picture by its address in the text."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.pictures: Mapping[str, bytes] = {}
        self._images: Mapping[str, QImage] = {}  # of the page
        self.setFont(theme.font())
        self.setWordWrapMode(QTextOption.WrapMode.WordWrap)

    def prepare(self, document: QTextDocument) -> None:
        document.setDocumentMargin(self._theme.px(_MARGIN))
        self._images = {
            form.toImageFormat().name(): QImage.fromData(self.pictures.get(form.toImageFormat().name(), b""))
            for block in _blocks(document)
            for _, _, form in _fragments(block)
            if form.isImageFormat()
        }
        for block in _blocks(document):
            self._shape(block)
        for frame in document.rootFrame().childFrames():
            if isinstance(frame, QTextTable):
                self._shape_table(frame)
        self._fit_pictures(document)

    def mark(self, words: list[str]) -> None:
        """Mark all occurrences of these words, and show the first; without words, remove all marks."""
        marks = []
        for word in words:
            at = self.document().find(word)
            while not at.isNull():
                mark = QTextEdit.ExtraSelection()
                mark.cursor = at
                mark.format.setBackground(self._theme.color("selected"))
                marks.append(mark)
                at = self.document().find(word, at)
        marks.sort(key=lambda mark: mark.cursor.position())
        self.setExtraSelections(marks)
        if marks:
            first = QTextCursor(marks[0].cursor)
            first.clearSelection()
            self.setTextCursor(first)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_pictures(self.document())

    def _shape(self, block: QTextBlock) -> None:
        """Set the sizes and colours of a paragraph, a heading or a line of code."""
        px = self._theme.px
        cursor = QTextCursor(block)
        cursor.movePosition(QTextCursor.MoveOperation.EndOfBlock, QTextCursor.MoveMode.KeepAnchor)
        form, text = QTextBlockFormat(), QTextCharFormat()
        level = block.blockFormat().headingLevel()
        has_picture = any(one.isImageFormat() for _, _, one in _fragments(block))
        if not has_picture and not _is_code(block):
            form.setLineHeight(_LINE_HEIGHT, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
        if level:
            font = self._theme.font(_HEADING_SIZES.get(level, BODY), bold=True)
            text.setFont(font, QTextCharFormat.FontPropertiesInheritanceBehavior.FontPropertiesSpecifiedOnly)
            form.setTopMargin(px(20 if level > 1 else 0))
            form.setBottomMargin(px(6))
        elif _is_code(block):
            form.setBackground(self._theme.color("hover"))
            form.setTopMargin(0)
            form.setBottomMargin(0 if _is_code(block.next()) else px(12))
            text.setFont(_fixed_font(px(SMALL)))
        elif cursor.currentTable() is None and block.textList() is None:
            form.setBottomMargin(px(10))
        cursor.mergeBlockFormat(form)
        if not text.isEmpty():
            cursor.mergeCharFormat(text)
        elif not level:
            self._shape_code_spans(block)

    def _shape_code_spans(self, block: QTextBlock) -> None:
        code = QTextCharFormat()
        code.setFont(_fixed_font(self._theme.px(SMALL)))
        code.setBackground(self._theme.color("hover"))
        for position, length, form in list(_fragments(block)):
            if form.fontFixedPitch():
                cursor = QTextCursor(block.document())
                cursor.setPosition(position)
                cursor.setPosition(position + length, QTextCursor.MoveMode.KeepAnchor)
                cursor.mergeCharFormat(code)

    def _shape_table(self, table: QTextTable) -> None:
        px = self._theme.px
        form = table.format()
        form.setBorder(1)
        form.setBorderBrush(self._theme.color("line"))
        form.setBorderStyle(QTextFrameFormat.BorderStyle.BorderStyle_Solid)
        form.setBorderCollapse(True)
        form.setCellPadding(px(6))
        form.setCellSpacing(0)
        form.setTopMargin(px(4))
        form.setBottomMargin(px(14))
        form.setWidth(QTextLength(QTextLength.Type.PercentageLength, 99))  # all of it, with the border
        if table.columns() == 2:  # more share the width better by themselves
            form.setColumnWidthConstraints(_column_widths(table))
        table.setFormat(form)

    def _fit_pictures(self, document: QTextDocument) -> None:
        """Give pictures their width at the theme's scale, but at most the width of the page."""
        room = max(self.viewport().width() - 2 * self._theme.px(_MARGIN), 1)
        pixels = self.devicePixelRatioF()
        for block in _blocks(document):
            for position, length, form in list(_fragments(block)):
                if not form.isImageFormat():
                    continue
                picture = form.toImageFormat()
                image = self._images[picture.name()]
                width = min(self._theme.px(image.width()), room)
                if picture.width() == width or image.isNull():
                    continue
                scaled = image.scaledToWidth(round(width * pixels), Qt.TransformationMode.SmoothTransformation)
                document.addResource(QTextDocument.ResourceType.ImageResource, QUrl(picture.name()), scaled)
                picture.setWidth(width)
                picture.setHeight(round(image.height() * width / image.width()))
                cursor = QTextCursor(document)
                cursor.setPosition(position)
                cursor.setPosition(position + length, QTextCursor.MoveMode.KeepAnchor)
                cursor.setCharFormat(picture)


def _column_widths(table: QTextTable) -> list[QTextLength]:
    """The width of each column by its longest text, within bounds."""
    longest = []
    for column in range(table.columns()):
        cells = (table.cellAt(row, column) for row in range(table.rows()))
        length = max(cell.lastPosition() - cell.firstPosition() for cell in cells)
        longest.append(min(max(length, _MIN_COLUMN), _MAX_COLUMN))
    return [QTextLength(QTextLength.Type.PercentageLength, 100 * one / sum(longest)) for one in longest]


def _blocks(document: QTextDocument) -> Iterator[QTextBlock]:
    block = document.begin()
    while block.isValid():
        yield block
        block = block.next()


def _fragments(block: QTextBlock) -> Iterator[tuple[int, int, QTextCharFormat]]:
    """Position, length and format of each run of text."""
    inside = block.begin()
    while not inside.atEnd():
        fragment = inside.fragment()
        yield fragment.position(), fragment.length(), fragment.charFormat()
        inside += 1


def _is_code(block: QTextBlock) -> bool:
    """Whether the block is a line of code."""
    return block.isValid() and block.blockFormat().hasProperty(QTextFormat.Property.BlockCodeFence)


def _fixed_font(size: int) -> QFont:
    font = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
    font.setPixelSize(size)
    return font
