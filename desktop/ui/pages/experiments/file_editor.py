"""The editor for an experiment's file as text, which shows a problem and its line."""

from __future__ import annotations

from PySide6.QtCore import QRect, QSize, Qt, Signal, Slot
from PySide6.QtGui import QFontDatabase, QPainter, QPaintEvent, QResizeEvent, QTextCursor
from PySide6.QtWidgets import QPlainTextEdit, QPushButton, QWidget

from desktop.translation import tr
from desktop.ui.theme import BODY, Theme
from desktop.ui.widgets.layouts import aligned, column_of, stretched
from desktop.ui.widgets.notices import Notice


class FileEditor(QWidget):
    """An editor for TOML. `changed` is emitted as text is typed."""

    changed = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._line: int | None = None
        self.editor = _CodeEdit(theme)
        self.editor.setAccessibleName(tr("File of the experiment"))
        self.editor.textChanged.connect(lambda: self.changed.emit(self.editor.toPlainText()))
        self.notice = Notice(theme)
        self.go = QPushButton()
        self.go.setProperty("look", "link")
        self.go.setCursor(Qt.CursorShape.PointingHandCursor)
        self.go.clicked.connect(self._go_to_line)
        self.go.hide()
        self.setLayout(
            column_of(
                stretched(self.editor),
                self.notice,
                aligned(self.go, Qt.AlignmentFlag.AlignLeft),
                spacing=theme.px(8),
                margins=(0, theme.px(4), 0, 0),
            )
        )

    def show_text(self, text: str) -> None:
        """Show a text, unless it is shown already; the cursor stays where it is."""
        if text == self.editor.toPlainText():
            return
        place = self.editor.textCursor().position()
        self.editor.blockSignals(True)
        self.editor.setPlainText(text)
        cursor = self.editor.textCursor()
        cursor.setPosition(min(place, len(text)))
        self.editor.setTextCursor(cursor)
        self.editor.blockSignals(False)

    def show_problem(self, text: str, line: int | None) -> None:
        """Show what is wrong with the text, and mark its line; "" if nothing is."""
        self._line = line
        self.notice.show_text(tr("Line {line:,}: {text}", line=line, text=text) if text and line else text, "bad")
        self.go.setText(tr("Go to line {line:,}", line=line) if line else "")
        self.go.setVisible(bool(text and line))
        self.editor.mark_line(line if text else None)

    @Slot()
    def _go_to_line(self) -> None:
        if self._line is not None:
            block = self.editor.document().findBlockByNumber(self._line - 1)
            self.editor.setTextCursor(QTextCursor(block))
            self.editor.centerCursor()
            self.editor.setFocus()


class _CodeEdit(QPlainTextEdit):
    """A monospaced text with line numbers; the number of the marked line is red."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._marked: int | None = None
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.setTabChangesFocus(True)
        self._numbers = _LineNumbers(self)
        self.blockCountChanged.connect(self._fit)
        self.updateRequest.connect(self._on_update)
        theme.changed.connect(self._fit)
        self._fit()

    def mark_line(self, line: int | None) -> None:
        """Mark a line, counted from 1; None marks no line."""
        self._marked = line
        self._numbers.update()

    def number_width(self) -> int:
        digits = len(str(max(10, self.blockCount())))
        return self._theme.px(20) + self.fontMetrics().horizontalAdvance("9") * digits

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        inside = self.contentsRect()
        self._numbers.setGeometry(QRect(inside.left(), inside.top(), self.number_width(), inside.height()))

    def paint_numbers(self, event: QPaintEvent) -> None:
        painter = QPainter(self._numbers)
        painter.setFont(self.font())
        block = self.firstVisibleBlock()
        top = self.blockBoundingGeometry(block).translated(self.contentOffset()).top()
        while block.isValid() and top <= event.rect().bottom():
            height = self.blockBoundingRect(block).height()
            number = block.blockNumber() + 1
            box = QRect(0, round(top), self.number_width() - self._theme.px(10), round(height))
            painter.setPen(self._theme.color("bad" if number == self._marked else "muted"))
            if number == self._marked:
                painter.fillRect(QRect(0, round(top), self._theme.px(3), round(height)), self._theme.color("bad"))
            painter.drawText(box, int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter), str(number))
            block, top = block.next(), top + height

    @Slot()
    def _fit(self) -> None:
        font = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
        font.setPixelSize(self._theme.px(BODY))
        self.setFont(font)
        self.setStyleSheet(f"QPlainTextEdit {{ font-family: '{font.family()}'; padding: 0; }}")
        self.setViewportMargins(self.number_width(), self._theme.px(4), 0, 0)

    @Slot(QRect, int)
    def _on_update(self, rect: QRect, dy: int) -> None:
        if dy:
            self._numbers.scroll(0, dy)
        else:
            self._numbers.update(0, rect.y(), self._numbers.width(), rect.height())


class _LineNumbers(QWidget):
    def __init__(self, editor: _CodeEdit) -> None:
        super().__init__(editor)
        self._editor = editor

    def sizeHint(self) -> QSize:
        return QSize(self._editor.number_width(), 0)

    def paintEvent(self, event: QPaintEvent) -> None:
        self._editor.paint_numbers(event)
