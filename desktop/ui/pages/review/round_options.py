"""The options of the annotator's own queue: pairs, order, size; in a form for the first queue, later in a dialog."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QStandardItemModel
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QPushButton,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from desktop.jobs.review.rounds import MAX_ROUND_SIZE, RoundOptions
from desktop.text import count
from desktop.translation import tr
from desktop.ui.judging.label_chip import LabelChip
from desktop.ui.judging.why_this_pair import ORDER_DESCRIPTIONS
from desktop.ui.pages.review.queue_menu import QueueButtons
from desktop.ui.services.actions import ActionRegistry
from desktop.ui.theme import Theme
from desktop.ui.widgets.fields import ComboBox, NumberBox, centered, pad_number
from desktop.ui.widgets.flow_layout import FlowLayout
from desktop.ui.widgets.labels import PlainLabel, plain_tip
from desktop.ui.widgets.layouts import aligned, card_of, column_of, remove_widgets, row_of
from miner.records import Answer
from storage.annotation.rounds import RoundOrder
from storage.pairs.filters import PairFilter

ORDERS = {
    RoundOrder.CLASS_BALANCED: tr("Class-balanced"),
    RoundOrder.RANDOM: tr("Random"),
    RoundOrder.BY_PAPER: tr("By paper"),
    RoundOrder.BY_SEARCH: tr("Best match first"),
    RoundOrder.DISAGREEMENTS: tr("Doubted labels first"),
    RoundOrder.LEAST_CERTAIN: tr("Lowest confidence first"),
    RoundOrder.ACTIVE: tr("Active learning"),
    RoundOrder.PRECISION: tr("To measure precision"),
}
GIVEN_ORDERS = frozenset({RoundOrder.ASSIGNED, RoundOrder.TIES})  # whose answers are votes, or decide
_SUGGESTION_ORDERS = (RoundOrder.DISAGREEMENTS, RoundOrder.LEAST_CERTAIN, RoundOrder.ACTIVE)
# On SciNLI's human-labelled pairs with 12 % wrong distant labels (`tests.bench.orders`).
_NO_BETTER = tr("In a simulation, a model learned no more from up to 1,000 of them than from pairs drawn at random.")
_FIGURES = {
    RoundOrder.CLASS_BALANCED: tr("Good to compare classes and to train on answers."),
    RoundOrder.DISAGREEMENTS: tr(
        "In simulations 38 to 75 of the first 100 labels were wrong; of 100 pairs drawn at random 12 were."
    ),
    RoundOrder.LEAST_CERTAIN: _NO_BETTER,
    RoundOrder.ACTIVE: _NO_BETTER,
}
_NO_SUGGESTIONS_HINT = tr("Orders that need suggestions can be chosen once a model has made some on the Model page.")


class OrderBox(ComboBox):
    """Selects the order of a round."""

    def __init__(self, *, searched: bool = False, parent: QWidget | None = None) -> None:
        """`searched`: there is a search by which pairs can be ordered."""
        super().__init__(parent)
        self._has_suggestions = True
        self.setAccessibleName(tr("Order"))
        for order, words in ORDERS.items():
            if order is not RoundOrder.BY_SEARCH or searched:
                self.addItem(words, order)

    @property
    def order(self) -> RoundOrder:
        return RoundOrder(self.currentData())

    @property
    def description(self) -> str:
        """What the selected order is for, what it was worth in a simulation, and why some orders are disabled."""
        text = " ".join(filter(None, (ORDER_DESCRIPTIONS[self.order], _FIGURES.get(self.order))))
        return text if self._has_suggestions else f"{text}\n{_NO_SUGGESTIONS_HINT}"

    def select(self, order: RoundOrder) -> None:
        """Select an order, unless it is disabled."""
        if self._has_suggestions or order not in _SUGGESTION_ORDERS:
            self.setCurrentIndex(max(0, self.findData(order)))

    def set_has_suggestions(self, has_suggestions: bool) -> None:
        """Enable the orders by suggestions, or disable them."""
        self._has_suggestions = has_suggestions
        model = self.model()
        assert isinstance(model, QStandardItemModel)
        for order in _SUGGESTION_ORDERS:
            index = self.findData(order)
            model.item(index).setEnabled(has_suggestions)
            self.setItemData(
                index, None if has_suggestions else plain_tip(_NO_SUGGESTIONS_HINT), Qt.ItemDataRole.ToolTipRole
            )
        if self.order in _SUGGESTION_ORDERS and not has_suggestions:
            self.setCurrentIndex(0)


def _size_box(theme: Theme) -> QSpinBox:
    box = NumberBox(minimum=1, maximum=MAX_ROUND_SIZE, singleStep=50, suffix=" pairs")
    box.setGroupSeparatorShown(True)
    box.setAccessibleName(tr("Pairs in the queue"))
    pad_number(box, theme)
    return box


def _description_label(theme: Theme) -> PlainLabel:
    label = PlainLabel(type="small", wraps=True)
    label.setMinimumHeight(theme.px(32))
    return label


_OTHER_KEYS = (("skip", tr("skips a pair")), ("undo", tr("undoes the last answer")), ("help", tr("shows all keys")))


class FirstRound(QWidget):
    """The form that starts the first queue, with the other queues that wait."""

    def __init__(self, theme: Theme, actions: ActionRegistry, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme, self._actions = theme, actions
        self._pairs = 0
        self.sentence = PlainLabel(type="lead", wraps=True)
        self.order_box = OrderBox()
        self.order_box.currentIndexChanged.connect(self._show_description)
        self.description = _description_label(theme)
        self.size_box = _size_box(theme)
        self.size_box.valueChanged.connect(self._update_button)
        self.start_button = QPushButton()
        self.start_button.setProperty("look", "primary")
        self.start_button.setAutoDefault(True)  # Enter presses it, as Space does
        self.others = QueueButtons(theme)
        self.keys_box = QWidget()
        self._lay_out()
        actions.keys_changed.connect(self.show_keys)

    def _lay_out(self) -> None:
        px = self._theme.px
        self._form = QWidget()
        form = QFormLayout(self._form)
        form.setContentsMargins(0, 0, 0, 0)
        form.setSpacing(px(12))
        label = PlainLabel(tr("&Order"))
        label.setBuddy(self.order_box)
        order = column_of(self.order_box, self.description, spacing=px(4))
        form.addRow(label, order)
        form.addRow(tr("Si&ze"), self.size_box)
        self._flow = FlowLayout(px(16), self.keys_box)
        start = aligned(self.start_button, Qt.AlignmentFlag.AlignLeft)
        parts = (self.sentence, self._form, self.keys_box, start, self.others)
        frame = card_of(column_of(*parts, spacing=px(20), margins=px(32)))
        frame.setMaximumWidth(px(600))
        self.setLayout(column_of(centered(frame, px(8)), spacing=0))

    def show_count(self, pairs: int, last: RoundOptions, *, suggested: bool, read_only_reason: str = "") -> None:
        """Show the form for this many pairs. `last`: options of the last round; `suggested`: there are suggestions."""
        self._pairs = pairs
        self.sentence.setText(
            tr("{read_only_reason} No answers can be given.", read_only_reason=read_only_reason)
            if read_only_reason
            else tr(
                "{pairs} to review, one at a time: one key answers, saves and shows the next pair.",
                pairs=count(pairs, "pair"),
            )
        )
        self.order_box.set_has_suggestions(suggested)
        self.order_box.select(last.order)
        self.size_box.setValue(last.size)
        for widget in (self._form, self.keys_box, self.start_button):
            widget.setVisible(not read_only_reason)
        self.show_keys()
        self._show_description()
        self._update_button()
        self.start_button.setEnabled(True)

    def show_starting(self) -> None:
        """Show that the pairs of a queue are being chosen."""
        self.start_button.setEnabled(False)
        self.start_button.setText(tr("Choosing pairs…"))

    def options(self, last: RoundOptions) -> RoundOptions:
        """The selected options; all others as in `last`."""
        return replace(last, order=self.order_box.order, size=self.size_box.value())

    @Slot()
    def show_keys(self) -> None:
        """Show the current keys."""
        remove_widgets(self._flow)
        for answer in Answer:
            self._flow.addWidget(_key_hint(self._theme, self._hint(answer.value), LabelChip(self._theme, answer.value)))
        for name, words in _OTHER_KEYS:
            if hint := self._hint(name):
                self._flow.addWidget(_key_hint(self._theme, hint, PlainLabel(words)))

    def _hint(self, name: str) -> str:
        return self._actions.hint(f"review.{name}")

    @Slot()
    def _show_description(self) -> None:
        self.description.setText(self.order_box.description)

    @Slot()
    def _update_button(self) -> None:
        self.start_button.setText(tr("Start a queue of {size_box:,}", size_box=min(self.size_box.value(), self._pairs)))


def _key_hint(theme: Theme, hint: str, meaning: QWidget) -> QWidget:
    """A widget with a key and its effect."""
    both = QWidget()
    key = PlainLabel(hint, type="muted")
    both.setLayout(row_of(key, meaning, spacing=theme.px(6)))
    return both


class RoundDialog(QDialog):
    """The dialog that starts another queue of the annotator's own."""

    def __init__(
        self,
        theme: Theme,
        domains: Mapping[str, int],
        shown: PairFilter,
        last: RoundOptions,
        parent: QWidget | None = None,
        *,
        suggested: bool = False,
        left: int = 0,
    ) -> None:
        """`shown`: filter of the Pairs page; `last`: options of the last own queue; `suggested`: there are suggestions.

        `left`: how many pairs wait in the last own queue, which the new one replaces.
        """
        super().__init__(parent)
        self.setWindowTitle(tr("Start a new queue"))
        self.setMinimumWidth(theme.px(480))
        self.pairs_box = ComboBox()
        self.pairs_box.addItem(tr("All pairs you have not answered yet"), PairFilter())
        if shown != PairFilter():
            self.pairs_box.addItem(tr("Pairs that the Pairs page shows now"), shown)
        if len(domains) > 1:
            for domain, papers in domains.items():
                text = tr(
                    "Domain: {domain} ({papers})", domain=domain or tr("none given"), papers=count(papers, "paper")
                )
                self.pairs_box.addItem(text, PairFilter(domains=frozenset({domain})))
        self.order_box = OrderBox(searched=bool(shown.text))
        self.order_box.set_has_suggestions(suggested)
        self.description = _description_label(theme)
        self.size_box = _size_box(theme)
        self.size_box.setValue(last.size)
        form = QFormLayout()
        form.setSpacing(theme.px(12))
        form.addRow(tr("&Pairs"), self.pairs_box)
        form.addRow(tr("&Order"), self.order_box)
        form.addRow("", self.description)
        form.addRow(tr("Si&ze"), self.size_box)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.start_button = buttons.addButton(tr("Start"), QDialogButtonBox.ButtonRole.AcceptRole)
        self.start_button.setProperty("look", "primary")
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(*[theme.px(24)] * 4)
        layout.setSpacing(theme.px(16))
        layout.addLayout(form)
        if left:
            replaced = PlainLabel(
                tr("It replaces your queue, which has {pairs} left. Your answers are kept.", pairs=count(left, "pair")),
                type="muted",
                wraps=True,
            )
            layout.addWidget(replaced)
        layout.addWidget(buttons)
        self.start_button.setDefault(True)  # only now that it belongs to the dialog
        self.order_box.currentIndexChanged.connect(self._show_description)
        self.order_box.select(last.order)
        self._show_description()

    def options(self) -> RoundOptions:
        """The selected options."""
        return RoundOptions(self.order_box.order, self.pairs_box.currentData(), self.size_box.value())

    @Slot()
    def _show_description(self) -> None:
        self.description.setText(self.order_box.description)
