"""The Agreement page: how far annotators agree, where they differ, and how well people do on gold labels."""

from __future__ import annotations

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QStackedWidget, QWidget

from desktop.jobs.review.agreement import measure_agreement
from desktop.jobs.review.agreement_report import AgreementOptions, AgreementReport, GroupKind
from desktop.jobs.review.agreement_text import role_text
from desktop.text import count
from desktop.translation import tr
from desktop.ui.pages.agreement.figures import distant_figure, pairwise_figure
from desktop.ui.pages.agreement.rows import PEOPLE_COLUMNS, VOTER_COLUMNS, people_rows, voter_rows
from desktop.ui.pages.agreement.summary import AgreementSummary
from desktop.ui.pages.agreement.tables import GroupCard, TableCard
from desktop.ui.plots.card import PlotCard, with_plots
from desktop.ui.services.display_names import NO_DOMAIN
from desktop.ui.services.page import Page
from desktop.ui.services.project_context import ProjectContext
from desktop.ui.widgets.card import Card
from desktop.ui.widgets.card_grid import CardGrid
from desktop.ui.widgets.fields import ChoiceBox, FormScrollArea
from desktop.ui.widgets.labels import PlainLabel
from desktop.ui.widgets.layouts import STRETCH, column_of
from desktop.ui.widgets.notices import EmptyState
from storage.changes import Changes
from storage.pairs.filters import PairFilter

_REFRESH_DELAY_MS = 1000  # after the last of many changes
_TWO_COLUMNS_WIDTH = 800  # unscaled pixels, from which two cards are side by side
EMPTY_TEXT = tr(
    "This page shows how far annotators agree, by class, domain and round, once two people have answered the same "
    "pairs. Draw a round and give it to two people or more."
)
_PEOPLE_TEXT = tr(
    "Nobody has measured human performance yet. People with the role expert or layperson answer pairs that have a "
    "gold label; their answers do not count as votes."
)


class AgreementPage(Page):
    title = tr("Agreement")

    def __init__(self, context: ProjectContext, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self.report: AgreementReport | None = None
        self._refresh_timer = self.create_timer(self._measure)
        self._add_choices()
        self._lay_out()
        self._add_actions()

    def refresh(self, changes: Changes) -> None:
        is_affected = changes.papers or changes.pairs or changes.annotated_keys or changes.many_annotated
        if not (is_affected or changes.settings):
            return
        if self.report is None:
            self._measure()
        else:
            self._refresh_timer.start(_REFRESH_DELAY_MS)

    @property
    def is_measuring(self) -> bool:
        return self.context.is_reading(self._on_report) or self._refresh_timer.isActive()

    @property
    def options(self) -> AgreementOptions:
        """The options for the chosen pairs."""
        domain = self.domains.value
        domains = frozenset[str]() if domain is None else frozenset({str(domain)})
        return AgreementOptions(PairFilter(domains=domains), self.rounds.value)

    @Slot()
    def _measure(self) -> None:
        self._refresh_timer.stop()
        job = measure_agreement(self.context.project, self.options)
        self.context.read(with_plots(job), self._on_report)

    @Slot(object)
    def _on_report(self, report: AgreementReport) -> None:
        self.report = report
        if report.options == AgreementOptions():
            self.domains.offer([(group.name or NO_DOMAIN, group.name) for group in report.of_kind(GroupKind.DOMAIN)])
            self.rounds.offer(
                [(tr("Round {name}", name=one.name), int(one.name)) for one in report.of_kind(GroupKind.ROUND)]
            )
        self.domains.setVisible(self.domains.count() > 2)
        self.rounds.setVisible(self.rounds.count() > 1)
        is_empty = not (report.voters or report.people or report.groups) and report.options == AgreementOptions()
        self._stack.setCurrentWidget(self.empty if is_empty else self._scroll)
        self.lead_focus_to(self.empty.button if is_empty else self.groups.table)
        if is_empty:
            self.set_subtitle("")
            return
        self._show_report(report)

    def _show_report(self, report: AgreementReport) -> None:
        found = report.overall.agreement
        votes = tr(
            "{annotators}, {pairs} with two votes or more",
            annotators=count(found.annotators, "annotator"),
            pairs=count(found.pairs, "pair"),
        )
        self.set_subtitle(f"{votes}, {count(found.votes, 'vote')}")
        self.summary.show_report(report)
        self.groups.show_report(report)
        self.distant.show_figure(distant_figure(report))
        if report.comparisons:
            self.pairwise.show_figure(pairwise_figure(report))
        else:
            self.pairwise.show_message(tr("At least two people are needed for a comparison."))
        self.voters.show_rows(voter_rows(report), tr("Double-click a row for the pairs that this person answered."))
        if report.people:
            self.people.show_rows(people_rows(report), " ".join(map(role_text, report.roles)))
        else:
            self.people.show_text(_PEOPLE_TEXT)

    # Layout

    def _add_choices(self) -> None:
        self.domains = ChoiceBox(tr("Domain of the figures"), tr("All domains"))
        self.rounds = ChoiceBox(tr("Annotation round of the figures"), tr("All rounds"))
        for choice in (self.domains, self.rounds):
            choice.setVisible(False)
            choice.currentIndexChanged.connect(self._measure)
            self.header.addWidget(choice)

    def _lay_out(self) -> None:
        theme = self.context.theme
        waiting = PlainLabel(tr("Counting…"), type="muted")
        waiting.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.empty = EmptyState(theme, EMPTY_TEXT, tr("Open rounds"))
        self.empty.button.clicked.connect(lambda: self.context.page_requested.emit("annotate"))
        self.summary = AgreementSummary(theme)
        self.summary.opened.connect(self.context.pairs_requested)
        self.summary.page_requested.connect(self.context.page_requested)
        self.groups = GroupCard(theme)
        self.distant = PlotCard(theme, tr("Do annotators confirm the distant labels?"))
        self.pairwise = PlotCard(theme, tr("Which annotators agree with each other?"))
        self.voters = TableCard(theme, tr("How much has each annotator answered?"), VOTER_COLUMNS)
        self.people = TableCard(theme, tr("How well do people find the gold label?"), PEOPLE_COLUMNS)
        self.cards: tuple[Card, ...] = (self.groups, self.distant, self.pairwise, self.voters, self.people)
        for card in self.cards:
            card.opened.connect(self.context.pairs_requested)
            card.copied.connect(self._on_copied)
        grid = CardGrid(theme, _TWO_COLUMNS_WIDTH)
        grid.set_cards([[self.groups], [self.distant, self.pairwise], [self.voters, self.people]])
        column = QWidget()
        column.setLayout(column_of(self.summary, grid, STRETCH, spacing=theme.px(16), margins=(0, 0, theme.px(8), 0)))
        self._scroll = FormScrollArea(column)
        self._stack = QStackedWidget()
        for widget in (waiting, self.empty, self._scroll):
            self._stack.addWidget(widget)
        self.body.addWidget(self._stack, 1)

    # Actions

    def _add_actions(self) -> None:
        self.context.actions.add(
            "agreement.copy",
            tr("&Copy all numbers"),
            self.copy_all,
            menu=tr("Agreement"),
            keys="Ctrl+Shift+C",
            icon="copy",
            widget=self,
        )

    def is_action_enabled(self, name: str) -> bool:
        return self._stack.currentWidget() is self._scroll

    def tsv(self) -> str:
        """The numbers of all cards as tab-separated text, each table below its question."""
        return "\n".join(f"{card.question}\n{card.tsv()}" for card in self.cards if card.tsv())

    @Slot()
    def copy_all(self) -> None:
        if self.is_action_enabled("copy"):
            QGuiApplication.clipboard().setText(self.tsv())
            self.context.show_message(tr("Copied all numbers of the page."))

    @Slot(int)
    def _on_copied(self, lines: int) -> None:
        self.context.show_message(tr("Copied {lines} of numbers.", lines=count(lines, "line")))
