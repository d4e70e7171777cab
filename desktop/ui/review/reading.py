"""The column in which one reviews: the round, the pair, the answers, and the pair before."""

from __future__ import annotations

from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from desktop.ui.desk import Desk
from desktop.ui.review.answer_bar import AnswerBar
from desktop.ui.review.inputs import BadPairBar, NoteEditor
from desktop.ui.review.pair_view import PairView, text_width
from desktop.ui.review.previous_line import PreviousLine
from desktop.ui.review.round_bar import RoundBar
from desktop.ui.widgets.notice import Notice
from storage.rounds import ReviewItem


class Reading(QWidget):
    def __init__(self, desk: Desk, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        theme = desk.theme
        self.round = RoundBar(theme)
        self.pair = PairView(theme)
        self.notice = Notice(theme)
        self.note = NoteEditor(theme)
        self.bad = BadPairBar(theme)
        self.answers = AnswerBar(desk.actions, theme)
        self.previous = PreviousLine(theme)
        line = QFrame()
        line.setProperty("look", "line")
        line.setFixedHeight(1)
        below = QWidget()
        below.setMaximumWidth(max(text_width(theme), theme.px(800)))
        stack = QVBoxLayout(below)
        stack.setContentsMargins(0, 0, 0, 0)
        stack.setSpacing(theme.px(8))
        for widget in (self.notice, self.note, self.bad, self.answers, line, self.previous):
            stack.addWidget(widget)
        centred = QHBoxLayout()
        centred.addStretch(1)
        centred.addWidget(below, 1000)
        centred.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(theme.px(12))
        column.addWidget(self.round)
        column.addWidget(self.pair, 1)
        column.addLayout(centred)

    def show_item(self, item: ReviewItem, *, blind: bool) -> None:
        self.pair.show_item(item, blind=blind and item.mine is None)
        self.answers.show_answer(item.mine)

    def close_inputs(self) -> bool:
        """Close what is open for input; whether something was."""
        opened = [widget for widget in (self.note, self.bad) if widget.isVisible()]
        for widget in opened:
            widget.hide()
        return bool(opened)
