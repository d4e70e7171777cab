"""What is known of the runs that are chosen: how one went or goes, or several side by side."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QPushButton, QWidget

from desktop.text import count
from desktop.ui.pages.train import words
from desktop.ui.pages.train.comparison import MOST, Comparison, difference
from desktop.ui.pages.train.figures import training_figure
from desktop.ui.plots.card import PlotCard
from desktop.ui.plots.figures import LineFigure
from desktop.ui.theme import Theme
from desktop.ui.widgets.fields import FormScrollArea
from desktop.ui.widgets.labels import ElidedLabel, set_tip
from storage.models.training_runs import TrainingRun, TrainingRunState

_CAN_GO_ON = frozenset((TrainingRunState.PAUSED, TrainingRunState.FAILED, TrainingRunState.CANCELLED))


class RunCard(PlotCard):
    pause_requested = Signal()
    stop_requested = Signal()
    resume_requested = Signal(int)  # a run's id
    use_requested = Signal(str)  # a model's reference
    delete_requested = Signal(int)  # a run's id

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, "Training", parent)
        self.runs: list[TrainingRun] = []
        self.comparison = Comparison(theme)
        self.comparison.pointed.connect(self.on_pointed)
        self._side_by_side = FormScrollArea(self.comparison)
        self.body.addWidget(self._side_by_side)
        self.far = ElidedLabel()
        self.far.setProperty("type", "small")
        self.far.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.far.setContentsMargins(0, 0, theme.px(8), 0)
        self.header.insertWidget(1, self.far, 2)
        self.pause = self._button("Pause", "pause", self.pause_requested.emit)
        self.stop = self._button("Stop", "square", self.stop_requested.emit)
        set_tip(self.stop, "Stop and keep the best so far as a model")
        self.resume = self._button("Resume", "play", lambda: self.resume_requested.emit(self.runs[0].id))
        set_tip(self.resume, "Resume from where it was interrupted")
        self.use = QPushButton("Suggest with it")
        set_tip(self.use, "Choose this model on the Suggest page")
        self.use.clicked.connect(lambda: self.use_requested.emit(self.runs[0].folder))
        self.header.addWidget(self.use)
        for button in (self.numbers_button, self.copy_button):
            self.header.removeWidget(button)
            self.header.addWidget(button, 0, Qt.AlignmentFlag.AlignTop)
        self.delete = self.add_button("", "trash-2", "Delete this run and its model's files")
        self.delete.clicked.connect(lambda: self.delete_requested.emit(self.runs[0].id))
        self.show_nothing(words.NO_RUNS)

    # What is shown

    def show_nothing(self, why: str) -> None:
        self.runs = []
        self.heading.setText("Training")
        super().show_nothing(why)
        self._offer()

    def show_live(self, title: str, figure: LineFigure, far: str, *, paused: bool, stopping: bool) -> None:
        """A training in hand."""
        self.runs = []
        self.heading.setText(title)
        self.far.setText("Stopping…" if stopping else f"Paused · {far}" if paused else far)
        self.show_figure(figure)
        self._offer(live=True)
        self.pause.setText("Resume" if paused else "Pause")
        self._theme.set_icon(self.pause, "play" if paused else "pause")
        self.pause.setEnabled(not stopping)
        self.stop.setEnabled(not stopping)

    def show_runs(self, runs: Sequence[TrainingRun], *, may_change: bool) -> None:
        """One run, or several side by side."""
        self.runs = list(runs)
        if len(runs) == 1:
            [run] = runs
            self.heading.setText(run.name)
            figure = training_figure(run.history, summary=words.result(run))
            if figure.length:
                self.show_figure(figure)
            else:
                super().show_nothing(words.result(run))
        else:
            more = f", the first {MOST} shown" if len(runs) > MOST else ""
            self.heading.setText(f"{count(len(runs), 'run')} side by side{more}")
            self.comparison.show_runs(runs)
            self.body.setCurrentWidget(self._side_by_side)
            self.summary = difference(runs)
            self.show_note("")
        self._offer(may_change=may_change)

    def tsv(self) -> str:
        return self.comparison.model.tsv() if len(self.runs) > 1 else super().tsv()

    def _offer(self, *, live: bool = False, may_change: bool = False) -> None:
        """The buttons that mean something for what is shown."""
        one = self.runs[0] if len(self.runs) == 1 else None
        self.pause.setVisible(live)
        self.stop.setVisible(live)
        self.far.setVisible(live)
        self.resume.setVisible(one is not None and may_change and one.state in _CAN_GO_ON)
        self.use.setVisible(one is not None and one.model_id is not None)
        self.delete.setVisible(
            one is not None and may_change and one.state is not TrainingRunState.RUNNING and one.id != words.BASELINE
        )
        plotted = self.body.currentWidget() not in (self.waiting_label, self._side_by_side)
        self.numbers_button.setVisible(plotted)
        self.copy_button.setVisible(plotted or len(self.runs) > 1)

    def _button(self, text: str, icon: str, slot: object) -> QPushButton:
        button = QPushButton(text)
        button.setIconSize(QSize(self._theme.px(14), self._theme.px(14)))
        self._theme.set_icon(button, icon)
        button.clicked.connect(slot)
        self.header.addWidget(button)
        return button
