"""The line above the pair: which round it is, how far, in which order, and whether blind."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QProgressBar, QPushButton, QToolButton, QVBoxLayout, QWidget

from desktop.ui.pages.review.round_options import ORDERS
from desktop.ui.theme import Theme
from desktop.ui.widgets.labels import ElidedLabel, set_tip
from storage.annotation.rounds import Round


class RoundBar(QWidget):
    round_requested = Signal()
    back_requested = Signal()
    blind_changed = Signal(bool)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.where = ElidedLabel()
        self.where.setProperty("type", "heading")
        self.back = QPushButton("Back to the round")
        self.back.setProperty("look", "quiet")
        self.back.clicked.connect(self.back_requested)
        self.queue = QToolButton()
        self.queue.setProperty("look", "quiet")
        self.queue.setIcon(theme.icon("chevron-down", "muted"))
        self.queue.setLayoutDirection(Qt.LayoutDirection.RightToLeft)  # the arrow stands behind the words
        self.queue.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        set_tip(self.queue, "Start another round")
        self.queue.clicked.connect(self.round_requested)
        self.blind = QToolButton()
        self.blind.setCheckable(True)
        self.blind.setProperty("look", "quiet")
        self.blind.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.blind.clicked.connect(self.blind_changed)
        self.blind.toggled.connect(self._on_blind)
        self.progress = QProgressBar()
        self.progress.setTextVisible(False)
        self.progress.setFixedHeight(theme.px(4))
        self.progress.setAccessibleName("Progress of the round")
        row = QHBoxLayout()
        row.setSpacing(theme.px(8))
        row.addWidget(self.where, 1)
        for button in (self.back, self.queue, self.blind):
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            button.setIconSize(QSize(theme.px(16), theme.px(16)))
            row.addWidget(button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(theme.px(8))
        layout.addLayout(row)
        layout.addWidget(self.progress)
        self.show_blind(True)

    def show_round(self, shown: Round, done: int, total: int, gone: int = 0, *, place: int = 0) -> None:
        """`gone`: so many of the round's pairs are no longer there, and not of the `total`.

        `place`: of the pair on the screen where it is not the next that waits.
        """
        domains = ", ".join(sorted(domain or "no domain" for domain in shown.filter.domains))
        parts = (
            f"Round {shown.number:,}",
            domains,
            _how_far(done, total, place),
            f"{gone:,} no longer there" if gone else "",
        )
        self.where.setText(" · ".join(part for part in parts if part))
        self.queue.setText(f"Queue: {ORDERS[shown.order].lower()}")
        self.back.setVisible(False)
        self.queue.setVisible(True)
        self._show_progress(done, total)

    def show_chosen(self, done: int, total: int, *, in_round: bool, place: int = 0) -> None:
        """Pairs that somebody chose elsewhere."""
        self.where.setText(f"Chosen pairs · {_how_far(done, total, place)}" if total > 1 else "One chosen pair")
        self.queue.setVisible(False)
        self.back.setVisible(True)
        self.back.setText("Back to the round" if in_round else "Start a round")
        self._show_progress(done, total)

    def show_blind(self, blind: bool) -> None:
        self.blind.setChecked(blind)
        self._on_blind(blind)

    def _show_progress(self, done: int, total: int) -> None:
        self.progress.setRange(0, max(1, total))
        self.progress.setValue(done)

    def _on_blind(self, blind: bool) -> None:
        self.blind.setText(" Blind on" if blind else " Blind off")
        self.blind.setIcon(self._theme.icon("eye-off" if blind else "eye", "muted"))
        set_tip(
            self.blind,
            "Phrase and distant label stay hidden until a pair is answered. Each answer keeps whether it was so."
            if blind
            else "Phrase and distant label are shown before the answer. Each answer keeps that they were.",
        )


def _how_far(done: int, total: int, place: int) -> str:
    return f"looking at {place:,} of {total:,}" if place else f"{done:,} of {total:,}"
