"""What opens to the right of the pair: where it comes from, or the definitions and guidelines."""

from __future__ import annotations

import importlib
from typing import Any

from PySide6.QtCore import Qt, QTimer, Signal, Slot
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QSplitter, QStackedWidget, QWidget

from desktop.ui.pages.review.guide_panel import GuidePanel
from desktop.ui.services.project_context import ProjectContext

_WIDTH, _OPEN = "review/side_width", "review/side_open"  # in the window's own settings


class Side(QSplitter):
    """A splitter: the pair, and at most one panel, whose width is remembered."""

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
        self._show_evidence()
        self._context.settings_store.window.setValue(_OPEN, panel)
        self.opened.emit(panel)

    def close_panel(self) -> None:
        self.panels.hide()
        self._context.settings_store.window.setValue(_OPEN, "")
        self.opened.emit("")

    def reopen(self) -> None:
        """Open what was open when the program ended."""
        panel = self._context.settings_store.window.value(_OPEN, "")
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
        kept = self._context.settings_store.window.value(_WIDTH)
        width = int(str(kept)) if kept is not None and str(kept).isdigit() else round(total * 0.42)
        self.setSizes([max(0, total - width), width])

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self._is_to_restore:
            QTimer.singleShot(0, self, self._restore_width)  # once it is laid out

    @Slot()
    def _on_moved(self) -> None:
        self._context.settings_store.window.setValue(_WIDTH, self.panels.width())
