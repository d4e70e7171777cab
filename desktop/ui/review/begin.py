"""Before the first round: how many pairs there are, and the button that begins."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from desktop.ui.theme import Theme
from desktop.ui.widgets.empty import Empty
from desktop.ui.widgets.numbers import count


class Begin(Empty):
    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, "", "Start a round", parent)

    def show_count(self, pairs: int, size: int, why_read_only: str = "") -> None:
        """`size`: of the round that the button starts."""
        self.sentence.setText(
            f"{why_read_only} No answers can be given."
            if why_read_only
            else f"{count(pairs, 'pair')} to review, one at a time: one key answers, saves and shows the next."
        )
        self.button.setText(f"Start a round of {min(size, pairs):,}")
        self.button.setVisible(not why_read_only)
        self.button.setEnabled(True)

    def show_busy(self) -> None:
        """A round is being drawn."""
        self.button.setEnabled(False)
        self.button.setText("Choosing pairs…")
