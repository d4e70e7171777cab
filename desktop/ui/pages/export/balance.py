"""The note on how many pairs balancing the classes leaves out, below its check box, and a link to what would help."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QPushButton, QWidget

from desktop.jobs.descriptions.balance import balance_advice, balance_text, is_helped_by_mining
from desktop.jobs.mining.class_balance import SampleGain, SparePhrases
from desktop.translation import tr
from desktop.ui.theme import Theme
from desktop.ui.widgets.labels import PlainLabel
from desktop.ui.widgets.layouts import aligned, column_of
from storage.dataset.candidates import ClassBalance
from storage.dataset.options import ExportOptions


class BalanceNote(QWidget):
    """A note that is hidden until the pairs are counted."""

    mining_requested = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.label = PlainLabel(type="small", wraps=True, selectable=True)
        self.link = QPushButton(tr("Open &Mining"))
        self.link.setProperty("look", "link")
        self.link.setCursor(Qt.CursorShape.PointingHandCursor)
        self.link.clicked.connect(self.mining_requested)
        self.setLayout(
            column_of(
                self.label,
                aligned(self.link, Qt.AlignmentFlag.AlignLeft),
                spacing=theme.px(2),
                margins=(theme.px(28), 0, 0, theme.px(4)),
            )
        )
        self.setVisible(False)

    def show_balance(
        self,
        balance: ClassBalance | None,
        options: ExportOptions,
        spare: SparePhrases | None,
        gain: SampleGain | None,
    ) -> None:
        """balance: of an export with these options; None if it has no pairs. spare, gain: as in `balance_advice`."""
        self.setVisible(balance is not None)
        if balance is None:
            return
        cost = (
            balance_text(balance)
            if options.balance
            else tr("Would keep {balance_text}", balance_text=balance_text(balance))
        )
        self.label.setText(
            f"{cost[:1].upper()}{cost[1:]} {balance_advice(balance, spare, gain, settled=options.settled)}".rstrip()
        )
        self.link.setVisible(is_helped_by_mining(balance, spare, gain, settled=options.settled))
