"""The dialog that lists all keyboard shortcuts."""

from __future__ import annotations

from collections import defaultdict
from html import escape

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QDialog, QLineEdit, QPushButton, QTextBrowser, QWidget

from desktop.translation import tr
from desktop.ui.services.actions import ActionRegistry, RegisteredAction
from desktop.ui.theme import Theme
from desktop.ui.widgets.clear_button import add_clear_button
from desktop.ui.widgets.labels import PlainLabel
from desktop.ui.widgets.layouts import column_of, row_of, stretched


class ShortcutsDialog(QDialog):
    """All shortcuts by menu, those of `first_menu` before the others."""

    def __init__(
        self, actions: ActionRegistry, theme: Theme, parent: QWidget | None = None, *, first_menu: str = ""
    ) -> None:
        super().__init__(parent)
        self._actions, self._theme, self._first_menu = actions, theme, first_menu
        px = theme.px
        self.setWindowTitle(tr("Keyboard shortcuts"))
        self.resize(px(560), px(600))
        title = PlainLabel(tr("Keyboard shortcuts"), type="title")
        self.search = QLineEdit()
        self.search.setPlaceholderText(tr("Search"))
        self.search.setAccessibleName(tr("Search shortcuts"))
        add_clear_button(self.search)
        self.search.textChanged.connect(self._show)
        self.sheet = QTextBrowser()
        self.sheet.setAccessibleName(tr("Shortcuts by page"))
        self.sheet.setTabChangesFocus(True)
        note = PlainLabel(
            tr("Change them under Settings. In text fields, single letters type text."), type="small", wraps=True
        )
        close = QPushButton(tr("Close"))
        close.setAutoDefault(False)
        close.clicked.connect(self.accept)
        self.setLayout(
            column_of(
                title,
                self.search,
                stretched(self.sheet),
                row_of(stretched(note), close),
                spacing=px(12),
                margins=(px(24), px(20), px(24), px(20)),
            )
        )
        self._show("")

    @Slot(str)
    def _show(self, typed: str) -> None:
        groups: dict[str, list[RegisteredAction]] = defaultdict(
            list, {self._first_menu: []} if self._first_menu else {}
        )
        terms = typed.casefold().split()
        for entry in self._actions:
            text = f"{entry.menu} {entry.text} {entry.shortcuts_text}".casefold()
            if entry.action.shortcuts() and all(word in text for word in terms):
                groups[entry.menu].append(entry)
        muted = self._theme.tokens.muted
        parts = [
            f'<h4 style="margin: 12px 0 4px 0">{escape(menu)}</h4><table width="100%" cellspacing="0" cellpadding="3">'
            + "".join(
                f"<tr><td>{escape(entry.text)}</td>"
                f'<td align="right" style="color: {muted}">{escape(entry.shortcuts_text)}</td></tr>'
                for entry in entries
            )
            + "</table>"
            for menu, entries in groups.items()
            if entries
        ]
        self.sheet.setHtml("".join(parts) or f'<p style="color: {muted}">No matching shortcut.</p>')
