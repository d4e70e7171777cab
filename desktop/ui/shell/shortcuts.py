"""All shortcuts on one sheet."""

from __future__ import annotations

from collections import defaultdict
from html import escape

from PySide6.QtCore import Slot
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QDialog, QHBoxLayout, QLineEdit, QPushButton, QTextBrowser, QVBoxLayout, QWidget

from desktop.ui.services.actions import ActionRegistry, RegisteredAction
from desktop.ui.theme import Theme
from desktop.ui.widgets.plain import PlainLabel


def native(verb: RegisteredAction) -> str:
    """All shortcuts of a verb as people read them."""
    form = QKeySequence.SequenceFormat.NativeText
    return ", ".join(shortcut.toString(form) for shortcut in verb.action.shortcuts())


def plain(text: str) -> str:
    """A menu text without mnemonic and dots."""
    return text.replace("&", "").removesuffix("…")


class ShortcutsDialog(QDialog):
    def __init__(
        self, actions: ActionRegistry, theme: Theme, parent: QWidget | None = None, *, first: str = ""
    ) -> None:
        super().__init__(parent)
        self._actions, self._theme, self._first = actions, theme, first
        px = theme.px
        self.setWindowTitle("Keyboard shortcuts")
        self.resize(px(560), px(600))
        title = PlainLabel("Keyboard shortcuts")
        title.setProperty("type", "title")
        self.search = QLineEdit()
        self.search.setPlaceholderText("Search")
        self.search.setAccessibleName("Search shortcuts")
        self.search.setClearButtonEnabled(True)
        self.search.textChanged.connect(self._show)
        self.sheet = QTextBrowser()
        self.sheet.setAccessibleName("Shortcuts by page")
        self.sheet.setTabChangesFocus(True)
        note = PlainLabel("Change them under Settings. In text fields, single letters are typed, not obeyed.")
        note.setProperty("type", "small")
        note.setWordWrap(True)
        close = QPushButton("Close")
        close.setAutoDefault(False)
        close.clicked.connect(self.accept)
        below = QHBoxLayout()
        below.addWidget(note, 1)
        below.addWidget(close)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(px(24), px(20), px(24), px(20))
        layout.setSpacing(px(12))
        layout.addWidget(title)
        layout.addWidget(self.search)
        layout.addWidget(self.sheet, 1)
        layout.addLayout(below)
        self._show("")

    @Slot(str)
    def _show(self, typed: str) -> None:
        groups: dict[str, list[RegisteredAction]] = defaultdict(list, {self._first: []} if self._first else {})
        wanted = typed.casefold().split()
        for verb in self._actions:
            words = f"{verb.menu} {plain(verb.action.text())} {native(verb)}".casefold()
            if verb.action.shortcuts() and all(word in words for word in wanted):
                groups[verb.menu].append(verb)
        muted = self._theme.tokens.muted
        parts = [
            f'<h4 style="margin: 12px 0 4px 0">{escape(menu)}</h4><table width="100%" cellspacing="0" cellpadding="3">'
            + "".join(
                f"<tr><td>{escape(plain(verb.action.text()))}</td>"
                f'<td align="right" style="color: {muted}">{escape(native(verb))}</td></tr>'
                for verb in verbs
            )
            + "</table>"
            for menu, verbs in groups.items()
            if verbs
        ]
        self.sheet.setHtml("".join(parts) or f'<p style="color: {muted}">No shortcut is called that.</p>')
