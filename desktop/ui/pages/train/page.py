"""The Train page: the form on the left; the training in progress and the runs on the right."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QWidget

from desktop.jobs.exchange.export import load_split_export
from desktop.jobs.models.registry import load_choices
from desktop.jobs.models.training_data import count_training_data
from desktop.jobs.models.training_history import TrainingHistory
from desktop.jobs.models.training_runs import delete_run, load_runs
from desktop.text import count
from desktop.translation import tr
from desktop.ui.pages.train.form import TrainForm
from desktop.ui.pages.train.run_card import RunCard
from desktop.ui.pages.train.runs_table import RunsTable, RunsTableModel
from desktop.ui.pages.train.text import NO_PAIRS_TEXT, NO_RUNS_TEXT
from desktop.ui.pages.train.training_queue import TrainingQueue
from desktop.ui.plots.card import with_plots
from desktop.ui.services.page import Page
from desktop.ui.services.project_context import ProjectContext
from desktop.ui.services.runner import JobState
from desktop.ui.widgets.buttons import push_button
from desktop.ui.widgets.fields import FormScrollArea
from desktop.ui.widgets.layouts import column_of, row_of, stretched
from desktop.ui.widgets.list_keys import remove_by
from desktop.ui.widgets.notices import EmptyState, Notice
from desktop.ui.widgets.questions import Question
from miner.errors import UserError
from storage.changes import Changes
from storage.models.training_runs import TrainingRun, TrainingRunState

if TYPE_CHECKING:
    from desktop.jobs.models.registry import ModelChoice
    from desktop.jobs.models.training import TrainedModel
    from desktop.jobs.models.training_data import TrainingDataCounts
    from miner.progress import Job

_COUNT_DELAY_MS = 300  # after the last change of the form


class TrainPage(Page):
    title = tr("Train")
    least_size = (700, 340)

    def __init__(self, context: ProjectContext, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self.trainings = TrainingQueue(context.runner, self)
        self._counts: TrainingDataCounts | None = None
        self._run_to_select: int | None = None  # when it is in the table
        self._can_count = False  # the modules that count are imported by the job that reads the runs
        self._count_pending = False
        self._count_timer = self.create_timer(self._count)
        self._lay_out()
        self.trainings.updated.connect(self._show_card)
        self.trainings.first_step_done.connect(self._read_runs)
        self.trainings.trained.connect(self._on_trained)
        self.trainings.failed.connect(self._on_failed)
        self.trainings.ended.connect(self._on_ended)
        self._add_actions()
        self._show_state()

    # Changes from outside

    def refresh(self, changes: Changes) -> None:
        self._read_runs()
        if changes.pairs or changes.annotated_keys or changes.many_annotated or changes.suggestions:
            self._request_counts()

    @Slot()
    def _read_runs(self) -> None:
        project = self.context.project
        runs = load_runs(project)
        self.context.runner.read(with_plots(runs), self._on_runs, self._on_runs_failed)
        choices = load_choices(project)
        self.context.read(choices, self._on_choices)

    def activate(self) -> None:
        super().activate()
        job = load_split_export(self.context.project)
        self.context.read(job, self.form.show_split_export)

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

    @Slot(object)
    def _on_runs_failed(self, error: Exception) -> None:
        self._allow_counting()
        self.context.problems.show(error)

    # Labels to learn from

    @Slot()
    def _allow_counting(self) -> None:
        self._can_count = True
        if self._count_pending:
            self._count_pending = False
            self._count()

    @Slot()
    def _request_counts(self) -> None:
        self.context.cancel_read(self._on_counts)
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
        job = count_training_data(project, options)
        self.context.read(job, self._on_counts)

    @Slot(object)
    def _on_counts(self, counts: TrainingDataCounts) -> None:
        self._counts = counts
        self.form.show_counts(counts)
        self._show_state()

    def is_action_enabled(self, name: str) -> bool:
        return name not in ("pause", "stop") or bool(self.trainings.runs)

    # Training

    @Slot()
    def train(self) -> None:
        if not self.button.isEnabled():
            return
        from desktop.jobs.models.training import train

        for options in self.form.options_by_seed:
            self.trainings.start(partial(train, self.context.project, options))
        self._show_started()

    @Slot(int)
    def resume(self, id: int) -> None:
        if self.trainings.runs or self.context.read_only:
            return
        from desktop.jobs.models.training import resume

        run = self.model.run(id)
        history = TrainingHistory.from_data(run.history if run else {})
        self.trainings.start(partial(resume, self.context.project, id), history)
        self._show_started()

    def _show_started(self) -> None:
        self.problem.show_text("")
        self.runs.select_runs([])
        self._show_state()

    @Slot(object)
    def _on_trained(self, result: TrainedModel) -> None:
        self._run_to_select = result.run

    @Slot(object)
    def _on_failed(self, error: Exception) -> None:
        if isinstance(error, UserError):
            self.problem.show_text(f"{error} {error.hint}".strip(), "bad")
        self.context.problems.show(error, is_on_page=isinstance(error, UserError) and self.isVisible())

    @Slot()
    def _on_ended(self) -> None:
        self.context.events.changed.emit(Changes(suggestions=True))
        if not self.isVisible():
            self._read_runs()
        self._show_state()

    @Slot(str)
    def _on_use(self, model: str) -> None:
        self.context.requested_model = model
        self.context.page_requested.emit("suggest")

    @Slot(int)
    def _on_delete(self, id: int) -> None:
        run = self.model.run(id)
        if run is None:
            return
        text, about = (
            tr("Delete the run {name} and the files of its model?", name=run.name),
            tr("Suggestions that the model made are kept."),
        )
        question = Question(
            self.context.theme, tr("Delete a run"), text, "Delete", about=about, destroys=True, parent=self
        )
        if question.confirm():
            job: Job[Any] = delete_run(self.context.project, id)
            deletion = self.context.runner.save(job)
            deletion.failed.connect(self.context.problems.show)
            deletion.done.connect(self.context.events.changed)

    # State on screen

    @Slot()
    def _show_card(self) -> None:
        selected = self.runs.selected_runs
        only_running = all(run.state is TrainingRunState.RUNNING for run in selected) and len(selected) < 2
        if self.trainings.runs and only_running:
            run = self.trainings.runs[0]
            self.card.show_training(
                self.trainings.title,
                self.trainings.figure,
                self.trainings.progress,
                paused=run.state is JobState.PAUSED,
                stopping=run.progress.cancelled,
            )
        elif selected:
            can_change = not self.context.read_only and not self.trainings.runs
            can_train = self._counts is None or not self._counts.lacks_library
            self.card.show_runs(selected, can_change=can_change, can_train=can_train)
        else:
            text = (
                tr("Select a run to see its training curves, or several runs to compare them.")
                if self.model.rows
                else NO_RUNS_TEXT
            )
            self.card.show_message(text)

    def _show_state(self) -> None:
        counts, runs = self._counts, self.model.trained_runs
        is_empty = counts is not None and not counts.pairs and not runs and self.form.uses_all_labels
        self.empty.setVisible(is_empty)
        self.content.setVisible(not is_empty)
        self.runs.setVisible(bool(runs))
        is_counted = counts is not None and not self.context.is_reading(self._on_counts)
        has_labels = counts is not None and not counts.problem and counts.pairs > 0
        self.button.setEnabled(
            is_counted
            and has_labels
            and not self.trainings.runs
            and not self.context.read_only
            and self.form.choice is not None
        )
        models = self.form.seeds.value()
        pairs = tr(" on {pairs}", pairs=count(counts.pairs, "pair")) if counts is not None and counts.pairs else ""
        text = (
            tr("T&rain {models} models{pairs}", models=models, pairs=pairs)
            if models > 1
            else tr("T&rain{pairs}", pairs=pairs)
        )
        self.button.setText(tr("Training…") if self.trainings.runs else text)
        if self.context.read_only:
            self.problem.show_text(tr("This project is read-only, so nothing can be trained."), "info")
        self.set_subtitle(tr("{runs} on this project", runs=count(len(runs), "training run")) if runs else "")
        self._show_card()

    # Layout

    def _lay_out(self) -> None:
        theme, px = self.context.theme, self.context.theme.px
        self.form = TrainForm(theme, self.context.path.parent)
        self.form.setEnabled(not self.context.read_only)
        self.form.changed.connect(self._request_counts)
        self.problem = Notice(theme)
        self.button = push_button(tr("T&rain"), self.train, look="primary")
        side = QWidget()
        side.setFixedWidth(px(292))
        side.setLayout(
            column_of(
                stretched(FormScrollArea(self.form)),
                column_of(self.problem, self.button, spacing=px(12), margins=(0, 0, px(12), 0)),
                spacing=px(12),
            )
        )
        self.card = RunCard(theme)
        self.card.pause_requested.connect(self.trainings.pause_or_resume)
        self.card.stop_requested.connect(self.trainings.stop)
        self.card.resume_requested.connect(self.resume)
        self.card.use_requested.connect(self._on_use)
        self.card.delete_requested.connect(self._on_delete)
        self.card.copied.connect(
            lambda lines: self.context.show_message(tr("Copied {lines} of numbers.", lines=count(lines, "line")))
        )
        self.model = RunsTableModel(self)
        self.runs = RunsTable(theme, self.model, self.context.settings_store.window_settings)
        self.runs.selection_changed.connect(self._show_card)
        self.runs.table.activated.connect(self.card.open_run)
        remove_by(self.runs.table, self.card.delete_run)
        self.content = QWidget()
        across = row_of(
            side, stretched(column_of(stretched(self.card, 2), stretched(self.runs), spacing=px(16))), spacing=px(16)
        )
        self.content.setLayout(across)
        self.side_by_side = across
        self.empty = EmptyState(theme, NO_PAIRS_TEXT, tr("Add papers"))
        self.empty.button.clicked.connect(lambda: self.context.page_requested.emit("papers"))
        self.empty.setVisible(False)
        self.body.addWidget(self.empty, 1)
        self.body.addWidget(self.content, 1)
        self.initial_focus = self.form.start

    def _add_actions(self) -> None:
        add = self.context.actions.add
        add(
            "train.train",
            tr("Train"),
            self.train,
            menu=tr("Train"),
            keys="Ctrl+Return",
            icon="graduation-cap",
            widget=self,
        )
        add(
            "train.pause",
            tr("Pause or resume"),
            self.trainings.pause_or_resume,
            menu=tr("Train"),
            icon="pause",
            widget=self,
        )
        add(
            "train.stop",
            tr("Stop and keep the best"),
            self.trainings.stop,
            menu=tr("Train"),
            icon="square",
            widget=self,
        )
