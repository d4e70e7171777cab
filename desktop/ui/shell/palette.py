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
    QVBoxLayout,
    QWidget,
)
from shiboken6 import isValid

from desktop.ui.shell.fuzzy_match import match
from desktop.ui.theme import SMALL, Theme
from desktop.ui.widgets.labels import PlainLabel

_Index = QModelIndex | QPersistentModelIndex
_ROWS = 10
_Key = QKeySequence.StandardKey
_EDITING = (
    *(_Key.Undo, _Key.Redo, _Key.Cut, _Key.Copy, _Key.Paste, _Key.SelectAll, _Key.DeleteStartOfWord),
    *(_Key.DeleteEndOfWord, _Key.MoveToPreviousWord, _Key.MoveToNextWord, _Key.SelectPreviousWord, _Key.SelectNextWord),
)


@dataclass(frozen=True, slots=True)
class PaletteCommand:
    """`key` is what is remembered of it; `place` is where it belongs, such as a menu; `words` find it too.

    `here`: it is of the page on screen.
    """

    key: str
    text: str
    place: str
    keys: str
    run: Callable[[], object]
    words: str = ""
    here: bool = False


class CommandModel(QAbstractListModel):
    """The commands that fit what is typed, the best first; with nothing typed, the page's, those used last, all."""

    def __init__(
        self, commands: Sequence[PaletteCommand], recent: Sequence[str], parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._commands = list(commands)
        self._recent = {key: number for number, key in enumerate(recent)}
        self._shown: list[tuple[PaletteCommand, tuple[int, ...]]] = []
        self.search("")

    def search(self, typed: str) -> None:
        self.beginResetModel()
        found: list[tuple[float, int, PaletteCommand, tuple[int, ...]]] = []
        for number, command in enumerate(self._commands):
            recent = self._recent.get(command.key)
            if not typed.strip():
                rank = (0.0 if command.here else 2000.0) + (float(recent) if recent is not None else 1000.0)
                found.append((rank, number, command, ()))
                continue
            own = match(typed, command.text)
            about = f"{command.place} {command.text} {command.words}".casefold()
            if own is None and not all(word in about for word in typed.casefold().split()):
                continue
            score = own.score if own else 0.0
            score += (0.5 if recent is not None else 0.0) + (0.5 if command.here else 0.0)
            found.append((-score, number, command, own.places if own else ()))
        found.sort(key=lambda entry: entry[:2])
        self._shown = [(command, places) for _, _, command, places in found]
        self.endResetModel()

    def command(self, row: int) -> PaletteCommand:
        return self._shown[row][0]

    def places(self, row: int) -> tuple[int, ...]:
        return self._shown[row][1]

    def rowCount(self, parent: _Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self._shown)

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:  # as Qt asks
        if not index.isValid():
            return None
        command = self.command(index.row())
        if role == Qt.ItemDataRole.DisplayRole:
            return command.text
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return ", ".join(filter(None, (command.text, command.place, command.keys)))
        return None


class _Drawing(QStyledItemDelegate):
    """A command in one line: its text with the letters found, its place, its shortcut."""

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme

    def sizeHint(self, option: QStyleOptionViewItem, index: _Index) -> QSize:
        return QSize(self._theme.px(200), self._theme.px(32))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        model = index.model()
        assert isinstance(model, CommandModel)
        theme, px = self._theme, self._theme.px
        command, places = model.command(index.row()), set(model.places(index.row()))
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
        keys = painter.fontMetrics().horizontalAdvance(command.keys)
        painter.drawText(inner, Qt.AlignmentFlag.AlignRight | middle, command.keys)
        at = inner.left()
        normal, bold = theme.font(), theme.font(bold=True)
        painter.setPen(theme.color("ink"))
        for number, letter in enumerate(command.text):
            painter.setFont(bold if number in places else normal)
            painter.drawText(QRect(at, inner.top(), inner.width(), inner.height()), middle, letter)
            at += painter.fontMetrics().horizontalAdvance(letter)
        room = inner.right() - keys - px(16) - at - px(12)
        painter.setFont(theme.font(SMALL))
        painter.setPen(QColor(theme.tokens.muted))
        place = painter.fontMetrics().elidedText(command.place, Qt.TextElideMode.ElideRight, max(0, room))
        painter.drawText(QRect(at + px(12), inner.top(), max(0, room), inner.height()), middle, place)
        painter.restore()


def _is_shortcut(event: QKeyEvent) -> bool:
    """Not something to type, nor something that edits what was typed."""
    held = event.modifiers() & (Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier)
    function_key = Qt.Key.Key_F1 <= event.key() <= Qt.Key.Key_F35
    return (bool(held) or function_key) and not any(event.matches(key) for key in _EDITING)


class CommandPalette(QWidget):
    """Lies over the whole window and takes all its keys; goes with Escape, by a click outside, and with any command.

    A shortcut pressed meanwhile is `pressed`, not obeyed: what lies below is not seen.
    """

    chosen = Signal(object)  # Command
    pressed = Signal(QKeySequence)

    def __init__(
        self, commands: Sequence[PaletteCommand], recent: Sequence[str], theme: Theme, parent: QWidget
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self._before: QWidget | None = None
        self._gone = False
        px = theme.px
        self.setAccessibleName("Commands")
        self.card = QFrame(self)
        self.card.setProperty("look", "card")
        self.line = QLineEdit()
        self.line.setPlaceholderText("Find a command or a setting")
        self.line.setAccessibleName("Find a command or a setting")
        self.line.setMinimumHeight(px(36))
        self.model = CommandModel(commands, recent, self)
        self.list = QListView()
        self.list.setModel(self.model)
        self.list.setItemDelegate(_Drawing(theme, self))
        self.list.setAccessibleName("Commands found")
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.setFrameShape(QFrame.Shape.NoFrame)
        self.list.setStyleSheet("border: none; background: transparent;")
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setUniformItemSizes(True)
        self.none = PlainLabel("No matching command.")
        self.none.setProperty("type", "muted")
        self.none.setMargin(px(12))
        layout = QVBoxLayout(self.card)
        layout.setContentsMargins(px(8), px(8), px(8), px(8))
        layout.setSpacing(px(4))
        layout.addWidget(self.line)
        layout.addWidget(self.none)
        layout.addWidget(self.list, 1)
        self.line.textChanged.connect(self._on_typed)
        self.line.installEventFilter(self)
        self.list.clicked.connect(self._on_clicked)
        self._on_typed("")

    def open_on(self, window: QWidget) -> None:
        self._before = window.focusWidget()
        self._place()
        window.installEventFilter(self)
        app = QApplication.instance()
        assert isinstance(app, QApplication)
        app.focusChanged.connect(self._on_focus)
        self.show()
        self.raise_()
        self.line.setFocus(Qt.FocusReason.PopupFocusReason)

    def dismiss(self) -> None:
        """Go away; the keyboard returns to where it was, if that is still there."""
        if self._gone:
            return
        self._gone = True
        self.hide()
        if self._before is not None and isValid(self._before):
            self._before.setFocus(Qt.FocusReason.PopupFocusReason)
        self.setParent(None)
        self.deleteLater()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self.line and isinstance(event, QKeyEvent):
            if event.type() == QEvent.Type.ShortcutOverride:
                event.accept()  # the press comes here, whatever it means in the window below
                return True
            if event.type() == QEvent.Type.KeyPress:
                return self._on_key(event)
        if watched is self.parent() and event.type() == QEvent.Type.Resize:
            self._place()
        return False

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if not self.card.geometry().contains(event.position().toPoint()):
            self.dismiss()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), QColor(0, 0, 0, 110 if self._theme.is_dark else 50))

    def _on_key(self, event: QKeyEvent) -> bool:
        steps = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1, Qt.Key.Key_PageDown: _ROWS, Qt.Key.Key_PageUp: -_ROWS}
        key = Qt.Key(event.key())
        if key in steps:
            self._step(steps[key])
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._choose(self.list.currentIndex())
        elif key == Qt.Key.Key_Escape:
            self.dismiss()
        elif key in (Qt.Key.Key_Tab, Qt.Key.Key_Backtab):
            self._step(1 if key == Qt.Key.Key_Tab else -1)
        elif _is_shortcut(event):
            self.pressed.emit(QKeySequence(event.keyCombination()))
        else:
            return False
        return True

    @Slot(QWidget, QWidget)
    def _on_focus(self, _: QWidget | None, now: QWidget | None) -> None:
        """A page below may take the keyboard when its job ends; it gets it once the palette is gone."""
        if self._gone or now is None or now is self.line or now.window() is not self.window():
            return
        self._before = now
        self.line.setFocus(Qt.FocusReason.PopupFocusReason)

    def _step(self, by: int) -> None:
        rows = self.model.rowCount()
        if rows:
            now = self.list.currentIndex().row()
            row = (now + by) % rows if abs(by) == 1 else max(0, min(rows - 1, now + by))
            self.list.setCurrentIndex(self.model.index(row))

    @Slot(str)
    def _on_typed(self, typed: str) -> None:
        self.model.search(typed)
        found = self.model.rowCount() > 0
        self.none.setVisible(not found)
        self.list.setVisible(found)
        if found:
            self.list.setCurrentIndex(self.model.index(0))
        self._place()

    @Slot(QModelIndex)
    def _on_clicked(self, index: QModelIndex) -> None:
        self._choose(index)

    def _choose(self, index: QModelIndex) -> None:
        if index.isValid():
            command = self.model.command(index.row())
            self.dismiss()
            self.chosen.emit(command)

    def _place(self) -> None:
        host, px = self.parentWidget(), self._theme.px
        if host is None:
            return
        self.setGeometry(host.rect())
        rows = min(_ROWS, max(1, self.model.rowCount()))
        width = min(px(600), host.width() - px(32))
        line = self.line.sizeHint().height() + px(8 + 8 + 4 + 4)
        height = min(line + rows * px(32), host.height() - px(64))
        self.card.setGeometry((host.width() - width) // 2, min(px(88), host.height() // 8), width, height)
