"""The Review page: one pair at a time, one key an answer."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QWidget

from desktop.jobs.review import rounds
from desktop.jobs.review.rounds import LoadedReview, RoundOptions, RoundProgress
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
from desktop.ui.judging.judging_page import JudgingPage
from desktop.ui.judging.pair_column import PairColumn
from desktop.ui.judging.review_queue import ReviewQueue
from desktop.ui.pages.review.round_bar import RoundBar
from desktop.ui.pages.review.round_options import FirstRound, RoundDialog
from desktop.ui.pages.review.round_summary import RoundSummary
from desktop.ui.services.project_context import ProjectContext
from desktop.ui.services.runner import LatestRequest
from desktop.ui.widgets.notices import EmptyState
from miner.errors import UserError
from storage.annotation.answer_context import AnswerContext
from storage.annotation.rounds import ReviewItem, Round, RoundCounts
from storage.changes import Changes
from storage.pairs.filters import PairFilter

_LARGEST_CHOICE = 10_000  # pairs of a filter that are reviewed at a time


class ReviewPage(JudgingPage):
    title = "Review"
    place = "review"

    def __init__(self, context: ProjectContext, parent: QWidget | None = None) -> None:
        round_bar = RoundBar(context.theme)
        answers = AnswerBar(context.actions, context.theme)
        super().__init__(context, AnswerSession(context), PairColumn(context, answers, above=round_bar), parent)
        self.round_bar = round_bar
        self.heading.hide()
        self.options = RoundOptions()
        self._loading = LatestRequest(self)
        self._version = 0
        self._round: Round | None = None
        self._gone = 0  # pairs of the round that were no longer there when it was read
        self._loaded: LoadedReview | None = None
        self._is_beginning = False  # a round was asked for, by somebody who is not known yet
        self._chosen: tuple[str, ...] = ()  # pairs that somebody chose elsewhere; shown in place of the round
        self._build()
        self._add_actions()
        self.column.answers.show_keys()
        self._connect()
        self._show_whether_read_only()
        self._count_ahead()

    def _build(self) -> None:
        theme = self.context.theme
        self.empty = EmptyState(theme, "No pairs yet. Add papers, and the pairs found in them come here.", "Add papers")
        self.begin = FirstRound(theme, self.context.actions)
        self.summary = RoundSummary(theme)
        self.blank = QWidget()
        for state in (self.blank, self.empty, self.begin, self.side_panel, self.summary):
            self.stack.addWidget(state)

    def _add_actions(self) -> None:
        session = self.session
        add_answer_actions(self)
        add_actions(
            self,
            (
                PageAction("accept", "Accept the suggestion", self.accept, "A", "check"),
                PageAction("skip", "Skip: ask again at the end", session.skip, "Space", "skip-forward"),
                *mark_actions(self),
                *move_actions(self),
                PageAction("blind", "Blind mode", self.round_bar.blind.click, "", "eye-off"),
                PageAction("round", "Start a round…", self.ask_round, "", "play"),
                *help_actions(self),
            ),
        )

    def _connect(self) -> None:
        session, round_bar, context = self.session, self.round_bar, self.context
        self._loading.done.connect(self._on_loaded)
        self._loading.failed.connect(context.problems.show)
        session.progressed.connect(self._show_progress)
        session.finished.connect(self._on_finished)
        round_bar.round_requested.connect(self.ask_round)
        round_bar.back_requested.connect(self.show_round)
        round_bar.blind_changed.connect(self.set_blind)
        self.empty.button.clicked.connect(lambda: context.page_requested.emit("papers"))
        self.begin.button.clicked.connect(self.begin_round)
        self.summary.another_requested.connect(self.ask_round)
        self.summary.again_requested.connect(self.look_again)
        context.annotator_changed.connect(self._on_annotator)
        context.review_requested.connect(self.review)

    # What is reviewed

    @Slot(object)
    def on_changed(self, changes: Changes) -> None:
        """A page out of sight reads when it is shown; what waits on it is known before."""
        super().on_changed(changes)
        if not self.isVisible() and (changes.pairs or changes.many_annotated or changes.annotated_keys):
            self._count_ahead()

    def refresh(self, changes: Changes) -> None:
        if self.session.commands.is_own(changes):
            return
        if changes.pairs or changes.papers or changes.many_annotated or changes.settings or changes.suggestions:
            self._version = self.session.commands.version
            self._loading.follow(
                self.context.runner.read(rounds.load_review(self.context.project, self.context.annotator))
            )
        elif changes.annotated_keys:
            self.session.on_judged(changes.annotated_keys)

    @Slot(object)
    def _on_loaded(self, loaded: LoadedReview) -> None:
        first = self._loaded is None
        if not first and self._version != self.session.commands.version:  # answered meanwhile: it would be asked again
            self.refresh(Changes(many_annotated=True))
            return
        self._loaded = loaded
        begins, self._is_beginning = self._is_beginning, False
        if first:  # later what the person chose here holds: it may not be on disk yet
            self.round_bar.show_blind(loaded.blind)
            self.session.view.blind = loaded.blind
        self.guide.show_text(loaded.guidelines, editable=not self.context.read_only)
        if self._chosen:
            self.session.forget(None)
        elif loaded.progress is None:
            self._round = None
            self._show_begin(loaded)
            if begins:
                self.start_round(self.options)
        elif self._round is None or loaded.progress.round != self._round:
            self.open_round(loaded.progress)
        else:
            self.session.catch_up(loaded.progress.waiting)
        if first:
            self.side_panel.reopen()
        self._show_badge()

    def open_round(self, progress: RoundProgress) -> None:
        """Carry on with a round."""
        self._round, self._gone, self._chosen = progress.round, progress.gone, ()
        self.column.notice.show_text("")
        self._show_whether_read_only()
        self.session.view.state = AnswerContext(round=progress.round.number, order=progress.round.order.value)
        self._on_side(self.side_panel.open_panel)
        self.column.previous.clear()
        self.options = replace(self.options, order=progress.round.order, size=progress.round.size)
        self.session.begin(ReviewQueue(progress.round.keys, progress.waiting), progress.skipped)
        if not progress.waiting:
            self._on_finished()
        self._show_badge()

    @Slot(object)
    def review(self, asked: PairFilter | tuple[str, ...]) -> None:
        """Show pairs that were chosen elsewhere: by their keys, or all that a filter means."""
        if isinstance(asked, PairFilter):
            run = self.context.runner.read(rounds.keys_of(self.context.project, asked, _LARGEST_CHOICE))
            run.done.connect(self._show_chosen)
            run.failed.connect(self.context.problems.show)
        else:
            self._show_chosen(tuple(asked))

    @Slot(object)
    def _show_chosen(self, keys: tuple[str, ...]) -> None:
        if not keys:
            self.tell("There is no such pair.")
            return
        self._chosen = keys
        self.session.view.state = AnswerContext(chosen=True)
        self._on_side(self.side_panel.open_panel)
        self.column.previous.clear()
        self.session.begin(ReviewQueue.of_all(keys))

    @Slot()
    def show_round(self) -> None:
        """Back to the round, or to where one is started."""
        self._chosen, self._round = (), None
        self.refresh(Changes(many_annotated=True))

    def look_again(self) -> None:
        """The round's pairs once more, answered as they are."""
        if self._round is not None:
            self._show_chosen(self._round.keys)

    # Rounds

    @Slot()
    def begin_round(self) -> None:
        """A round as it was chosen; who is asked for a name first may have one to carry on with."""
        self.options = self.begin.options(self.options)
        if self.context.annotator:
            self.start_round(self.options)
            return
        self._is_beginning = self.context.ask_annotator(self) is not None  # then `_on_loaded` goes on

    @Slot()
    def ask_round(self) -> None:
        if self._loaded is None or self.context.read_only:
            return
        loaded, context = self._loaded, self.context
        dialog = RoundDialog(
            context.theme, loaded.domains, context.pairs_page_filter, self.options, self, suggested=loaded.suggested
        )
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.accepted.connect(lambda: self.start_round(dialog.options()))
        dialog.open()

    def start_round(self, options: RoundOptions) -> None:
        annotator = self.context.ask_annotator(self)
        if annotator is None:
            return
        self.options = options
        self.begin.show_busy()
        self.tell("Choosing pairs…")
        run = self.context.runner.read(rounds.start_round(self.context.project, annotator, options))
        run.done.connect(self.open_round)
        run.failed.connect(self._on_round_failed)

    @Slot(object)
    def _on_round_failed(self, error: Exception) -> None:
        sentence = f"{error} {error.hint}".strip() if isinstance(error, UserError) else ""
        self.tell(sentence)
        if self._round is None and self._loaded is not None:
            self._show_begin(self._loaded)
            self.begin.sentence.setText(sentence or self.begin.sentence.text())
        if self.stack.currentWidget() is self.summary:
            self.context.show_message(sentence)
        if not sentence:
            self.context.problems.show(error)

    # Commands

    def show_item(self, item: ReviewItem, *, blind: bool) -> None:
        super().show_item(item, blind=blind)
        self.column.answers.offer("review.accept", item.suggestion is not None and not blind)

    @Slot(bool)
    def set_blind(self, blind: bool) -> None:
        self.session.set_blind(blind)
        if self.session.item is not None:
            self._on_shown(self.session.item)
        if not self.context.read_only:
            run = self.context.runner.save(rounds.keep_blind(self.context.project, blind))
            run.failed.connect(self.context.problems.show)

    # What the session tells

    @Slot()
    def _show_progress(self) -> None:
        queue = self.session.queue
        place = queue.place if queue.is_elsewhere else 0
        if self._chosen:
            total = len(queue.among(self._chosen))
            has_round = self._round is not None or (self._loaded is not None and self._loaded.progress is not None)
            self.round_bar.show_chosen(total - queue.waiting, total, in_round=has_round, place=place)
        elif self._round is not None:
            total = len(queue.among(self._round.keys))
            gone = self._gone + len(self._round.keys) - total
            self.round_bar.show_round(self._round, total - queue.waiting, total, gone, place=place)
        self._show_badge()

    def _count_ahead(self) -> None:
        """What waits is counted before the page is shown."""
        if self.context.annotator:
            run = self.context.runner.read(rounds.current_round(self.context.project, self.context.annotator))
            run.done.connect(self._on_counted)
            run.failed.connect(self.context.problems.show)

    @Slot(object)
    def _on_counted(self, progress: RoundProgress | None) -> None:
        if progress is not None and not self.isVisible():
            self.badge_changed.emit(len(progress.waiting))

    def _show_badge(self) -> None:
        """What waits for the annotator: the rest of the round."""
        if self._chosen:
            return
        self.badge_changed.emit(self.session.queue.waiting if self._round is not None else 0)

    @Slot()
    def _on_finished(self) -> None:
        if self._chosen:
            self._show_badge()
            self.tell("You have answered all of these.")
            self.session.stay()
            return
        if self._round is None:
            return
        run = self.context.runner.read(rounds.tally(self.context.project, self._round.keys, self.context.annotator))
        run.done.connect(self._on_tally)
        run.failed.connect(self.context.problems.show)

    @Slot(object)
    def _on_tally(self, tally: RoundCounts) -> None:
        if self._round is not None and not self.session.queue.waiting:
            self.summary.show_tally(f"Round {self._round.number:,} is done", tally)
            self.stack.setCurrentWidget(self.summary)
            self.summary.another.setFocus()

    # The rest

    @Slot(str)
    def _on_annotator(self, name: str) -> None:
        self._round = None
        if self._loaded is not None:
            self.refresh(Changes(many_annotated=True))

    def _show_begin(self, loaded: LoadedReview) -> None:
        if not loaded.pairs:
            self.stack.setCurrentWidget(self.empty)
            return
        why = self.context.read_only_reason if self.context.read_only else ""
        self.begin.show_count(loaded.pairs, self.options, suggested=loaded.suggested, read_only_reason=why)
        self.stack.setCurrentWidget(self.begin)
        self.begin.button.setFocus()
