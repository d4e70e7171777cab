"""Which model, what it is, and its button; while it works, how far it is."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QProgressBar,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from desktop.ui.theme import Theme
from desktop.ui.widgets.labels import ElidedLabel, PlainLabel, set_tip
from desktop.ui.widgets.model_combo_box import ModelComboBox
from desktop.ui.widgets.notices import Notice
from miner.progress import Tick

if TYPE_CHECKING:
    from desktop.jobs.models.registry import ModelChoice


class Chooser(QFrame):
    chosen = Signal()  # another model
    order_requested = Signal()
    suggest_requested = Signal()
    pause_requested = Signal()
    stop_requested = Signal()
    train_requested = Signal()

    def __init__(self, theme: Theme, home: Path, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme, self._home = theme, home
        self.setProperty("look", "card")
        self._make()
        self._lay_out()
        self.show_job(None)
        self.show_offer("")

    @property
    def choice(self) -> ModelChoice | None:
        return self.models.choice

    def show_choices(self, choices: Sequence[ModelChoice], reference: str = "") -> None:
        """Offer these; `reference`, else what was chosen, stays so."""
        self.models.show_choices(choices, reference)
        self._say_what()

    def show_wish(self, text: str, *, main: bool, possible: bool) -> None:
        """The button; no text hides it."""
        self.button.setText(text)
        self.button.setProperty("look", "primary" if main else None)
        self.button.style().unpolish(self.button)
        self.button.style().polish(self.button)
        self.button.setEnabled(possible)
        self.button.setVisible(bool(text))

    def show_job(self, tick: Tick | None, *, words: str = "", paused: bool = False) -> None:
        """How far it is; None: nothing runs."""
        for widget in (self.bar, self.far, self.pause, self.stop):
            widget.setVisible(tick is not None)
        self.models.setEnabled(tick is None)
        if tick is None:
            return
        self.bar.setRange(0, tick.total or 0)
        self.bar.setValue(tick.done)
        self.far.setText(words)
        self.pause.setText("Resume" if paused else "Pause")
        self._theme.set_icon(self.pause, "play" if paused else "pause")

    def show_offer(self, text: str) -> None:
        """A line that offers training; "" for none."""
        self.offer.show_text(text, "info")
        self.train.setVisible(bool(text))

    def tell(self, text: str, tone: str = "bad", *, order: bool = False) -> None:
        """A sentence below the model; `order`: with a button to say which class is which."""
        self.notice.show_text(text, tone)
        self.order.setVisible(order)

    def _say_what(self) -> None:
        choice = self.choice
        self.what.setText(choice.what if choice else "")
        self.what.setVisible(bool(choice and choice.what))

    @Slot()
    def _on_chosen(self) -> None:
        self._say_what()
        self.chosen.emit()

    def _make(self) -> None:
        theme = self._theme
        self.models = ModelComboBox(theme, "Model", self._home)
        self.models.model_changed.connect(self._on_chosen)
        self.what = ElidedLabel()
        self.what.setProperty("type", "small")
        self.button = QPushButton()
        self.button.setMinimumWidth(theme.px(140))
        self.button.clicked.connect(self.suggest_requested)
        self.bar = QProgressBar()
        self.bar.setTextVisible(False)
        self.bar.setAccessibleName("Pairs that have a suggestion")
        self.far = PlainLabel()
        self.far.setProperty("type", "small")
        self.pause = self._tool("Pause", "pause")
        self.pause.clicked.connect(self.pause_requested)
        self.stop = self._tool("Stop", "square")
        set_tip(self.stop, "Stop; what there is stays, and it can be resumed from there")
        self.stop.clicked.connect(self.stop_requested)
        self.notice = Notice(theme)
        self.order = QPushButton("Say which class is which…")
        self.order.clicked.connect(self.order_requested)
        self.order.setVisible(False)
        self.offer = Notice(theme)
        self.train = QPushButton("Train again…")
        self.train.clicked.connect(self.train_requested)

    def _tool(self, text: str, icon: str) -> QPushButton:
        button = QPushButton(text)
        button.setIconSize(QSize(self._theme.px(14), self._theme.px(14)))
        self._theme.set_icon(button, icon)
        return button

    def _lay_out(self) -> None:
        px = self._theme.px
        layout = QVBoxLayout(self)
        layout.setContentsMargins(px(16), px(12), px(16), px(12))
        layout.setSpacing(px(8))
        label = PlainLabel("&Model")
        label.setProperty("type", "heading")
        label.setBuddy(self.models)
        first = QHBoxLayout()
        first.setSpacing(px(12))
        for widget in (label, self.models):
            first.addWidget(widget)
        first.addWidget(self.what, 1)
        first.addWidget(self.button)
        first.addWidget(self.pause)
        first.addWidget(self.stop)
        layout.addLayout(first)
        for widgets in ((self.bar, self.far), (self.notice, self.order), (self.offer, self.train)):
            row = QHBoxLayout()
            row.setSpacing(px(12))
            row.addWidget(widgets[0], 1, Qt.AlignmentFlag.AlignVCenter)
            row.addWidget(widgets[1])
            layout.addLayout(row)
