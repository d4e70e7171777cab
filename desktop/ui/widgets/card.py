"""A card with a question as its heading, buttons beside it, its contents, and a note below."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QStackedWidget,
    QToolButton,
    QWidget,
)

from desktop.translation import tr
from desktop.ui.theme import Theme
from desktop.ui.widgets.labels import PlainLabel, set_tip
from desktop.ui.widgets.layouts import CardFrame, column_of, row_of, stretched


class Card(CardFrame):
    """The frame of a card; subclasses put their contents into `body`."""

    opened = Signal(object)  # what the clicked mark stands for, such as the PairFilter of its pairs
    copied = Signal(int)  # the number of rows

    def __init__(self, theme: Theme, question: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.question = question
        self.summary = ""
        self.setAccessibleName(question)
        margin = theme.px(16)
        self.heading = PlainLabel(question, type="heading", wraps=True)
        self.header = row_of(stretched(self.heading), spacing=theme.px(4))
        self.body = QStackedWidget()
        self.waiting_label = PlainLabel(tr("Counting…"), type="muted", wraps=True)
        self.waiting_label.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.waiting_label.setMinimumHeight(theme.px(160))
        self.body.addWidget(self.waiting_label)
        self.note = PlainLabel(type="small", wraps=True)
        self.note.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.setLayout(
            column_of(
                self.header,
                stretched(self.body),
                self.note,
                spacing=theme.px(8),
                margins=(margin, theme.px(12), margin, theme.px(12)),
            )
        )
        theme.changed.connect(self._set_note_height)
        self._set_note_height()

    def add_button(self, text: str, icon: str, tip: str) -> QToolButton:
        button = QToolButton()
        button.setProperty("look", "quiet")
        set_tip(button, tip)
        button.setAccessibleName(f"{tip}: {self.question}")
        side = self._theme.px(16)
        button.setIconSize(QSize(side, side))
        if icon:
            self._theme.set_icon(button, icon)
        else:
            button.setText(text)
        self.header.addWidget(button, 0, Qt.AlignmentFlag.AlignTop)
        return button

    def show_note(self, text: str) -> None:
        """Show a text below the contents; the card's `summary` if it is empty."""
        self.note.setText(text or self.summary)

    def tsv(self) -> str:
        """The numbers as tab-separated text, with a header line."""
        raise NotImplementedError

    @Slot()
    def copy(self) -> None:
        text = self.tsv()
        QGuiApplication.clipboard().setText(text)
        self.copied.emit(text.count("\n") - 1)

    @Slot()
    def _set_note_height(self) -> None:
        self.note.setFixedHeight(2 * self._theme.px(16) + 2)  # always two lines, so that nothing moves while pointing
