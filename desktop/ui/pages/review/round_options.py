"""Choosing a round: its order, its size and its pairs, before the first one and in a dialog later."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QStandardItemModel
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QFrame,
    QHBoxLayout,
    QPushButton,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from desktop.jobs.review.rounds import LARGEST, RoundOptions
from desktop.text import count
from desktop.ui.judging.label_chip import LabelChip
from desktop.ui.services.actions import ActionRegistry
from desktop.ui.theme import Theme
from desktop.ui.widgets.fields import pad_number
from desktop.ui.widgets.flow_layout import FlowLayout
from desktop.ui.widgets.labels import PlainLabel, plain_tip
from miner.records import Answer
from storage.annotation.rounds import RoundOrder
from storage.pairs.filters import PairFilter

ORDERS = {
    RoundOrder.CLASS_BALANCED: "Class-balanced",
    RoundOrder.RANDOM: "Random",
    RoundOrder.BY_PAPER: "By paper",
    RoundOrder.BY_SEARCH: "Best match first",
    RoundOrder.DISAGREEMENTS: "Disagreements first",
    RoundOrder.LEAST_CERTAIN: "Least certain first",
    RoundOrder.ACTIVE: "Active learning",
}
_EXPLAINED = {
    RoundOrder.CLASS_BALANCED: "As many pairs of each class as the linking phrases allow, mixed. You cannot tell from "
    "the order what a phrase says.",
    RoundOrder.RANDOM: "Pairs drawn at random: what you find holds of all pairs, within the usual error.",
    RoundOrder.BY_PAPER: "Paper after paper, in reading order: quickest when you look at the context often.",
    RoundOrder.BY_SEARCH: "The pairs that match the search on the Pairs page best come first.",
    RoundOrder.DISAGREEMENTS: "The pairs whose distant label the model doubts most: the quickest way to clean a data "
    "set. What you find does not hold of all pairs.",
    RoundOrder.LEAST_CERTAIN: "The pairs on which the model is least sure: what it learns most from.",
    RoundOrder.ACTIVE: "Pairs on which the model is not sure, and which are unlike each other: the best to train "
    "on, when few are answered.",
}
_OF_SUGGESTIONS = (RoundOrder.DISAGREEMENTS, RoundOrder.LEAST_CERTAIN, RoundOrder.ACTIVE)
_WHY_NOT = "Orders by what a model says can be chosen once a model has looked at the pairs: see Suggest."


class OrderBox(QComboBox):
    def __init__(self, *, searched: bool = False, parent: QWidget | None = None) -> None:
        """`searched`: there is a search to order pairs by."""
        super().__init__(parent)
        self._suggested = True
        self.setAccessibleName("Order")
        for order, words in ORDERS.items():
            if order is not RoundOrder.BY_SEARCH or searched:
                self.addItem(words, order)

    @property
    def order(self) -> RoundOrder:
        return RoundOrder(self.currentData())

    @property
    def explained(self) -> str:
        """What the order is for, and why some cannot be chosen."""
        return _EXPLAINED[self.order] if self._suggested else f"{_EXPLAINED[self.order]}\n{_WHY_NOT}"

    def choose(self, order: RoundOrder) -> None:
        """Unless it cannot be chosen."""
        if self._suggested or order not in _OF_SUGGESTIONS:
            self.setCurrentIndex(max(0, self.findData(order)))

    def allow_suggested(self, suggested: bool) -> None:
        """Whether there are suggestions to order pairs by."""
        self._suggested = suggested
        model = self.model()
        assert isinstance(model, QStandardItemModel)
        for order in _OF_SUGGESTIONS:
            place = self.findData(order)
            model.item(place).setEnabled(suggested)
            self.setItemData(place, None if suggested else plain_tip(_WHY_NOT), Qt.ItemDataRole.ToolTipRole)
        if self.order in _OF_SUGGESTIONS and not suggested:
            self.setCurrentIndex(0)


_MORE = (("skip", "skips a pair"), ("undo", "takes the last answer back"), ("help", "shows all keys"))


class FirstRound(QWidget):
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
        pad_number(self.size_, theme)
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

    def show_count(self, pairs: int, last: RoundOptions, *, suggested: bool, read_only_reason: str = "") -> None:
        """`last`: how the round before was drawn; `suggested`: there are suggestions to order pairs by."""
        self._pairs = pairs
        self.sentence.setText(
            f"{read_only_reason} No answers can be given."
            if read_only_reason
            else f"{count(pairs, 'pair')} to review, one at a time: one key answers, saves and shows the next."
        )
        self.order.allow_suggested(suggested)
        self.order.choose(last.order)
        self.size_.setValue(last.size)
        for widget in (self._form, self.keys, self.button):
            widget.setVisible(not read_only_reason)
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
            self._flow.addWidget(_key(self._theme, self._hint(answer.value), LabelChip(self._theme, answer.value)))
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


_ALL, _SHOWN = "all", "shown"


class RoundDialog(QDialog):
    def __init__(
        self,
        theme: Theme,
        domains: Mapping[str, int],
        shown: PairFilter,
        last: RoundOptions,
        parent: QWidget | None = None,
        *,
        suggested: bool = False,
    ) -> None:
        """`suggested`: there are suggestions to order pairs by."""
        super().__init__(parent)
        self._shown = shown
        self.setWindowTitle("Start a round")
        self.setMinimumWidth(theme.px(480))
        self.pairs = QComboBox()
        self.pairs.addItem("All pairs you have not answered", _ALL)
        if shown != PairFilter():
            self.pairs.addItem("Those the Pairs page shows now", _SHOWN)
        if len(domains) > 1:
            for domain, papers in domains.items():
                noun = "paper" if papers == 1 else "papers"
                self.pairs.addItem(f"Domain: {domain or 'none given'} ({papers:,} {noun})", ("domain", domain))
        self.order = OrderBox(searched=bool(shown.text))
        self.order.allow_suggested(suggested)
        self.explained = PlainLabel()
        self.explained.setProperty("type", "small")
        self.explained.setWordWrap(True)
        self.explained.setMinimumHeight(theme.px(32))
        self.size_ = QSpinBox()
        self.size_.setRange(1, LARGEST)
        self.size_.setGroupSeparatorShown(True)
        self.size_.setSuffix(" pairs")
        self.size_.setSingleStep(50)
        self.size_.setValue(last.size)
        pad_number(self.size_, theme)
        form = QFormLayout()
        form.setSpacing(theme.px(12))
        form.addRow("&Pairs", self.pairs)
        form.addRow("&Order", self.order)
        form.addRow("", self.explained)
        form.addRow("&Target", self.size_)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.start = buttons.addButton("Start", QDialogButtonBox.ButtonRole.AcceptRole)
        self.start.setProperty("look", "primary")
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(*[theme.px(24)] * 4)
        layout.setSpacing(theme.px(16))
        layout.addLayout(form)
        layout.addWidget(buttons)
        self.start.setDefault(True)  # now that it is this dialog's: else showing it gives that to the first button
        self.order.currentIndexChanged.connect(self._explain)
        self.order.choose(last.order)
        self._explain()

    def options(self) -> RoundOptions:
        chosen = self.pairs.currentData()
        if chosen == _SHOWN:
            filter = self._shown
        elif chosen == _ALL:
            filter = PairFilter()
        else:
            filter = PairFilter(domains=frozenset({chosen[1]}))
        return RoundOptions(self.order.order, filter, self.size_.value())

    @Slot()
    def _explain(self) -> None:
        self.explained.setText(self.order.explained)
