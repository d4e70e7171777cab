"""Before the first round: how many pairs there are, in which order they come, and the keys that answer."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QFormLayout, QFrame, QHBoxLayout, QPushButton, QSpinBox, QVBoxLayout, QWidget

from desktop.jobs.review.rounds import LARGEST, RoundOptions
from desktop.text import count
from desktop.ui.pages.review.chip import Chip
from desktop.ui.pages.review.order_box import OrderBox
from desktop.ui.services.actions import ActionRegistry
from desktop.ui.theme import Theme
from desktop.ui.widgets.flow import FlowLayout
from desktop.ui.widgets.plain import PlainLabel
from desktop.ui.widgets.spin import give_room
from miner.records import Answer

_MORE = (("skip", "skips a pair"), ("undo", "takes the last answer back"), ("help", "shows all keys"))


class Begin(QWidget):
    def __init__(self, theme: Theme, actions: ActionRegistry, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme, self._actions = theme, actions
        self._pairs = 0
        self.sentence = PlainLabel()
        self.sentence.setProperty("type", "lead")
        self.sentence.setWordWrap(True)
        self.order = OrderBox()
        self.order.currentIndexChanged.connect(self._explain)
        self.explained = PlainLabel()
        self.explained.setProperty("type", "small")
        self.explained.setWordWrap(True)
        self.explained.setMinimumHeight(theme.px(32))
        self.size_ = QSpinBox()
        self.size_.setAccessibleName("Pairs in the round")
        self.size_.setRange(1, LARGEST)
        self.size_.setGroupSeparatorShown(True)
        self.size_.setSuffix(" pairs")
        self.size_.setSingleStep(50)
        self.size_.valueChanged.connect(self._name_button)
        give_room(self.size_, theme)
        self.button = QPushButton()
        self.button.setProperty("look", "primary")
        self.button.setAutoDefault(True)  # Enter presses it, as Space does
        self.keys = QWidget()
        self._lay_out()
        actions.keys_changed.connect(self.show_keys)

    def _lay_out(self) -> None:
        px = self._theme.px
        self._form = QWidget()
        form = QFormLayout(self._form)
        form.setContentsMargins(0, 0, 0, 0)
        form.setSpacing(px(12))
        label = PlainLabel("&Order")
        label.setBuddy(self.order)
        order = QVBoxLayout()
        order.setSpacing(px(4))
        order.addWidget(self.order)
        order.addWidget(self.explained)
        form.addRow(label, order)
        form.addRow("Si&ze", self.size_)
        self._flow = FlowLayout(px(16), self.keys)
        card = QFrame()
        card.setProperty("look", "card")
        card.setMaximumWidth(px(600))
        inside = QVBoxLayout(card)
        inside.setContentsMargins(*[px(32)] * 4)
        inside.setSpacing(px(20))
        for widget in (self.sentence, self._form, self.keys):
            inside.addWidget(widget)
        inside.addWidget(self.button, 0, Qt.AlignmentFlag.AlignLeft)
        across = QHBoxLayout()
        across.addStretch(1)
        across.addWidget(card, 1000)
        across.addStretch(1)
        layout = QVBoxLayout(self)
        layout.addStretch(2)
        layout.addLayout(across)
        layout.addStretch(3)

    def show_count(self, pairs: int, last: RoundOptions, *, suggested: bool, why_read_only: str = "") -> None:
        """`last`: how the round before was drawn; `suggested`: there are suggestions to order pairs by."""
        self._pairs = pairs
        self.sentence.setText(
            f"{why_read_only} No answers can be given."
            if why_read_only
            else f"{count(pairs, 'pair')} to review, one at a time: one key answers, saves and shows the next."
        )
        self.order.allow_suggested(suggested)
        self.order.choose(last.order)
        self.size_.setValue(last.size)
        for widget in (self._form, self.keys, self.button):
            widget.setVisible(not why_read_only)
        self.show_keys()
        self._explain()
        self._name_button()
        self.button.setEnabled(True)

    def show_busy(self) -> None:
        """A round is being drawn."""
        self.button.setEnabled(False)
        self.button.setText("Choosing pairs…")

    def options(self, last: RoundOptions) -> RoundOptions:
        """What was chosen here, the rest as the last time."""
        return replace(last, order=self.order.order, size=self.size_.value())

    @Slot()
    def show_keys(self) -> None:
        """The keys as they are now."""
        while (item := self._flow.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.deleteLater()
        for answer in Answer:
            self._flow.addWidget(_key(self._theme, self._hint(answer.value), Chip(self._theme, answer.value)))
        for name, words in _MORE:
            if hint := self._hint(name):
                self._flow.addWidget(_key(self._theme, hint, PlainLabel(words)))

    def _hint(self, name: str) -> str:
        return self._actions.hint(f"review.{name}")

    @Slot()
    def _explain(self) -> None:
        self.explained.setText(self.order.explained)

    @Slot()
    def _name_button(self) -> None:
        self.button.setText(f"Start a round of {min(self.size_.value(), self._pairs):,}")


def _key(theme: Theme, hint: str, meaning: QWidget) -> QWidget:
    """A key and what it does."""
    both = QWidget()
    row = QHBoxLayout(both)
    row.setContentsMargins(0, 0, 0, 0)
    row.setSpacing(theme.px(6))
    key = PlainLabel(hint)
    key.setProperty("type", "muted")
    row.addWidget(key)
    row.addWidget(meaning)
    return both
