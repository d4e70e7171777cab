"""The dialog that pulls papers of a corpus into a project."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import (
    QDialog,
    QGridLayout,
    QHBoxLayout,
    QLineEdit,
    QProgressBar,
    QPushButton,
    QRadioButton,
    QWidget,
)

from desktop.jobs.corpus.choice import ChosenCounts, CorpusChoice
from desktop.jobs.corpus.pull import pull_corpus
from desktop.text import count, size
from desktop.translation import tr
from desktop.ui.services.runner import JobRun, JobRunner, JobState
from desktop.ui.theme import Theme
from desktop.ui.widgets.buttons import push_button
from desktop.ui.widgets.fields import NumberBox, SeedBox, pad_number
from desktop.ui.widgets.file_dialogs import FileDialog, Purpose
from desktop.ui.widgets.labels import PlainLabel
from desktop.ui.widgets.layouts import STRETCH, column_of, row_of
from desktop.ui.widgets.notices import Notice
from miner.errors import UserError
from miner.paths import PROJECT_SUFFIX, exists, expand_home
from miner.progress import Job, Tick

if TYPE_CHECKING:
    from desktop.jobs.corpus.overview import CorpusOverview

_MANY = 5_000  # papers; that many are proposed at most


class PullDialog(QDialog):
    """Shows how much a project will have, and pulls the papers. Closing the dialog while it pulls cancels the pull."""

    pulled = Signal(object)  # PulledCorpus

    def __init__(
        self,
        overview: CorpusOverview,
        choice: CorpusChoice,
        chosen: ChosenCounts,
        folder: Path,
        runner: JobRunner,
        theme: Theme,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._overview, self._choice, self._chosen = overview, choice, chosen
        self._runner, self._theme = runner, theme
        self._run: JobRun | None = None
        self.setWindowTitle(tr("Pull into a project"))
        self.setMinimumWidth(theme.px(520))
        name = Path(overview.figures.place.rstrip("/")).name or "corpus"
        self._build(folder / f"{name}{PROJECT_SUFFIX}")
        self._update()

    @property
    def papers(self) -> int | None:
        """How many papers to pull; None for all that are chosen."""
        return self.number.value() if self.some.isChecked() else None

    @property
    def path(self) -> Path:
        path = expand_home(self.target.text().strip())
        return path if path.suffix == PROJECT_SUFFIX else path.with_name(f"{path.name}{PROJECT_SUFFIX}")

    def done(self, result: int) -> None:
        """Close, and cancel a pull in progress."""
        if self._run is not None:
            self._run.cancel()
        super().done(result)

    def _build(self, target: Path) -> None:
        px = self._theme.px
        lead = PlainLabel(_about(self._choice, self._chosen), wraps=True)
        available = self._chosen.papers
        self.all = QRadioButton(tr("&All {papers}", papers=count(available, "paper")))
        self.some = QRadioButton(tr("A &random sample of"))
        self.number = NumberBox()
        self.number.setRange(1, max(1, available))
        self.number.setValue(min(_MANY, max(1, available)))
        self.number.setSuffix(tr(" papers"))
        self.number.setAccessibleName(tr("Number of papers"))
        self.seed = SeedBox(1)
        self.seed.setAccessibleName(tr("Random seed"))
        for box in (self.number, self.seed):
            pad_number(box, self._theme)
            box.setGroupSeparatorShown(box is self.number)
            box.valueChanged.connect(self._update)
        (self.some if available > _MANY else self.all).setChecked(True)
        self.some.toggled.connect(self._update)
        self.target = QLineEdit(str(target))
        self.target.setMinimumWidth(px(280))
        self.target.textChanged.connect(self._update)
        self.choose = QPushButton(tr("&Choose…"))
        self.choose.setAccessibleName(tr("Choose where to save the project"))
        self.choose.setAutoDefault(False)
        self.choose.clicked.connect(self._ask_target)
        seed_label, target_label = PlainLabel(tr("&Seed")), PlainLabel(tr("Save &in"))
        seed_label.setBuddy(self.seed)
        target_label.setBuddy(self.target)
        grid = QGridLayout()
        grid.setHorizontalSpacing(px(12))
        grid.setVerticalSpacing(px(8))
        grid.setColumnStretch(1, 1)
        grid.addWidget(self.all, 0, 0, 1, 3)
        grid.addWidget(self.some, 1, 0)
        sample = QHBoxLayout()
        sample.setSpacing(px(8))
        for widget in (self.number, seed_label, self.seed):
            sample.addWidget(widget)
        sample.addStretch(1)
        grid.addLayout(sample, 1, 1, 1, 2)
        grid.addWidget(target_label, 2, 0)
        grid.addWidget(self.target, 2, 1)
        grid.addWidget(self.choose, 2, 2)
        self.estimate = PlainLabel(wraps=True)
        self.estimate.setMinimumHeight(px(36))
        self.notice = Notice(self._theme)
        self.bar = QProgressBar()
        self.bar.setAccessibleName(tr("Progress"))
        self.bar.setTextVisible(False)
        self.bar.hide()
        self.cancel = QPushButton(tr("Cancel"))
        self.cancel.setAutoDefault(False)
        self.cancel.clicked.connect(self.reject)
        self.pull = push_button(tr("Pull"), self._pull, look="primary")
        self.setLayout(
            column_of(
                lead,
                grid,
                self.estimate,
                self.notice,
                self.bar,
                row_of(STRETCH, self.cancel, self.pull),
                spacing=px(12),
                margins=(px(24), px(20), px(24), px(20)),
            )
        )
        self.pull.setDefault(True)
        self._fields = (self.all, self.some, self.number, self.seed, self.target, self.choose)

    @Slot()
    def _update(self) -> None:
        """Show what the project will have, or what it gets if it exists."""
        self.number.setEnabled(self.some.isChecked())
        self.seed.setEnabled(self.some.isChecked())
        papers = self._chosen.papers if self.papers is None else self.papers
        pairs = round(self._chosen.pairs * papers / max(self._chosen.papers, 1))
        is_exact = self.papers is None and self._chosen.are_exact
        pairs_text = count(pairs, "pair") if is_exact else tr("about {pairs}", pairs=count(pairs, "pair"))
        size_text = size(self._overview.project_size(papers))
        if exists(self.path):
            estimate = tr(
                "{name} exists. It gets up to {papers} with {pairs}, about {size}: those of them that it does not have "
                "yet. It is opened when it is ready.",
                name=self.path.name,
                papers=count(papers, "more paper"),
                pairs=pairs_text,
                size=size_text,
            )
        else:
            estimate = tr(
                "The project will have {papers} with {pairs}, and take about {size}. It is opened when it is ready.",
                papers=count(papers, "paper"),
                pairs=pairs_text,
                size=size_text,
            )
        self.estimate.setText(estimate)
        self.pull.setText(tr("Pull {papers}", papers=count(papers, "paper")))
        self.pull.setEnabled(bool(papers) and self.path.is_absolute() and self._run is None)

    @Slot()
    def _ask_target(self) -> None:
        dialog = FileDialog(self, Purpose.PROJECTS, tr("Save the project"), self.path.parent)
        dialog.setAcceptMode(FileDialog.AcceptMode.AcceptSave)
        dialog.setOption(FileDialog.Option.DontConfirmOverwrite)  # a project that is there gets more papers
        dialog.selectFile(self.path.name)
        dialog.chosen.connect(lambda paths: self.target.setText(str(paths[0])))
        dialog.open()

    @Slot()
    def _pull(self) -> None:
        place = self._overview.figures.place
        job = pull_corpus(*(place, self.path, self._choice.where, self.papers, self.seed.value()))
        kept = tr("A new project is not made. One that was there keeps the papers pulled so far.")
        self.notice.show_text("")
        self._run = run = self._runner.start(Job(job.title, job.work, kept))
        run.ticked.connect(self._show_tick)
        run.ended.connect(self._on_ended)  # only then may the project be opened in place of another
        run.failed.connect(self._on_failed)
        run.finalized.connect(self._on_finalized)  # also where the window has cancelled it
        self._show_running(True)

    def _show_running(self, is_running: bool) -> None:
        for widget in self._fields:
            widget.setEnabled(not is_running)
        self.bar.setRange(0, 0)
        self.bar.setVisible(is_running)
        self._update() if not is_running else self.pull.setEnabled(False)

    @Slot(object)
    def _show_tick(self, tick: Tick) -> None:
        self.bar.setRange(0, tick.total or 0)
        self.bar.setValue(tick.done)

    @Slot()
    def _on_ended(self) -> None:
        run, self._run = self._run, None
        if run is not None and run.state is JobState.DONE:
            result = run.result
            self.accept()
            self.pulled.emit(result)
        else:
            self._show_running(False)

    @Slot(object)
    def _on_failed(self, error: Exception) -> None:
        hint = f" {error.hint}" if isinstance(error, UserError) and error.hint else ""
        self.notice.show_text(f"{error}{hint}", "bad")

    @Slot()
    def _on_finalized(self) -> None:
        if self._run is not None:
            self._run = None
            self._show_running(False)


def _about(choice: CorpusChoice, chosen: ChosenCounts) -> str:
    """The choice of papers, in words."""
    parts = [] if choice.domain is None else [choice.domain or tr("no domain")]
    if choice.has_years:
        first, last = (str(year) if year is not None else "" for year in (choice.first, choice.last))
        parts.append(f"{first}–{last}")
    which = ", ".join(parts) or tr("the whole corpus")
    return tr("From {which}: {papers}.", which=which, papers=count(chosen.papers, "paper"))
