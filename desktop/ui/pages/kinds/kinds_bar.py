"""The line above the pair: which pairs are asked about, and how far that is."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QProgressBar, QPushButton, QWidget

from desktop.ui.theme import Theme
from desktop.ui.widgets.labels import ElidedLabel


class KindsBar(QWidget):
    """Shows the round, or the pairs selected on another page that are asked about in its place."""

    back_requested = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.title = ElidedLabel()
        self.title.setProperty("type", "heading")
        self.back_button = QPushButton()
        self.back_button.setProperty("look", "quiet")
        self.back_button.clicked.connect(self.back_requested)
        self.progress = QProgressBar()
        self.progress.setTextVisible(False)
        self.progress.setFixedSize(theme.px(200), theme.px(4))
        self.progress.setAccessibleName("Progress of the round")
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(theme.px(12))
        row.addWidget(self.title, 1)
        row.addWidget(self.back_button)
        row.addWidget(self.progress)

    def show_progress(self, name: str, done: int, total: int, *, position: int = 0, gone: int = 0) -> None:
        """position: of the pair on the screen, from 1, when it is not the next one that waits; gone: removed pairs."""
        where = f"looking at {position:,} of {total:,}" if position else f"{done:,} of {total:,}"
        parts = (name, where, f"{gone:,} no longer there" if gone else "")
        self.title.setText(" · ".join(part for part in parts if part))
        self.progress.setRange(0, max(1, total))
        self.progress.setValue(done)

    def offer_back(self, text: str) -> None:
        """Offer to leave the selected pairs; "" for none."""
        self.back_button.setText(text)
        self.back_button.setVisible(bool(text))
