"""The column in which pairs are judged: what comes now, the pair, the answers, and the pair before."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import QApplication, QFrame, QHBoxLayout, QVBoxLayout, QWidget

from desktop.ui.pages.review.answer_bar import AnswerBar
from desktop.ui.pages.review.inputs import BadPairBar, NoteEditor
from desktop.ui.pages.review.pair_view import PairView, text_width
from desktop.ui.pages.review.previous_line import PreviousLine
from desktop.ui.pages.review.round_bar import RoundBar
from desktop.ui.services.project_context import ProjectContext
from desktop.ui.widgets.notice import Notice
from storage.annotation.rounds import ReviewItem


class Reading(QWidget):
    """`above` the pair stands where one is, `between` it and the answers what else there is to know of it.

    `roomy`: px of the window's height from which on the premise has room for four lines, whatever it needs.
    """

    def __init__(
        self,
        context: ProjectContext,
        answers: AnswerBar,
        above: QWidget | None = None,
        between: Sequence[QWidget] = (),
        roomy: int = 600,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        theme = context.theme
        self.pair = PairView(theme, roomy)
        self.notice = Notice(theme)
        self.note = NoteEditor(theme)
        self.bad = BadPairBar(theme)
        self.answers = answers
        self.previous = PreviousLine(theme)
        line = QFrame()
        line.setProperty("look", "line")
        line.setFixedHeight(1)
        below = QWidget()
        below.setMaximumWidth(max(text_width(theme), theme.px(800)))
        stack = QVBoxLayout(below)
        stack.setContentsMargins(0, 0, 0, 0)
        stack.setSpacing(theme.px(8))
        for widget in (*between, self.notice, self.note, self.bad, self.answers, line, self.previous):
            stack.addWidget(widget)
        centred = QHBoxLayout()
        centred.addStretch(1)
        centred.addWidget(below, 1000)
        centred.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(theme.px(12))
        if above is not None:
            column.addWidget(above)
        column.addWidget(self.pair, 1)
        column.addLayout(centred)

    def show_item(self, item: ReviewItem, *, blind: bool) -> None:
        self.pair.show_item(item, blind=blind and item.mine is None)
        self.answers.show_answer(item.mine)
        self.answers.show_flagged(item.flagged)

    @property
    def input_key(self) -> str:
        """The pair that an open input is about; "" for none."""
        return next((widget.key for widget in (self.note, self.bad) if widget.isVisible()), "")

    @property
    def is_typing(self) -> bool:
        """The keyboard is in an input."""
        focus = QApplication.focusWidget()
        return focus is not None and any(widget.isAncestorOf(focus) for widget in (self.note, self.bad))

    def close_inputs(self) -> bool:
        """Close what is open for input; whether something was."""
        opened = [widget for widget in (self.note, self.bad) if widget.isVisible()]
        for widget in opened:
            widget.hide()
        return bool(opened)


class RoundReading(Reading):
    """That of a round of review."""

    def __init__(self, context: ProjectContext, parent: QWidget | None = None) -> None:
        self.round = RoundBar(context.theme)
        super().__init__(context, AnswerBar(context.actions, context.theme), self.round, parent=parent)
