"""Letters and digits as answers to questions, and what a letter does with Shift."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent, QKeySequence

from desktop.ui.services.actions import plain_text
from desktop.ui.services.page import Page

_MODIFIERS = (
    Qt.KeyboardModifier.ControlModifier
    | Qt.KeyboardModifier.AltModifier
    | Qt.KeyboardModifier.MetaModifier
    | Qt.KeyboardModifier.ShiftModifier
)


def typed_letter(event: QKeyEvent) -> str:
    """The letter or digit that was pressed without modifiers, in lower case; "" for any other key."""
    text = event.text().lower()
    return text if not event.modifiers() & _MODIFIERS and len(text) == 1 and text.isalnum() else ""


def what_shift_does(page: Page, letter: str) -> str:
    """The name of the page's action for Shift and this letter; "" if there is none."""
    key = QKeySequence(f"Shift+{letter.upper()}")
    found = (one.action for one in page.context.actions if one.widget is page and key in one.action.shortcuts())
    action = next(found, None)
    return "" if action is None else plain_text(action)
