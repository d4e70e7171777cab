"""The keys in a list of cards: arrows, Home and End move between them, Enter opens a card, Ctrl+C copies it."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QScrollArea, QWidget

_STEPS = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1}
_ENDS = {Qt.Key.Key_Home: 0, Qt.Key.Key_End: -1}


class CardKeys(QObject):
    """Lets a card have the focus and keys. text: what Ctrl+C copies. open: what Enter does; None if it does nothing."""

    def __init__(self, card: QWidget, text: Callable[[], str], open: Callable[[], object] | None = None) -> None:
        super().__init__(card)
        self._card, self._text, self._open = card, text, open
        card.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        card.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is not self._card or not isinstance(event, QKeyEvent) or event.type() != QEvent.Type.KeyPress:
            return False
        key = Qt.Key(event.key())
        if event.matches(QKeySequence.StandardKey.Copy):
            QGuiApplication.clipboard().setText(self._text())
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self._open is not None:
            self._open()
        elif key in _STEPS:
            cards = self._cards()
            self._focus(cards[max(0, min(len(cards) - 1, cards.index(self._card) + _STEPS[key]))])
        elif key in _ENDS:
            self._focus(self._cards()[_ENDS[key]])
        else:
            return False
        return True

    def _cards(self) -> list[QWidget]:
        """The cards of the list, from the top."""
        parent = self._card.parentWidget()
        keys = parent.findChildren(CardKeys) if parent is not None else [self]
        cards = [one._card for one in keys if one._card.parentWidget() is parent and one._card.isVisible()]
        return sorted(cards or [self._card], key=lambda card: card.y())

    def _focus(self, card: QWidget) -> None:
        card.setFocus(Qt.FocusReason.TabFocusReason)
        area = card.parentWidget()
        while area is not None and not isinstance(area, QScrollArea):
            area = area.parentWidget()
        if area is not None:
            area.ensureWidgetVisible(card, 0, 0)
