"""The tab Figures of the Kinds page."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from desktop.ui.pages.kinds.tab import KindsTab
from desktop.ui.services.project_context import ProjectContext
from desktop.ui.widgets.notices import EmptyState
from storage.changes import Changes

_EMPTY = (
    "Which kinds of reasoning pairs need, and which of them models fail at. Answer pairs first; "
    "the figures are shown here then."
)


class KindsFiguresTab(KindsTab):
    title = "Figures"

    def __init__(self, context: ProjectContext, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self.empty = EmptyState(context.theme, _EMPTY)
        self.body.addWidget(self.empty, 1)

    def refresh(self, changes: Changes) -> None:
        """Nothing is read yet."""
