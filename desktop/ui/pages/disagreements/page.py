"""The page of doubted labels: labels that are probably wrong, the most doubtful first, with a key for each answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import QTimer, Slot
from PySide6.QtWidgets import QPushButton, QWidget

from desktop.jobs.descriptions.doubts import doubts_text
from desktop.jobs.models.doubt_record import DOUBTED
from desktop.jobs.pairs import table
from desktop.jobs.review import disagreements
from desktop.jobs.review.answers import ActionResult
from desktop.jobs.review.disagreements import DisagreementQueue, DoubtedPair, count_doubted, load_disagreements
from desktop.translation import tr
from desktop.ui.filters.filter_bar import FilterBar
from desktop.ui.judging.accept_dialog import AcceptDialog, AcceptScope
from desktop.ui.judging.actions import (
    PageAction,
    add_actions,
    add_answer_actions,
    help_actions,
    mark_actions,
    move_actions,
)
from desktop.ui.judging.answer_bar import HINTS, AnswerBar
from desktop.ui.judging.answer_session import AnswerSession
from desktop.ui.judging.judging_page import JudgingPage
from desktop.ui.judging.pair_column import Reduction
from desktop.ui.judging.review_queue import ReviewQueue
from desktop.ui.judging.why_this_pair import PairSource
from desktop.ui.pages.disagreements.opinions import DoubtLine, OpinionTable
from desktop.ui.services.display_names import filter_text
from desktop.ui.services.project_context import ProjectContext
from desktop.ui.widgets.labels import set_tip
from desktop.ui.widgets.notices import EmptyState
from miner.progress import Job
from miner.records import Answer
from storage.annotation.rounds import ReviewItem, RoundOrder
from storage.changes import Changes
from storage.pairs.filters import PairFilter, with_value
from storage.pairs.table import FacetCount

FIELDS = ("distant", "suggested", "doubt", "phrases", "strategies", "domains", "papers")
NO_SUGGESTIONS = tr(
    "This page lists the labels that a model doubts, those that are probably wrong first. No model has made "
    "suggestions yet."
)
NO_PAIRS = tr("This page lists the labels that a model doubts. There are no pairs yet: add papers first.")
OTHER_MODEL = tr("The suggestions of another model are shown now. The next pairs are those that this model doubts.")
_HINTS = tuple(hint for hint in HINTS if hint[0] != "accept")  # it has a button in the table of opinions
_TALL_HEIGHT_PX = 840  # height of the window from which on long premises have room
_QUEUE_SIZE = 100  # pairs
_ACCEPTED_CONFIDENCE = 80  # percent; the least that is offered first for suggestions instead of doubted labels
_COUNT_DELAY_MS = 300  # after a change, before the pairs that wait are counted again


class DisagreementsPage(JudgingPage):
    """Reviews pairs whose distant label the model doubts."""

    title = tr("Doubted labels")
    name = "disagreements"

    def __init__(self, context: ProjectContext, parent: QWidget | None = None) -> None:
        opinions, doubt = OpinionTable(context.theme), DoubtLine(context.theme)
        answer_bar = AnswerBar(context.actions, context.theme, self.name, _HINTS)
        session = AnswerSession(context, self._answer_job)
        super().__init__(
            context, session, answer_bar, between=(opinions, doubt), tall_height=_TALL_HEIGHT_PX, parent=parent
        )
        self.session.recorder.blind = False
        self.opinions, self.doubt = opinions, doubt
        self._doubted: dict[str, DoubtedPair] = {}  # by key; all that were listed since the page was made
        self._filter = DOUBTED
        self._listed_filter: PairFilter | None = None  # with which the queue was loaded
        self._shown_filter: PairFilter | None = None  # without classes that are not listed; None until it is read
        self._run_id = 0  # of the current suggestions; 0 for none
        self._version = 0
        self._model = ""
        self._field = ""  # whose values are counted
        self._count_timer = QTimer(self, singleShot=True, interval=_COUNT_DELAY_MS)
        self._build()
        self._add_actions()
        self.answer_bar.show_keys()
        self.show_keys()
        self._connect()
        self._show_read_only()
        self.opinions.set_saving_enabled(not context.read_only)
        self._request_waiting_count()

    def _build(self) -> None:
        theme = self.context.theme
        self.accept_all = QPushButton(tr("Accept all…"))
        set_tip(self.accept_all, tr("Accept the suggestions for all pairs that nobody has answered yet"))
        self.accept_all.setVisible(False)
        self.filters = FilterBar(theme, fields=FIELDS)
        self.filters.setVisible(False)
        self.header.insertWidget(1, self.filters, 100)
        self.header.addWidget(self.accept_all)
        self.blank = QWidget()
        self.empty = EmptyState(theme, NO_SUGGESTIONS, tr("Make suggestions"))
        self.done = EmptyState(theme, "", tr("Show labels with less doubt"))
        for state in (self.blank, self.empty, self.side_panel, self.done):
            self.stack.addWidget(state)

    def _add_actions(self) -> None:
        add_answer_actions(self)
        session = self.session
        own = (
            PageAction("keep", tr("Keep the distant label"), self.keep, "K", "check"),
            PageAction("accept", tr("Accept the suggestion"), self.accept, "A", "circle-check"),
            PageAction("skip", tr("Skip: ask again at the end"), session.skip, "Space", "skip-forward"),
        )
        filter = PageAction("filter", tr("Add a filter…"), self.filters.add.showMenu, "Ctrl+F", "search")
        every = PageAction(
            "accept_all", tr("Accept all suggestions…"), self.open_accept_dialog, "Shift+A", "circle-check"
        )
        add_actions(self, (*own, *mark_actions(self), *move_actions(self), every, filter, *help_actions(self)))

    def _connect(self) -> None:
        opinions, context = self.opinions, self.context
        context.actions.keys_changed.connect(self.show_keys)
        self._count_timer.timeout.connect(self._request_waiting_count)
        self.session.finished.connect(self._load)
        opinions.keep_button.clicked.connect(self.keep)
        opinions.accept_button.clicked.connect(self.accept)
        self.filters.changed.connect(self.show_filter)
        self.filters.counts_requested.connect(self._request_facet_counts)
        self.accept_all.clicked.connect(self.open_accept_dialog)
        self.empty.button.clicked.connect(self._on_empty_button)
        self.done.button.clicked.connect(self._on_done_button)
        context.annotator_changed.connect(self._on_annotator_changed)
        context.events.changed.connect(self._count_timer.start)  # also while the page is hidden, for its badge

    # Pairs

    @property
    def filter(self) -> PairFilter:
        return self._filter

    @Slot(object)
    def show_filter(self, filter: PairFilter) -> None:
        """List the doubted pairs of a filter."""
        self._filter = filter
        self._set_shown_filter(None)
        self.filters.show_filter(filter)
        self._load()

    def _set_shown_filter(self, filter: PairFilter | None) -> None:
        """Let the pairs of this filter be accepted together; None while other pairs are read."""
        self._shown_filter = filter
        self.accept_all.setEnabled(filter is not None)

    def refresh(self, changes: Changes) -> None:
        if changes.pairs or changes.papers or changes.many_annotated or changes.settings or changes.suggestions:
            self._load()
        elif changes.annotated_keys:
            self.session.on_changed_elsewhere(changes.annotated_keys)

    @Slot()
    def _load(self) -> None:
        self._version = self.session.commands.version
        self.filters.show_filter(self._filter)
        self.context.read(
            load_disagreements(self.context.project, self._filter, self.context.annotator, _QUEUE_SIZE), self._on_loaded
        )

    @Slot(object)
    def _on_loaded(self, loaded: DisagreementQueue) -> None:
        if self._version != self.session.commands.version:  # answered meanwhile: the pair would come again
            self._load()
            return
        self.guide.show_text(loaded.guidelines, editable=not self.context.read_only)
        self._on_waiting_count(loaded.waiting)
        if loaded.run is None:
            self._show_empty(loaded)
            return
        self._set_shown_filter(loaded.listed)
        self.doubt.show_record(doubts_text(loaded.record, self._filter))
        self._doubted |= {doubted.key: doubted for doubted in loaded.doubted}
        items = [doubted.item for doubted in loaded.doubted]
        is_first, is_other = self._run_id == 0, self._run_id not in (0, loaded.run.id)
        self._run_id, self._model = loaded.run.id, loaded.run.model
        self._show_head(shown=True)
        if self._listed_filter != self._filter or self.session.queue.current is None:
            self._listed_filter = self._filter
            self._start(items)
        else:
            self.session.replace_waiting(items)
        if self.session.queue.current is None:
            self._show_done()
        elif is_other:
            self.show_notice(OTHER_MODEL)
        if is_first:
            self.side_panel.reopen()

    def _start(self, items: list[ReviewItem]) -> None:
        self.session.start(ReviewQueue.of_all([item.pair.key for item in items]), items=items)

    def show_item(self, item: ReviewItem, *, blind: bool) -> None:
        super().show_item(item, blind=False)
        doubted = self._as_listed(item)
        self.pair_view.show_origin(None)
        answers = _current_answers(item, doubted, self.context.annotator)
        likely = self.context.likely_text(item.suggestion.probabilities) if item.suggestion else ""
        self.opinions.show_item(item, {self.context.name_of(key): answer for key, answer in answers.items()}, likely)
        self.doubt.show_doubt(item, doubted.why if doubted else "")

    def pair_source(self) -> PairSource | None:
        queue = self.session.queue
        order = RoundOrder.DISAGREEMENTS
        return PairSource(tr("the list of doubted labels"), queue.position, len(queue.keys), order, self._filter)

    def _as_listed(self, item: ReviewItem) -> DoubtedPair | None:
        """The listed pair with its current state; None for a pair that was never listed."""
        known = self._doubted.get(item.pair.key)
        if known is None or item.suggestion is None:
            return None
        return replace(known, item=item, suggestion=item.suggestion)

    def _answer_job(self, item: ReviewItem, answer: Answer) -> Job[ActionResult] | None:
        doubted = self._as_listed(item)
        if doubted is None:
            return None
        return disagreements.answer_doubted(self.context.project, doubted, self.context.annotator, answer)

    @property
    def reductions(self) -> Sequence[Reduction]:
        return self.opinions.set_low, *super().reductions, self._hide_filters, self.doubt.setHidden

    def _hide_filters(self, hidden: bool) -> None:
        self.filters.setVisible(not hidden and self._run_id != 0)

    @Slot()
    def show_keys(self) -> None:
        """Show the current keys."""
        hint = self.context.actions.hint
        self.opinions.show_keys(hint("disagreements.keep"), hint("disagreements.accept"))

    def _show_head(self, *, shown: bool) -> None:
        self.filters.setVisible(shown)
        self.accept_all.setVisible(shown and not self.context.read_only)

    def _show_empty(self, loaded: DisagreementQueue) -> None:
        """Show that there are no suggestions, or no pairs."""
        self._run_id, self._listed_filter = 0, None
        self._start([])
        self._show_head(shown=False)
        self.empty.sentence.setText(NO_SUGGESTIONS if loaded.pairs else NO_PAIRS)
        self.empty.button.setText(tr("Make suggestions") if loaded.pairs else tr("Add papers"))
        self.stack.setCurrentWidget(self.empty)

    def _show_done(self) -> None:
        """Show that no listed pair waits any more."""
        is_narrowed = with_value(self._filter, "doubt", None) != PairFilter()
        if is_narrowed:
            sentence, button = (
                tr("No doubted label is left with this filter: {filter_text}.", filter_text=filter_text(self._filter)),
                tr("Clear the filter"),
            )
        elif self._filter.doubt is not None:
            sentence = tr(
                "No label that {model} calls more likely wrong than right is left.",
                model=self._model,
            )
            button = tr("Show labels with less doubt")
        else:
            sentence, button = (
                tr("You have answered every pair that {model} doubts.", model=self._model),
                tr("Review other pairs"),
            )
        self.done.sentence.setText(sentence)
        self.done.button.setText(button)
        self.stack.setCurrentWidget(self.done)
        if self.isVisible():
            self.done.button.setFocus()

    @Slot()
    def _on_empty_button(self) -> None:
        self.context.page_requested.emit("papers" if self.empty.sentence.text() == NO_PAIRS else "suggest")

    @Slot()
    def _on_done_button(self) -> None:
        if with_value(self._filter, "doubt", None) != PairFilter():
            self.show_filter(DOUBTED)
        elif self._filter.doubt is not None:
            self.show_filter(PairFilter())
        else:
            self.context.page_requested.emit("review")

    @Slot(str)
    def _on_annotator_changed(self, name: str) -> None:
        self._listed_filter = None
        if self._run_id:
            self._load()

    def is_action_enabled(self, name: str) -> bool:
        if name == "accept_all":
            return self._shown_filter is not None
        return super().is_action_enabled(name)

    # Counts

    @Slot()
    def _request_waiting_count(self) -> None:
        self.context.read(count_doubted(self.context.project), self._on_waiting_count)

    @Slot(object)
    def _on_waiting_count(self, waiting: int) -> None:
        self.badge_changed.emit(waiting)

    @Slot(str)
    def _request_facet_counts(self, field: str) -> None:
        self._field = field
        self.context.read(table.count_by_value(self.context.project, self._filter, field), self._on_facet_counts)

    @Slot(object)
    def _on_facet_counts(self, counts: list[FacetCount]) -> None:
        self.filters.show_counts(self._field, counts)

    # Commands

    @Slot()
    def keep(self) -> None:
        """Answer with the distant label."""
        if self._can_answer():
            self.session.keep_distant_label()

    @Slot()
    def open_accept_dialog(self) -> None:
        """Open the dialog that accepts many suggestions."""
        if not self._run_id or self.context.read_only or self.context.ask_annotator(self) is None:
            return
        if (shown := self._shown_filter) is None:
            return
        scopes = [AcceptScope(tr("All pairs that nobody has answered yet"), PairFilter())]
        if shown != PairFilter():
            scopes.insert(
                0,
                AcceptScope(
                    tr("The pairs listed here: {filter_text}", filter_text=filter_text(shown)),
                    shown,
                    _ACCEPTED_CONFIDENCE,
                ),
            )
        AcceptDialog(self.context, scopes, self).open()


def _current_answers(item: ReviewItem, doubted: DoubtedPair | None, annotator: str) -> dict[str, Answer]:
    """The answers of all annotators; the annotator's own one from `item`."""
    others = {name: answer for name, answer in (doubted.answers if doubted else {}).items() if name != annotator}
    return {**others, annotator: item.mine} if item.mine is not None else others
