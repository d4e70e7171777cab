"""The dialog that starts a round: which pairs, how many, in which order."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QStandardItemModel
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from desktop.jobs.review import LARGEST, RoundOptions
from desktop.ui.review.words import ORDERS
from desktop.ui.theme import Theme
from desktop.ui.widgets.plain import PlainLabel
from desktop.ui.widgets.spin import give_room
from storage.filters import PairFilter
from storage.rounds import RoundOrder

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
        self._shown, self._suggested = shown, suggested
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
        self.order = QComboBox()
        for order, words in ORDERS.items():
            if order is not RoundOrder.BY_SEARCH or shown.text:
                self.order.addItem(words, order)
                self._allow(order, order not in _OF_SUGGESTIONS or suggested)
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
        give_room(self.size_, theme)
        form = QFormLayout()
        form.setSpacing(theme.px(12))
        form.addRow("&Pairs", self.pairs)
        form.addRow("&Order", self.order)
        form.addRow("", self.explained)
        form.addRow("&Target", self.size_)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.start = buttons.addButton("Start", QDialogButtonBox.ButtonRole.AcceptRole)
        self.start.setProperty("look", "primary")
        self.start.setDefault(True)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(*[theme.px(24)] * 4)
        layout.setSpacing(theme.px(16))
        layout.addLayout(form)
        layout.addWidget(buttons)
        self.order.currentIndexChanged.connect(self._explain)
        if suggested or last.order not in _OF_SUGGESTIONS:
            self.order.setCurrentIndex(max(0, self.order.findData(last.order)))
        self._explain()

    def options(self) -> RoundOptions:
        chosen = self.pairs.currentData()
        if chosen == _SHOWN:
            filter = self._shown
        elif chosen == _ALL:
            filter = PairFilter()
        else:
            filter = PairFilter(domains=frozenset({chosen[1]}))
        return RoundOptions(RoundOrder(self.order.currentData()), filter, self.size_.value())

    @Slot()
    def _explain(self) -> None:
        explained = _EXPLAINED[RoundOrder(self.order.currentData())]
        self.explained.setText(explained if self._suggested else f"{explained}\n{_WHY_NOT}")

    def _allow(self, order: RoundOrder, allowed: bool) -> None:
        place = self.order.findData(order)
        model = self.order.model()
        assert isinstance(model, QStandardItemModel)
        model.item(place).setEnabled(allowed)
        if not allowed:
            self.order.setItemData(place, _WHY_NOT, Qt.ItemDataRole.ToolTipRole)
