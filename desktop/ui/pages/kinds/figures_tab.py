"""The tab Figures of the Kinds page: which kinds of reasoning pairs need, and how well models predict each kind."""

from __future__ import annotations

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QWidget

from desktop.jobs.kinds.choices import load_model_choices
from desktop.jobs.kinds.report import KindsReport
from desktop.jobs.kinds.selection import KindsSelection
from desktop.jobs.kinds.text import factors_problem, left_out_text
from desktop.translation import tr
from desktop.ui.pages.kinds.embedding_panel import EmbeddingCard
from desktop.ui.pages.kinds.figures import correlation_figure, counts_figure
from desktop.ui.pages.kinds.model_figures import TONES, FactorMeasure, factors_figure, scores_figure
from desktop.ui.pages.kinds.models_bar import ModelsBar
from desktop.ui.pages.kinds.report_tab import KindsReportTab
from desktop.ui.plots.card import PlotCard, with_plots
from desktop.ui.services.project_context import ProjectContext
from desktop.ui.services.runner import JobQueue
from desktop.ui.theme import Theme
from desktop.ui.widgets.buttons import ToggleGroup
from desktop.ui.widgets.card_grid import CardGrid
from desktop.ui.widgets.labels import PlainLabel
from miner.errors import UserError
from miner.progress import Tick
from storage.changes import Changes

_TWO_COLUMNS_WIDTH = 1240  # unscaled pixels, from which two cards are side by side
_NO_MODEL = tr("Choose models above to see the accuracy of each by category.")
_NO_FACTORS = tr("Choose models above to see what makes their predictions correct or wrong.")


class FactorsCard(PlotCard):
    """The card on factors of models' errors, by the regression or by the discriminant analysis."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, tr("What makes predictions correct or wrong?"), parent, has_formats=True)
        choices = {FactorMeasure.LOG_ODDS: tr("Log odds"), FactorMeasure.EFFECT: tr("Effect")}
        choices |= {FactorMeasure.DISCRIMINANT: tr("Discriminant")}
        self.measures = ToggleGroup(
            theme, tr("What is shown of a factor"), {key.value: one for key, one in choices.items()}
        )
        self.measures.key_changed.connect(self._show_measure)
        self.header.insertWidget(1, self.measures, 0, Qt.AlignmentFlag.AlignTop)
        self._report: KindsReport | None = None
        self.remarks = PlainLabel(type="small", wraps=True)
        self.remarks.hide()
        column = self.layout()
        assert column is not None
        column.addWidget(self.remarks)

    def show_report(self, report: KindsReport) -> None:
        self._report = report
        self._show_measure()

    def clear(self, text: str) -> None:
        self._report = None
        self.remarks.hide()
        self.show_message(text)

    @Slot()
    def _show_measure(self) -> None:
        if self._report is None:
            return
        names = {key: one.name for key, one in self._report.taxonomy.category.items()}
        remarks = []
        for model in self._report.figures.models[: len(TONES)]:
            said = factors_problem(model.factors) or left_out_text(model.factors, names)
            remarks += [f"{model.model}: {said}"] if said else []
        figure = factors_figure(self._report, FactorMeasure(self.measures.key))
        self.remarks.setText("\n".join(remarks))
        self.remarks.setVisible(bool(remarks) and figure is not None)
        if figure is None:
            self.show_message("\n".join(remarks) or _NO_FACTORS)
        else:
            self.show_figure(figure)


class KindsFiguresTab(KindsReportTab):
    title = tr("Figures")
    empty_text = tr(
        "This page shows which kinds of reasoning pairs need, and at which of them models fail. Answer pairs on the "
        "tab Answer first."
    )

    def __init__(self, context: ProjectContext, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        theme = context.theme
        self.models = ModelsBar(theme, len(TONES))
        self.models.changed.connect(self._predict)
        self.models.cancelled.connect(self._cancel)
        self._predicted: KindsReport | None = None  # with the models whose figures are shown
        self.counts = PlotCard(theme, tr("Which kinds of reasoning do pairs need?"), has_formats=True)
        self.correlations = PlotCard(theme, tr("Which categories occur together?"), has_formats=True)
        self.scores = PlotCard(theme, tr("How accurate are models on each category?"), has_formats=True)
        self.factors = FactorsCard(theme)
        self.layers = EmbeddingCard(context)
        cards = (self.counts, self.correlations, self.scores, self.factors, self.layers)
        self.add_cards(*cards)
        of_pairs, of_models = CardGrid(theme, _TWO_COLUMNS_WIDTH), CardGrid(theme, _TWO_COLUMNS_WIDTH)
        of_pairs.set_cards([[self.counts, self.correlations]])
        of_models.set_cards([[self.scores, self.factors]])
        for widget in (of_pairs, self.models, of_models, self.layers):
            self.column.addWidget(widget)
        self.column.addStretch(1)
        self.scores.show_message(_NO_MODEL)
        self.factors.clear(_NO_FACTORS)

    @property
    def is_measuring(self) -> bool:
        return (
            super().is_measuring
            or self.context.is_reading(self._on_predicted)
            or self.context.is_reading(self.models.show_choices)
            or self.layers.is_measuring
        )

    def refresh(self, changes: Changes) -> None:
        super().refresh(changes)
        job = load_model_choices(self.context.project)
        self.context.read(job, self.models.show_choices)
        self.layers.refresh()

    def show_report(self, report: KindsReport) -> None:
        self.lead_focus_to(self.counts.numbers_button)
        self.counts.show_figure(counts_figure(report))
        correlations = correlation_figure(report)
        if correlations is None:
            self.correlations.show_message(
                tr("For this figure, at least two categories must be ticked for some pairs and not for others.")
            )
        else:
            self.correlations.show_figure(correlations)
        self._predict()

    def report_of(self, selection: KindsSelection) -> KindsReport | None:
        return self._predicted if selection.model else self.report

    @Slot()
    def _predict(self) -> None:
        """Show the scores of the chosen models; missing predictions are computed first."""
        self.context.cancel_read(self._on_predicted)
        if not self.models.chosen or self.report is None:
            self._predicted = None
            self.models.show_state("")
            self.scores.show_message(_NO_MODEL)
            self.factors.clear(_NO_FACTORS)
            return
        job = with_plots(self.report_job(self.models.chosen))
        run = self.context.runner.start(job, queue=JobQueue.MODELS)
        run.ticked.connect(self._on_tick)
        self.context.runner.follow(run, self._on_predicted, self._on_prediction_failed)
        self.models.show_state(tr("Looking for predictions…"))

    @Slot(object)
    def _on_tick(self, tick: Tick) -> None:
        if self.context.is_reading(self._on_predicted) and tick.total:
            self.models.show_state(
                tr(
                    "Predicting {done:,} of {total:,} pairs with {note}…",
                    done=tick.done,
                    total=tick.total,
                    note=tick.note,
                )
            )

    @Slot(object)
    def _on_predicted(self, report: KindsReport | None) -> None:
        if report is None:
            return
        self._predicted = report
        left = len(report.figures.models) - len(TONES)
        known = self.report.notes if self.report is not None else ()
        notes = [
            *(one for one in report.notes if one not in known),
            *([tr("{left} more models are not drawn.", left=left)] if left > 0 else []),
        ]
        self.models.show_state("", notes=notes)
        self.scores.show_figure(scores_figure(report))
        self.factors.show_report(report)

    @Slot(object)
    def _on_prediction_failed(self, error: Exception) -> None:
        if not isinstance(error, UserError):
            self.context.problems.show(error)
        text = (
            f"{error} {error.hint}".strip() if isinstance(error, UserError) else tr("The figure could not be computed.")
        )
        self._predicted = None
        self.models.show_state("", problem=text)
        self.scores.show_message(tr("There are no predictions to show."))
        self.factors.clear(tr("There are no predictions to show."))

    @Slot()
    def _cancel(self) -> None:
        self.context.cancel_read(self._on_predicted)
        self.models.choose()
