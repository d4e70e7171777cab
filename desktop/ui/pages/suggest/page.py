"""The Suggest page: a model's opinion on every pair, and what it comes to."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer, Signal, Slot
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QDialog, QPushButton, QVBoxLayout, QWidget

from desktop.text import count
from desktop.ui.pages.suggest import words
from desktop.ui.pages.suggest.board import Board
from desktop.ui.pages.suggest.chooser import Chooser
from desktop.ui.pages.suggest.order import OrderDialog
from desktop.ui.plots.card import with_plots
from desktop.ui.services.page import Page
from desktop.ui.services.project_context import ProjectContext
from desktop.ui.services.runner import JobQueue, JobRun, JobState, LatestRequest, lazy_job
from desktop.ui.widgets.fields import FormScrollArea
from desktop.ui.widgets.labels import set_tip
from desktop.ui.widgets.notices import EmptyState
from miner.errors import UserError
from miner.progress import Tick
from miner.records import Label
from storage.changes import Changes
from storage.models.figures import DOUBTED_PERCENT
from storage.pairs.filters import PairFilter, PairStatus

if TYPE_CHECKING:
    from desktop.jobs.models.registry import ModelChoice
    from desktop.jobs.models.suggest_state import SuggestState
    from desktop.jobs.models.suggestions import SuggestionResult

_TOGETHER = 1000  # milliseconds between reads, however fast suggestions come
_REST = 600_000  # milliseconds out of sight before the model's memory is given back
# Imported by the jobs themselves: they compute, and so take a while to import.
_STATE, _JOBS = "desktop.jobs.models.suggest_state", "desktop.jobs.models.suggestions"
_DOUBTED = PairFilter(doubt=(DOUBTED_PERCENT, None), statuses=frozenset((PairStatus.OPEN,)))


class SuggestPage(Page):
    title = "Suggest"
    warms = True
    """Whether the model is loaded ahead, before anybody asks for suggestions."""
    _arrived = Signal()  # suggestions are on disk; from the job's thread

    def __init__(self, context: ProjectContext, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self._state: SuggestState | None = None
        self._run: JobRun | None = None
        self._orders: dict[str, tuple[Label, ...]] = {}
        self._problem: UserError | None = None
        self._notes: tuple[str, ...] = ()
        self._warmed = ""
        self._read_at = 0.0
        self._read = LatestRequest(self)
        self._read.done.connect(self._on_state)
        self._read.failed.connect(context.problems.show)
        self._later = self._timer(self._look)
        self._told = self._timer(self._tell_others)
        self._rest = self._timer(self._cool)
        self._arrived.connect(self._on_arrived)
        self._lay_out()
        self._add_actions()

    # What happens outside

    def activate(self) -> None:
        super().activate()
        wanted, self.context.requested_model = self.context.requested_model, ""
        if wanted and self._state is not None:
            self.chooser.models.choose(wanted)
        elif wanted:
            self.context.requested_model = wanted  # taken up when it is known what there is

    def refresh(self, changes: Changes) -> None:
        if changes == Changes(papers=True) and self._state is not None and self._run is None:
            return  # titles and files
        wait = _TOGETHER - round(1000 * (time.monotonic() - self._read_at))
        if self._read.is_waiting or wait > 0:
            self._later.start(max(wait, 50)) if not self._later.isActive() else None
        else:
            self._look()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._rest.stop()
        self._warm()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._rest.start(_REST)

    @Slot()
    def _look(self) -> None:
        if self._read.is_waiting:
            self._later.start(_TOGETHER)
            return
        self._read_at = time.monotonic()
        job = lazy_job("Counting suggestions", _STATE, "suggest_state", self.context.project)
        self._read.follow(self.context.runner.read(with_plots(job)))

    @Slot(object)
    def _on_state(self, state: SuggestState) -> None:
        first = self._state is None
        self._read_at = time.monotonic()
        self._state = state
        shown = [choice.reference for choice in state.choices if words.is_shown(state, choice)]
        self.chooser.show_choices(state.choices, shown[0] if first and shown else "")
        if self.context.requested_model:
            wanted, self.context.requested_model = self.context.requested_model, ""
            self.chooser.models.choose(wanted)
        if state.summary is not None and state.summary.suggested:
            self.board.show_state(state)
        self._show_state()
        self._warm()

    # The model

    @property
    def choice(self) -> ModelChoice | None:
        return self.chooser.choice

    @Slot()
    def _on_chosen(self) -> None:
        self._problem, self._notes = None, ()
        self._show_state()
        self._warm()

    def choose_order(self) -> None:
        choice = self.choice
        if choice is None:
            return
        dialog = OrderDialog(self.context.theme, choice.name, self)
        if dialog.exec() == QDialog.DialogCode.Accepted:
            self._orders[choice.reference] = dialog.order
            self._on_chosen()

    def _warm(self) -> None:
        """Have the model ready by the time somebody presses the button."""
        choice, state = self.choice, self._state
        if choice is None or state is None or not self.isVisible() or self._run is not None:
            return
        if (
            not self.warms
            or self.context.read_only
            or not state.pairs
            or choice.problem
            or choice.reference in (self._warmed, *self._orders)
        ):
            return
        if choice.kind == "hub" or self.chooser.models.is_new(choice):
            return  # it may have to be fetched, or to be told what its classes are
        self._warmed = reference = choice.reference
        job = lazy_job("Getting the model ready", _JOBS, "load_model", self.context.project, reference)
        run = self.context.runner.start(job, queue=JobQueue.MODELS)
        run.failed.connect(self._on_failed)

    @Slot()
    def _cool(self) -> None:
        if self._run is None and self._warmed:
            self._warmed = ""
            job = lazy_job("Giving the model's memory back", _JOBS, "release_model")
            self.context.runner.start(job, queue=JobQueue.MODELS)

    # Suggesting

    @Slot()
    def suggest(self) -> None:
        choice, state = self.choice, self._state
        if choice is None or state is None or not self._is_possible():
            return
        from desktop.jobs.models.suggestions import SuggestOptions, suggest

        wish = words.wish(state, choice)
        options = SuggestOptions(choice.reference, self._orders.get(choice.reference), again=wish.again)
        self._problem, self._notes = None, ()
        self._warmed = choice.reference
        job = suggest(self.context.project, options, watch=lambda done, total: self._arrived.emit())
        self._run = run = self.context.runner.start(job)
        run.ticked.connect(self._on_ticked)
        run.paused.connect(self._show_job)
        run.started.connect(self._show_job)
        run.done.connect(self._on_done)
        run.failed.connect(self._on_failed)
        run.ended.connect(self._on_ended)
        self._show_state()

    @Slot(object)
    def _on_ticked(self, tick: Tick) -> None:
        self._show_job()

    @Slot()
    def _on_arrived(self) -> None:
        """The first ones are shown at once, later ones about once a second."""
        if self._run is not None and not self._told.isActive():
            self._told.start(0 if self._state is None or self._state.shown is None else _TOGETHER)

    @Slot()
    def _tell_others(self) -> None:
        self.context.events.changed.emit(Changes(suggestions=True))

    @Slot(object)
    def _on_done(self, result: SuggestionResult) -> None:
        self._notes = result.notes

    @Slot(object)
    def _on_failed(self, error: Exception) -> None:
        told = isinstance(error, UserError)
        if isinstance(error, UserError):
            self._problem = error
            self._show_state()
        self.context.problems.show(error, is_on_page=told and self.isVisible())

    @Slot()
    def _on_ended(self) -> None:
        self._run = None
        self._told.stop()
        self._read_at = 0.0
        self.context.events.changed.emit(Changes(suggestions=True))
        self._show_state()

    @Slot()
    def _on_pause(self) -> None:
        if self._run is not None:
            (self._run.resume if self._run.state is JobState.PAUSED else self._run.pause)()

    @Slot()
    def _on_stop(self) -> None:
        if self._run is not None:
            self._run.cancel()
            self._show_job()

    # What is shown

    def _is_possible(self) -> bool:
        return not (
            self.context.read_only or self._run is not None or (self.choice is not None and self.choice.problem)
        )

    def _show_state(self) -> None:
        state, choice = self._state, self.choice
        if state is None:
            return
        if not state.pairs:
            self.set_subtitle("")
            self._show_one(self.no_pairs)
            self.chooser.setVisible(False)
            return
        self.chooser.setVisible(True)
        self.set_subtitle(words.standing(state))
        has_some = state.summary is not None and state.summary.suggested > 0
        wish = words.wish(state, choice) if choice is not None else words.Wish("")
        possible = self._is_possible()
        in_middle = not has_some and self._run is None
        self.chooser.show_wish("" if in_middle or self._run else wish.text, main=wish.main, possible=possible)
        self.first.button.setText(wish.text)
        self.first.button.setEnabled(possible)
        self._show_one(self.board if has_some else self.first if in_middle else self.coming)
        self.doubted.setVisible(has_some)
        self._show_sentence(state, choice)
        self.chooser.show_offer(words.offer(state.new_answers) if state.retrain and self._run is None else "")
        self._show_job()

    def _show_one(self, shown: QWidget) -> None:
        for widget in self._states:
            widget.setVisible(widget is shown)

    def _show_sentence(self, state: SuggestState, choice: ModelChoice | None) -> None:
        """What stands in the way, or what people should know."""
        if self.context.read_only:
            self.chooser.tell("This project can only be read here, so no suggestions can be added.", "info")
        elif self._problem is not None:
            can_order = (
                choice is not None and choice.kind in ("folder", "hub") and "which relation" in str(self._problem)
            )
            self.chooser.tell(f"{self._problem} {self._problem.hint}".strip(), "bad", order=can_order)
        elif choice is not None and choice.problem:
            self.chooser.tell(choice.problem, "bad")
        elif choice is not None and state.shown is not None and not words.is_shown(state, choice):
            told = f"The suggestions shown are by {state.shown.model}; they stay until all are made anew."
            self.chooser.tell(told, "info")
        else:
            self.chooser.tell(" ".join(self._notes), "info")

    @Slot()
    def _show_job(self) -> None:
        run = self._run
        if run is None:
            self.chooser.show_job(None)
            return
        tick = run.last_tick or Tick(0, None)
        if run.progress.cancelled:
            said = "Stopping…"
        elif run.state is JobState.WAITING:
            said = "Waits for the job before it"
        elif not tick.total:
            said = "Getting the model ready…"
        else:
            said = f"{tick.done:,} of {count(tick.total, 'pair')}"
        paused = run.state is JobState.PAUSED
        self.chooser.show_job(tick, words=f"Paused at {said}" if paused and tick.total else said, paused=paused)

    # Layout

    def _lay_out(self) -> None:
        theme = self.context.theme
        self.doubted = QPushButton("Disa&greements")
        set_tip(self.doubted, "The labels the model doubts, most doubtful first")
        self.doubted.clicked.connect(lambda: self.context.page_requested.emit("disagreements"))
        self.doubted.setVisible(False)
        self.header.addWidget(self.doubted)
        self.chooser = chooser = Chooser(theme, self.context.path.parent)
        chooser.setVisible(False)
        chooser.chosen.connect(self._on_chosen)
        chooser.order_requested.connect(self.choose_order)
        chooser.suggest_requested.connect(self.suggest)
        chooser.pause_requested.connect(self._on_pause)
        chooser.stop_requested.connect(self._on_stop)
        chooser.train_requested.connect(lambda: self.context.page_requested.emit("train"))
        self.no_pairs = EmptyState(theme, words.NO_PAIRS, "Add papers")
        self.no_pairs.button.clicked.connect(lambda: self.context.page_requested.emit("papers"))
        self.first = EmptyState(theme, words.FIRST, "Suggest")
        self.first.button.clicked.connect(self.suggest)
        self.coming = EmptyState(theme, "The first suggestions are on their way.")
        self.board = Board(theme)
        self.board.opened.connect(self.context.pairs_requested)
        self.board.copied.connect(lambda lines: self.context.show_message(f"Copied {count(lines, 'line')} of numbers."))
        self._states = (self.no_pairs, self.first, self.coming, self.board)
        column = QWidget()
        layout = QVBoxLayout(column)
        layout.setContentsMargins(0, 0, theme.px(8), 0)
        layout.setSpacing(theme.px(16))
        layout.addWidget(chooser)
        for widget in self._states:
            layout.addWidget(widget, 1)
            widget.setVisible(False)
        layout.addStretch(0)
        self.body.addWidget(FormScrollArea(column), 1)
        self.initial_focus = chooser.models

    def _timer(self, slot: object) -> QTimer:
        timer = QTimer(self)
        timer.setSingleShot(True)
        timer.timeout.connect(slot)
        return timer

    def _add_actions(self) -> None:
        add, show = self.context.actions.add, self.context.pairs_requested.emit
        add(
            "suggest.suggest",
            "Suggest",
            self.suggest,
            menu="Suggest",
            keys="Ctrl+Return",
            icon="lightbulb",
            widget=self,
        )
        add(
            "suggest.folder",
            "Choose a model's folder…",
            self.chooser.models.ask_folder,
            menu="Suggest",
            icon="folder",
            widget=self,
        )
        add(
            "suggest.hub",
            "Model from the Hugging Face hub…",
            self.chooser.models.ask_hub,
            menu="Suggest",
            icon="download",
            widget=self,
        )
        add("suggest.doubted", "Show doubted pairs as a table", lambda: show(_DOUBTED), menu="Suggest", widget=self)
