"""Measures in the background what spare phrases would add to a class, once for the same settings and papers."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal, Slot

from desktop.jobs.mining.class_balance import SampleGain, measure_gain
from desktop.ui.services.project_context import ProjectContext
from desktop.ui.services.runner import JobRun
from miner.records import Label

_Key = tuple[str, str]  # the class, and what the gain depends on


class SpareGains(QObject):
    """The gains measured so far; `measured` is emitted after each measurement."""

    measured = Signal()

    def __init__(self, context: ProjectContext, parent: QObject, *, model: str | None = None) -> None:
        super().__init__(parent)
        self._context, self._model = context, model
        self._gains: dict[_Key, SampleGain] = {}
        self._run: JobRun | None = None
        self._wanted: _Key = "", ""

    def find(self, label: str, made_of: str) -> SampleGain | None:
        """The gain of the class's spare phrases; None while it is measured. made_of: as in `SparePhrases`."""
        key = label, made_of
        if key not in self._gains and (self._run is None or key != self._wanted):
            self.stop()
            self._wanted = key
            job = measure_gain(self._context.project, Label(label), model=self._model)
            self._run = run = self._context.runner.read(job)
            run.done.connect(self._on_gain)
            run.failed.connect(self._context.problems.show)
        return self._gains.get(key)

    def stop(self) -> None:
        if self._run is not None:
            self._run.cancel()
            self._run = None

    @Slot(object)
    def _on_gain(self, gain: SampleGain) -> None:
        if self.sender() is self._run:
            self._run = None
            self._gains[self._wanted] = gain
            self.measured.emit()
