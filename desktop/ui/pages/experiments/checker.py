"""Checks what running an experiment would do, while its file is edited."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from desktop.jobs.lab.experiments.check import check_experiment
from desktop.ui.services.project_context import ProjectContext
from miner.lab.experiments.experiment import Experiment

if TYPE_CHECKING:
    from desktop.jobs.lab.experiments.check import ExperimentCheck

_DELAY_MS = 400  # after the last change


class ExperimentChecker(QObject):
    """Checks experiments in the background. check: of the last requested experiment; None until it is known."""

    checked = Signal(object)  # ExperimentCheck

    def __init__(self, context: ProjectContext, parent: QObject) -> None:
        super().__init__(parent)
        self._context = context
        self.check: ExperimentCheck | None = None
        self._asked: tuple[Experiment, Path, str] | None = None
        self._timer = QTimer(self, singleShot=True, interval=_DELAY_MS)
        self._timer.timeout.connect(self._start)

    @property
    def is_checking(self) -> bool:
        """Whether a check is running or about to start."""
        return self._timer.isActive() or self._context.is_reading(self._on_check)

    def clear(self) -> None:
        """Forget the request and its result."""
        self.check = self._asked = None
        self._timer.stop()
        self._context.cancel_read(self._on_check)

    def ask(self, experiment: Experiment, home: Path, device: str) -> None:
        """Check an experiment once it has not changed for a moment. home: the base of its relative paths."""
        self.clear()
        self._asked = experiment, home, device
        self._timer.start()

    @Slot()
    def _start(self) -> None:
        if self._asked is not None:
            project = self._context.project
            job = check_experiment(project, *self._asked)
            self._context.read(job, self._on_check)

    @Slot(object)
    def _on_check(self, check: ExperimentCheck) -> None:
        self.check = check
        self.checked.emit(check)
