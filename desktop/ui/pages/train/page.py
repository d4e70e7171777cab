"""The Train page: what a model is to learn, to the left; how it goes and what came of it, to the right."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QTimer, Signal, Slot
from PySide6.QtWidgets import (
    QHBoxLayout,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from desktop.jobs.models.training_history import History
from desktop.text import count
from desktop.ui.pages.train import words
from desktop.ui.pages.train.figures import training_figure
from desktop.ui.pages.train.form import TrainForm
from desktop.ui.pages.train.run_card import RunCard
from desktop.ui.pages.train.runs_table import RunsModel
from desktop.ui.pages.train.runs_view import RunsView
from desktop.ui.plots.card import with_plots
from desktop.ui.services.page import Page
from desktop.ui.services.project_context import ProjectContext
from desktop.ui.services.runner import JobQueue, JobRun, JobState, LatestRequest, lazy_job
from desktop.ui.widgets.fields import FormScrollArea
from desktop.ui.widgets.notices import EmptyState, Notice
from desktop.ui.widgets.questions import Question
from miner.classifier.events import TrainEvent, TrainNote, TrainStep
from miner.errors import UserError
from storage.changes import Changes
from storage.models.training_runs import TrainingRun, TrainingRunState

if TYPE_CHECKING:
    from desktop.jobs.models.registry import ModelChoice
    from desktop.jobs.models.training import TrainedModel
    from desktop.jobs.models.training_data import TrainingDataCounts
    from miner.progress import Job

_RUNS = "desktop.jobs.models.training_runs"
_DATA = "desktop.jobs.models.training_data"
_PAUSE = 300  # milliseconds without a change before the labels are counted
_DRAWN = 250  # milliseconds between two looks at a training
_HEARD = 0.1  # seconds between two steps that are told of


class TrainPage(Page):
    title = "Train"
    _heard = Signal(object)  # Event, from the job's thread

    def __init__(self, context: ProjectContext, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self._going: list[JobRun] = []  # the one that trains, and those of other seeds that wait
        self._history = History()
        self._steps: dict[str, int] = {}
        self._step: TrainStep | None = None
        self._note = ""
        self._counts: TrainingDataCounts | None = None
        self._wanted: int | None = None  # a run to be chosen once it is listed
        self._known = self._to_count = False
        self._runs, self._choices, self._counted, self._exported = (LatestRequest(self) for _ in range(4))
        self._runs.done.connect(self._on_runs)
        self._choices.done.connect(self._on_choices)
        self._counted.done.connect(self._on_counts)
        self._runs.failed.connect(self._on_known)
        for read in (self._runs, self._choices, self._counted, self._exported):
            read.failed.connect(context.problems.show)
        self._wait, self._drawing = self._timer(self._count), self._timer(self._show_card)
        self._heard.connect(self._on_heard)
        self._lay_out()
        self._exported.done.connect(self.form.show_released)
        self._add_actions()
        self._show_state()

    # What happens outside

    def refresh(self, changes: Changes) -> None:
        self._read_runs()
        if changes.pairs or changes.annotated_keys or changes.many_annotated or changes.suggestions:
            self._ask_counts()

    def _read_runs(self) -> None:
        read, project = self.context.runner.read, self.context.project
        self._runs.follow(read(with_plots(lazy_job("Reading the training runs", _RUNS, "runs", project))))
        self._choices.follow(read(lazy_job("Looking for models", "desktop.jobs.models.registry", "choices", project)))

    def activate(self) -> None:
        super().activate()
        job = lazy_job(
            "Reading how the project was exported", "desktop.jobs.exchange.export", "released", self.context.project
        )
        self._exported.follow(self.context.runner.read(job))

    @Slot(object)
    def _on_choices(self, choices: tuple[ModelChoice, ...]) -> None:
        self.form.show_choices([choice for choice in choices if not choice.problem])
        self._show_state()
        if self._counts is None:
            self._ask_counts()

    @Slot(object)
    def _on_runs(self, runs: list[TrainingRun]) -> None:
        self._on_known()
        chosen = [run.id for run in self.runs.runs]
        self.model.show_runs(runs)
        wanted, self._wanted = ([self._wanted] if self._wanted is not None else chosen), None
        self.runs.choose(wanted)
        self.runs.fit_columns()
        self._show_state()

    # What there is to learn from

    @Slot()
    def _on_known(self) -> None:
        """What counts labels is imported by now."""
        self._known = True
        if self._to_count:
            self._to_count = False
            self._count()

    @Slot()
    def _ask_counts(self) -> None:
        self._counted.cancel()
        self.form.show_counts(None)
        if self.isVisible():
            self._wait.start(_PAUSE)
        else:
            self._stale = True
        self._show_state()

    @Slot()
    def _count(self) -> None:
        if not self._known:
            self._to_count = True
            return
        options = self.form.options
        self._counted.follow(
            self.context.runner.read(
                lazy_job("Counting labels", _DATA, "count_training_data", self.context.project, options)
            )
        )

    @Slot(object)
    def _on_counts(self, known: TrainingDataCounts) -> None:
        self._counts = known
        self.form.show_counts(known)
        self._show_state()

    def is_action_enabled(self, name: str) -> bool:
        return name not in ("pause", "stop") or bool(self._going)

    # Training

    @Slot()
    def train(self) -> None:
        if not self.button.isEnabled():
            return
        from desktop.jobs.models.training import train

        for options in self.form.all_options:
            self._start(partial(train, self.context.project, options))
        self.runs.choose([])
        self._show_state()

    @Slot(int)
    def resume(self, run: int) -> None:
        if self._going or self.context.read_only:
            return
        from desktop.jobs.models.training import resume

        self._start(partial(resume, self.context.project, run))
        known = next((one for one in self.model.runs if one.id == run), None)
        self._history = History.of(known.history if known else {})
        self.runs.choose([])
        self._show_state()

    def _start(self, make: Callable[[Callable[[TrainEvent], None]], Job[TrainedModel]]) -> None:
        told = [0.0]

        def watch(event: TrainEvent) -> None:
            now = time.monotonic()
            if not isinstance(event, TrainStep) or now - told[0] >= _HEARD:
                told[0] = now
                self._heard.emit(event)

        run = self.context.runner.start(make(watch), queue=JobQueue.TRAINING)
        self._going.append(run)
        self.problem.show_text("")
        run.started.connect(self._on_began)
        run.paused.connect(self._show_card)
        run.done.connect(self._on_done)
        run.failed.connect(self._on_failed)
        run.ended.connect(self._on_ended)

    @Slot()
    def _on_began(self) -> None:
        self._step, self._note = None, ""
        self._show_card()

    @Slot(object)
    def _on_heard(self, event: TrainEvent) -> None:
        first = self._step is None
        self._history.add(event)
        if isinstance(event, TrainStep):
            self._step = event
            self._steps[event.stage] = event.steps
            if first:
                self._read_runs()  # it has its line by now
        elif isinstance(event, TrainNote):
            self._note = event.text
        if not self._drawing.isActive():
            self._drawing.start(_DRAWN)

    @Slot(object)
    def _on_done(self, result: TrainedModel) -> None:
        self._wanted = result.run

    @Slot(object)
    def _on_failed(self, error: Exception) -> None:
        if isinstance(error, UserError):
            self.problem.show_text(f"{error} {error.hint}".strip(), "bad")
        self.context.problems.show(error, is_on_page=isinstance(error, UserError) and self.isVisible())

    @Slot()
    def _on_ended(self) -> None:
        self._going = [run for run in self._going if run is not self.sender()]
        self._history, self._steps, self._step = History(), {}, None
        self.context.events.changed.emit(Changes(suggestions=True))
        if not self.isVisible():
            self._read_runs()
        self._show_state()

    @Slot()
    def _on_pause(self) -> None:
        if self._going:
            run = self._going[0]
            (run.resume if run.state is JobState.PAUSED else run.pause)()

    @Slot()
    def _on_stop(self) -> None:
        """The one that trains keeps its best; those that wait are not begun."""
        for run in self._going:
            run.cancel()
        self._show_card()

    @Slot(str)
    def _on_use(self, model: str) -> None:
        self.context.requested_model = model
        self.context.page_requested.emit("suggest")

    @Slot(int)
    def _on_delete(self, id: int) -> None:
        run = next((run for run in self.model.runs if run.id == id), None)
        if run is None:
            return
        asked, about = f"Delete {run.name} and its model's files?", "Suggestions it made stay."
        question = Question(
            self.context.theme, "Delete a run", asked, "Delete", about=about, destroys=True, parent=self
        )
        if question.confirm():
            job: Job[Any] = lazy_job("Deleting a training run", _RUNS, "forget", self.context.project, id)
            going = self.context.runner.save(job)
            going.failed.connect(self.context.problems.show)
            going.done.connect(self.context.events.changed)

    # What is shown

    @Slot()
    def _show_card(self) -> None:
        chosen = self.runs.runs
        live = len(chosen) == 0 or (len(chosen) == 1 and chosen[0].state is TrainingRunState.RUNNING)
        if self._going and live:
            self._show_live(self._going[0])
        elif chosen:
            self.card.show_runs(chosen, may_change=not self.context.read_only and not self._going)
        else:
            self.card.show_nothing(
                "Choose a run to see how it went, or several to compare them." if self.model.runs else words.NO_RUNS
            )

    def _show_live(self, run: JobRun) -> None:
        waiting = len(self._going) - 1
        title = "Training" + (f", {count(waiting, 'more run')} to come" if waiting else "")
        far = "Waits for the job before it" if run.state is JobState.WAITING else "Getting ready…"
        far = words.how_far(self._step) if self._step is not None else far
        figure = training_figure(self._history.to_data(), steps=self._steps, summary=self._note)
        stopping, paused = run.progress.cancelled, run.state is JobState.PAUSED
        self.card.show_live(title, figure, far, paused=paused, stopping=stopping)

    def _show_state(self) -> None:
        known, runs = self._counts, self.model.trained
        nothing = known is not None and not known.pairs and not runs and self.form.learns_all
        self.empty.setVisible(nothing)
        self.whole.setVisible(not nothing)
        self.runs.setVisible(bool(runs))
        possible = known is not None and not known.problem and known.pairs > 0 and not self._counted.is_waiting
        self.button.setEnabled(
            possible and not self._going and not self.context.read_only and self.form.choice is not None
        )
        models = self.form.seeds.value()
        on = f" on {count(known.pairs, 'pair')}" if known is not None and known.pairs else ""
        text = f"T&rain {models} models{on}" if models > 1 else f"T&rain{on}"
        self.button.setText("Training…" if self._going else text)
        if self.context.read_only:
            self.problem.show_text("This project can only be read here, so nothing can be trained.", "info")
        self.set_subtitle(f"{count(len(runs), 'model')} trained on this project" if runs else "")
        self._show_card()

    # Layout

    def _timer(self, slot: object) -> QTimer:
        timer = QTimer(self)
        timer.setSingleShot(True)
        timer.timeout.connect(slot)
        return timer

    def _lay_out(self) -> None:
        theme, px = self.context.theme, self.context.theme.px
        self.form = TrainForm(theme, self.context.path.parent)
        self.form.setEnabled(not self.context.read_only)
        self.form.changed.connect(self._ask_counts)
        self.problem = Notice(theme)
        self.button = QPushButton("T&rain")
        self.button.setProperty("look", "primary")
        self.button.clicked.connect(self.train)
        left = QVBoxLayout()
        left.setSpacing(px(12))
        left.addWidget(FormScrollArea(self.form), 1)
        below = QVBoxLayout()
        below.setContentsMargins(0, 0, px(12), 0)
        below.setSpacing(px(12))
        below.addWidget(self.problem)
        below.addWidget(self.button)
        left.addLayout(below)
        side = QWidget()
        side.setFixedWidth(px(292))
        left.setContentsMargins(0, 0, 0, 0)
        side.setLayout(left)
        self.card = RunCard(theme)
        self.card.pause_requested.connect(self._on_pause)
        self.card.stop_requested.connect(self._on_stop)
        self.card.resume_requested.connect(self.resume)
        self.card.use_requested.connect(self._on_use)
        self.card.delete_requested.connect(self._on_delete)
        self.card.copied.connect(lambda lines: self.context.show_message(f"Copied {count(lines, 'line')} of numbers."))
        self.model = RunsModel(self)
        self.runs = RunsView(theme, self.model)
        self.runs.chosen.connect(self._show_card)
        right = QVBoxLayout()
        right.setSpacing(px(16))
        right.addWidget(self.card, 2)
        right.addWidget(self.runs, 1)
        self.whole = QWidget()
        across = QHBoxLayout(self.whole)
        across.setContentsMargins(0, 0, 0, 0)
        across.setSpacing(px(16))
        across.addWidget(side)
        across.addLayout(right, 1)
        self.empty = EmptyState(theme, words.NO_PAIRS, "Add papers")
        self.empty.button.clicked.connect(lambda: self.context.page_requested.emit("papers"))
        self.empty.setVisible(False)
        self.body.addWidget(self.empty, 1)
        self.body.addWidget(self.whole, 1)
        self.initial_focus = self.form.start

    def _add_actions(self) -> None:
        add = self.context.actions.add
        add("train.train", "Train", self.train, menu="Train", keys="Ctrl+Return", icon="graduation-cap", widget=self)
        add("train.pause", "Pause or resume", self._on_pause, menu="Train", icon="pause", widget=self)
        add("train.stop", "Stop and keep the best", self._on_stop, menu="Train", icon="square", widget=self)
