"""The base class of inputs about the pair on the screen: a note, why it is bad, why it is an error."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from desktop.ui.widgets.layouts import CardFrame


class PairQuestion(CardFrame):
    """An input that is opened for one pair and closes with it. Its signals name the pair.

    It stays open while the page is not shown.
    """

    closed = Signal()  # by the person

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._key = ""
        self.hide()

    @property
    def key(self) -> str:
        """The key of the pair that the input is open for; "" while it is closed."""
        return "" if self.isHidden() else self._key

    def leave_pair(self) -> None:
        """Close, since another pair is shown, or another input is opened."""
        self.hide()

    def _close(self) -> None:
        self.leave_pair()
        self.closed.emit()
