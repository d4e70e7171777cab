"""The card of the selected runs: the curves of a run or of the training in progress, or a comparison of runs."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtWidgets import QPushButton, QWidget

from desktop.jobs.models.training_history import TrainingHistory
from desktop.text import count
from desktop.translation import tr
from desktop.ui.pages.train.comparison import MAX_RUNS, RunComparison
from desktop.ui.pages.train.figures import training_figure
from desktop.ui.pages.train.scores import BASELINE_ID
from desktop.ui.pages.train.text import NO_RUNS_TEXT, comparison_text, result_text
from desktop.ui.plots.card import PlotCard
from desktop.ui.plots.figures import LineFigure
from desktop.ui.theme import Theme
from desktop.ui.widgets.buttons import push_button
from desktop.ui.widgets.fields import FormScrollArea
from desktop.ui.widgets.labels import ElidedLabel, set_tip
from storage.models.training_runs import TrainingRun, TrainingRunState

_RESUMABLE_STATES = frozenset((TrainingRunState.PAUSED, TrainingRunState.FAILED, TrainingRunState.CANCELLED))


class RunCard(PlotCard):
    pause_requested = Signal()
    stop_requested = Signal()
    resume_requested = Signal(int)  # a run's id
    use_requested = Signal(str)  # a model's reference
    delete_requested = Signal(int)  # a run's id

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, tr("Training"), parent)
        self.runs: list[TrainingRun] = []
        self.comparison = RunComparison(theme)
        self.comparison.current_changed.connect(self.show_mark_note)
        self._comparison_area = FormScrollArea(self.comparison)
        self.body.addWidget(self._comparison_area)
        self.progress = ElidedLabel(type="small")
        self.progress.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.progress.setContentsMargins(0, 0, theme.px(8), 0)
        self.header.insertWidget(1, self.progress, 2)
        self.pause = self._add_icon_button(tr("Pause"), "pause", self.pause_requested.emit)
        self.stop = self._add_icon_button(tr("Stop"), "square", self.stop_requested.emit)
        set_tip(self.stop, tr("Stop and keep the best model so far"))
        self.resume = self._add_icon_button(tr("Resume"), "play", lambda: self.resume_requested.emit(self.runs[0].id))
        set_tip(self.resume, tr("Resume from where it was interrupted"))
        self.use = push_button(
            tr("Use for suggestions"),
            lambda: self.use_requested.emit(self.runs[0].folder),
            tip=tr("Choose this model on the Model page"),
        )
        self.header.addWidget(self.use)
        for button in (self.numbers_button, self.copy_button):
            self.header.removeWidget(button)
            self.header.addWidget(button, 0, Qt.AlignmentFlag.AlignTop)
        self.delete = self.add_button("", "trash-2", tr("Delete this run and its model's files"))
        self.delete.clicked.connect(lambda: self.delete_requested.emit(self.runs[0].id))
        self.show_message(NO_RUNS_TEXT)

    # Contents

    def show_message(self, text: str) -> None:
        self.runs = []
        self.heading.setText(tr("Training"))
        super().show_message(text)
        self._show_buttons()

    def show_training(self, title: str, figure: LineFigure, progress: str, *, paused: bool, stopping: bool) -> None:
        """Show the training in progress."""
        self.runs = []
        self.heading.setText(title)
        self.progress.setText(
            tr("Stopping…") if stopping else tr("Paused · {progress}", progress=progress) if paused else progress
        )
        self.show_figure(figure)
        self._show_buttons(in_progress=True)
        self.pause.setText(tr("Resume") if paused else tr("Pause"))
        self._theme.set_icon(self.pause, "play" if paused else "pause")
        self.pause.setEnabled(not stopping)
        self.stop.setEnabled(not stopping)

    def show_runs(self, runs: Sequence[TrainingRun], *, can_change: bool, can_train: bool = True) -> None:
        """Show one run, or several side by side. can_train: whether the libraries are installed."""
        self.runs = list(runs)
        if len(runs) == 1:
            [run] = runs
            self.heading.setText(run.name)
            text = result_text(run, can_train=can_train)
            figure = training_figure(TrainingHistory.from_data(run.history), summary=text)
            if figure.length:
                self.show_figure(figure)
            else:
                super().show_message(text)
        else:
            note = tr(", the first {max_runs} shown", max_runs=MAX_RUNS) if len(runs) > MAX_RUNS else ""
            self.heading.setText(tr("{runs} side by side{note}", runs=count(len(runs), "run"), note=note))
            self.comparison.show_runs(runs)
            self.body.setCurrentWidget(self._comparison_area)
            self.summary = comparison_text(runs)
            self.show_note("")
        self._show_buttons(can_change=can_change, can_train=can_train)

    @Slot()
    def open_run(self) -> None:
        """Suggest with the shown run, if it has a model."""
        if not self.use.isHidden():
            self.use.click()

    def delete_run(self) -> None:
        """Ask whether to delete the shown run, if it can be deleted."""
        if not self.delete.isHidden():
            self.delete.click()

    def tsv(self) -> str:
        return self.comparison.model.tsv() if len(self.runs) > 1 else super().tsv()

    def _show_buttons(self, *, in_progress: bool = False, can_change: bool = False, can_train: bool = True) -> None:
        """Show the buttons that apply to the contents."""
        run = self.runs[0] if len(self.runs) == 1 else None
        self.pause.setVisible(in_progress)
        self.stop.setVisible(in_progress)
        self.progress.setVisible(in_progress)
        can_resume = can_change and can_train
        self.resume.setVisible(run is not None and can_resume and run.state in _RESUMABLE_STATES)
        self.use.setVisible(run is not None and run.model_id is not None)
        self.delete.setVisible(
            run is not None and can_change and run.state is not TrainingRunState.RUNNING and run.id != BASELINE_ID
        )
        has_plot = self.body.currentWidget() not in (self.waiting_label, self._comparison_area)
        self.numbers_button.setVisible(has_plot)
        self.copy_button.setVisible(has_plot or len(self.runs) > 1)

    def _add_icon_button(self, text: str, icon: str, slot: object) -> QPushButton:
        button = QPushButton(text)
        button.setIconSize(QSize(self._theme.px(14), self._theme.px(14)))
        self._theme.set_icon(button, icon)
        button.clicked.connect(slot)
        self.header.addWidget(button)
        return button
