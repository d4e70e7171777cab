"""The orders in which a round's pairs can come."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QStandardItemModel
from PySide6.QtWidgets import QComboBox, QWidget

from desktop.ui.pages.review.words import ORDERS
from desktop.ui.widgets.plain import plain_tip
from storage.annotation.rounds import RoundOrder

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
