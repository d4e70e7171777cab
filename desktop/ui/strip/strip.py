"""The strip at the bottom of the window."""

from __future__ import annotations

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QLabel, QWidget

from desktop.ui.desk import Desk
from desktop.ui.problems import Problem, Problems
from desktop.ui.runner import JobRunner
from desktop.ui.theme import Theme


class Strip(QWidget):
    problems_asked = Signal()
    undo_asked = Signal()

    def __init__(self, runner: JobRunner, problems: Problems, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        layout = QHBoxLayout(self)
        self._message = QLabel()
        layout.addWidget(self._message)
        problems.added.connect(self._on_problem)

    def use(self, desk: Desk | None) -> None:
        if desk is not None:
            desk.said.connect(self.say)

    @Slot(str, bool)
    def say(self, text: str, undo: bool) -> None:
        self._message.setText(text)

    @Slot(object)
    def _on_problem(self, problem: Problem) -> None:
        self._message.setText(f"{problem.what} {problem.hint}")
