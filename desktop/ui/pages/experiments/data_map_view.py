"""The data map of an experiment: its training pairs by what their training looked like."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QVBoxLayout, QWidget

from desktop.ui.services.project_context import ProjectContext
from desktop.ui.widgets.labels import PlainLabel


class DataMapView(QWidget):
    """The map of one experiment."""

    def __init__(self, context: ProjectContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.context = context
        self.id: int | None = None
        layout = QVBoxLayout(self)
        self.message = PlainLabel("An experiment with [cartography] has a map of its training pairs here.")
        self.message.setProperty("type", "muted")
        self.message.setAlignment(Qt.AlignmentFlag.AlignCenter)
        layout.addWidget(self.message)

    def show_experiment(self, id: int | None) -> None:
        """Show the map of an experiment; None for none."""
        self.id = id
