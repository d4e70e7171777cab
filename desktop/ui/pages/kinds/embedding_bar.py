"""Chooses the model whose layers are shown, reads its kept embedding, and computes a new one on request."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QWidget

from desktop.jobs.lab.layers.embedding import DEFAULT_PAIRS, KindsEmbedding
from desktop.jobs.lab.layers.jobs import EmbeddingOptions, compute_embedding, load_embedding
from desktop.jobs.models.registry import load_choices
from desktop.text import count, duration
from desktop.translation import tr
from desktop.ui.services.project_context import ProjectContext
from desktop.ui.services.runner import JobRun
from desktop.ui.widgets.buttons import push_button
from desktop.ui.widgets.fields import ComboBox
from desktop.ui.widgets.flow_layout import FlowLayout
from desktop.ui.widgets.labels import PlainLabel, set_tip
from desktop.ui.widgets.layouts import column_of
from desktop.ui.widgets.model_combo_box import ModelComboBox
from desktop.ui.widgets.notices import Notice
from miner.errors import UserError
from miner.progress import Tick

if TYPE_CHECKING:
    from desktop.jobs.lab.layers.jobs import KeptEmbedding

_OLD = tr("Answers have changed since the embedding was computed: compute again to include them.")
_AMOUNTS = (500, DEFAULT_PAIRS, 5_000, 10_000)


class EmbeddingBar(QWidget):
    """The fields for the model and the number of pairs, a button and an estimate; a problem is shown below."""

    found = Signal(object)  # the KindsEmbedding of the chosen model, None where there is none

    def __init__(self, context: ProjectContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.context = context
        self._run: JobRun | None = None
        self._kept: KeptEmbedding | None = None
        self._lay_out()

    @property
    def is_measuring(self) -> bool:
        return (
            self.context.is_reading(self._on_choices) or self.context.is_reading(self._on_kept) or self._run is not None
        )

    def refresh(self) -> None:
        """Look for models, and read again what there is of the chosen one's."""
        job = load_choices(self.context.project)
        self.context.read(job, self._on_choices)

    def options(self) -> EmbeddingOptions | None:
        """The chosen options; None without a model."""
        choice = self.models.choice
        return None if choice is None else EmbeddingOptions(choice.reference, pairs=self.amount.currentData())

    @Slot(object)
    def _on_choices(self, choices: object) -> None:
        self.models.show_choices(choices)  # type: ignore[arg-type]
        self._read()

    @Slot()
    def _read(self) -> None:
        options = self.options()
        if options is not None and self._run is None:
            job = load_embedding(self.context.project, options)
            self.context.runner.read(job, self._on_kept, self._on_not_read)

    @Slot(object)
    def _on_kept(self, kept: KeptEmbedding) -> None:
        self._kept = kept
        self.found.emit(kept.embedding)
        self._show_state()

    @Slot(object)
    def _on_not_read(self, error: Exception) -> None:
        self._kept = None
        self.found.emit(None)
        if isinstance(error, UserError):
            self._show_state(f"{error} {error.hint or ''}".strip())
        else:
            self.context.problems.show(error)

    # The computation

    @Slot()
    def compute(self) -> None:
        """Compute the embedding of the chosen model; if one is being computed, stop."""
        options = self.options()
        if self._run is not None:
            self._run.cancel()
            return
        if options is None:
            return
        self.context.cancel_read(self._on_kept)
        run = self._run = self.context.runner.start(compute_embedding(self.context.project, options))
        run.ticked.connect(self._on_tick)
        run.done.connect(self._on_computed)
        run.failed.connect(self._on_failed)
        run.ended.connect(self._on_ended)
        self._show_state()

    @Slot(object)
    def _on_tick(self, tick: Tick) -> None:
        if self._run is not None:
            share = f", {tick.done / tick.total:.0%}" if tick.total else ""
            self.estimate.setText(f"{tick.note[:1].upper()}{tick.note[1:]}{share}…")

    @Slot(object)
    def _on_computed(self, found: KindsEmbedding) -> None:
        self._kept = None
        self.found.emit(found)

    @Slot(object)
    def _on_failed(self, error: Exception) -> None:
        self.context.problems.show(error)

    @Slot()
    def _on_ended(self) -> None:
        self._run = None
        self._show_state()
        self._read()

    def _show_state(self, problem: str = "") -> None:
        kept, is_running = self._kept, self._run is not None
        self.button.setText(tr("Stop") if is_running else tr("Compute embedding"))
        self.models.setEnabled(not is_running)
        self.amount.setEnabled(not is_running)
        problem = problem or ("" if kept is None else kept.problem)
        self.button.setEnabled(is_running or (kept is not None and not problem))
        if is_running:
            self.estimate.setText(tr("Starting…"))
        elif kept is not None and kept.pairs and not problem:
            self.estimate.setText(
                tr("{pairs}: about {value}", pairs=count(kept.pairs, "pair"), value=duration(max(1.0, kept.seconds)))
            )
        else:
            self.estimate.setText("")
        is_old = kept is not None and kept.embedding is not None and not kept.is_current
        if problem:
            self.notice.show_text(problem, "warning")
        else:
            self.notice.show_text(_OLD if is_old and not is_running else "", "info")

    def _lay_out(self) -> None:
        theme = self.context.theme
        self.models = ModelComboBox(theme, tr("Model of the layers"), self.context.project.path.parent)
        self.models.model_changed.connect(self._read)
        self.amount = ComboBox()
        self.amount.setAccessibleName(tr("Largest number of pairs"))
        set_tip(self.amount, tr("More pairs take longer: ten times as many take about ten times as long"))
        for amount in _AMOUNTS:
            self.amount.addItem(tr("At most {amount:,} pairs", amount=amount), amount)
        self.amount.setCurrentIndex(_AMOUNTS.index(DEFAULT_PAIRS))
        self.amount.currentIndexChanged.connect(self._read)
        self.button = push_button(tr("Compute embedding"), self.compute)
        self.estimate = PlainLabel(type="muted")
        self.notice = Notice(theme)
        controls = QWidget()
        row = FlowLayout(theme.px(8), controls)
        for control in (self.models, self.amount, self.button, self.estimate):
            row.addWidget(control)
        self.setLayout(column_of(controls, self.notice, spacing=theme.px(8)))
