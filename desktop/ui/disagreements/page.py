"""The Disagreements page: labels that are probably wrong, most doubtful first, one key each."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from desktop.ui.desk import Desk
from desktop.ui.page import Page
from desktop.ui.widgets.empty import Empty

NOTHING = "No model has looked at the pairs yet. Its suggestions show which labels are probably wrong."


class DisagreementsPage(Page):
    title = "Disagreements"

    def __init__(self, desk: Desk, parent: QWidget | None = None) -> None:
        super().__init__(desk, parent)
        self.empty = Empty(desk.theme, NOTHING, "Suggest relations")
        self.empty.button.clicked.connect(lambda: desk.page_asked.emit("suggest"))
        self.body.addWidget(self.empty, 1)
