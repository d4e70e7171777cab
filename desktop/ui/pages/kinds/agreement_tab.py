"""The tab Agreement of the Kinds page."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from desktop.ui.pages.kinds.tab import KindsTab
from desktop.ui.services.project_context import ProjectContext
from desktop.ui.widgets.notices import EmptyState
from storage.changes import Changes

_EMPTY = (
    "Which categories annotators agree on. Let two people answer the same pairs first; "
    "their agreement is shown here then."
)


class KindsAgreementTab(KindsTab):
    title = "Agreement"

    def __init__(self, context: ProjectContext, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self.empty = EmptyState(context.theme, _EMPTY)
        self.body.addWidget(self.empty, 1)

    def refresh(self, changes: Changes) -> None:
        """Nothing is read yet."""
