"""Pressing the keys that a command shall have."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QKeyCombination, Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QDialog, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from desktop.ui.services.actions import ActionRegistry, plain_text
from desktop.ui.theme import Theme
from desktop.ui.widgets.labels import PlainLabel

_MODIFIERS = (Qt.Key.Key_Shift, Qt.Key.Key_Control, Qt.Key.Key_Alt, Qt.Key.Key_Meta, Qt.Key.Key_AltGr)


class CaptureDialog(QDialog):
    chosen = Signal(str)  # portable text; "" for no shortcut

    def __init__(self, actions: ActionRegistry, key: str, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._actions, self._key = actions, key
        self.keys = ""
        px = theme.px
        name = plain_text(actions[key])
        self.setWindowTitle("Change keys")
        self.setMinimumWidth(px(440))
        lead = PlainLabel(f"Press the new keys for “{name}”. Escape leaves them as they are.")
        lead.setWordWrap(True)
        self.shown = PlainLabel(actions.hint(key) or "none")
        self.shown.setProperty("type", "title")
        self.shown.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.shown.setMinimumHeight(px(64))
        self.note = PlainLabel(" ")
        self.note.setWordWrap(True)
        self.note.setMinimumHeight(px(36))
        self.use = QPushButton("Use")
        self.use.setProperty("look", "primary")
        self.use.setEnabled(False)
        self.use.clicked.connect(self._on_use)
        none = QPushButton("No shortcut")
        none.clicked.connect(self._on_none)
        cancel = QPushButton("Cancel")
        cancel.clicked.connect(self.reject)
        buttons = QHBoxLayout()
        buttons.addWidget(none)
        buttons.addStretch(1)
        buttons.addWidget(cancel)
        buttons.addWidget(self.use)
        for button in (none, cancel, self.use):
            button.setAutoDefault(False)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(px(24), px(20), px(24), px(20))
        layout.setSpacing(px(8))
        for widget in (lead, self.shown, self.note):
            layout.addWidget(widget)
        layout.addLayout(buttons)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setFocus()

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride:
            event.accept()  # the press is for us, whatever it means elsewhere
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        pressed, held = Qt.Key(event.key()), event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        if pressed in _MODIFIERS or event.key() == 0:
            return
        if pressed == Qt.Key.Key_Escape and held == Qt.KeyboardModifier.NoModifier:
            self.reject()
        elif pressed in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.keys and not held:
            self._on_use()
        else:
            if held == Qt.KeyboardModifier.ShiftModifier and event.text().strip() and not event.text().isalpha():
                held = Qt.KeyboardModifier.NoModifier  # the sign says it: "?" rather than Shift and "?"
            self._take(QKeySequence(QKeyCombination(held, pressed)))

    def _take(self, sequence: QKeySequence) -> None:
        self.keys = sequence.toString(QKeySequence.SequenceFormat.PortableText)
        self.shown.setText(sequence.toString(QKeySequence.SequenceFormat.NativeText))
        others = self._actions.conflicts(self._key, self.keys)
        names = " and ".join(f"“{entry.text}” ({entry.menu})" for entry in others)
        self.note.setText(f"▲ {names} has these keys now, and would lose them." if others else " ")
        self.use.setText("Use them here" if others else "Use")
        self.use.setEnabled(True)

    @Slot()
    def _on_use(self) -> None:
        self.accept()
        self.chosen.emit(self.keys)

    @Slot()
    def _on_none(self) -> None:
        self.accept()
        self.chosen.emit("")
