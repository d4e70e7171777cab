"""The line above the pair: the queue, its progress, the other queues and blind mode."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QProgressBar, QPushButton, QToolButton, QWidget

from desktop.translation import tr
from desktop.ui.pages.review.queue_menu import QueueMenuButton, queue_name
from desktop.ui.pages.review.round_options import ORDERS
from desktop.ui.theme import Theme
from desktop.ui.widgets.labels import ElidedLabel, set_tip
from desktop.ui.widgets.layouts import column_of, row_of, stretched
from storage.annotation.rounds import Round


class RoundBar(QWidget):
    """Shows the queue, or the selection that is reviewed instead, with buttons to change these and blind mode."""

    back_requested = Signal()
    blind_changed = Signal(bool)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._is_fixed = False
        self.title = ElidedLabel(type="heading")
        self.back_button = QPushButton()
        self.back_button.setProperty("look", "quiet")
        self.back_button.clicked.connect(self.back_requested)
        self.queue_button = QueueMenuButton(theme)
        self.blind_button = QToolButton()
        self.blind_button.setCheckable(True)
        self.blind_button.setProperty("look", "quiet")
        self.blind_button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.blind_button.clicked.connect(self.blind_changed)
        self.blind_button.toggled.connect(self._show_blind_text)
        self.progress = QProgressBar()
        self.progress.setTextVisible(False)
        self.progress.setFixedHeight(theme.px(4))
        self.progress.setAccessibleName(tr("Progress of the queue"))
        row = row_of(stretched(self.title), spacing=theme.px(8))
        for button in (self.back_button, self.queue_button, self.blind_button):
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            button.setIconSize(QSize(theme.px(16), theme.px(16)))
            row.addWidget(button)
        self.setLayout(column_of(row, self.progress, spacing=theme.px(8)))
        self.show_blind(True)

    def fix_round(self) -> None:
        """Offer neither another queue nor blind mode, for an answer file, in which there is nothing to hide."""
        self._is_fixed = True
        self.queue_button.setVisible(False)
        self.blind_button.setVisible(False)

    def show_round(
        self, round: Round, done: int, total: int, missing: int = 0, *, position: int = 0, pace: str = ""
    ) -> None:
        """Show the progress of a queue.

        `missing`: how many pairs no longer exist, not counted in `total`. `position`: of the pair on the screen, from
        1, if it is not the next pair that waits. `pace`: the annotator's speed and the time left, in words.
        """
        domains = ", ".join(sorted(domain or tr("no domain") for domain in round.filter.domains))
        parts = (
            queue_name(round.queue),
            ORDERS[round.order].lower() if round.order in ORDERS else "",
            domains,
            _progress_text(done, total, position),
            tr("{missing:,} no longer in the project", missing=missing) if missing else "",
            pace,
        )
        self.title.setText(" · ".join(part for part in parts if part))
        self.back_button.setVisible(False)
        self.queue_button.setVisible(not self._is_fixed)
        self._show_progress(done, total)

    def show_selection(self, done: int, total: int, *, in_round: bool, position: int = 0) -> None:
        """Show the progress of pairs selected on another page."""
        self.title.setText(
            tr("Selected pairs · {progress_text}", progress_text=_progress_text(done, total, position))
            if total > 1
            else tr("One selected pair")
        )
        self.queue_button.setVisible(False)
        self.back_button.setVisible(True)
        self.back_button.setText(tr("Back to the queue") if in_round else tr("Start a queue"))
        self._show_progress(done, total)

    def show_blind(self, blind: bool) -> None:
        """Show whether blind mode is on."""
        self.blind_button.setChecked(blind)
        self._show_blind_text(blind)

    def _show_progress(self, done: int, total: int) -> None:
        self.progress.setRange(0, max(1, total))
        self.progress.setValue(done)

    def _show_blind_text(self, blind: bool) -> None:
        self.blind_button.setText(tr(" Blind on") if blind else tr(" Blind off"))
        self.blind_button.setIcon(self._theme.icon("eye-off" if blind else "eye", "muted"))
        set_tip(
            self.blind_button,
            tr("Blind mode: linking phrase and distant label stay hidden until you answer. Each answer records this.")
            if blind
            else tr("Linking phrase and distant label are shown before you answer. Each answer records this."),
        )


def _progress_text(done: int, total: int, position: int) -> str:
    return (
        tr("looking at {position:,} of {total:,}", position=position, total=total)
        if position
        else tr("{done:,} of {total:,}", done=done, total=total)
    )
