"""What came of a round, when its last pair is answered."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QGridLayout, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from desktop.ui.judging.label_chip import LabelChip
from desktop.ui.theme import Theme
from desktop.ui.widgets.labels import PlainLabel
from miner.records import Answer
from storage.annotation.rounds import RoundCounts


class RoundSummary(QWidget):
    another_requested = Signal()
    again_requested = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.title = PlainLabel()
        self.title.setProperty("type", "title")
        self.lines = PlainLabel()
        self.lines.setWordWrap(True)
        self.lines.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._counts = QGridLayout()
        self._counts.setHorizontalSpacing(theme.px(24))
        self._counts.setVerticalSpacing(theme.px(6))
        self._counts.setColumnStretch(2, 1)
        self.another = QPushButton("Start another round")
        self.another.setProperty("look", "primary")
        self.another.clicked.connect(self.another_requested)
        self.look = QPushButton("Look at these pairs again")
        self.look.clicked.connect(self.again_requested)
        card = QFrame()
        card.setProperty("look", "card")
        card.setMaximumWidth(theme.px(560))
        inside = QVBoxLayout(card)
        inside.setContentsMargins(*[theme.px(32)] * 4)
        inside.setSpacing(theme.px(16))
        buttons = QHBoxLayout()
        buttons.addWidget(self.another)
        buttons.addWidget(self.look)
        buttons.addStretch(1)
        inside.addWidget(self.title)
        inside.addLayout(self._counts)
        inside.addWidget(self.lines)
        inside.addLayout(buttons)
        layout = QVBoxLayout(self)
        layout.addStretch(1)
        row = QHBoxLayout()
        row.addStretch(1)
        row.addWidget(card, 10)
        row.addStretch(1)
        layout.addLayout(row)
        layout.addStretch(2)

    def show_tally(self, title: str, tally: RoundCounts) -> None:
        self.title.setText(title)
        while self._counts.count():
            item = self._counts.takeAt(0)
            if item is not None and (widget := item.widget()) is not None:
                widget.deleteLater()
        for row, answer in enumerate(Answer):
            count = PlainLabel(f"{tally.answers.get(answer.value, 0):,}")
            count.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            self._counts.addWidget(LabelChip(self._theme, answer.value), row, 0)
            self._counts.addWidget(count, row, 1)
        self.lines.setText("\n".join(_sentences(tally)))
        self.another.setFocus()


def _sentences(tally: RoundCounts) -> list[str]:
    answered = sum(tally.answers.values())
    lines = [f"{answered:,} {_pairs(answered)} answered{_taken_out(tally.bad)}."]
    if tally.compared:
        percent = round(100 * tally.agreed / tally.compared)
        lines.append(
            f"You say what the distant label says for {tally.agreed:,} of {tally.compared:,} {_pairs(tally.compared)} "
            f"({percent} %)."
        )
    if tally.seconds and answered:
        lines.append(f"{_duration(tally.seconds)} in all, {tally.seconds / answered:.1f} s a pair.")
    return lines


def _pairs(count: int) -> str:
    return "pair" if count == 1 else "pairs"


def _taken_out(bad: int) -> str:
    return f", {bad:,} taken out as bad" if bad else ""


def _duration(seconds: float) -> str:
    if seconds < 90:
        return f"{seconds:.0f} seconds"
    minutes = round(seconds / 60)
    return f"{minutes} minutes" if minutes < 90 else f"{minutes / 60:.1f} hours"
