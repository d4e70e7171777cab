"""Which project is open in a window: one at a time, opened and closed without blocking the window."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject, Signal, Slot

from desktop.jobs.open_project import OpenedProject, open_project
from desktop.ui.services.project_context import ProjectContext
from desktop.ui.services.runner import JobRunner
from miner.progress import Job, Progress
from storage.changes import Changes


class ProjectController(QObject):
    """`context` is that of the open project, None on the start page."""

    opening = Signal(str)  # a project's name
    still_read_only = Signal(str)  # why the open project can still only be read
    open_failed = Signal(object)  # the error: it could not be opened, all is as before
    opened = Signal(object)  # ProjectContext
    left = Signal()  # no project is open any more; of its jobs only saves are still waited for
    released = Signal()  # no job of the project that was left runs any more
    closed = Signal()  # its file is free

    def __init__(
        self, runner: JobRunner, make: Callable[[OpenedProject], ProjectContext], parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._runner, self._make = runner, make
        self.context: ProjectContext | None = None
        self.is_opening = False
        self._next_context: ProjectContext | None = None
        self._opened_project: OpenedProject | None = None
        self._left_context: ProjectContext | None = None
        self._then: Callable[[ProjectContext], None] | None = None

    @property
    def path(self) -> Path | None:
        """The file of the project that is open, or just being left."""
        context = self.context or self._left_context
        return context.path if context is not None else None

    @property
    def is_busy(self) -> bool:
        """Whether a project is being opened or closed."""
        return self.is_opening or self._left_context is not None

    def open(self, path: Path, *, create: bool = False, then: Callable[[ProjectContext], None] | None = None) -> None:
        """Open a project (or make it) in place of the one that is open; `then` goes on with it. Not while busy."""
        assert not self.is_busy
        self.is_opening = True
        self._then = then
        self.opening.emit(path.name)
        run = self._runner.read(open_project(path, create=create))
        run.done.connect(self._on_opened)
        run.failed.connect(self._on_open_failed)

    @Slot()
    def retry(self) -> None:
        """Open the project that can only be read once more: whoever had it may be gone."""
        if self.context is None or self.is_busy:
            return
        self.is_opening = True
        run = self._runner.read(open_project(self.context.path))
        run.done.connect(self._on_retried)
        run.failed.connect(self._on_open_failed)

    def leave(self) -> None:
        """The project is left at once; jobs are cancelled, what they finished is kept, answers are written."""
        context = self.context or self._next_context
        if context is None or self._left_context is not None:
            return
        self._left_context, self.context, self._next_context = context, None, None
        self.left.emit()
        self._runner.idle.connect(self._on_idle)
        self._runner.cancel_all()

    def shut_down(self) -> bool:
        """Let go of everything, and wait for it; False when a job does not end."""
        ended = self._runner.shut_down()
        _rest_models()
        for context in (self.context, self._next_context, self._left_context):
            if context is not None:
                context.close()
        self.context = self._next_context = self._left_context = None
        return ended

    @Slot(object)
    def _on_opened(self, opened: OpenedProject) -> None:
        self._opened_project = opened
        if self.context is None:
            self._make_context()
        else:
            self.leave()

    @Slot(object)
    def _on_retried(self, opened: OpenedProject) -> None:
        if not opened.read_only_reason:
            self._on_opened(opened)
            return
        self.is_opening = False
        self._runner.read(Job("Closing the project", lambda progress: opened.close()))
        self.still_read_only.emit(opened.read_only_reason)

    @Slot(object)
    def _on_open_failed(self, error: Exception) -> None:
        self.is_opening = False
        self.open_failed.emit(error)

    def _make_context(self) -> None:
        opened, self._opened_project = self._opened_project, None
        assert opened is not None
        self._next_context = context = self._make(opened)

        from desktop.jobs.review.annotator import annotator

        run = self._runner.read(annotator(context.project))
        run.done.connect(self._on_annotator)
        run.failed.connect(self._on_unreadable)

    @Slot(object)
    def _on_annotator(self, name: str) -> None:
        assert self._next_context is not None
        self.context, self._next_context = self._next_context, None
        self.context.annotator = name
        self.is_opening = False
        then, self._then = self._then, None
        self.opened.emit(self.context)
        if then is not None:
            then(self.context)

    @Slot(object)
    def _on_unreadable(self, error: Exception) -> None:
        self._on_open_failed(error)
        self.leave()

    @Slot()
    def _on_idle(self) -> None:
        self._runner.idle.disconnect(self._on_idle)
        leaving = self._left_context
        if leaving is None:
            return
        self.released.emit()

        def close(progress: Progress) -> None:
            _rest_models()
            leaving.close()

        run = self._runner.read(Job("Closing the project", close))
        run.failed.connect(leaving.problems.show)
        run.ended.connect(self._on_closed)

    @Slot()
    def _on_closed(self) -> None:
        assert self._left_context is not None
        self._left_context.deleteLater()
        self._left_context = None
        self.closed.emit()
        if self._opened_project is not None:
            self._make_context()
        else:
            self.is_opening = False


def _rest_models() -> None:
    """End the process that judges pairs; where none was asked for, what could start one is not imported."""
    if (suggestions := sys.modules.get("desktop.jobs.models.suggestions")) is not None:
        suggestions.release_model()


class FileWatcher(QObject):
    """Looks when asked, such as when the window is activated: nobody works elsewhere while it is in front.

    What was written since the last look, perhaps by this window, is broadcast as a change of everything.
    """

    seen = Signal(bool)  # whether the file is where it was

    def __init__(self, runner: JobRunner, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._runner = runner
        self._context: ProjectContext | None = None
        self.stamp: tuple[int, ...] | None = None

    def use(self, context: ProjectContext | None) -> None:
        """Look at this project from now on."""
        if context is not self._context:
            self._context, self.stamp = context, None

    def look(self) -> None:
        context = self._context
        if context is None:
            return

        def work(progress: Progress) -> tuple[ProjectContext, tuple[int, ...]]:
            return context, context.project.stamp()

        run = self._runner.read(Job("Looking for changes", work))
        run.done.connect(self._on_looked)

    @Slot(object)
    def _on_looked(self, found: tuple[ProjectContext, tuple[int, ...]]) -> None:
        context, stamp = found
        if context is not self._context:
            return
        before, self.stamp = self.stamp, stamp
        self.seen.emit(bool(stamp))
        if before and stamp and before != stamp:
            context.events.changed.emit(Changes(papers=True, pairs=True, many_annotated=True, settings=True))
