"""The dialog that starts a round: which pairs, how many, in which order."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import Slot
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from desktop.jobs.review.rounds import LARGEST, RoundOptions
from desktop.ui.pages.review.order_box import OrderBox
from desktop.ui.theme import Theme
from desktop.ui.widgets.plain import PlainLabel
from desktop.ui.widgets.spin import give_room
from storage.pairs.filters import PairFilter

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
