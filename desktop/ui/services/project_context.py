"""What every page works with: the open project, who annotates, and the ways to run jobs and hear of changes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import QWidget

from desktop.jobs.open_project import OpenedProject
from desktop.ui.services.actions import ActionRegistry
from desktop.ui.services.problems import Problems
from desktop.ui.services.runner import JobRun, JobRunner
from desktop.ui.services.settings_store import SettingsStore
from desktop.ui.theme import Theme
from desktop.ui.widgets.questions import TextQuestion
from miner.progress import Job
from storage.changes import Changes
from storage.pairs.filters import PairFilter


class ProjectContext(QObject):
    pairs_requested = Signal(object)  # PairFilter: show these on the Pairs page
    review_requested = Signal(object)  # PairFilter, or a tuple of pair keys: review these
    page_requested = Signal(str)
    attention_requested = Signal()  # show the files that could not be read
    annotator_changed = Signal(str)
    shown_filter_changed = Signal(object)  # PairFilter
    undone = Signal(object)  # ActionResult: what an undo or redo changed
    said = Signal(str, bool)  # a line for the status bar, and whether it can be undone

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
        self.backs_up = True  # on closing, if the person wants backups
        self.project = opened.project
        self.read_only = bool(opened.why)
        self.why_read_only = opened.why
        self.runner = runner
        self.problems = problems
        self.actions = actions
        self.settings_store = settings_store
        self.theme = theme
        self.events = ProjectEvents(self)
        self.annotator = annotator
        self.wanted_model = ""
        """A model that somebody wants the suggestions of, as `SuggestOptions.model`; the Suggest page takes it up."""
        self._shown_filter = PairFilter()
        self.filter_before = PairFilter()
        """What the Pairs page showed before another page asked it for pairs: Back brings it back."""
        self.pairs_requested.connect(self._on_pairs_requested)  # first of all: the page may be built because of it

    @property
    def path(self) -> Path:
        return self.project.path

    @property
    def shown_filter(self) -> PairFilter:
        """What the Pairs page shows, and so what an export of "what is shown" writes."""
        return self._shown_filter

    @shown_filter.setter
    def shown_filter(self, chosen: PairFilter) -> None:
        if chosen != self._shown_filter:
            self._shown_filter = chosen
            self.shown_filter_changed.emit(chosen)

    @Slot(object)
    def _on_pairs_requested(self, chosen: PairFilter) -> None:
        self.filter_before = self._shown_filter
        self.shown_filter = chosen

    def ask_annotator(self, parent: QWidget, *, again: bool = False) -> str | None:
        """Who annotates: asked once per project. None when the person would rather not say now."""
        if self.annotator and not again:
            return self.annotator
        known = self.annotator or self.settings_store.settings.annotator
        name = TextQuestion(
            self.theme,
            "Who annotates?",
            "Your name or initials",
            "Use this name",
            text=known,
            about="It is kept with each answer you give.",
            parent=parent,
        ).answer()
        if not name:
            return None
        self.set_annotator(name)
        return name

    def set_annotator(self, name: str) -> None:
        self.annotator = name
        self.settings_store.change(annotator=name)
        if not self.read_only:
            from desktop.jobs.review.annotator import set_annotator

            self.runner.save(set_annotator(self.project, name)).failed.connect(self.problems.show)
        self.annotator_changed.emit(name)

    def say(self, text: str, *, undo: bool = False) -> None:
        """A line in the status bar; with `undo`, one that can be taken back from there."""
        self.said.emit(text, undo)

    def undo(self) -> JobRun:
        """Take back what the annotator did last; the run ends when everybody has been told."""
        from desktop.jobs.review.answers import undo

        return self._reverse(undo(self.project, self.annotator), "There is nothing to undo.", "Undone")

    def redo(self) -> JobRun:
        """Do again what was undone last."""
        from desktop.jobs.review.answers import redo

        return self._reverse(redo(self.project, self.annotator), "There is nothing to redo.", "Done again")

    def _reverse(self, job: Job[Any], nothing: str, did: str) -> JobRun:
        run: JobRun = self.runner.save(job)
        run.failed.connect(self.problems.show)

        def tell(judged: object) -> None:
            if judged is None:
                self.say(nothing)
                return
            changes: Changes = judged.changes  # type: ignore[attr-defined]  # ActionResult
            self.events.changed.emit(changes)
            self.undone.emit(judged)
            self.say(f"{did}: {judged.title}")  # type: ignore[attr-defined]

        run.done.connect(tell)
        return run

    def close(self) -> None:
        self._opened.close(back_up=self.backs_up and self.settings_store.settings.backups)


class ProjectEvents(QObject):
    changed = Signal(object)  # Changes
