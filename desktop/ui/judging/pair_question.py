"""The base of what can be asked about the pair on the screen: a note, why it is bad, why it is an error."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QWidget


class PairQuestion(QFrame):
    """Opened for a pair, it is about that pair alone, and closes with it. What it emits names that pair.

    It is open also while the page is not shown.
    """

    closed = Signal()  # by the person

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._key = ""
        self.setProperty("look", "card")
        self.hide()

    @property
    def key(self) -> str:
        """Key of the pair that it is open for; "" while it is closed."""
        return "" if self.isHidden() else self._key

    def leave_pair(self) -> None:
        """Close, since another pair comes, or something else is asked about this one."""
        self.hide()

    def _close(self) -> None:
        self.leave_pair()
        self.closed.emit()
