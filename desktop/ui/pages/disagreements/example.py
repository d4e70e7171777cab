"""A pair in two lines, with what the model suggests for it."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from desktop.text import chance
from desktop.ui.pages.review.chip import Chip
from desktop.ui.theme import BODY, Theme
from desktop.ui.widgets.elided import ElidedLabel
from desktop.ui.widgets.plain import PlainLabel
from storage.annotation.rounds import ReviewItem


class Example(QWidget):
    """Hidden while there is none."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        px = theme.px
        self.suggested = Chip(theme, words=False)
        self.sure = PlainLabel()
        self.sure.setProperty("type", "muted")
        self.sure.setMinimumWidth(px(48))
        self.sure.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignTop)
        self.premise, self.hypothesis = ElidedLabel(), ElidedLabel()
        lines = QVBoxLayout()
        lines.setSpacing(0)
        for line in (self.premise, self.hypothesis):
            line.setFont(theme.reading_font(BODY))
            line.setTextInteractionFlags(Qt.TextInteractionFlag.NoTextInteraction)
            lines.addWidget(line)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, px(4))
        row.setSpacing(px(8))
        row.addWidget(self.suggested, 0, Qt.AlignmentFlag.AlignTop)
        row.addLayout(lines, 1)
        row.addWidget(self.sure, 0, Qt.AlignmentFlag.AlignTop)
        self.show_item(None)

    def show_item(self, item: ReviewItem | None) -> None:
        made = item.suggestion if item else None
        self.setVisible(made is not None)
        if item is not None and made is not None:
            self.suggested.show_label(made.label.value)
            self.sure.setText(chance(made.confidence))
            self.premise.setText(item.pair.premise)
            self.hypothesis.setText(item.pair.hypothesis)
            self.setAccessibleName(f"{made.label.value}: {item.pair.premise} / {item.pair.hypothesis}")
