"""Opens and closes the project of the window without blocking it, and watches the project file."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from desktop.jobs.open_project import OpenedProject, open_project
from desktop.translation import tr
from desktop.ui.services.project_context import ProjectContext
from desktop.ui.services.runner import JobRunner
from miner.progress import Job, Progress
from storage.changes import EVERYTHING

if TYPE_CHECKING:
    from desktop.jobs.review.annotator import KnownAnnotators


class ProjectController(QObject):
    """Holds the open project in `context`, which is None on the start page. At most one project is open."""

    opening = Signal(str)  # a project's name
    still_read_only = Signal(str)  # why the open project can still only be read
    open_failed = Signal(object)  # the error: the project could not be opened; nothing has changed
    opened = Signal(object)  # ProjectContext
    closing = Signal()  # no project is open any more; its short saves may still run
    jobs_ended = Signal()  # no job of the closing project runs any more
    closed = Signal()  # the project file is closed

    def __init__(
        self, runner: JobRunner, make_context: Callable[[OpenedProject], ProjectContext], parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._runner, self._make_context = runner, make_context
        self.context: ProjectContext | None = None
        self.is_opening = False
        self._next_context: ProjectContext | None = None
        self._opened_project: OpenedProject | None = None
        self._closing_context: ProjectContext | None = None
        self._then: Callable[[ProjectContext], None] | None = None

    @property
    def path(self) -> Path | None:
        """The file of the project that is open or being closed."""
        context = self.context or self._closing_context
        return context.path if context is not None else None

    @property
    def is_busy(self) -> bool:
        """Whether a project is being opened or closed."""
        return self.is_opening or self._closing_context is not None

    def open(self, path: Path, *, create: bool = False, then: Callable[[ProjectContext], None] | None = None) -> None:
        """Open or create a project in place of the open one, then call `then`. Not allowed while `is_busy`."""
        assert not self.is_busy
        self.is_opening = True
        self._then = then
        self.opening.emit(path.name)
        self._runner.read(open_project(path, create=create), self._on_opened, self._on_open_failed)

    @Slot()
    def retry(self) -> None:
        """Open the read-only project again, since the program that had locked it may have closed it."""
        if self.context is None or self.is_busy:
            return
        self.is_opening, self._then = True, None
        self._runner.read(open_project(self.context.path), self._on_retried, self._on_open_failed)

    def close_project(self) -> None:
        """Close the project. The window shows the start page at once; jobs are cancelled, and saves are waited for."""
        context = self.context or self._next_context
        if context is None or self._closing_context is not None:
            return
        self._closing_context, self.context, self._next_context = context, None, None
        self.closing.emit()
        self._runner.idle.connect(self._on_idle)
        self._runner.cancel_all()

    def shut_down(self) -> bool:
        """Stop all jobs, close the project, and wait for both; False if a job does not end in time."""
        ended = self._runner.shut_down()
        _stop_model_process()
        for context in (self.context, self._next_context, self._closing_context):
            if context is not None:
                context.close()
        self.context = self._next_context = self._closing_context = None
        if self._opened_project is not None:
            self._opened_project.close()
        return ended

    @Slot(object)
    def _on_opened(self, opened: OpenedProject) -> None:
        self._opened_project = opened
        if self.context is None:
            self._prepare_context()
        else:
            self.close_project()

    @Slot(object)
    def _on_retried(self, opened: OpenedProject) -> None:
        if not opened.read_only_reason:
            self._on_opened(opened)
            return
        self.is_opening = False
        self._runner.read(Job(tr("Closing the project"), lambda progress: opened.close()))
        self.still_read_only.emit(opened.read_only_reason)

    @Slot(object)
    def _on_open_failed(self, error: Exception) -> None:
        self.is_opening = False
        self.open_failed.emit(error)

    def _prepare_context(self) -> None:
        """Make the context of the project that was opened; it is used once its annotator is known."""
        opened, self._opened_project = self._opened_project, None
        assert opened is not None
        self._next_context = context = self._make_context(opened)

        from desktop.jobs.review.annotator import load_annotators

        self._runner.read(load_annotators(context.project), self._on_annotators, self._on_unreadable)

    @Slot(object)
    def _on_annotators(self, known: KnownAnnotators) -> None:
        assert self._next_context is not None
        self.context, self._next_context = self._next_context, None
        self.context.show_annotators(known)
        self.context.load_sets()
        self.is_opening = False
        then, self._then = self._then, None
        self.opened.emit(self.context)
        if then is not None:
            then(self.context)

    @Slot(object)
    def _on_unreadable(self, error: Exception) -> None:
        self._on_open_failed(error)
        self.close_project()

    @Slot()
    def _on_idle(self) -> None:
        self._runner.idle.disconnect(self._on_idle)
        context = self._closing_context
        if context is None:
            return
        self.jobs_ended.emit()

        def close(progress: Progress) -> None:
            _stop_model_process()
            context.close()

        run = self._runner.read(Job(tr("Closing the project"), close))
        run.failed.connect(context.problems.show)
        run.ended.connect(self._on_closed)

    @Slot()
    def _on_closed(self) -> None:
        assert self._closing_context is not None
        self._closing_context.deleteLater()
        self._closing_context = None
        self.closed.emit()
        if self._opened_project is not None:
            self._prepare_context()
        else:
            self.is_opening = False


def _stop_model_process() -> None:
    """End the process that runs the model; if its module was never imported, there is no process."""
    if (suggestions := sys.modules.get("desktop.jobs.models.suggestions")) is not None:
        suggestions.release_model()


class FileWatcher(QObject):
    """Checks whether the project file was changed, moved or deleted; the window asks for it when activated.

    If the file was written since the last check, even by this window, a change of everything is broadcast.
    """

    checked = Signal(bool)  # whether the file still exists at its path

    def __init__(self, runner: JobRunner, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._runner = runner
        self._context: ProjectContext | None = None
        self.stamp: tuple[int, ...] | None = None

    def use(self, context: ProjectContext | None) -> None:
        """Watch this project; None to watch none."""
        if context is not self._context:
            self._context, self.stamp = context, None

    def check(self) -> None:
        """Read the state of the file in the background, and compare it with the last check."""
        context = self._context
        if context is None:
            return

        def work(progress: Progress) -> tuple[ProjectContext, tuple[int, ...]]:
            return context, context.project.stamp()

        run = self._runner.read(Job(tr("Looking for changes"), work))
        run.done.connect(self._on_checked)

    @Slot(object)
    def _on_checked(self, result: tuple[ProjectContext, tuple[int, ...]]) -> None:
        context, stamp = result
        if context is not self._context:
            return
        previous, self.stamp = self.stamp, stamp
        self.checked.emit(bool(stamp))
        if previous and stamp and previous != stamp:
            context.events.changed.emit(EVERYTHING)
