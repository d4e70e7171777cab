"""The column in which doubts are settled: the pair, who says what, why it is doubted, the answers."""

from __future__ import annotations

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QHBoxLayout, QWidget

from desktop.jobs.review.disagreements import DoubtedPair
from desktop.text import chance
from desktop.ui.pages.disagreements.opinions import Opinions
from desktop.ui.pages.review.answer_bar import AnswerBar
from desktop.ui.pages.review.reading import Reading
from desktop.ui.services.project_context import ProjectContext
from desktop.ui.theme import Theme
from desktop.ui.widgets.plain import PlainLabel
from miner.records import Answer
from storage.annotation.rounds import ReviewItem

_ROOMY = 840  # px of the window's height
HINTS = (  # action, words
    ("skip", "skip"),
    ("context", "context"),
    ("note", "note"),
    ("flag", "flag"),
    ("bad", "bad pair"),
    ("edit.undo", "undo"),
    ("guide", "definitions"),
    ("help", "help"),
)


class Why(QWidget):
    """How much the label is doubted, and why; on as many lines as that takes."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.doubt = PlainLabel()
        self.doubt.setProperty("type", "heading")
        self.why = PlainLabel()
        self.why.setWordWrap(True)
        self.why.setProperty("type", "muted")
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(theme.px(8))
        row.addWidget(self.doubt, 0, Qt.AlignmentFlag.AlignTop)
        row.addWidget(self.why, 1, Qt.AlignmentFlag.AlignTop)

    def show_why(self, item: ReviewItem, why: str) -> None:
        doubt = item.suggestion.doubt if item.suggestion else None
        self.doubt.setText("" if doubt is None else f"Doubt {chance(doubt)}")
        self.doubt.setVisible(doubt is not None)
        self.why.setText(why)


class DoubtReading(Reading):
    def __init__(self, context: ProjectContext, parent: QWidget | None = None) -> None:
        theme = context.theme
        self._actions = context.actions
        self.opinions = Opinions(theme)
        self.why = Why(theme)
        answers = AnswerBar(context.actions, theme, "disagreements", HINTS)
        super().__init__(context, answers, between=(self.opinions, self.why), roomy=_ROOMY, parent=parent)
        context.actions.keys_changed.connect(self.show_keys)

    @Slot()
    def show_keys(self) -> None:
        """The keys as they are now."""
        hint = self._actions.hint
        self.opinions.show_keys(hint("disagreements.keep"), hint("disagreements.accept"))

    def show_doubt(self, item: ReviewItem, doubted: DoubtedPair | None, annotator: str) -> None:
        """`doubted` None: a pair that was not in the queue."""
        self.show_item(item, blind=False)
        self.pair.show_origin(None)
        self.opinions.show_item(item, _answers(item, doubted, annotator))
        self.why.show_why(item, doubted.why if doubted else "")


def _answers(item: ReviewItem, doubted: DoubtedPair | None, annotator: str) -> dict[str, Answer]:
    """What people say; the annotator's own as it is now."""
    others = {name: answer for name, answer in (doubted.answers if doubted else {}).items() if name != annotator}
    return {**others, annotator: item.mine} if item.mine is not None else others
