"""The tab Answer of the Kinds page."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from desktop.ui.pages.kinds.tab import KindsTab
from desktop.ui.services.project_context import ProjectContext
from desktop.ui.widgets.notices import EmptyState

_EMPTY = "No pairs wait for questions about their kind of reasoning."


class KindsAnswerTab(KindsTab):
    title = "Answer"

    def __init__(self, context: ProjectContext, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self.empty = EmptyState(context.theme, _EMPTY)
        self.body.addWidget(self.empty, 1)
