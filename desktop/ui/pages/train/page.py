"""The Train page: the form on the left; the training in progress and the runs on the right."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import (
    QHBoxLayout,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from desktop.jobs.models.training_history import TrainingHistory
from desktop.text import count
from desktop.ui.pages.train.figures import training_figure
from desktop.ui.pages.train.form import TrainForm
from desktop.ui.pages.train.run_card import RunCard
from desktop.ui.pages.train.runs_table import RunsTable, RunsTableModel
from desktop.ui.pages.train.text import NO_PAIRS_TEXT, NO_RUNS_TEXT, progress_text
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

_RUNS_MODULE = "desktop.jobs.models.training_runs"
_DATA_MODULE = "desktop.jobs.models.training_data"
_COUNT_DELAY_MS = 300  # after the last change of the form
_DRAW_INTERVAL_MS = 250
_STEP_INTERVAL_S = 0.1  # at least, between two steps that are passed on


class TrainPage(Page):
    title = "Train"
    _event_received = Signal(object)  # TrainEvent; emitted in the job's thread

    def __init__(self, context: ProjectContext, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self._job_runs: list[JobRun] = []  # the one that trains, then those that wait
        self._history = TrainingHistory()
        self._steps: dict[str, int] = {}
        self._step: TrainStep | None = None
        self._note = ""
        self._counts: TrainingDataCounts | None = None
        self._run_to_select: int | None = None  # when it is in the table
        self._can_count = False  # the modules that count are imported by the job that reads the runs
        self._count_pending = False
        self._runs_request, self._choices_request = LatestRequest(self), LatestRequest(self)
        self._counts_request, self._export_request = LatestRequest(self), LatestRequest(self)
        self._runs_request.done.connect(self._on_runs)
        self._choices_request.done.connect(self._on_choices)
        self._counts_request.done.connect(self._on_counts)
        self._runs_request.failed.connect(self._allow_counting)
        for request in (self._runs_request, self._choices_request, self._counts_request, self._export_request):
            request.failed.connect(context.problems.show)
        self._count_timer, self._draw_timer = self.create_timer(self._count), self.create_timer(self._show_card)
        self._event_received.connect(self._on_event)
        self._lay_out()
        self._export_request.done.connect(self.form.show_split_export)
        self._add_actions()
        self._show_state()

    # Changes from outside

    def refresh(self, changes: Changes) -> None:
        self._read_runs()
        if changes.pairs or changes.annotated_keys or changes.many_annotated or changes.suggestions:
            self._request_counts()

    def _read_runs(self) -> None:
        read, project = self.context.runner.read, self.context.project
        self._runs_request.follow(
            read(with_plots(lazy_job("Reading the training runs", _RUNS_MODULE, "load_runs", project)))
        )
        self._choices_request.follow(
            read(lazy_job("Looking for models", "desktop.jobs.models.registry", "load_choices", project))
        )

    def activate(self) -> None:
        super().activate()
        job = lazy_job(
            "Reading how the project was exported",
            "desktop.jobs.exchange.export",
            "load_split_export",
            self.context.project,
        )
        self._export_request.follow(self.context.runner.read(job))

    @Slot(object)
    def _on_choices(self, choices: tuple[ModelChoice, ...]) -> None:
        self.form.show_choices([choice for choice in choices if not choice.problem])
        self._show_state()
        if self._counts is None:
            self._request_counts()

    @Slot(object)
    def _on_runs(self, runs: list[TrainingRun]) -> None:
        self._allow_counting()
        selected = [run.id for run in self.runs.selected_runs]
        self.model.show_runs(runs)
        self.runs.select_runs(selected if self._run_to_select is None else [self._run_to_select])
        self._run_to_select = None
        self.runs.fit_columns()
        self._show_state()

    # Labels to learn from

    @Slot()
    def _allow_counting(self) -> None:
        self._can_count = True
        if self._count_pending:
            self._count_pending = False
            self._count()

    @Slot()
    def _request_counts(self) -> None:
        self._counts_request.cancel()
        self.form.show_counts(None)
        if self.isVisible():
            self._count_timer.start(_COUNT_DELAY_MS)
        else:
            self._stale = True
        self._show_state()

    @Slot()
    def _count(self) -> None:
        if not self._can_count:
            self._count_pending = True
            return
        project, options = self.context.project, self.form.options
        job = lazy_job("Counting labels", _DATA_MODULE, "count_training_data", project, options)
        self._counts_request.follow(self.context.runner.read(job))

    @Slot(object)
    def _on_counts(self, counts: TrainingDataCounts) -> None:
        self._counts = counts
        self.form.show_counts(counts)
        self._show_state()

    def is_action_enabled(self, name: str) -> bool:
        return name not in ("pause", "stop") or bool(self._job_runs)

    # Training

    @Slot()
    def train(self) -> None:
        if not self.button.isEnabled():
            return
        from desktop.jobs.models.training import train

        for options in self.form.options_by_seed:
            self._start(partial(train, self.context.project, options))
        self.runs.select_runs([])
        self._show_state()

    @Slot(int)
    def resume(self, id: int) -> None:
        if self._job_runs or self.context.read_only:
            return
        from desktop.jobs.models.training import resume

        self._start(partial(resume, self.context.project, id))
        run = self.model.run(id)
        self._history = TrainingHistory.from_data(run.history if run else {})
        self.runs.select_runs([])
        self._show_state()

    def _start(self, create_job: Callable[[Callable[[TrainEvent], None]], Job[TrainedModel]]) -> None:
        last_emitted_at = 0.0

        def watch(event: TrainEvent) -> None:
            nonlocal last_emitted_at
            now = time.monotonic()
            if not isinstance(event, TrainStep) or now - last_emitted_at >= _STEP_INTERVAL_S:
                last_emitted_at = now
                self._event_received.emit(event)

        run = self.context.runner.start(create_job(watch), queue=JobQueue.TRAINING)
        self._job_runs.append(run)
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
    def _on_event(self, event: TrainEvent) -> None:
        is_first = self._step is None
        self._history.add(event)
        if isinstance(event, TrainStep):
            self._step = event
            self._steps[event.stage] = event.steps
            if is_first:
                self._read_runs()  # the new run is among them by now
        elif isinstance(event, TrainNote):
            self._note = event.text
        if not self._draw_timer.isActive():
            self._draw_timer.start(_DRAW_INTERVAL_MS)

    @Slot(object)
    def _on_done(self, result: TrainedModel) -> None:
        self._run_to_select = result.run

    @Slot(object)
    def _on_failed(self, error: Exception) -> None:
        if isinstance(error, UserError):
            self.problem.show_text(f"{error} {error.hint}".strip(), "bad")
        self.context.problems.show(error, is_on_page=isinstance(error, UserError) and self.isVisible())

    @Slot()
    def _on_ended(self) -> None:
        self._job_runs = [run for run in self._job_runs if run is not self.sender()]
        self._history, self._steps, self._step = TrainingHistory(), {}, None
        self.context.events.changed.emit(Changes(suggestions=True))
        if not self.isVisible():
            self._read_runs()
        self._show_state()

    @Slot()
    def _on_pause(self) -> None:
        if self._job_runs:
            run = self._job_runs[0]
            (run.resume if run.state is JobState.PAUSED else run.pause)()

    @Slot()
    def _on_stop(self) -> None:
        """Stop the run that trains, which keeps its best model, and cancel those that wait."""
        for run in self._job_runs:
            run.cancel()
        self._show_card()

    @Slot(str)
    def _on_use(self, model: str) -> None:
        self.context.requested_model = model
        self.context.page_requested.emit("suggest")

    @Slot(int)
    def _on_delete(self, id: int) -> None:
        run = self.model.run(id)
        if run is None:
            return
        text, about = f"Delete {run.name} and its model's files?", "Its suggestions are kept."
        question = Question(self.context.theme, "Delete a run", text, "Delete", about=about, destroys=True, parent=self)
        if question.confirm():
            job: Job[Any] = lazy_job("Deleting a training run", _RUNS_MODULE, "delete_run", self.context.project, id)
            deletion = self.context.runner.save(job)
            deletion.failed.connect(self.context.problems.show)
            deletion.done.connect(self.context.events.changed)

    # State on screen

    @Slot()
    def _show_card(self) -> None:
        selected = self.runs.selected_runs
        only_running = all(run.state is TrainingRunState.RUNNING for run in selected) and len(selected) < 2
        if self._job_runs and only_running:
            self._show_training(self._job_runs[0])
        elif selected:
            self.card.show_runs(selected, can_change=not self.context.read_only and not self._job_runs)
        else:
            text = "Select a run to see its curves, or several to compare them." if self.model.rows else NO_RUNS_TEXT
            self.card.show_message(text)

    def _show_training(self, run: JobRun) -> None:
        waiting = len(self._job_runs) - 1
        title = "Training" + (f", {count(waiting, 'more run')} to come" if waiting else "")
        if self._step is not None:
            progress = progress_text(self._step)
        else:
            progress = "Waiting for the job before it" if run.state is JobState.WAITING else "Preparing…"
        figure = training_figure(self._history, steps=self._steps, summary=self._note)
        stopping, paused = run.progress.cancelled, run.state is JobState.PAUSED
        self.card.show_training(title, figure, progress, paused=paused, stopping=stopping)

    def _show_state(self) -> None:
        counts, runs = self._counts, self.model.trained_runs
        is_empty = counts is not None and not counts.pairs and not runs and self.form.uses_all_labels
        self.empty.setVisible(is_empty)
        self.content.setVisible(not is_empty)
        self.runs.setVisible(bool(runs))
        is_counted = counts is not None and not self._counts_request.is_waiting
        has_labels = counts is not None and not counts.problem and counts.pairs > 0
        self.button.setEnabled(
            is_counted
            and has_labels
            and not self._job_runs
            and not self.context.read_only
            and self.form.choice is not None
        )
        models = self.form.seeds.value()
        pairs = f" on {count(counts.pairs, 'pair')}" if counts is not None and counts.pairs else ""
        text = f"T&rain {models} models{pairs}" if models > 1 else f"T&rain{pairs}"
        self.button.setText("Training…" if self._job_runs else text)
        if self.context.read_only:
            self.problem.show_text("This project can only be read here, so nothing can be trained.", "info")
        self.set_subtitle(f"{count(len(runs), 'model')} trained on this project" if runs else "")
        self._show_card()

    # Layout

    def _lay_out(self) -> None:
        theme, px = self.context.theme, self.context.theme.px
        self.form = TrainForm(theme, self.context.path.parent)
        self.form.setEnabled(not self.context.read_only)
        self.form.changed.connect(self._request_counts)
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
        self.model = RunsTableModel(self)
        self.runs = RunsTable(theme, self.model)
        self.runs.selection_changed.connect(self._show_card)
        right = QVBoxLayout()
        right.setSpacing(px(16))
        right.addWidget(self.card, 2)
        right.addWidget(self.runs, 1)
        self.content = QWidget()
        across = QHBoxLayout(self.content)
        across.setContentsMargins(0, 0, 0, 0)
        across.setSpacing(px(16))
        across.addWidget(side)
        across.addLayout(right, 1)
        self.empty = EmptyState(theme, NO_PAIRS_TEXT, "Add papers")
        self.empty.button.clicked.connect(lambda: self.context.page_requested.emit("papers"))
        self.empty.setVisible(False)
        self.body.addWidget(self.empty, 1)
        self.body.addWidget(self.content, 1)
        self.initial_focus = self.form.start

    def _add_actions(self) -> None:
        add = self.context.actions.add
        add("train.train", "Train", self.train, menu="Train", keys="Ctrl+Return", icon="graduation-cap", widget=self)
        add("train.pause", "Pause or resume", self._on_pause, menu="Train", icon="pause", widget=self)
        add("train.stop", "Stop and keep the best", self._on_stop, menu="Train", icon="square", widget=self)
