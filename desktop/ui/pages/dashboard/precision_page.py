"""The Precision page of the dashboard: how many distant labels are right, by the answers to a sample."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QVBoxLayout, QWidget

from desktop.jobs.pairs.precision import (
    HOW_TO_START,
    class_table,
    domain_table,
    measure_precision,
    phrase_table,
    precision_sentences,
    precision_tables,
)
from desktop.jobs.review.queues import OwnQueue, find_own_queue, take_up
from desktop.jobs.review.rounds import RoundOptions, start_round
from desktop.text import count
from desktop.translation import tr
from desktop.ui.pages.dashboard.table_card import TextTableCard
from desktop.ui.services.page import Page
from desktop.ui.services.project_context import ProjectContext
from desktop.ui.widgets.buttons import push_button
from desktop.ui.widgets.fields import FormScrollArea
from desktop.ui.widgets.labels import PlainLabel
from desktop.ui.widgets.notices import EmptyState
from desktop.ui.widgets.questions import Question
from miner.precision.report import PrecisionReport
from miner.progress import Job
from storage.annotation.rounds import OWN_QUEUE, RoundOrder
from storage.changes import Changes

_REFRESH_INTERVAL_MS = 2_000  # at least, however fast changes come: a million pairs take seconds to count
_SIZE = 100  # pairs of a round that is started here


class PrecisionPage(Page):
    """Estimates of the distant labels' precision; they are made when the page is shown."""

    title = tr("Precision")

    def __init__(self, context: ProjectContext, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self.report: PrecisionReport | None = None
        self._needs_measuring = False
        self._lay_out()
        self._timer = self.create_timer(self._on_timer)
        self._add_actions()

    @property
    def is_measuring(self) -> bool:
        return self.context.is_reading(self._on_report) or self._needs_measuring

    def refresh(self, changes: Changes) -> None:
        is_affected = changes.papers or changes.pairs or changes.annotated_keys or changes.many_annotated
        if not (is_affected or changes.suggestions or changes.settings):
            return
        if self._timer.isActive() or self.context.is_reading(self._on_report):
            self._needs_measuring = True
        else:
            self._measure()

    def tsv(self) -> str:
        """All tables as tab-separated text, each below its question."""
        return "\n".join(f"{card.question}\n{card.tsv()}" for card in self.cards if card.isVisibleTo(self))

    # Estimates

    def _measure(self) -> None:
        self._needs_measuring = False
        self._timer.start(_REFRESH_INTERVAL_MS)
        self.context.read(measure_precision(self.context.project), self._on_report)

    @Slot()
    def _on_timer(self) -> None:
        if self._needs_measuring and not self.context.is_reading(self._on_report):
            self._measure()

    @Slot(object)
    def _on_report(self, report: PrecisionReport | None) -> None:
        self.report = report
        tables = {table.title for table in precision_tables(report)} if report else set()
        self.empty.setVisible(report is None)
        self.start_button.setVisible(report is not None and not self.context.read_only)
        self.sentences.setVisible(report is not None)
        for card, make in zip(self.cards, (class_table, domain_table, phrase_table), strict=True):
            table = make(report) if report else None
            card.setVisible(table is not None and table.title in tables)
            if table is not None:
                card.show_table(table)
        if report is not None:
            self.sentences.setText(" ".join(precision_sentences(report)))
        self.lead_focus_to(self.empty.button if report is None else self.start_button)
        if self._needs_measuring and not self._timer.isActive():
            self._measure()

    # A round

    @Slot()
    def ask_to_start(self) -> None:
        """Start a round of the sample's next pairs; asks first if it would replace a queue."""
        if self.context.ask_annotator(self) is not None:
            self.context.read(find_own_queue(self.context.project, self.context.annotator), self._on_own_queue)

    @Slot(object)
    def _on_own_queue(self, queue: OwnQueue) -> None:
        if queue.waiting and queue.order is RoundOrder.PRECISION:
            self._open(take_up(self.context.project, self.context.annotator, OWN_QUEUE))
            return
        pairs = count(queue.waiting, "pair")
        question = Question(
            self.context.theme,
            tr("Answer a sample"),
            tr("Start a queue with the next {size} pairs of the sample?", size=_SIZE),
            tr("Start"),
            about=tr("It replaces your queue, which has {pairs} left. Your answers are kept.", pairs=pairs),
            parent=self,
        )
        if not queue.waiting or question.confirm():
            options = RoundOptions(RoundOrder.PRECISION, size=_SIZE)
            self._open(start_round(self.context.project, self.context.annotator, options))

    def _open(self, job: Job[Any]) -> None:
        """Show the queue on the Review page after this job."""
        run = self.context.runner.save(job)
        self.context.runner.follow(run, self._on_started, self.context.problems.show)

    @Slot(object)
    def _on_started(self, _: object) -> None:
        self.context.page_requested.emit("review")
        self.context.round_started.emit()

    # Layout

    def _lay_out(self) -> None:
        theme = self.context.theme
        self.start_button = push_button(
            tr("Answer more pairs…"),
            self.ask_to_start,
            tip=tr("Start a queue in Review with the next {size} pairs of the sample", size=_SIZE),
        )
        self.start_button.setVisible(False)
        self.header.addWidget(self.start_button)
        self.sentences = PlainLabel(wraps=True, selectable=True)
        self.classes = TextTableCard(theme, tr("How many distant labels are right?"))
        self.domains = TextTableCard(theme, tr("How many are right in each domain?"))
        self.phrases = TextTableCard(theme, tr("How many are right after each phrase?"))
        self.cards = (self.classes, self.domains, self.phrases)
        self.empty = EmptyState(theme, HOW_TO_START, tr("Answer a sample"))
        self.empty.button.clicked.connect(self.ask_to_start)
        self.empty.button.setVisible(not self.context.read_only)
        self.empty.setVisible(False)
        contents = QWidget()
        column = QVBoxLayout(contents)
        column.setContentsMargins(0, 0, theme.px(8), 0)
        column.setSpacing(theme.px(16))
        column.addWidget(self.sentences)
        for card in self.cards:
            card.setVisible(False)
            card.opened.connect(self.context.pairs_requested)
            card.copied.connect(self._on_copied)
            column.addWidget(card)
        column.addWidget(self.empty)
        column.addStretch(1)
        self.scroll_area = FormScrollArea(contents)
        self.body.addWidget(self.scroll_area, 1)

    # Actions

    def _add_actions(self) -> None:
        add, menu = self.context.actions.add, self.title
        add(
            "precision.answer",
            tr("&Answer pairs of the sample…"),
            self.ask_to_start,
            menu=menu,
            icon="play",
            widget=self,
        )
        add(
            "precision.copy",
            tr("&Copy all numbers"),
            self.copy_all,
            menu=menu,
            keys="Ctrl+Shift+C",
            icon="copy",
            widget=self,
        )

    def is_action_enabled(self, name: str) -> bool:
        return not self.context.read_only if name == "answer" else self.report is not None

    @Slot()
    def copy_all(self) -> None:
        if self.report is not None:
            QGuiApplication.clipboard().setText(self.tsv())
            self.context.show_message(tr("Copied all numbers of the page."))

    @Slot(int)
    def _on_copied(self, lines: int) -> None:
        self.context.show_message(tr("Copied {lines} of numbers.", lines=count(lines, "line")))
