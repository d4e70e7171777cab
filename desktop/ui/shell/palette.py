"""The command palette: every action, found by typing a few of its letters."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import (
    QAbstractListModel,
    QEvent,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QRect,
    QSize,
    Qt,
    Signal,
    Slot,
)
from PySide6.QtGui import QColor, QKeyEvent, QKeySequence, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QApplication,
    QFrame,
    QLineEdit,
    QListView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)
from shiboken6 import isValid

from desktop.translation import tr
from desktop.ui.shell.fuzzy_match import match
from desktop.ui.theme import SMALL, Theme
from desktop.ui.widgets.labels import PlainLabel
from desktop.ui.widgets.layouts import CardFrame, column_of, stretched

_Index = QModelIndex | QPersistentModelIndex
_VISIBLE_ROWS = 10
_Key = QKeySequence.StandardKey
_EDITING_KEYS = (
    *(_Key.Undo, _Key.Redo, _Key.Cut, _Key.Copy, _Key.Paste, _Key.SelectAll, _Key.DeleteStartOfWord),
    *(_Key.DeleteEndOfWord, _Key.MoveToPreviousWord, _Key.MoveToNextWord, _Key.SelectPreviousWord, _Key.SelectNextWord),
)


@dataclass(frozen=True, slots=True)
class PaletteCommand:
    """A line of the palette. `key` identifies it among the recent ones, `group` is its menu or "Settings".

    `search_words`: words that find it, besides its text. `is_on_page`: it belongs to the page on screen.
    """

    key: str
    text: str
    group: str
    shortcuts: str
    run: Callable[[], object]
    search_words: str = ""
    is_on_page: bool = False


class CommandModel(QAbstractListModel):
    """The commands that match the typed text, the best first; without text all: the page's, recent ones, others."""

    def __init__(
        self, commands: Sequence[PaletteCommand], recent: Sequence[str], parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._commands = list(commands)
        self._recent = {key: number for number, key in enumerate(recent)}
        self._matches: list[tuple[PaletteCommand, tuple[int, ...]]] = []
        self.search("")

    def search(self, typed: str) -> None:
        """Show the commands that match the typed text."""
        self.beginResetModel()
        ranked: list[tuple[float, int, PaletteCommand, tuple[int, ...]]] = []
        for number, command in enumerate(self._commands):
            recent = self._recent.get(command.key)
            if not typed.strip():
                rank = (0.0 if command.is_on_page else 2000.0) + (float(recent) if recent is not None else 1000.0)
                ranked.append((rank, number, command, ()))
                continue
            text_match = match(typed, command.text)
            search_text = f"{command.group} {command.text} {command.search_words}".casefold()
            if text_match is None and not all(word in search_text for word in typed.casefold().split()):
                continue
            score = text_match.score if text_match else 0.0
            score += (0.5 if recent is not None else 0.0) + (0.5 if command.is_on_page else 0.0)
            ranked.append((-score, number, command, text_match.positions if text_match else ()))
        ranked.sort(key=lambda entry: entry[:2])
        self._matches = [(command, positions) for _, _, command, positions in ranked]
        self.endResetModel()

    def command(self, row: int) -> PaletteCommand:
        return self._matches[row][0]

    def matched_positions(self, row: int) -> tuple[int, ...]:
        """The positions of the typed letters in the command's text."""
        return self._matches[row][1]

    def rowCount(self, parent: _Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self._matches)

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:  # as Qt asks
        if not index.isValid():
            return None
        command = self.command(index.row())
        if role == Qt.ItemDataRole.DisplayRole:
            return command.text
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return ", ".join(filter(None, (command.text, command.group, command.shortcuts)))
        return None


class _CommandDelegate(QStyledItemDelegate):
    """Paints a command in one line: its text with the matched letters in bold, its group, its shortcuts."""

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme

    def sizeHint(self, option: QStyleOptionViewItem, index: _Index) -> QSize:
        return QSize(self._theme.px(200), self._theme.px(32))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        model = index.model()
        assert isinstance(model, CommandModel)
        theme, px = self._theme, self._theme.px
        command, positions = model.command(index.row()), set(model.matched_positions(index.row()))
        rect: QRect = option.rect
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if option.state & QStyle.StateFlag.State_Selected:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.color("selected"))
            painter.drawRoundedRect(rect.adjusted(px(4), 1, -px(4), -1), px(6), px(6))
        inner = rect.adjusted(px(16), 0, -px(16), 0)
        middle = Qt.AlignmentFlag.AlignVCenter
        painter.setFont(theme.font(SMALL))
        painter.setPen(QColor(theme.tokens.muted))
        shortcuts_width = painter.fontMetrics().horizontalAdvance(command.shortcuts)
        painter.drawText(inner, Qt.AlignmentFlag.AlignRight | middle, command.shortcuts)
        x = inner.left()
        normal, bold = theme.font(), theme.font(bold=True)
        painter.setPen(theme.color("ink"))
        for number, letter in enumerate(command.text):
            painter.setFont(bold if number in positions else normal)
            painter.drawText(QRect(x, inner.top(), inner.width(), inner.height()), middle, letter)
            x += painter.fontMetrics().horizontalAdvance(letter)
        width_left = max(0, inner.right() - shortcuts_width - px(16) - x - px(12))
        painter.setFont(theme.font(SMALL))
        painter.setPen(QColor(theme.tokens.muted))
        group = painter.fontMetrics().elidedText(command.group, Qt.TextElideMode.ElideRight, width_left)
        painter.drawText(QRect(x + px(12), inner.top(), width_left, inner.height()), middle, group)
        painter.restore()


def _is_shortcut(event: QKeyEvent) -> bool:
    """Whether a key press neither types nor edits text."""
    held = event.modifiers() & (Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier)
    function_key = Qt.Key.Key_F1 <= event.key() <= Qt.Key.Key_F35
    return (bool(held) or function_key) and not any(event.matches(key) for key in _EDITING_KEYS)


class CommandPalette(QWidget):
    """The palette. It covers the window and takes all keys; Escape, a click outside and choosing a command close it.

    A shortcut only emits `shortcut_pressed`, since its action could change what the palette covers.
    """

    command_chosen = Signal(object)  # PaletteCommand
    shortcut_pressed = Signal(QKeySequence)

    def __init__(
        self, commands: Sequence[PaletteCommand], recent: Sequence[str], theme: Theme, parent: QWidget
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self._previous_focus: QWidget | None = None
        self._is_closed = False
        px = theme.px
        self.setAccessibleName(tr("Commands"))
        self.card = CardFrame(self)
        self.search_field = QLineEdit()
        self.search_field.setPlaceholderText(tr("Find a command or a setting"))
        self.search_field.setAccessibleName(tr("Find a command or a setting"))
        self.search_field.setMinimumHeight(px(36))
        self.model = CommandModel(commands, recent, self)
        self.list = QListView()
        self.list.setModel(self.model)
        self.list.setItemDelegate(_CommandDelegate(theme, self))
        self.list.setAccessibleName(tr("Commands found"))
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.setFrameShape(QFrame.Shape.NoFrame)
        self.list.setStyleSheet("border: none; background: transparent;")
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setUniformItemSizes(True)
        self.empty_label = PlainLabel(tr("No matching command."), type="muted")
        self.empty_label.setMargin(px(12))
        self.card.setLayout(
            column_of(
                self.search_field,
                self.empty_label,
                stretched(self.list),
                spacing=px(4),
                margins=px(8),
            )
        )
        self.search_field.textChanged.connect(self._on_typed)
        self.search_field.installEventFilter(self)
        self.list.clicked.connect(self._on_clicked)
        self._on_typed("")

    def open_on(self, window: QWidget) -> None:
        """Show the palette over this window."""
        self._previous_focus = window.focusWidget()
        self._update_geometry()
        window.installEventFilter(self)
        app = QApplication.instance()
        assert isinstance(app, QApplication)
        app.focusChanged.connect(self._on_focus)
        self.show()
        self.raise_()
        self.search_field.setFocus(Qt.FocusReason.PopupFocusReason)

    def dismiss(self) -> None:
        """Close, and return the focus to the widget that had it, if it still exists."""
        if self._is_closed:
            return
        self._is_closed = True
        self.hide()
        if self._previous_focus is not None and isValid(self._previous_focus):
            self._previous_focus.setFocus(Qt.FocusReason.PopupFocusReason)
        self.setParent(None)
        self.deleteLater()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self.search_field and isinstance(event, QKeyEvent):
            if event.type() == QEvent.Type.ShortcutOverride:
                event.accept()  # the key press comes here, even if it is a shortcut of the window
                return True
            if event.type() == QEvent.Type.KeyPress:
                return self._on_key(event)
        if watched is self.parent() and event.type() == QEvent.Type.Resize:
            self._update_geometry()
        return False

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if not self.card.geometry().contains(event.position().toPoint()):
            self.dismiss()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), QColor(0, 0, 0, 110 if self._theme.is_dark else 50))

    def _on_key(self, event: QKeyEvent) -> bool:
        moves = {
            Qt.Key.Key_Down: 1,
            Qt.Key.Key_Up: -1,
            Qt.Key.Key_PageDown: _VISIBLE_ROWS,
            Qt.Key.Key_PageUp: -_VISIBLE_ROWS,
        }
        key = Qt.Key(event.key())
        if key in moves:
            self._move(moves[key])
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._choose(self.list.currentIndex())
        elif key == Qt.Key.Key_Escape:
            self.dismiss()
        elif key in (Qt.Key.Key_Tab, Qt.Key.Key_Backtab):
            self._move(1 if key == Qt.Key.Key_Tab else -1)
        elif _is_shortcut(event):
            self.shortcut_pressed.emit(QKeySequence(event.keyCombination()))
        else:
            return False
        return True

    @Slot(QWidget, QWidget)
    def _on_focus(self, _: QWidget | None, now: QWidget | None) -> None:
        """Keep the focus. A page that takes it, such as when a job ends, gets it when the palette closes."""
        if self._is_closed or now is None or now is self.search_field or now.window() is not self.window():
            return
        self._previous_focus = now
        self.search_field.setFocus(Qt.FocusReason.PopupFocusReason)

    def _move(self, by: int) -> None:
        rows = self.model.rowCount()
        if rows:
            now = self.list.currentIndex().row()
            row = (now + by) % rows if abs(by) == 1 else max(0, min(rows - 1, now + by))
            self.list.setCurrentIndex(self.model.index(row))

    @Slot(str)
    def _on_typed(self, typed: str) -> None:
        self.model.search(typed)
        has_matches = self.model.rowCount() > 0
        self.empty_label.setVisible(not has_matches)
        self.list.setVisible(has_matches)
        if has_matches:
            self.list.setCurrentIndex(self.model.index(0))
        self._update_geometry()

    @Slot(QModelIndex)
    def _on_clicked(self, index: QModelIndex) -> None:
        self._choose(index)

    def _choose(self, index: QModelIndex) -> None:
        if index.isValid():
            command = self.model.command(index.row())
            self.dismiss()
            self.command_chosen.emit(command)

    def _update_geometry(self) -> None:
        host, px = self.parentWidget(), self._theme.px
        if host is None:
            return
        self.setGeometry(host.rect())
        rows = min(_VISIBLE_ROWS, max(1, self.model.rowCount()))
        width = min(px(600), host.width() - px(32))
        field_height = self.search_field.sizeHint().height() + px(8 + 8 + 4 + 4)
        height = min(field_height + rows * px(32), host.height() - px(64))
        self.card.setGeometry((host.width() - width) // 2, min(px(88), host.height() // 8), width, height)
