"""Opens, closes and fills projects for the user, after a confirmation if that stops jobs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal, Slot
from PySide6.QtWidgets import QWidget

from desktop.translation import tr
from desktop.ui.services.project_context import ProjectContext
from desktop.ui.services.runner import JobRunner
from desktop.ui.services.settings_store import SettingsStore
from desktop.ui.shell.close_guard import CloseGuard
from desktop.ui.shell.project_controller import ProjectController
from miner.paths import ANSWER_TABLE_SUFFIXES, ANSWERS_SUFFIX, PROJECT_SUFFIX, is_file
from storage.changes import Changes

if TYPE_CHECKING:  # the database takes a while to import
    from desktop.jobs.review.answer_files import FoundAnswers
    from storage.annotation.sent_assignments import SentAssignment

BUSY_MESSAGE = tr("Another project is being opened or closed. Try again in a moment.")


class ProjectCommands(QObject):
    """The commands on projects, for menus, the start page and dropped files."""

    busy = Signal(str)  # a text that the start page shows instead of its buttons; "" at the end
    message = Signal(str)  # for the status bar
    failed = Signal(object)  # the error: the sample project could not be created
    corpus_requested = Signal(object)  # Path: a folder that was dropped or chosen and is a corpus
    name_requested = Signal(object)  # list[Path]: ask for the name of a new project for these files

    def __init__(
        self,
        controller: ProjectController,
        close_guard: CloseGuard,
        settings_store: SettingsStore,
        runner: JobRunner,
        window: QWidget,
    ) -> None:
        super().__init__(window)
        self._controller, self._close_guard = controller, close_guard
        self._settings_store, self._runner, self._window = settings_store, runner, window

    @property
    def context(self) -> ProjectContext | None:
        """The context of the open project; None on the start page."""
        return self._controller.context

    @property
    def is_busy(self) -> bool:
        """Whether a project is being opened or closed."""
        return self._controller.is_busy

    def open(self, path: Path, *, create: bool = False, then: Callable[[ProjectContext], None] | None = None) -> None:
        """Open or create a project in place of the open one, then call `then` with its context."""
        if self.is_busy:
            self.message.emit(BUSY_MESSAGE)
        else:
            self._controller.open(path, create=create, then=then)

    @Slot(object)
    def ask_open(
        self, path: Path, *, create: bool = False, then: Callable[[ProjectContext], None] | None = None
    ) -> None:
        """Open or create a project, after a confirmation if that stops jobs, and then call `then` with its context."""
        action = tr("Create") if create else tr("Open")
        open_project = partial(self.open, path, create=create, then=then)
        self._close_guard.confirm_then(tr("Another project"), f"{action} {path.stem}", open_project)

    @Slot()
    def ask_open_sample(self) -> None:
        self._close_guard.confirm_then(tr("Another project"), tr("Open sample project"), self.open_sample)

    @Slot()
    def ask_close(self) -> None:
        self._close_guard.confirm_then(tr("Close project"), tr("Close project"), self.close)

    def close(self) -> None:
        """Return to the start page at once. Jobs are cancelled and keep what is finished; answers are saved."""
        if not self._controller.is_opening:
            self._controller.close_project()

    def open_sample(self) -> None:
        """Open the sample project; the first time, create it, and add its papers once it is open."""
        from desktop.jobs.sample_project import create_sample_project

        self.busy.emit(tr("Opening the sample project…"))
        run = self._runner.save(create_sample_project(self._settings_store.paths.data / "sample"))
        run.done.connect(lambda path: self.open(path, then=_fill_sample))
        run.failed.connect(self.failed)

    def open_with(self, path: Path, files: list[Path], *, create: bool = False) -> None:
        """Open or create a project, then add files to it."""
        self.open(path, create=create, then=lambda _: self.open_or_add(files))

    @Slot(object)
    def open_or_add(self, paths: Sequence[Path], *, dropped: bool = False) -> None:
        """Open the first project among these files; if there is none, offer to add the files to the open project.

        If projects were `dropped` on the window of another project, ask whether to add their papers instead. Answer
        files that were sent from the open project, and answer tables, are merged into it; one of another project that
        was dropped is opened after a question. A corpus opens in a window of its own.
        """
        corpora = [path for path in paths if is_corpus(path)]
        for path in corpora:
            self.corpus_requested.emit(path)
        paths = [path for path in paths if path not in corpora]
        context = self.context
        if context is not None and context.assignment is None and any(map(_may_hold_answers, paths)):
            from desktop.jobs.review.answer_files import find_answer_files

            run = self._runner.read(find_answer_files(context.project, list(filter(_may_hold_answers, paths))))
            run.done.connect(lambda found: self._merge_or_open(context, found, paths, dropped=dropped))
            run.failed.connect(self.failed)
        else:
            self._open_or_add(paths, dropped=dropped)

    def _merge_or_open(self, context: ProjectContext, found: FoundAnswers, paths: list[Path], *, dropped: bool) -> None:
        if context is not self.context:
            self._open_or_add(paths, dropped=dropped)
        elif found.own:
            from desktop.ui.services.answer_files import answer_files

            returned = [path for path in paths if path in found.own or path.suffix == PROJECT_SUFFIX]
            answer_files(context, self._window).merge(returned)
            self._open_or_add([path for path in paths if path not in returned])
        elif found.foreign and dropped:
            self._ask_open_foreign(context, *next(iter(found.foreign.items())))
        else:
            self._open_or_add(paths, dropped=dropped)

    def _ask_open_foreign(self, context: ProjectContext, path: Path, sent: SentAssignment) -> None:
        """Ask whether to open an answer file of another project in place of the open project."""
        from desktop.ui.shell.dropped_project import ForeignAnswersQuestion

        question = ForeignAnswersQuestion(context.theme, sent, context.path.stem, self._window)
        question.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        question.accepted.connect(lambda: self.ask_open(path))
        question.open()

    def _open_or_add(self, paths: list[Path], *, dropped: bool = False) -> None:
        if projects := [path for path in paths if path.suffix == PROJECT_SUFFIX]:
            if dropped and self.can_add_project and all(map(self._is_other_project, projects)):
                self._ask_what_to_do(projects, [path for path in paths if path not in projects])
            else:
                self.ask_open(projects[0])
        elif paths and self.context is None:
            self.name_requested.emit(paths)
        elif paths and self.context is not None:
            from desktop.ui.pages.papers.add_files import open_import_dialog

            open_import_dialog(self.context, paths, self._window)

    @property
    def can_add_project(self) -> bool:
        """Whether another project's papers can be added to the open one."""
        return self.context is not None and self.context.assignment is None and not self.context.read_only

    def _is_other_project(self, path: Path) -> bool:
        is_open = self.context is not None and path == self.context.path
        return not is_open and not path.name.endswith(ANSWERS_SUFFIX)

    def _ask_what_to_do(self, projects: list[Path], others: list[Path]) -> None:
        """Add the papers of dropped projects, and other files with them, or open the first project."""
        from desktop.ui.pages.papers.add_project import project_adder
        from desktop.ui.shell.dropped_project import DroppedProjectQuestion

        context = self.context
        assert context is not None

        def add() -> None:
            if context is self.context:
                project_adder(context, self._window).add(projects)
                self._open_or_add(others)

        question = DroppedProjectQuestion(context.theme, projects, context.path.stem, self._window)
        question.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        question.accepted.connect(add)
        question.open_requested.connect(lambda: self.ask_open(projects[0]))
        question.open()

    @Slot()
    def merge_answers(self) -> None:
        """Let the user choose answer files, and merge them into the open project."""
        if self.context is not None:
            from desktop.ui.services.answer_files import answer_files

            answer_files(self.context, self._window).choose_and_merge()

    @Slot()
    def add_papers(self) -> None:
        """Show the dialog that adds papers to the open project."""
        if self.context is not None:
            from desktop.ui.pages.papers.add_files import ask_for_files

            ask_for_files(self.context, self._window)


def is_corpus(path: Path) -> bool:
    """Whether a folder is a settled corpus."""
    return is_file(path / "corpus.json") and is_file(path / "shards" / "manifest.json")


def _may_hold_answers(path: Path) -> bool:
    return path.suffix == PROJECT_SUFFIX or path.suffix.lower() in ANSWER_TABLE_SUFFIXES


def _fill_sample(context: ProjectContext) -> None:
    from desktop.jobs.sample_project import import_sample_papers

    if context.read_only:
        return
    from desktop.ui.pages.papers.import_controller import import_controller

    imports = import_controller(context)
    run = imports.track(context.runner.start(import_sample_papers(context.project)))
    run.ticked.connect(lambda _: context.events.changed.emit(Changes(papers=True)))
    run.done.connect(lambda added: imports.mine() if added is not None else None)
