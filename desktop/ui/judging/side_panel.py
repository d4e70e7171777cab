"""The panels beside the pair: its evidence, or the definitions and the project's guidelines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer, Signal, Slot
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QFrame,
    QLabel,
    QScrollArea,
    QSplitter,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from desktop.translation import tr
from desktop.ui.judging.label_chip import LabelChip
from desktop.ui.services.project_context import ProjectContext
from desktop.ui.theme import Theme
from desktop.ui.widgets.buttons import push_button
from desktop.ui.widgets.fields import MultilineEdit
from desktop.ui.widgets.labels import PlainLabel
from desktop.ui.widgets.layouts import column_of, row_of, stretched
from desktop.ui.widgets.markdown import MarkdownView
from miner.records import ANSWER_DEFINITIONS

if TYPE_CHECKING:  # imported when it is first opened: it renders PDF pages
    from desktop.ui.evidence.panel import EvidencePanel

_WIDTH_KEY, _PANEL_KEY = "review/side_width", "review/side_open"  # of the window's settings
_LEAST_MAIN_WIDTH, _LEAST_PANEL_WIDTH = 400, 280  # unscaled pixels
_PLACEHOLDER = tr(
    "No guidelines of your own yet. Write down what you agree on: borderline cases, examples, what is unclear."
)
_NO_GUIDELINES = tr("No guidelines have been written yet.")


class _ClassDefinitions(QWidget):
    """The definition of each answer."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        column = column_of(_heading(tr("What the classes mean")), spacing=theme.px(4))
        self.setLayout(column)
        for answer, definition in ANSWER_DEFINITIONS.items():
            column.addSpacing(theme.px(8))
            column.addWidget(LabelChip(theme, answer.value))
            label = PlainLabel(tr(definition), type="muted", wraps=True)
            column.addWidget(label)


class GuidePanel(QWidget):
    """The definitions of the classes, and the guidelines of the project with an editor."""

    save_requested = Signal(str)  # the guidelines

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._text = ""
        self._is_editable = True
        self.setAccessibleName(tr("Definitions and guidelines"))
        self.viewer = MarkdownView()
        self.viewer.setFrameShape(QFrame.Shape.NoFrame)
        self.viewer.setAccessibleName(tr("Guidelines of this project"))
        self.viewer.viewport().setAutoFillBackground(False)
        self.editor = MultilineEdit()
        self.editor.setAccessibleName(tr("Guidelines of this project, written in Markdown"))
        self.editor.setPlaceholderText(_PLACEHOLDER)
        self.editor.submitted.connect(self._save)
        self.editor.cancelled.connect(self._cancel)
        self.views = QStackedWidget()
        self.views.addWidget(self.viewer)
        self.views.addWidget(self.editor)
        self.edit_button = push_button(tr("Edit"), self._edit)
        self.save_button = push_button(tr("Save guidelines"), self._save, look="primary")
        self.cancel_button = push_button(tr("Cancel"), self._cancel)
        head = row_of(stretched(_heading(tr("Guidelines of this project"))))
        for button in (self.edit_button, self.cancel_button, self.save_button):
            head.addWidget(button)
        inside = QWidget()
        column = QVBoxLayout(inside)
        column.setContentsMargins(theme.px(16), 0, theme.px(8), 0)
        column.setSpacing(theme.px(4))
        self._column = column
        self.classes = _ClassDefinitions(theme)
        column.addWidget(self.classes)
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
        self.setLayout(column_of(area, spacing=0))
        self.show_text("")

    def add_above(self, widget: QWidget) -> None:
        """Put more definitions at the top."""
        self._column.insertWidget(0, widget)

    @property
    def is_editing(self) -> bool:
        return self.views.currentWidget() is self.editor

    @property
    def has_unsaved(self) -> bool:
        """Whether the guidelines in the editor differ from the saved ones."""
        return self.is_editing and self.editor.toPlainText() != self._text

    def show_text(self, text: str, *, editable: bool = True) -> None:
        """Show the saved guidelines; text in the editor stays."""
        self._text = text
        self.viewer.show_markdown(text or f"*{_PLACEHOLDER if editable else _NO_GUIDELINES}*")
        self._is_editable = editable
        if not self.is_editing:
            self._set_editing(editing=False)

    @Slot()
    def on_save_failed(self) -> None:
        """Open the editor again with the text that was not saved."""
        self._set_editing(editing=True)

    @Slot()
    def _edit(self) -> None:
        self.editor.setPlainText(self._text)
        self._set_editing(editing=True)
        self.editor.setFocus()

    @Slot()
    def _save(self) -> None:
        self._set_editing(editing=False)
        self.save_requested.emit(self.editor.toPlainText())

    @Slot()
    def _cancel(self) -> None:
        self._set_editing(editing=False)

    def _set_editing(self, *, editing: bool) -> None:
        self.views.setCurrentWidget(self.editor if editing else self.viewer)
        self.edit_button.setVisible(self._is_editable and not editing)
        self.save_button.setVisible(editing)
        self.cancel_button.setVisible(editing)


def _heading(text: str) -> QLabel:
    return PlainLabel(text, type="heading", wraps=True)


class SidePanel(QSplitter):
    """A splitter with the pair and at most one panel; its width is saved.

    After `panel_changed`, call `show_pair` with the pair on the screen.
    """

    panel_changed = Signal(str)  # "context", "guide", or "" when it was closed

    def __init__(self, context: ProjectContext, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self._context = context
        self._has_pending_width = False
        self._main: QWidget | None = None
        self.evidence: EvidencePanel | None = None
        self.guide = GuidePanel(context.theme)
        self.panels = QStackedWidget()
        self.panels.addWidget(self.guide)
        self.panels.hide()
        self.setChildrenCollapsible(False)
        self.setHandleWidth(context.theme.px(17))
        self.splitterMoved.connect(self._save_width)

    def set_main(self, main: QWidget) -> None:
        """Set the main widget, on the left."""
        self._main = main
        self.addWidget(main)
        self.addWidget(self.panels)
        self.setStretchFactor(0, 1)
        self.setStretchFactor(1, 0)
        self._fit_minimums()

    @property
    def open_panel(self) -> str:
        """The name of the open panel; "" if none is open."""
        if self.panels.isHidden():
            return ""
        return "guide" if self.panels.currentWidget() is self.guide else "context"

    def toggle(self, panel: str) -> None:
        """Open a panel in place of the other panel, or close it."""
        if self.open_panel == panel:
            self.close_panel()
            return
        self.panels.setCurrentWidget(self._evidence_panel() if panel == "context" else self.guide)
        if self.panels.isHidden():
            self.panels.show()
            self._restore_width()
        self._context.settings_store.window_settings.setValue(_PANEL_KEY, panel)
        self.panel_changed.emit(panel)

    def close_panel(self) -> None:
        self.panels.hide()
        self._context.settings_store.window_settings.setValue(_PANEL_KEY, "")
        self.panel_changed.emit("")

    def reopen(self) -> None:
        """Open the panel that was open when the program ended."""
        panel = self._context.settings_store.window_settings.value(_PANEL_KEY, "")
        offered = ("context", "guide") if self._context.assignment is None else ("guide",)
        if panel in offered and not self.open_panel:
            self.toggle(str(panel))

    def stay_with(self, key: str) -> None:
        """Close the panel's inputs about other pairs."""
        if self.evidence is not None:
            self.evidence.mending.stay_with(key)

    def show_pair(self, key: str, *, blind: bool) -> None:
        """Show the context of a pair if that panel is open; `blind`: without the linking phrase."""
        if self.evidence is not None and self.open_panel == "context":
            self.evidence.set_blind(blind)
            if self.evidence.key != key:
                self.evidence.show_pair(key)

    def _evidence_panel(self) -> EvidencePanel:
        if self.evidence is None:
            from desktop.ui.evidence.panel import EvidencePanel

            self.evidence = EvidencePanel(self._context, self.panels)
            self.panels.addWidget(self.evidence)
        return self.evidence

    def _restore_width(self) -> None:
        if not self.isVisible():
            self._has_pending_width = True  # its width is not known before it is shown
            return
        self._has_pending_width = False
        total = self.width()
        saved = self._context.settings_store.window_settings.value(_WIDTH_KEY)
        width = int(str(saved)) if saved is not None and str(saved).isdigit() else round(total * 0.42)
        self.setSizes([max(0, total - width), width])

    def _fit_minimums(self) -> None:
        """Keep both parts readable. Without room for that both get less, since they would overlap."""
        if self._main is None:
            return
        px = self._context.theme.px
        widths = px(_LEAST_MAIN_WIDTH), px(_LEAST_PANEL_WIDTH)
        share = min(1.0, max(0, self.width() - self.handleWidth()) / sum(widths))
        for part, width in zip((self._main, self.panels), widths, strict=True):
            part.setMinimumWidth(int(share * width))

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._fit_minimums()
        super().resizeEvent(event)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self._has_pending_width:
            QTimer.singleShot(0, self, self._restore_width)  # after the layout

    @Slot()
    def _save_width(self) -> None:
        self._context.settings_store.window_settings.setValue(_WIDTH_KEY, self.panels.width())
