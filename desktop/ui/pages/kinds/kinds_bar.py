"""The line above the pair: which pairs are asked about, and the progress."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QProgressBar, QPushButton, QWidget

from desktop.jobs.review.kinds_rounds import KindsQueue
from desktop.translation import tr
from desktop.ui.theme import Theme
from desktop.ui.widgets.labels import ElidedLabel
from desktop.ui.widgets.layouts import row_of, stretched
from storage.annotation.annotation_rounds import RoundKind


class KindsBar(QWidget):
    """Shows the round, or the pairs selected on another page that are asked about instead."""

    back_requested = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.title = ElidedLabel(type="heading")
        self.back_button = QPushButton()
        self.back_button.setProperty("look", "quiet")
        self.back_button.clicked.connect(self.back_requested)
        self.progress = QProgressBar()
        self.progress.setTextVisible(False)
        self.progress.setFixedSize(theme.px(200), theme.px(4))
        self.progress.setAccessibleName(tr("Progress of the round"))
        self.setLayout(row_of(stretched(self.title), self.back_button, self.progress, spacing=theme.px(12)))

    def show_round(self, queue: KindsQueue, done: int, total: int, *, position: int) -> None:
        """total: the number of existing pairs. position: as in `show_selection`."""
        name = tr("Pilot round") if queue.plan.kind is RoundKind.PILOT else tr("Round")
        self._show(f"{name} {queue.round:,}", done, total, position, gone=queue.gone + len(queue.pairs) - total)
        self.back_button.hide()

    def show_selection(self, done: int, total: int, *, position: int, has_round: bool) -> None:
        """position: of the pair on the screen, from 1, if it is not the next pair that waits; else 0."""
        self._show(tr("Selected pairs"), done, total, position)
        self.back_button.setText(tr("Back to the round") if has_round else tr("Draw pairs"))
        self.back_button.show()

    def _show(self, name: str, done: int, total: int, position: int, gone: int = 0) -> None:
        where = (
            tr("looking at {position:,} of {total:,}", position=position, total=total)
            if position
            else tr("{done:,} of {total:,}", done=done, total=total)
        )
        parts = (name, where, tr("{gone:,} no longer in the project", gone=gone) if gone else "")
        self.title.setText(" · ".join(part for part in parts if part))
        self.progress.setRange(0, max(1, total))
        self.progress.setValue(done)
