"""What every page is given: the open project, its annotator, its events, and the services of the window."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import QWidget

from desktop.jobs.open_project import OpenedProject
from desktop.translation import tr
from desktop.ui.services.actions import ActionRegistry
from desktop.ui.services.problems import Problems
from desktop.ui.services.runner import JobRun, JobRunner
from desktop.ui.services.settings_store import SettingsStore
from desktop.ui.theme import Theme
from desktop.ui.widgets.questions import Question, TextQuestion
from miner.progress import Job
from storage.changes import Changes
from storage.pairs.filters import PairFilter

if TYPE_CHECKING:
    from desktop.jobs.papers.pdfs import PdfCache
    from desktop.jobs.review.annotator import KnownAnnotators
    from storage.settings import SuggestionSets

R = TypeVar("R")


class ProjectContext(QObject):
    """The open project and what its pages share. Pages communicate only by the signals of this object."""

    pairs_requested = Signal(object)  # PairFilter: show these on the Pairs page
    review_requested = Signal(object)  # PairFilter, or a tuple of pair keys: review these
    kinds_requested = Signal(object)  # a tuple of pair keys: ask about their kinds of reasoning
    release_requested = Signal(object)  # ExportOptions: offer these on the Export page
    round_started = Signal()  # another page has started a round of review
    kinds_round_requested = Signal(int)  # the number of an annotation round: answer it on the Kinds page
    page_requested = Signal(str)  # the name of a page
    attention_requested = Signal()  # show the files that could not be read
    annotator_changed = Signal(str)  # the name
    names_changed = Signal()  # of annotators
    pairs_page_filter_changed = Signal(object)  # PairFilter
    undone = Signal(object)  # ActionResult: what an undo or redo changed
    message = Signal(str, bool)  # a text for the status bar, and whether to offer Undo beside it

    def __init__(
        self,
        opened: OpenedProject,
        *,
        runner: JobRunner,
        problems: Problems,
        actions: ActionRegistry,
        settings_store: SettingsStore,
        theme: Theme,
        annotator: str = "",
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._opened = opened
        self.assignment = opened.assignment
        """Of an answer file, what it is for; None for other projects."""
        self.back_up_on_close = opened.assignment is None  # if backups are on in the settings
        self.project = opened.project
        self.read_only = bool(opened.read_only_reason)
        self.read_only_reason = opened.read_only_reason
        self.is_elsewhere = opened.is_elsewhere  # another window has the project
        self.runner = runner
        self.problems = problems
        self.actions = actions
        self.settings_store = settings_store
        self.theme = theme
        self.events = ProjectEvents(self)
        self.annotator = annotator
        """The key of who annotates; "" before one is chosen."""
        self._pdfs: PdfCache | None = None
        self._names: Mapping[str, str] = {}
        self._elsewhere: frozenset[str] = frozenset()
        self._sets: SuggestionSets | None = None
        self.events.changed.connect(self._on_changed)
        self.requested_model = ""
        """A model that another page requested suggestions of, as `SuggestOptions.model`, until Suggest uses it."""
        self._pairs_page_filter = PairFilter()
        self.previous_filter = PairFilter()
        """The filter of the Pairs page before `pairs_requested`; Back restores it."""
        self.pairs_requested.connect(self._on_pairs_requested)  # before the window's slot, which may build the page

    @property
    def path(self) -> Path:
        return self.project.path

    @property
    def pdfs(self) -> PdfCache:
        """The PDFs of all views, read in one process; only for jobs of the PDFIUM queue."""
        if self._pdfs is None:
            from desktop.jobs.papers.pdfs import PdfCache  # the start page shows none

            self._pdfs = PdfCache()
        return self._pdfs

    @property
    def pairs_page_filter(self) -> PairFilter:
        """The filter of the Pairs page, which an export of "what is shown" uses."""
        return self._pairs_page_filter

    @pairs_page_filter.setter
    def pairs_page_filter(self, filter: PairFilter) -> None:
        if filter != self._pairs_page_filter:
            self._pairs_page_filter = filter
            self.pairs_page_filter_changed.emit(filter)

    @Slot(object)
    def _on_pairs_requested(self, filter: PairFilter) -> None:
        self.previous_filter = self._pairs_page_filter
        self.pairs_page_filter = filter

    @property
    def annotator_name(self) -> str:
        """The name of the annotator; "" before one is chosen."""
        return self.name_of(self.annotator)

    @property
    def annotator_names(self) -> Mapping[str, str]:
        """The names of all registered annotators, by key."""
        return self._names

    def name_of(self, key: str) -> str:
        """The name of an annotator; the key if the annotator is not registered."""
        return self._names.get(key, key)

    def show_annotators(self, known: KnownAnnotators) -> None:
        """Set the annotators, before the context is used."""
        self.annotator, self._names, self._elsewhere = known.own, known.names, known.elsewhere

    def likely_text(self, probabilities: Sequence[float]) -> str:
        """The classes that a model's probabilities leave, in words; "" if the most probable one is always suggested."""
        from desktop.jobs.models.suggestion_sets import likely_text

        return likely_text(probabilities, self._sets, self.settings_store.settings.missed_percent)

    def load_sets(self) -> None:
        """Read when suggestions name two classes or none."""
        from desktop.jobs.models.suggestion_sets import load_sets

        self.read(load_sets(self.project), self._on_sets)

    @Slot(object)
    def _on_sets(self, sets: SuggestionSets | None) -> None:
        self._sets = sets

    @Slot(object)
    def _on_changed(self, changes: Changes) -> None:
        if changes.suggestions:
            self.load_sets()
        if changes.settings:
            from desktop.jobs.review.annotator import load_annotators

            self.read(load_annotators(self.project), self._on_annotators)

    @Slot(object)
    def _on_annotators(self, known: KnownAnnotators) -> None:
        before, names = self.annotator_name, self._names
        self._names, self._elsewhere = known.names, known.elsewhere
        if names != known.names:
            self.names_changed.emit()
        if self.annotator_name != before:
            self.annotator_changed.emit(self.annotator_name)

    def ask_annotator(self, parent: QWidget, *, again: bool = False) -> str | None:
        """The annotator's key; asks for the name if none is known, or `again`. None if the dialog is cancelled."""
        if self.annotator and (self.assignment or not again):
            if self.assignment and again:
                self.show_message(tr("This file is for the answers of {name} alone.", name=self.assignment.name))
            return self.annotator
        known = self.annotator_name or self.settings_store.settings.annotator
        name = TextQuestion(
            self.theme,
            tr("Who annotates?"),
            tr("Your name or initials"),
            tr("Use this name"),
            text=known,
            about=tr("Your name is stored with each answer. Names can be changed on the Rounds page."),
            parent=parent,
        ).ask()
        if not name or not self.is_own_name(name, parent):
            return None
        self.set_annotator(name)
        return self.annotator

    def is_own_name(self, name: str, parent: QWidget) -> bool:
        """Whether the person may use this name; asks if an annotator on another computer or account has it."""
        from storage.annotation.annotators import key_for

        if key_for(name, self._names) not in self._elsewhere:
            return True
        question = tr("{name} annotates on another computer or account. Is that you?", name=name)
        about = tr("If not, choose another name: all answers under one name count as the answers of one person.")
        return Question(
            self.theme,
            tr("Who annotates?"),
            question,
            tr("Yes, that is me"),
            about=about,
            dismiss=tr("No"),
            parent=parent,
        ).confirm()

    def set_annotator(self, name: str) -> None:
        """Save the annotator in the project, and as the default for new projects."""
        from storage.annotation.annotators import clean_name, key_for

        name = clean_name(name)
        self.annotator = key_for(name, self._names)
        self._names = {self.annotator: name} | dict(self._names)
        name = self.annotator_name  # as it is written in the project
        self.settings_store.change(annotator=name)
        if not self.read_only:
            from desktop.jobs.review.annotator import set_annotator

            self.runner.save(set_annotator(self.project, name)).failed.connect(self.problems.show)
        self.annotator_changed.emit(name)

    def show_message(self, text: str, *, undo: bool = False) -> None:
        """Show a text in the status bar. undo: with an Undo button."""
        self.message.emit(text, undo)

    def read(self, job: Job[R], then: Callable[[R], object]) -> JobRun:
        """Run a job that reads, and call `then`, a method of a view, with its result; an error is shown.

        Only the newest read counts: an earlier one for the same `then` is cancelled.
        """
        return self.runner.read(job, then, self.problems.show)

    def is_reading(self, then: Callable[..., object]) -> bool:
        """Whether a read for this method is in progress."""
        return self.runner.is_reading(then)

    def cancel_read(self, then: Callable[..., object]) -> None:
        """Cancel the read for this method, which is then not called."""
        self.runner.cancel_read(then)

    def change(self, job: Job[Any], *, is_long: bool = False) -> JobRun:
        """Run a job whose result is or has `Changes`, and publish these to all pages before `done` is emitted.

        is_long: the job is listed under Jobs, and others do not wait for it.
        """
        run: JobRun = self.runner.start(job) if is_long else self.runner.save(job)
        run.failed.connect(self.problems.show)

        def on_done(result: object) -> None:
            changes = result if isinstance(result, Changes) else getattr(result, "changes", None)
            if isinstance(changes, Changes):
                self.events.changed.emit(changes)

        run.done.connect(on_done)
        return run

    def undo(self) -> JobRun | None:
        """Undo the annotator's last action. The run's `ended` comes after `events.changed`.

        None, with a message, if the project can only be read.
        """
        from desktop.jobs.review.answers import undo

        return self._reverse(undo(self.project, self.annotator), tr("There is nothing to undo."), tr("Undone"))

    def redo(self) -> JobRun | None:
        """Redo the action that was undone last, as `undo` does."""
        from desktop.jobs.review.answers import redo

        return self._reverse(redo(self.project, self.annotator), tr("There is nothing to redo."), tr("Done again"))

    def _reverse(self, job: Job[Any], nothing: str, done: str) -> JobRun | None:
        if self.read_only:
            self.show_message(self.read_only_reason)
            return None
        run = self.change(job)

        def on_done(result: object) -> None:
            if result is None:
                self.show_message(nothing)
                return
            self.undone.emit(result)
            self.show_message(f"{done}: {result.title}")  # type: ignore[attr-defined]

        run.done.connect(on_done)
        return run

    def close(self) -> None:
        """Close the project file, after a backup if one is wanted."""
        self._opened.close(back_up=self.back_up_on_close and self.settings_store.settings.backups)


class ProjectEvents(QObject):
    """The signals that tell all parts of the window what has changed in the project."""

    changed = Signal(object)  # Changes
