"""The column in which pairs are judged: the pair, the answers, and the pair before."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QApplication, QFrame, QHBoxLayout, QLabel, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from desktop.text import chance
from desktop.ui.judging.answer_bar import AnswerBar
from desktop.ui.judging.answer_session import AnsweredPair
from desktop.ui.judging.inputs import NoteEditor, RejectBar
from desktop.ui.judging.label_chip import LabelChip
from desktop.ui.judging.pair_view import PairView, origin_text, reason_text, text_width
from desktop.ui.services.project_context import ProjectContext
from desktop.ui.theme import Theme
from desktop.ui.widgets.labels import ElidedLabel, PlainLabel
from desktop.ui.widgets.notices import Notice
from storage.annotation.rounds import ReviewItem

_TIGHT = 620  # px


class PreviousAnswer(QWidget):
    change_requested = Signal(str)  # the pair's key

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._tight = theme.px(_TIGHT)
        self._key, self._told, self._hint = "", "", ""
        self.setFixedHeight(theme.px(30))
        self._lead = PlainLabel("Previous:")
        self.answer = LabelChip(theme)
        self.told = ElidedLabel()
        self.told.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        self.distant = LabelChip(theme, words=False)
        self.opinion = PlainLabel("· model")
        self.suggested = LabelChip(theme, words=False)
        self.sure = PlainLabel()
        self._later = (self.distant, self.opinion, self.suggested, self.sure)
        self.change = QPushButton("Change")
        self.change.setProperty("look", "link")
        self.change.setAccessibleName("Change the previous answer")
        self.change.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.change.clicked.connect(self._on_clicked)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(theme.px(8))
        for widget in (self._lead, self.answer, self.told, self.distant, self.opinion, self.suggested, self.sure):
            if isinstance(widget, QLabel):
                widget.setProperty("type", "muted")
            layout.addWidget(widget)
        layout.addSpacing(theme.px(8))
        layout.addWidget(self.change)
        layout.addStretch(1)
        self.clear()

    def show_answer(self, answered: AnsweredPair, key_hint: str) -> None:
        self._key = answered.item.pair.key
        self.answer.show_label(answered.answer.value if answered.answer else "")
        told, label = origin_text(answered.item)
        bad = answered.item.bad
        lead = "accepted" if answered.accepted else ""
        lead = lead if answered.answer else f"taken out ({reason_text(bad or '').lower()})"
        self._lead.setText(f"Previous: {lead}".rstrip())
        self._told, self._hint = f"· {told}", key_hint
        self.distant.show_label(label.value if label else "")
        made = answered.item.suggestion
        self.suggested.show_label(made.label.value if made else "")
        self.sure.setText(chance(made.confidence) if made else "")
        self.opinion.setVisible(made is not None)
        self.sure.setVisible(made is not None)
        self._fit()
        for widget in (self._lead, self.told, self.change):
            widget.setVisible(True)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Fewer words where a panel leaves little room."""
        is_tight = self.width() < self._tight
        self.answer.show_words(not is_tight)
        self.told.setText("· distant" if is_tight and self.distant.label else self._told)
        self.change.setText("Change" if is_tight or not self._hint else f"Change ({self._hint})")

    def clear(self) -> None:
        self._key = ""
        for widget in (self._lead, self.answer, self.told, *self._later, self.change):
            widget.setVisible(False)

    @Slot()
    def forget_key(self) -> None:
        """Something else was done since: the key would undo that first."""
        self._hint = ""
        self._fit()

    @property
    def key(self) -> str:
        return self._key

    @Slot()
    def _on_clicked(self) -> None:
        self.change_requested.emit(self._key)


class PairColumn(QWidget):
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
        self.bad = RejectBar(theme)
        self.answers = answers
        self.previous = PreviousAnswer(theme)
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
