"""The answers, and below them the other keys; each can be clicked as well."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QToolButton, QVBoxLayout, QWidget

from desktop.ui.pages.review.answer_button import AnswerButton
from desktop.ui.services.actions import ActionRegistry
from desktop.ui.theme import Theme
from desktop.ui.widgets.flow import FlowLayout
from desktop.ui.widgets.plain import set_tip
from miner.records import Answer

HINTS = (  # action, words
    ("accept", "accept"),
    ("skip", "skip"),
    ("context", "context"),
    ("note", "note"),
    ("flag", "flag"),
    ("bad", "bad pair"),
    ("edit.undo", "undo"),
    ("guide", "definitions"),
    ("help", "help"),
)
_SAVING = frozenset(("accept", "keep", "skip", "note", "flag", "bad", "edit.undo"))


class AnswerBar(QWidget):
    answered = Signal(object)  # Answer
    asked = Signal(str)  # the key of an action

    def __init__(
        self,
        actions: ActionRegistry,
        theme: Theme,
        place: str = "review",
        hints: Sequence[tuple[str, str]] = HINTS,
        parent: QWidget | None = None,
    ) -> None:
        """`place`: what the actions' keys begin with."""
        super().__init__(parent)
        self._actions, self._place = actions, place
        self._words = {key if "." in key else f"{place}.{key}": words for key, words in hints}
        self.buttons = {answer: AnswerButton(theme, answer) for answer in Answer}
        self.hints: dict[str, QToolButton] = {}
        self._gap = theme.px(8)
        row = QHBoxLayout()
        row.setSpacing(self._gap)
        for button in self.buttons.values():
            button.clicked.connect(self._on_clicked)
            row.addWidget(button, 1)
        links = FlowLayout(theme.px(4))
        for key in self._words:
            hint = QToolButton()
            hint.setProperty("look", "quiet")
            hint.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            hint.setObjectName(key)
            hint.clicked.connect(self._on_hint)
            self.hints[key] = hint
            links.addWidget(hint)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(theme.px(8))
        layout.addLayout(row)
        layout.addLayout(links)
        actions.keys_changed.connect(self.show_keys)
        self.show_keys()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        share = (self.width() - 4 * self._gap) / len(self.buttons)
        room = all(share >= button.sizeHint().width() for button in self.buttons.values())
        for button in self.buttons.values():
            button.show_words(room)

    @Slot()
    def show_keys(self) -> None:
        """The keys as they are now."""
        for answer, button in self.buttons.items():
            button.show_key(self._actions.hint(f"{self._place}.{answer.value}"))
        for key in self._words:
            self._show_hint(key)

    def _show_hint(self, key: str) -> None:
        words, hint, link = self._words[key], self._actions.hint(key), self.hints[key]
        link.setText(f"{hint} {words}" if hint else words)
        link.setVisible(key in self._actions)
        link.setAccessibleName(f"{words.capitalize()}, key {hint}" if hint else words.capitalize())
        if key in self._actions:
            set_tip(link, self._actions[key].toolTip())

    def show_answer(self, mine: Answer | None) -> None:
        """Mark the annotator's answer."""
        for answer, button in self.buttons.items():
            button.setChecked(answer is mine)

    def show_flagged(self, flagged: bool) -> None:
        """What the key for flags does now."""
        key = f"{self._place}.flag"
        self._words[key] = "unflag" if flagged else "flag"
        self._show_hint(key)

    def offer(self, key: str, offered: bool) -> None:
        """Show the hint of an action only while it has something to do."""
        self.hints[key].setVisible(offered and key in self._actions)

    def allow(self, answers: bool) -> None:
        """Whether anything can be saved."""
        for button in self.buttons.values():
            button.setEnabled(answers)
        for key, hint in self.hints.items():
            if key in _SAVING or key.rpartition(".")[2] in _SAVING:
                hint.setEnabled(answers)

    @Slot()
    def _on_clicked(self) -> None:
        button = self.sender()
        assert isinstance(button, AnswerButton)
        self.answered.emit(button.answer)

    @Slot()
    def _on_hint(self) -> None:
        self.asked.emit(self.sender().objectName())
