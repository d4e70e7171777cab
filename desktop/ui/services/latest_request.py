"""The newest of many requests: those before it are cancelled and never heard of."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal, Slot

from desktop.ui.services.runner import JobRun


class LatestRequest(QObject):
    done = Signal(object)  # the job's result
    failed = Signal(object)  # the exception

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._run: JobRun | None = None

    @property
    def waiting(self) -> bool:
        return self._run is not None

    def follow(self, run: JobRun) -> None:
        self.drop()
        self._run = run
        run.done.connect(self._on_done)
        run.failed.connect(self._on_failed)
        run.cancelled.connect(self._on_cancelled)

    def drop(self) -> None:
        run, self._run = self._run, None
        if run is not None:
            run.done.disconnect(self._on_done)
            run.failed.disconnect(self._on_failed)
            run.cancelled.disconnect(self._on_cancelled)
            run.cancel()

    @Slot(object)
    def _on_done(self, result: object) -> None:
        self._run = None
        self.done.emit(result)

    @Slot(object)
    def _on_failed(self, error: object) -> None:
        self._run = None
        self.failed.emit(error)

    @Slot()
    def _on_cancelled(self) -> None:
        self._run = None
