"""The base class of the tabs of the Kinds page."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from desktop.ui.services.page import Page
from desktop.ui.services.project_context import ProjectContext


class KindsTab(Page):
    """A tab: a page without a title. `refresh` is called when it is shown, and when something has changed."""

    def __init__(self, context: ProjectContext, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self.heading.hide()
        self._outer.setContentsMargins(0, context.theme.px(12), 0, 0)
