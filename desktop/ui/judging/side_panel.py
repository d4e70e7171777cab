"""The panel to the right of the pair: its context, or the definitions and the project's guidelines."""

from __future__ import annotations

import importlib
from typing import Any

from PySide6.QtCore import Qt, QTimer, Signal, Slot
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QSplitter,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from desktop.ui.judging.label_chip import LabelChip
from desktop.ui.services.project_context import ProjectContext
from desktop.ui.theme import Theme
from desktop.ui.widgets.fields import MultilineEdit
from desktop.ui.widgets.labels import PlainLabel
from desktop.ui.widgets.markdown import MarkdownView
from miner.records import Answer

_DEFINITIONS = {
    Answer.CONTRASTING: "One sentence contradicts, compares with, criticises, juxtaposes or limits something said in "
    "the other.",
    Answer.REASONING: "The first gives the reason, cause or condition for the result or conclusion in the second.",
    Answer.ENTAILMENT: "One generalises, specifies or has an equivalent meaning with the other.",
    Answer.NEUTRAL: "The two sentences are semantically independent.",
    Answer.UNCLEAR: "The two sentences alone do not tell. An answer, never a class of the data set.",
}
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
        self.editor = MultilineEdit()
        self.editor.setAccessibleName("Guidelines of this project, as Markdown")
        self.editor.setPlaceholderText(_NONE)
        self.editor.submitted.connect(self._keep)
        self.editor.cancelled.connect(self._cancel)
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
        for answer, definition in _DEFINITIONS.items():
            column.addSpacing(theme.px(8))
            column.addWidget(LabelChip(theme, answer.value))
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


_WIDTH, _OPEN = "review/side_width", "review/side_open"  # in the window's own settings


class SidePanel(QSplitter):
    """A splitter: the pair, and at most one panel, whose width is remembered.

    Whoever hears `opened` says by `show_pair` which pair the panel is about.
    """

    opened = Signal(str)  # "context", "guide" or ""

    def __init__(self, context: ProjectContext, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self._context = context
        self._key: str | None = None
        self._blind = True
        self._is_to_restore = False
        self.evidence: Any = None  # EvidencePanel, imported when first asked for: it brings pdfium
        self.guide = GuidePanel(context.theme)
        self.panels = QStackedWidget()
        self.panels.addWidget(self.guide)
        self.panels.setMinimumWidth(context.theme.px(280))
        self.panels.hide()
        self.setChildrenCollapsible(False)
        self.setHandleWidth(context.theme.px(17))
        self.splitterMoved.connect(self._on_moved)

    def set_main(self, main: QWidget) -> None:
        main.setMinimumWidth(self._context.theme.px(400))
        self.addWidget(main)
        self.addWidget(self.panels)
        self.setStretchFactor(0, 1)
        self.setStretchFactor(1, 0)

    @property
    def open_panel(self) -> str:
        """Which panel is open; "" for none."""
        if self.panels.isHidden():
            return ""
        return "guide" if self.panels.currentWidget() is self.guide else "context"

    def toggle(self, panel: str) -> None:
        """Open a panel in the other's place, or close it when it is open."""
        if self.open_panel == panel:
            self.close_panel()
            return
        if panel == "context":
            self._build_evidence()
        self.panels.setCurrentWidget(self.evidence if panel == "context" else self.guide)
        if self.panels.isHidden():
            self.panels.show()
            self._restore_width()
        self._context.settings_store.window_settings.setValue(_OPEN, panel)
        self.opened.emit(panel)

    def close_panel(self) -> None:
        self.panels.hide()
        self._context.settings_store.window_settings.setValue(_OPEN, "")
        self.opened.emit("")

    def reopen(self) -> None:
        """Open what was open when the program ended."""
        panel = self._context.settings_store.window_settings.value(_OPEN, "")
        if panel in ("context", "guide") and not self.open_panel:
            self.toggle(str(panel))

    def show_pair(self, key: str | None, *, blind: bool) -> None:
        self._key, self._blind = key, blind
        self._show_evidence()

    def _show_evidence(self) -> None:
        if self.open_panel == "context":
            self.evidence.set_blind(self._blind)
            if self.evidence.key != self._key:
                self.evidence.show_pair(self._key)

    def _build_evidence(self) -> None:
        if self.evidence is None:
            self.evidence = importlib.import_module("desktop.ui.evidence.panel").EvidencePanel(
                self._context, self.panels
            )
            self.panels.addWidget(self.evidence)

    def _restore_width(self) -> None:
        if not self.isVisible():
            self._is_to_restore = True  # it has no width yet
            return
        self._is_to_restore = False
        total = self.width()
        kept = self._context.settings_store.window_settings.value(_WIDTH)
        width = int(str(kept)) if kept is not None and str(kept).isdigit() else round(total * 0.42)
        self.setSizes([max(0, total - width), width])

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self._is_to_restore:
            QTimer.singleShot(0, self, self._restore_width)  # once it is laid out

    @Slot()
    def _on_moved(self) -> None:
        self._context.settings_store.window_settings.setValue(_WIDTH, self.panels.width())
