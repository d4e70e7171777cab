"""The line above the list: what waits, and the button that goes on with it."""

from __future__ import annotations

from typing import NamedTuple

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QToolButton, QWidget

from desktop.text import count
from desktop.ui.pages.papers.import_controller import ImportController
from desktop.ui.theme import Theme
from desktop.ui.widgets.plain import PlainLabel, set_tip
from storage.papers.table import Totals


class NextStep(NamedTuple):
    """What can be gone on with: its name, a sentence, the button's text, and whether the line can be closed."""

    name: str
    text: str
    button: str
    can_close: bool = True


def next_step(totals: Totals | None, imports: ImportController, *, read_only: bool) -> NextStep | None:
    """Files left of a cancelled import, papers to mine, or pairs to review; None while anything goes on."""
    if totals is None or imports.is_going:
        return None
    if imports.left and not read_only:
        verb = "is" if imports.left == 1 else "are"
        text = f"Adding papers was cancelled: {count(imports.left, 'file')} {verb} left."
        return NextStep("left", text, f"Go on with {imports.left:,} left")
    if totals.unmined and not read_only:
        verb = "waits" if totals.unmined == 1 else "wait"
        return NextStep("unmined", f"{count(totals.unmined, 'paper')} {verb} to be mined.", "Mine now", can_close=False)
    if imports.has_new_pairs and totals.pairs:
        verb = "is" if totals.pairs == 1 else "are"
        return NextStep("mined", f"{count(totals.pairs, 'pair')} {verb} ready.", "Review")
    return None


class NextStepLine(QWidget):
    """Hidden while nothing waits."""

    asked = Signal(str)  # the name of the step that was shown
    dismissed = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._step = ""
        self.setProperty("look", "notice")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.text = PlainLabel()
        self.button = QPushButton()
        self.button.clicked.connect(lambda: self.asked.emit(self._step))
        self.cross = QToolButton()
        self.cross.setProperty("look", "quiet")
        theme.give_icon(self.cross, "x")
        set_tip(self.cross, "Do not show this line")
        self.cross.setAccessibleName("Close this line")
        self.cross.clicked.connect(lambda: self.dismissed.emit(self._step))
        px = theme.px
        row = QHBoxLayout(self)
        row.setContentsMargins(px(12), px(6), px(8), px(6))
        row.addWidget(self.text, 1)
        row.addWidget(self.button)
        row.addWidget(self.cross)
        self.setVisible(False)

    def show_step(self, step: NextStep | None) -> None:
        """Show a step; None hides the line."""
        self._step = step.name if step else ""
        if step is not None:
            self.text.setText(step.text)
            self.button.setText(step.button)
            self.cross.setVisible(step.can_close)
        self.setVisible(step is not None)
