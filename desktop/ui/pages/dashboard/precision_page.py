"""The Precision page of the dashboard: how many distant labels are right, by the answers to a sample."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget

from desktop.jobs.pairs.precision import (
    LoadedPrecision,
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
from desktop.ui.widgets.layouts import column_of
from desktop.ui.widgets.notices import EmptyState
from desktop.ui.widgets.questions import Question
from miner.precision.report import PrecisionReport
from miner.progress import Job
from storage.annotation.rounds import OWN_QUEUE, RoundOrder
from storage.changes import Changes

_REFRESH_INTERVAL_MS = 2_000  # at least, however fast changes come: a million pairs take seconds to count
_SIZE = 100  # pairs of a round that is started here
_NOT_ANSWERED = tr(
    "This page says how many of the distant labels are right, of all pairs and by class, domain and phrase, once you "
    "have answered a sample of pairs. 100 answers take an hour or less."
)
_NO_PAIRS = tr("This page says how many of the distant labels are right. There are no pairs yet: add papers first.")


class PrecisionPage(Page):
    """Estimates of the distant labels' precision; they are made when the page is shown."""

    title = tr("Precision")

    def __init__(self, context: ProjectContext, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self.report: PrecisionReport | None = None
        self._has_pairs = True
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
    def _on_report(self, loaded: LoadedPrecision) -> None:
        self.report, self._has_pairs = loaded
        can_answer = not self.context.read_only
        self.start_button.setVisible(self.report is not None and not self.report.overall.is_complete and can_answer)
        self._stack.setCurrentWidget(self.empty if self.report is None else self.scroll_area)
        self.lead_focus_to(self.empty.button if self.report is None else self.start_button)
        if self.report is None:
            self.empty.sentence.setText(_NOT_ANSWERED if self._has_pairs else _NO_PAIRS)
            self.empty.button.setText(tr("Answer a sample") if self._has_pairs else tr("Add papers"))
            self.empty.button.setVisible(can_answer)
        else:
            self._show_report(self.report)
        if self._needs_measuring and not self._timer.isActive():
            self._measure()

    def _show_report(self, report: PrecisionReport) -> None:
        first, *others = precision_sentences(report)
        self.lead.setText(first)
        self.sentences.setText(" ".join(others))
        shown = {table.title for table in precision_tables(report)}
        for card, make in zip(self.cards, (class_table, domain_table, phrase_table), strict=True):
            table = make(report)
            card.setVisible(table.title in shown)
            card.show_table(table)

    # A round

    @Slot()
    def _on_empty_button(self) -> None:
        if self._has_pairs:
            self.ask_to_start()
        else:
            self.context.page_requested.emit("papers")

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
        self.lead = PlainLabel(type="lead", wraps=True, selectable=True)
        self.sentences = PlainLabel(type="muted", wraps=True, selectable=True)
        self.classes = TextTableCard(theme, tr("How many distant labels are right?"))
        self.domains = TextTableCard(theme, tr("How many are right in each domain?"))
        self.phrases = TextTableCard(theme, tr("How many are right after each phrase?"))
        self.cards = (self.classes, self.domains, self.phrases)
        self.empty = EmptyState(theme, _NOT_ANSWERED, tr("Answer a sample"))
        self.empty.button.clicked.connect(self._on_empty_button)
        contents = QWidget()
        column = QVBoxLayout(contents)
        column.setContentsMargins(0, 0, theme.px(8), 0)
        column.setSpacing(theme.px(16))
        column.addLayout(column_of(self.lead, self.sentences, spacing=theme.px(4)))
        for card in self.cards:
            card.setVisible(False)
            card.opened.connect(self.context.pairs_requested)
            card.copied.connect(self._on_copied)
            column.addWidget(card)
        column.addStretch(1)
        self.scroll_area = FormScrollArea(contents)
        waiting = PlainLabel(tr("Counting…"), type="muted")
        waiting.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._stack = QStackedWidget()
        for widget in (waiting, self.empty, self.scroll_area):
            self._stack.addWidget(widget)
        self.body.addWidget(self._stack, 1)

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
        if name == "answer":
            return self._has_pairs and not self.context.read_only
        return self.report is not None

    @Slot()
    def copy_all(self) -> None:
        if self.report is not None:
            QGuiApplication.clipboard().setText(self.tsv())
            self.context.show_message(tr("Copied all numbers of the page."))

    @Slot(int)
    def _on_copied(self, lines: int) -> None:
        self.context.show_message(tr("Copied {lines} of numbers.", lines=count(lines, "line")))
