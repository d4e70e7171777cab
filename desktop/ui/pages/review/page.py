"""The Review page: one pair at a time, one key for each answer."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from desktop.jobs.review import queues, rounds
from desktop.jobs.review.queues import LoadedReview, WaitingQueue
from desktop.jobs.review.rounds import ErrorReading, RoundOptions, RoundProgress
from desktop.text import count
from desktop.translation import tr
from desktop.ui.judging.actions import (
    PageAction,
    add_actions,
    add_answer_actions,
    help_actions,
    mark_actions,
    move_actions,
)
from desktop.ui.judging.answer_bar import AnswerBar
from desktop.ui.judging.answer_session import AnswerSession
from desktop.ui.judging.hidden_queue_count import HiddenQueueCount
from desktop.ui.judging.judging_page import JudgingPage
from desktop.ui.judging.no_pairs import NoPairs
from desktop.ui.judging.review_queue import ReviewQueue
from desktop.ui.judging.why_this_pair import PairSource
from desktop.ui.pages.review.queue_menu import queue_name
from desktop.ui.pages.review.round_bar import RoundBar
from desktop.ui.pages.review.round_options import GIVEN_ORDERS, ORDERS, FirstRound, RoundDialog
from desktop.ui.pages.review.round_summary import RoundSummary
from desktop.ui.services.project_context import ProjectContext
from miner.errors import UserError
from storage.annotation.annotation_rounds import RoundPlan
from storage.annotation.answer_context import AnswerContext
from storage.annotation.rounds import OWN_QUEUE, QueueId, QueueKind, ReviewItem, Round
from storage.changes import Changes
from storage.pairs.filters import PairFilter

_NOT_IN_ANSWER_FILES = frozenset(
    {"accept", "mend", "context", "blind", "round", "queues"}
)  # they need more than the file has
_LAST_ANSWERS = 50  # pairs to look at again
_MAX_SELECTED_PAIRS = 10_000  # of a filter


class ReviewPage(JudgingPage):
    """Reviews the pairs of a queue, or pairs selected on another page."""

    title = tr("Review")
    name = "review"

    def __init__(self, context: ProjectContext, parent: QWidget | None = None) -> None:
        round_bar = RoundBar(context.theme)
        answer_bar = AnswerBar(context.actions, context.theme, self.name)
        super().__init__(context, AnswerSession(context), answer_bar, above=(round_bar,), parent=parent)
        self.round_bar = round_bar
        self.heading.hide()
        self.options = RoundOptions()
        self._queues: tuple[WaitingQueue, ...] = ()
        self._version = 0
        self._round: Round | None = None
        self._plan: RoundPlan | None = None  # of the annotation round that the queue is
        self._missing_count = 0  # pairs of the round that no longer existed when it was loaded
        self._loaded: LoadedReview | None = None
        self._starts_after_loading = False  # a round was requested while the annotator was asked for a name
        self._selected_keys: tuple[str, ...] = ()  # pairs selected on another page, shown in place of the round
        self._can_accept = True
        self._blind = True  # outside of rounds of errors
        self._errors: ErrorReading | None = None  # of a round of errors
        self._waiting = HiddenQueueCount(
            self, rounds.count_waiting, lambda one: one.pairs or one.many_annotated or one.annotated_keys
        )
        self._build()
        self._add_actions()
        if context.assignment is not None:
            self.round_bar.fix_round()
            self.pair_view.source_label.hide()
            self.pair_view.origin_label.hide()
        self.answer_bar.set_hint_visible("review.tag", False)
        self.answer_bar.show_keys()
        self._connect()
        self._show_read_only()
        self._waiting.count()

    def _build(self) -> None:
        theme = self.context.theme
        self.empty = NoPairs(self.context)
        self.first_round = FirstRound(theme, self.context.actions)
        self.summary = RoundSummary(self.context)
        self.blank = QWidget()
        for state in (self.blank, self.empty, self.first_round, self.side_panel, self.summary):
            self.stack.addWidget(state)

    def _add_actions(self) -> None:
        session = self.session
        add_answer_actions(self)
        actions = (
            PageAction("accept", tr("Accept the suggestion"), self.accept, "A", "check"),
            PageAction("skip", tr("Skip: ask again at the end"), session.skip, "Space", "skip-forward"),
            *mark_actions(self),
            *move_actions(self),
            PageAction("last", tr("Look at my last answers"), self.review_last_answers, "", "clock"),
            PageAction("named", tr("Review the pairs on the clipboard"), self.review_named, "", "list"),
            PageAction("blind", tr("Blind mode"), self.round_bar.blind_button.click, "", "eye-off"),
            PageAction("queues", tr("Switch to another queue…"), self.round_bar.queue_button.open_menu, "", "list"),
            PageAction("round", tr("Start a new queue…"), self.open_round_dialog, "", "play"),
            *help_actions(self),
        )
        left_out = _NOT_IN_ANSWER_FILES if self.context.assignment is not None else frozenset()
        add_actions(self, [action for action in actions if action.key not in left_out])

    def _connect(self) -> None:
        session, round_bar, context = self.session, self.round_bar, self.context
        session.progress_changed.connect(self._show_progress)
        session.finished.connect(self._on_finished)
        round_bar.queue_button.new_requested.connect(self.open_round_dialog)
        round_bar.queue_button.opened.connect(self._show_queues)
        for buttons in (round_bar.queue_button, self.first_round.others, self.summary):
            buttons.queue_chosen.connect(self.take_up)
        round_bar.back_requested.connect(self.show_round)
        round_bar.blind_changed.connect(self.set_blind)
        self.first_round.start_button.clicked.connect(self.start_first_round)
        self.summary.ready.connect(self._on_summary)
        self.summary.another_requested.connect(self.open_round_dialog)
        self.summary.again_requested.connect(self.review_again)
        self.summary.annotate_requested.connect(lambda: context.page_requested.emit("annotate"))
        context.annotator_changed.connect(self._on_annotator_changed)
        context.review_requested.connect(self.review)
        context.round_started.connect(self.show_round)
        self._waiting.counted.connect(self.badge_changed)

    # Loading

    def refresh(self, changes: Changes) -> None:
        if changes.pairs or changes.papers or changes.many_annotated or changes.settings or changes.suggestions:
            self._version = self.session.commands.version
            self.context.read(queues.load_review(self.context.project, self.context.annotator), self._on_loaded)
        elif changes.annotated_keys:
            self.session.on_changed_elsewhere(changes.annotated_keys)

    @Slot(object)
    def _on_loaded(self, loaded: LoadedReview) -> None:
        if self._version != self.session.commands.version:
            # Meanwhile an answer was saved, whose pair would come again, or a round was started.
            self.refresh(Changes(many_annotated=True))
            return
        is_first = self._loaded is None
        self._loaded, self._queues = loaded, loaded.queues
        starts_round, self._starts_after_loading = self._starts_after_loading, False
        if is_first:  # later the state of the button holds, which may not be on disk yet
            self._blind = loaded.blind
            self._show_blind(loaded.blind)
        editable = not self.context.read_only and self.context.assignment is None
        self.guide.show_text(loaded.guidelines, editable=editable)
        if self._selected_keys:
            self.session.reload(None)
        elif loaded.progress is None:
            self._round = None
            self.session.stop()
            self._show_first_round(loaded)
            if starts_round:
                self.start_round(self.options)
        elif self._round is None or loaded.progress.round != self._round:
            self.open_round(loaded.progress)
        else:
            self.session.reload_queue(loaded.progress.waiting)
        self._show_queues()
        if self.stack.currentWidget() is self.summary:
            self._show_summary()
        if is_first:
            self.side_panel.reopen()
        self._show_badge()

    def open_round(self, progress: RoundProgress) -> None:
        """Continue a queue."""
        self._round, self._missing_count, self._selected_keys = progress.round, progress.gone, ()
        self._plan = progress.plan
        self.notice.show_text("")
        self._show_read_only()
        self.session.stored_queue = progress.round.queue
        self.session.recorder.stays_blind = progress.round.order in GIVEN_ORDERS
        self._read_errors(progress.errors)
        self.session.recorder.base = AnswerContext(round=progress.round.number, order=progress.round.order.value)
        self._on_panel_changed(self.side_panel.open_panel)
        self.previous_answer.clear()
        if progress.round.order in ORDERS:
            self.options = replace(self.options, order=progress.round.order, size=progress.round.size)
        self.session.start(ReviewQueue(progress.round.keys, progress.waiting), progress.skipped)
        if not progress.waiting:
            self._on_finished()
        elif not self.context.read_only and len(progress.waiting) == len(progress.round.keys):
            self._welcome()
        self._show_badge()

    def _read_errors(self, errors: ErrorReading | None) -> None:
        """Ask for the causes of systems' errors on the next pairs; None: ask for answers."""
        self._errors = errors
        self.session.asks_tags = self.session.recorder.until_tagged = errors is not None
        self._show_blind(self._blind if errors is None else errors.blind)
        self.tag_bar.offer(() if errors is None else errors.tags)
        self.close_inputs()

    def _show_blind(self, blind: bool) -> None:
        self.round_bar.show_blind(blind)
        self.session.recorder.blind = blind

    def show_tags(self, item: ReviewItem) -> None:
        answer = None if self._errors is None else self._errors.answers.get(item.pair.key)
        hides = self._errors is not None and self.session.recorder.hides(item)
        self.tag_bar.open_for(item.pair.key, item.tags, answer, is_hiding=hides)

    def _welcome(self) -> None:
        """Explain an answer file in which nothing is answered yet."""
        if (sent := self.context.assignment) is not None:
            self.show_notice(
                tr(
                    "For {name}: each answer is saved in this file at once. When all are given, send it back.",
                    name=sent.name,
                )
            )

    @Slot(object)
    def review(self, selection: PairFilter | tuple[str, ...]) -> None:
        """Show pairs selected on another page, by their keys or by a filter."""
        if isinstance(selection, PairFilter):
            self.context.read(rounds.load_keys(self.context.project, selection, _MAX_SELECTED_PAIRS), self._review_keys)
        else:
            self._review_keys(tuple(selection))

    @Slot()
    def review_last_answers(self) -> None:
        """Show the pairs that the annotator answered last, the last one first."""
        if self.context.annotator:
            job = rounds.load_last_answered(self.context.project, self.context.annotator, _LAST_ANSWERS)
            self.context.read(job, self._review_keys)

    @Slot()
    def review_named(self) -> None:
        """Show the pairs whose keys are on the clipboard."""
        text = QGuiApplication.clipboard().text()
        self.context.read(rounds.load_named(self.context.project, text, _MAX_SELECTED_PAIRS), self._review_keys)

    @Slot(object)
    def _review_keys(self, keys: tuple[str, ...]) -> None:
        if not keys:
            self.show_notice(tr("There is no such pair."))
            return
        self._selected_keys = keys
        self.session.stored_queue = None
        is_given = self._round is not None and self._round.order in GIVEN_ORDERS and keys == self._round.keys
        self.session.recorder.stays_blind = is_given
        is_again = self._round is not None and keys == self._round.keys
        self._read_errors(self._errors if is_again else None)
        self.session.recorder.base = AnswerContext(chosen=True)
        self._on_panel_changed(self.side_panel.open_panel)
        self.previous_answer.clear()
        self.session.start(ReviewQueue.of_all(keys))

    @Slot()
    def show_round(self) -> None:
        """Go back to the queue, or to the form that starts one."""
        self._selected_keys, self._round = (), None
        self.refresh(Changes(many_annotated=True))

    @Slot(object)
    def take_up(self, queue: QueueId) -> None:
        """Switch to another queue, as it was left."""
        if self._round is not None and self._round.queue == queue and not self._selected_keys:
            self._show_queues()  # its check mark
            return
        run = self.context.runner.save(queues.take_up(self.context.project, self.context.annotator, queue))
        run.done.connect(self.show_round)
        run.failed.connect(self._on_round_failed)

    @Slot()
    def _show_queues(self) -> None:
        """Offer the queues that wait. The number left in the current queue is known without counting again."""
        current = None if self._round is None else self._round.queue
        if not self._selected_keys:
            left = self.session.queue.waiting_count
            self._queues = tuple(one._replace(waiting=left) if one.id == current else one for one in self._queues)
        self.round_bar.queue_button.show_queues(self._queues, current)
        self.round_bar.queue_button.setEnabled(not self.context.read_only)

    def _list_queues(self) -> None:
        """Count the waiting pairs of each queue again."""
        self.context.read(queues.list_queues(self.context.project, self.context.annotator), self._on_queues)

    @Slot(object)
    def _on_queues(self, waiting: tuple[WaitingQueue, ...]) -> None:
        self._queues = waiting
        self._show_queues()
        self._show_summary()

    def _show_summary(self) -> None:
        """Show the results at the end of a queue, and which other queues wait."""
        if self._is_finished and self._round is not None:
            is_alone = self.context.assignment is not None or self.context.read_only
            self.summary.show_round(self._round, () if is_alone else self._queues)

    def review_again(self) -> None:
        """Show the pairs of the queue again, with their answers."""
        if self._round is not None:
            self._review_keys(self._round.keys)

    # Rounds

    @Slot()
    def start_first_round(self) -> None:
        """Start the first queue; an annotator who has just given a name may have one to continue."""
        self.options = self.first_round.options(self.options)
        if self.context.annotator:
            self.start_round(self.options)
            return
        self._starts_after_loading = self.context.ask_annotator(self) is not None  # `_on_loaded` follows

    @Slot()
    def open_round_dialog(self) -> None:
        if self._loaded is None or self.context.read_only:
            return
        loaded, context = self._loaded, self.context
        dialog = RoundDialog(
            context.theme,
            loaded.domains,
            context.pairs_page_filter,
            self.options,
            self,
            suggested=loaded.suggested,
            left=self._left_in_own,
        )
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.accepted.connect(lambda: self.start_round(dialog.options()))
        dialog.open()

    @property
    def _left_in_own(self) -> int:
        """The number of pairs that wait in the annotator's own queue."""
        if self._round is not None and self._round.queue == OWN_QUEUE and not self._selected_keys:
            return self.session.queue.waiting_count
        return next((one.waiting for one in self._queues if one.id == OWN_QUEUE), 0)

    def start_round(self, options: RoundOptions) -> None:
        annotator = self.context.ask_annotator(self)
        if annotator is None:
            return
        self.options = options
        self.first_round.show_starting()
        self.show_notice(tr("Choosing pairs…"))
        run = self.context.runner.save(rounds.start_round(self.context.project, annotator, options))
        self.context.runner.follow(run, self._on_round_started, self._on_round_failed)

    @Slot(object)
    def _on_round_started(self, progress: RoundProgress) -> None:
        self.open_round(progress)
        self._list_queues()
        pairs = len(progress.round.keys)
        if pairs < progress.round.size:
            self.show_notice(
                tr(
                    "The queue has {pairs} instead of {size:,}, because there are no more.",
                    pairs=count(pairs, "pair"),
                    size=progress.round.size,
                )
            )

    @Slot(object)
    def _on_round_failed(self, error: Exception) -> None:
        sentence = f"{error} {error.hint}".strip() if isinstance(error, UserError) else ""
        self.show_notice(sentence)
        if self._round is None and self._loaded is not None:
            self._show_first_round(self._loaded)
            self.first_round.sentence.setText(sentence or self.first_round.sentence.text())
        if self.stack.currentWidget() is self.summary:
            self.context.show_message(sentence)
        if not sentence:
            self.context.problems.show(error)

    # Commands

    def show_item(self, item: ReviewItem, *, blind: bool) -> None:
        super().show_item(item, blind=blind)
        if self._errors is not None and not self.context.read_only:
            self.show_tags(item)
        self.round_bar.title.set_about("\n".join(self.why()))
        can_accept = item.suggestion is not None and not blind
        if can_accept != self._can_accept:
            self._can_accept = can_accept
            self.answer_bar.set_hint_visible("review.accept", can_accept)

    def pair_source(self) -> PairSource | None:
        queue, round = self.session.queue, self._round
        if self._selected_keys:
            return PairSource(tr("the pairs selected on another page"), queue.position, len(queue.keys))
        if round is None:
            return None
        name = queue_name(round.queue).partition(" · ")[0]
        name = (
            tr("the queue “{name}”", name=name)
            if round.queue.kind in (QueueKind.TIES, QueueKind.ERRORS)
            else name.lower()
        )
        return PairSource(name, queue.position, len(queue.keys), round.order, round.filter, self._plan)

    @Slot(bool)
    def set_blind(self, blind: bool) -> None:
        self.session.set_blind(blind)
        if self.session.item is not None:
            self._on_item_shown(self.session.item)
        if self._errors is None:
            self._blind = blind
        else:
            self._errors = replace(self._errors, blind=blind)
        if not self.context.read_only:
            job = rounds.save_blind(self.context.project, blind, errors=self._errors is not None)
            run = self.context.runner.save(job)
            run.failed.connect(self.context.problems.show)

    # Progress

    @Slot()
    def _show_progress(self) -> None:
        queue = self.session.queue
        position = queue.position if queue.is_browsing else 0
        if self._selected_keys:
            total = len(queue.present(self._selected_keys))
            has_round = self._round is not None or (self._loaded is not None and self._loaded.progress is not None)
            self.round_bar.show_selection(total - queue.waiting_count, total, in_round=has_round, position=position)
        elif self._round is not None:
            present = queue.present(self._round.keys)
            total = len(present)
            done = sum(not queue.is_waiting(key) for key in present)  # an undo may have brought a pair of another queue
            missing = self._missing_count + len(self._round.keys) - total
            pace = self.session.pace.text(total - done)
            self.round_bar.show_round(self._round, done, total, missing, position=position, pace=pace)
        self._show_badge()

    def _show_badge(self) -> None:
        """Show how many pairs of the round wait."""
        if self._selected_keys:
            return
        self.badge_changed.emit(self.session.queue.waiting_count if self._round is not None else 0)

    @Slot()
    def _on_finished(self) -> None:
        if self._selected_keys:
            self._show_badge()
            self.show_notice(tr("You have answered all of these."))
            self.session.show_last()
            return
        self._list_queues()  # the summary follows

    @property
    def _is_finished(self) -> bool:
        """Whether there is a current queue in which no pair waits."""
        return self._round is not None and not self._selected_keys and not self.session.queue.waiting_count

    @Slot(object)
    def _on_summary(self, round: Round) -> None:
        if self._round == round and self._is_finished:
            self.stack.setCurrentWidget(self.summary)
            self.summary.first_button.setFocus()

    @Slot(str)
    def _on_annotator_changed(self, name: str) -> None:
        self._round = None
        if self._loaded is not None:
            self.refresh(Changes(many_annotated=True))

    def _show_first_round(self, loaded: LoadedReview) -> None:
        if not loaded.pairs:
            self.stack.setCurrentWidget(self.empty)
            return
        why = self.context.read_only_reason if self.context.read_only else ""
        self.first_round.show_count(loaded.pairs, self.options, suggested=loaded.suggested, read_only_reason=why)
        self.first_round.others.show_queues(() if self.context.read_only else loaded.queues)
        self.stack.setCurrentWidget(self.first_round)
        self.first_round.start_button.setFocus()
