"""A card that answers a question: room for buttons beside it, its contents, and one line about what is pointed at."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QStackedWidget,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from desktop.ui.theme import Theme
from desktop.ui.widgets.labels import PlainLabel, set_tip


class Card(QFrame):
    """A card without its contents yet: the question, room for buttons, `body`, and the line below."""

    opened = Signal(object)  # what is behind a mark: of pairs, the PairFilter
    copied = Signal(int)  # how many lines

    def __init__(self, theme: Theme, question: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.question = question
        self.summary = ""
        self.setProperty("look", "card")
        self.setAccessibleName(question)
        layout = QVBoxLayout(self)
        margin = theme.px(16)
        layout.setContentsMargins(margin, theme.px(12), margin, theme.px(12))
        layout.setSpacing(theme.px(8))
        self.head = QHBoxLayout()
        self.head.setSpacing(theme.px(4))
        self.heading = PlainLabel(question)
        self.heading.setProperty("type", "heading")
        self.heading.setWordWrap(True)
        self.head.addWidget(self.heading, 1)
        layout.addLayout(self.head)
        self.body = QStackedWidget()
        self.waiting = PlainLabel("Counting…")
        self.waiting.setProperty("type", "muted")
        self.waiting.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.waiting.setWordWrap(True)
        self.waiting.setMinimumHeight(theme.px(160))
        self.body.addWidget(self.waiting)
        layout.addWidget(self.body, 1)
        self.line = PlainLabel()
        self.line.setProperty("type", "small")
        self.line.setWordWrap(True)
        self.line.setAlignment(Qt.AlignmentFlag.AlignTop)
        layout.addWidget(self.line)
        theme.changed.connect(self._fit)
        self._fit()

    def add_button(self, text: str, icon: str, tip: str) -> QToolButton:
        button = QToolButton()
        button.setProperty("look", "quiet")
        set_tip(button, tip)
        button.setAccessibleName(f"{tip}: {self.question}")
        side = self._theme.px(16)
        button.setIconSize(QSize(side, side))
        if icon:
            self._theme.give_icon(button, icon)
        else:
            button.setText(text)
        self.head.addWidget(button, 0, Qt.AlignmentFlag.AlignTop)
        return button

    def say(self, text: str) -> None:
        self.line.setText(text or self.summary)

    def tsv(self) -> str:
        """The numbers as tab-separated text, with the columns' names."""
        raise NotImplementedError

    @Slot()
    def copy(self) -> None:
        text = self.tsv()
        QGuiApplication.clipboard().setText(text)
        self.copied.emit(text.count("\n") - 1)

    @Slot()
    def _fit(self) -> None:
        self.line.setFixedHeight(2 * self._theme.px(16) + 2)  # two lines, always: nothing moves under the pointer
