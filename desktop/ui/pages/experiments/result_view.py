"""The tables of an experiment."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from desktop.ui.services.project_context import ProjectContext
from desktop.ui.widgets.labels import PlainLabel


class ExperimentResultView(QWidget):
    """The tables of one experiment; each number opens its pairs."""

    open_pairs = Signal(object)  # PairFilter

    def __init__(self, context: ProjectContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.context = context
        self.id: int | None = None
        layout = QVBoxLayout(self)
        self.message = PlainLabel("The tables are here once cells are computed.")
        self.message.setProperty("type", "muted")
        self.message.setAlignment(Qt.AlignmentFlag.AlignCenter)
        layout.addWidget(self.message)

    def show_experiment(self, id: int | None) -> None:
        """Show the tables of an experiment; None for none."""
        self.id = id

    def refresh(self) -> None:
        """Read the experiment's tables again."""
