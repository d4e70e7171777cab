"""The tab Agreement of the Kinds page: how far annotators agree on each category, and overall."""

from __future__ import annotations

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from desktop.jobs.kinds.report import KindsReport
from desktop.jobs.kinds.text import PUBLISHED, agreement_refusal, agreement_sentences
from desktop.text import count
from desktop.translation import tr
from desktop.ui.pages.kinds.direction_figure import direction_figure
from desktop.ui.pages.kinds.figures import agreement_figure, category_name, coefficient
from desktop.ui.pages.kinds.report_tab import KindsReportTab
from desktop.ui.plots.card import PlotCard
from desktop.ui.services.project_context import ProjectContext
from desktop.ui.theme import Theme
from desktop.ui.widgets.labels import PlainLabel, set_tip
from desktop.ui.widgets.layouts import CardFrame, aligned, column_of, row_of, stretched
from miner.kinds.agreement import KindsAgreement
from storage.pairs.filters import ANY_KIND, NOT_BAD, PairFilter

_DRAW = tr("Draw a round that asks for kinds of reasoning and give it to two people or more.")
_NO_DIRECTIONS = tr(
    "This figure compares the direction that annotators give with the direction that the linking phrase announces. It "
    "needs pairs for which most annotators give the same direction."
)
_VALUES = (  # title, what it is
    (tr("Average κ"), tr("Mean of Fleiss’ κ over the categories: agreement beyond chance, 1 is perfect, 0 is chance.")),
    (
        "IoU",
        tr(
            "Intersection over union: of the categories that at least one of two annotators ticks, the share that both "
            "tick; 1 if neither ticks any."
        ),
    ),
    (
        tr("IoU of ticked pairs"),
        tr("Intersection over union, only over pairs for which at least one annotator ticks a category."),
    ),
    (
        tr("Label confirmed"),
        tr("Share of the answers about the relation that confirm the pair’s gold label, or else its distant label."),
    ),
)


class KindsSummary(CardFrame):
    """The card at the top: how far annotators agree overall, and what to do next."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        px = theme.px
        self.setAccessibleName(tr("How far do annotators agree on kinds of reasoning?"))
        self.headline, self.text, self.published = PlainLabel(), PlainLabel(), PlainLabel(PUBLISHED)
        self.step = PlainLabel()
        for label, kind in ((self.headline, "lead"), (self.text, ""), (self.published, "small"), (self.step, "")):
            label.setProperty("type", kind)
            label.setWordWrap(True)
            label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.values = []
        self.value_row = QWidget()
        across = QHBoxLayout(self.value_row)
        across.setContentsMargins(0, 0, 0, 0)
        across.setSpacing(px(32))
        for title, tip in _VALUES:
            value = PlainLabel(type="title")
            heading = PlainLabel(title, type="small")
            set_tip(value, tip)
            set_tip(heading, tip)
            across.addLayout(column_of(heading, value, spacing=0))
            self.values.append(value)
        across.addStretch(1)
        self.button = QPushButton()
        self.button.setProperty("look", "primary")
        self.setLayout(
            column_of(
                self.headline,
                self.value_row,
                self.text,
                self.published,
                row_of(stretched(self.step), aligned(self.button, Qt.AlignmentFlag.AlignVCenter), spacing=px(16)),
                spacing=px(8),
                margins=(px(16), px(12), px(16), px(12)),
            )
        )

    def show_agreement(self, agreement: KindsAgreement, weakest: str) -> None:
        """weakest: the name of the category that annotators agree on least; "" for none."""
        refusal, sentences = agreement_refusal(agreement), agreement_sentences(agreement)
        pairs = max((one.pairs for one in agreement.categories), default=0)
        people = count(len(agreement.annotators), "person", "people")
        self.headline.setText(
            refusal
            or tr("{people}, {pairs} that two or more of them answered.", people=people, pairs=count(pairs, "pair"))
        )
        self.text.setText(" ".join(one for one in sentences if one != refusal))
        inference = agreement.inference
        shown = (
            coefficient(agreement.average_kappa),
            coefficient(agreement.iou),
            coefficient(agreement.iou_ticked),
            "–" if inference is None else f"{100 * inference.value:.1f} %",
        )
        for label, value in zip(self.values, shown, strict=True):
            label.setText(value)
        self.value_row.setVisible(not refusal)
        self.published.setVisible(not refusal)
        if refusal:
            self.step.setText(_DRAW)
            self.button.setText(tr("Draw a round"))
        else:
            least = tr(" The lowest agreement is on {weakest}.", weakest=weakest) if weakest else ""
            self.step.setText(
                tr(
                    "Look at the pairs with different answers, and agree on what the questions mean.{least}",
                    least=least,
                )
            )
            self.button.setText(tr("Show pairs with different answers"))
        differing = any(one.differing for one in agreement.categories)
        self.step.setVisible(bool(refusal) or differing)
        self.button.setVisible(bool(refusal) or differing)


class KindsAgreementTab(KindsReportTab):
    title = tr("Agreement")
    empty_text = tr(
        "This page shows how far annotators agree on each category, once two people have answered the same pairs. "
        "Draw a round that asks for kinds of reasoning, and give it to both."
    )

    def __init__(self, context: ProjectContext, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self.summary = KindsSummary(context.theme)
        self.summary.button.clicked.connect(self._do_next_step)
        self.categories = PlotCard(context.theme, tr("How far do annotators agree on each category?"), has_formats=True)
        self.directions = PlotCard(
            context.theme, tr("Do annotators confirm the direction of the linking phrase?"), has_formats=True
        )
        self.add_cards(self.categories, self.directions)
        for card in (self.summary, self.categories, self.directions):
            self.column.addWidget(card)
        self.column.addStretch(1)

    def show_report(self, report: KindsReport) -> None:
        agreement = report.agreement
        assert agreement is not None
        measured = [one for one in agreement.categories if one.kappa.value is not None and one.differing]
        weakest = min(measured, key=lambda one: one.kappa.value or 0.0, default=None)
        self.summary.show_agreement(agreement, "" if weakest is None else category_name(report, weakest.category))
        self.lead_focus_to(self.summary.button)
        if report.directions is None or not report.directions.phrases:
            self.directions.show_message(_NO_DIRECTIONS)
        else:
            self.directions.show_figure(direction_figure(report.directions))
        refusal = agreement_refusal(agreement)
        self.categories.setVisible(not refusal)
        if refusal:
            return
        if not any(one.prevalence for one in agreement.categories):
            self.categories.show_message(tr("No category was ticked for the pairs that two people answered."))
        else:
            self.categories.show_figure(agreement_figure(report, agreement))

    @Slot()
    def _do_next_step(self) -> None:
        if self.report is not None and self.report.agreement and agreement_refusal(self.report.agreement):
            self.context.page_requested.emit("annotate")
        else:
            self.open_pairs(PairFilter(kinds_differ=frozenset({ANY_KIND}), statuses=NOT_BAD))
