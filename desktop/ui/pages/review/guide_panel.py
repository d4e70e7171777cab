"""What the classes mean, and what this project's annotators agreed on."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from desktop.ui.pages.review.chip import Chip
from desktop.ui.pages.review.words import DEFINITIONS
from desktop.ui.theme import Theme
from desktop.ui.widgets.markdown import MarkdownView
from desktop.ui.widgets.plain import PlainLabel
from desktop.ui.widgets.writing import Writing

_NONE = "No guidelines of your own yet. Write down what you agree on: borderline cases, examples, what is unclear."


class GuidePanel(QWidget):
    kept = Signal(str)  # the guidelines

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._text = ""
        self.setAccessibleName("Definitions and guidelines")
        self.shown = MarkdownView()
        self.shown.setFrameShape(QFrame.Shape.NoFrame)
        self.shown.setAccessibleName("Guidelines of this project")
        self.shown.viewport().setAutoFillBackground(False)
        self.editor = Writing()
        self.editor.setAccessibleName("Guidelines of this project, as Markdown")
        self.editor.setPlaceholderText(_NONE)
        self.editor.done.connect(self._keep)
        self.editor.left.connect(self._cancel)
        self.views = QStackedWidget()
        self.views.addWidget(self.shown)
        self.views.addWidget(self.editor)
        self.edit = QPushButton("Edit")
        self.edit.clicked.connect(self._edit)
        self.save = QPushButton("Save guidelines")
        self.save.setProperty("look", "primary")
        self.save.clicked.connect(self._keep)
        self.cancel = QPushButton("Cancel")
        self.cancel.clicked.connect(self._cancel)
        head = QHBoxLayout()
        head.addWidget(_heading("Guidelines of this project"), 1)
        for button in (self.edit, self.cancel, self.save):
            head.addWidget(button)
        inside = QWidget()
        column = QVBoxLayout(inside)
        column.setContentsMargins(theme.px(16), 0, theme.px(8), 0)
        column.setSpacing(theme.px(4))
        column.addWidget(_heading("What the classes mean"))
        for answer, definition in DEFINITIONS.items():
            column.addSpacing(theme.px(8))
            column.addWidget(Chip(theme, answer.value))
            words = PlainLabel(definition)
            words.setProperty("type", "muted")
            words.setWordWrap(True)
            column.addWidget(words)
        column.addSpacing(theme.px(24))
        column.addLayout(head)
        self.views.setMinimumHeight(theme.px(180))
        column.addWidget(self.views, 1)
        area = QScrollArea()
        area.setWidget(inside)
        area.setWidgetResizable(True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.viewport().setAutoFillBackground(False)
        inside.setAutoFillBackground(False)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(area)
        self.show_text("")

    @property
    def editing(self) -> bool:
        return self.views.currentWidget() is self.editor

    def show_text(self, text: str, *, editable: bool = True) -> None:
        """The guidelines as they are kept; what is being written stays."""
        self._text = text
        self.shown.show_markdown(text or f"*{_NONE}*")
        self.edit.setEnabled(editable)
        if not self.editing:
            self._show(editing=False)

    @Slot()
    def not_saved(self) -> None:
        """What was written is still there to be saved."""
        self._show(editing=True)

    @Slot()
    def _edit(self) -> None:
        self.editor.setPlainText(self._text)
        self._show(editing=True)
        self.editor.setFocus()

    @Slot()
    def _keep(self) -> None:
        self._show(editing=False)
        self.kept.emit(self.editor.toPlainText())

    @Slot()
    def _cancel(self) -> None:
        self._show(editing=False)

    def _show(self, *, editing: bool) -> None:
        self.views.setCurrentWidget(self.editor if editing else self.shown)
        self.edit.setVisible(not editing)
        self.save.setVisible(editing)
        self.cancel.setVisible(editing)


def _heading(text: str) -> QLabel:
    label = PlainLabel(text)
    label.setProperty("type", "heading")
    return label
