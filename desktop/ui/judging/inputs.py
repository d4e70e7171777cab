"""Inputs that open between the pair and the answers: a note, and the reasons why a pair is bad."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt, Signal, Slot
from PySide6.QtGui import QHideEvent, QKeyEvent, QTextCursor
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from desktop.ui.judging.pair_view import REJECT_REASONS
from desktop.ui.theme import Theme
from desktop.ui.widgets.fields import MultilineEdit
from desktop.ui.widgets.labels import PlainLabel, set_tip
from storage.annotation.marks import RejectReason


class NoteEditor(QFrame):
    """A note about the pair: Ctrl+Enter keeps it, Escape closes it; what was written then is there the next time."""

    kept = Signal(str, str)  # the pair's key, the text
    closed = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._key = ""
        self._given = ""  # what the note was when it was opened
        self._drafts: dict[str, str] = {}  # by the pair's key
        self._unsaved: tuple[str, str] | None = None  # key and text, until somebody says that it is on disk
        self.setProperty("look", "card")
        self.text = MultilineEdit()
        self.text.setPlaceholderText("A note about this pair")
        self.text.setAccessibleName("Note")
        self.text.setFixedHeight(theme.px(64))
        self.text.submitted.connect(self._keep)
        self.text.cancelled.connect(self._close)
        self.save = QPushButton("Save note")
        self.save.setProperty("look", "primary")
        set_tip(self.save, "Ctrl+Enter")
        self.save.clicked.connect(self._keep)
        self.cancel = QPushButton("Cancel")
        set_tip(self.cancel, "Discard what was written")
        self.cancel.clicked.connect(self._cancel)
        buttons = QVBoxLayout()
        buttons.addWidget(self.save)
        buttons.addWidget(self.cancel)
        buttons.addStretch(1)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(theme.px(12), theme.px(12), theme.px(12), theme.px(12))
        layout.setSpacing(theme.px(8))
        layout.addWidget(self.text, 1)
        layout.addLayout(buttons)
        self.hide()

    @property
    def key(self) -> str:
        """Of the pair it was opened for last."""
        return self._key

    def open_for(self, key: str, text: str) -> None:
        self._key, self._given = key, text
        self.text.setPlainText(self._drafts.pop(key, "") or text)
        self.text.moveCursor(QTextCursor.MoveOperation.End)
        self.show()
        self.text.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def saved(self) -> None:
        """The note is on disk."""
        self._unsaved = None

    def not_saved(self) -> None:
        """If a note was being saved it is open again, with what was written."""
        if self._unsaved is not None:
            self.open_for(*self._unsaved)
            self._given, self._unsaved = "", None

    @Slot()
    def _keep(self) -> None:
        self._unsaved = (self._key, self.text.toPlainText())
        self._cancel()
        self.kept.emit(*self._unsaved)

    @Slot()
    def _cancel(self) -> None:
        self._close()
        self._drafts.pop(self._key, None)

    def hideEvent(self, event: QHideEvent) -> None:
        if self.text.toPlainText() != self._given:
            self._drafts[self._key] = self.text.toPlainText()
        super().hideEvent(event)

    def _close(self) -> None:
        self.hide()
        self.closed.emit()


class RejectBar(QFrame):
    """Why is the pair bad? A digit chooses, Escape leaves it in."""

    chosen = Signal(str, object)  # the pair's key; the RejectReason, or None to take the pair in again
    closed = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._key = ""
        self.setProperty("look", "card")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName("Why is this pair bad?")
        self._question = PlainLabel("Why is this pair bad?")
        self._question.setProperty("type", "heading")
        layout = QHBoxLayout(self)
        layout.setContentsMargins(theme.px(12), theme.px(8), theme.px(12), theme.px(8))
        layout.setSpacing(theme.px(8))
        layout.addWidget(self._question)
        self.buttons: list[QPushButton] = []
        for number, (reason, words) in enumerate(REJECT_REASONS.items(), start=1):
            button = QPushButton(f"{number} {words}")
            button.setProperty("reason", reason.value)
            button.clicked.connect(self._on_clicked)
            self.buttons.append(button)
            layout.addWidget(button)
        self.back = QPushButton("0 Unmark bad pair")
        self.back.clicked.connect(self._on_clicked)
        layout.addWidget(self.back)
        layout.addStretch(1)
        self.hide()

    @property
    def key(self) -> str:
        """Of the pair it was opened for last."""
        return self._key

    def open_for(self, key: str, *, is_bad: bool) -> None:
        self._key = key
        self.back.setVisible(is_bad)
        self.show()
        self.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def event(self, event: QEvent) -> bool:
        """The digits mean reasons here, not answers."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and _plain(event):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        number = event.key() - Qt.Key.Key_0
        if event.key() == Qt.Key.Key_Escape:
            self._close()
        elif 1 <= number <= len(self.buttons):
            self._choose(RejectReason(self.buttons[number - 1].property("reason")))
        elif number == 0 and self.back.isVisible():
            self._choose(None)
        elif not _plain(event):
            super().keyPressEvent(event)

    def _choose(self, reason: RejectReason | None) -> None:
        self.chosen.emit(self._key, reason)
        self._close()

    @Slot()
    def _on_clicked(self) -> None:
        reason = self.sender().property("reason")
        self._choose(RejectReason(reason) if reason else None)

    @Slot()
    def _close(self) -> None:
        self.hide()
        self.closed.emit()


def _plain(event: QKeyEvent) -> bool:
    """A key that writes something, moves, or is Escape: not Tab, nor one pressed with Ctrl."""
    if event.modifiers() & (Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier):
        return False
    held = (Qt.Key.Key_Escape, Qt.Key.Key_Backspace, Qt.Key.Key_Left, Qt.Key.Key_Right)
    return event.key() in held or (bool(event.text()) and event.text().isprintable())
