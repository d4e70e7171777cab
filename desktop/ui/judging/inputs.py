"""Inputs that open between the pair and the answers: the note editor, and the reasons why a pair is bad."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent, QTextCursor
from PySide6.QtWidgets import QPushButton, QWidget

from desktop.translation import tr
from desktop.ui.judging.pair_question import PairQuestion
from desktop.ui.services.display_names import capitalized
from desktop.ui.theme import Theme
from desktop.ui.widgets.buttons import push_button
from desktop.ui.widgets.fields import NoteEdit
from desktop.ui.widgets.labels import PlainLabel
from desktop.ui.widgets.layouts import STRETCH, column_of, row_of, stretched
from storage.annotation.marks import MarkKind, RejectReason, reason_text


class NoteEditor(PairQuestion):
    """A note about a pair. Enter saves it; Escape closes it, and keeps the text for the next time."""

    save_requested = Signal(str, str)  # the pair's key, the text

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._original_text = ""  # text of the note when it was opened
        self._drafts: dict[str, str] = {}  # by the pair's key
        self._unsaved: tuple[str, str] | None = None  # key and text, until they are on disk
        self.text = NoteEdit()
        self.text.setAccessibleName(tr("Note"))
        self.text.setFixedHeight(theme.px(48))
        self.text.submitted.connect(self._save)
        self.text.cancelled.connect(self._close)
        self.save_button = push_button(tr("Save note"), self._save, look="primary", tip="Enter")
        self.cancel_button = push_button(tr("Cancel"), self._cancel, tip=tr("Discard the text"))
        keys = PlainLabel(tr("Enter saves, Shift+Enter begins a new line"), type="small")
        self.setLayout(
            row_of(
                stretched(column_of(self.text, keys, spacing=theme.px(4))),
                column_of(self.save_button, self.cancel_button, STRETCH),
                spacing=theme.px(8),
                margins=theme.px(12),
            )
        )

    def open_for(self, key: str, text: str) -> None:
        """Open the editor with the note of a pair, or with its unsaved text."""
        self._key, self._original_text = key, text
        self.text.setPlainText(self._drafts.pop(key, "") or text)
        self.text.moveCursor(QTextCursor.MoveOperation.End)
        self.show()
        self.text.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def has_draft(self, key: str) -> bool:
        """Whether there is unsaved text about a pair, which is shown when the editor is opened again."""
        return key in self._drafts

    @property
    def has_unsaved(self) -> bool:
        """Whether there is an unsaved note, in the editor or for any pair."""
        return bool(self._drafts) or self._is_changed

    @property
    def _is_changed(self) -> bool:
        return not self.isHidden() and self.text.toPlainText() != self._original_text

    @Slot(str, object)
    def on_saved(self, key: str, kind: MarkKind) -> None:
        """Drop the kept text of a pair whose note is on disk."""
        if kind is MarkKind.NOTE and self._unsaved is not None and self._unsaved[0] == key:
            self._unsaved = None

    def on_save_failed(self, shown: str) -> None:
        """Open the unsaved note again if its pair is the one shown (a key), else keep it for that pair."""
        if self._unsaved is None:
            return
        (key, text), self._unsaved = self._unsaved, None
        if key == shown:
            self.open_for(key, text)
            self._original_text = ""
        else:
            self._drafts[key] = text

    @Slot()
    def _save(self) -> None:
        self._unsaved = (self._key, self.text.toPlainText())
        self._cancel()
        self.save_requested.emit(*self._unsaved)

    @Slot()
    def _cancel(self) -> None:
        self._close()
        self._drafts.pop(self._key, None)

    def leave_pair(self) -> None:
        if self._is_changed:
            self._drafts[self._key] = self.text.toPlainText()
        super().leave_pair()


class RejectBar(PairQuestion):
    """The reasons why a pair can be bad. A digit marks the pair, Escape closes the bar."""

    reason_selected = Signal(str, object)  # the pair's key; the RejectReason, or None to unmark the pair

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(tr("Why is this a bad pair?"))
        self._question = PlainLabel(tr("Why is this a bad pair?"), type="heading")
        layout = row_of(
            self._question, spacing=theme.px(8), margins=(theme.px(12), theme.px(8), theme.px(12), theme.px(8))
        )
        self.setLayout(layout)
        self.buttons: list[QPushButton] = []
        for number, reason in enumerate(RejectReason, start=1):
            button = QPushButton(f"{number} {capitalized(reason_text(reason))}")
            button.setProperty("reason", reason.value)
            button.clicked.connect(self._on_clicked)
            self.buttons.append(button)
            layout.addWidget(button)
        self.unmark_button = push_button(tr("0 Unmark bad pair"), self._on_clicked)
        layout.addWidget(self.unmark_button)
        layout.addStretch(1)

    def open_for(self, key: str, *, is_bad: bool) -> None:
        """Open the bar for a pair; `is_bad`: it can be unmarked."""
        self._key = key
        self.unmark_button.setVisible(is_bad)
        self.show()
        self.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def event(self, event: QEvent) -> bool:
        """Keep the digits from the actions of the page, since here they select reasons."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and is_plain_key(event):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        number = event.key() - Qt.Key.Key_0
        if event.key() == Qt.Key.Key_Escape:
            self._close()
        elif 1 <= number <= len(self.buttons):
            self._select(RejectReason(self.buttons[number - 1].property("reason")))
        elif number == 0 and self.unmark_button.isVisible():
            self._select(None)
        elif not is_plain_key(event):
            super().keyPressEvent(event)

    def _select(self, reason: RejectReason | None) -> None:
        self.reason_selected.emit(self._key, reason)
        self._close()

    @Slot()
    def _on_clicked(self) -> None:
        reason = self.sender().property("reason")
        self._select(RejectReason(reason) if reason else None)


def is_plain_key(event: QKeyEvent) -> bool:
    """Whether the key is printable, Backspace, Escape, Left or Right, without Ctrl or Alt."""
    if event.modifiers() & (Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier):
        return False
    others = (Qt.Key.Key_Escape, Qt.Key.Key_Backspace, Qt.Key.Key_Left, Qt.Key.Key_Right)
    return event.key() in others or (bool(event.text()) and event.text().isprintable())
