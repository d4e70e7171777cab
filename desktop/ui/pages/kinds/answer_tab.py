"""The tab Answer of the Kinds page: asks about one pair at a time, first its relation, then each question, by keys."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt, Slot
from PySide6.QtGui import QHideEvent, QKeyEvent
from PySide6.QtWidgets import QAbstractButton, QWidget

from desktop.jobs.review import kind_answers, kinds_rounds
from desktop.jobs.review.kind_answers import KindsCounts
from desktop.jobs.review.kinds_rounds import KindsQueue, LoadedKinds
from desktop.translation import tr
from desktop.ui.judging.answer_bar import AnswerBar
from desktop.ui.judging.hidden_queue_count import HiddenQueueCount
from desktop.ui.judging.judging_page import JudgingPage
from desktop.ui.judging.no_pairs import NoPairs
from desktop.ui.judging.review_queue import ReviewQueue
from desktop.ui.judging.why_this_pair import PairSource
from desktop.ui.pages.kinds.answer_actions import HINTS, add_kinds_actions
from desktop.ui.pages.kinds.kinds_bar import KindsBar
from desktop.ui.pages.kinds.pair_comparison import PairComparison
from desktop.ui.pages.kinds.question_card import QuestionCard
from desktop.ui.pages.kinds.question_help import QuestionHelp
from desktop.ui.pages.kinds.question_keys import typed_letter, what_shift_does
from desktop.ui.pages.kinds.round_end import KindsRoundEnd
from desktop.ui.pages.kinds.session import KindsSession
from desktop.ui.pages.kinds.start import KindsStart
from desktop.ui.services.project_context import ProjectContext
from miner.kinds.taxonomy import RELATION
from miner.records import Answer
from storage.annotation.annotation_rounds import RoundKind
from storage.annotation.answer_context import AnswerContext
from storage.annotation.rounds import ReviewItem
from storage.changes import Changes

_RELATIONS = frozenset(answer.value for answer in Answer)


class KindsAnswerTab(JudgingPage):
    """Asks about the pairs of a round that asks for kinds, or about pairs selected on another page.

    At the first question the keys are the same as in Review. At the others, letters and digits are only answers; with
    Shift they do what they do in Review.
    """

    title = tr("Kinds")
    name = "kinds"
    session: KindsSession

    def __init__(self, context: ProjectContext, parent: QWidget | None = None) -> None:
        self.kinds_bar = KindsBar(context.theme)
        self.card = QuestionCard(context.theme)
        self.comparison = PairComparison(context)
        super().__init__(
            context,
            KindsSession(context),
            AnswerBar(context.actions, context.theme, self.name, HINTS),
            above=(self.kinds_bar,),
            between=(self.card, self.comparison),
            tall_height=760,
            parent=parent,
        )
        self.heading.hide()
        self._outer.setContentsMargins(0, context.theme.px(12), 0, 0)
        if context.assignment is not None:
            self.pair_view.source_label.hide()
            self.pair_view.origin_label.hide()
        self._waiting = HiddenQueueCount(
            self, kinds_rounds.count_waiting, lambda one: one.pairs or one.many_annotated or one.settings
        )
        self._version = 0
        self._loaded: LoadedKinds | None = None
        self._queue: KindsQueue | None = None
        self._wanted_round = 0  # a round chosen on another page
        self._selected_keys: tuple[str, ...] = ()  # pairs selected on another page, shown in place of the round
        self._pairs_to_draw = 0  # requested while the annotator was asked for a name
        self.help = QuestionHelp(context.theme)
        self.guide.add_above(self.help)
        self._build()
        add_kinds_actions(self, self.session, self.go_on, self.show_start)
        self.answer_bar.show_keys()
        self._connect()
        self._show_read_only()
        self._waiting.count()

    def _build(self) -> None:
        theme = self.context.theme
        self.blank = QWidget()
        self.empty = NoPairs(self.context)
        self.start_form = KindsStart(self.context)
        self.summary = KindsRoundEnd(theme)
        for widget in (self.line, self.previous_answer):  # Backspace goes back to the pair before
            widget.hide()
        for state in (self.blank, self.empty, self.start_form, self.side_panel, self.summary):
            self.stack.addWidget(state)

    def _connect(self) -> None:
        session, context = self.session, self.context
        session.question_shown.connect(self._on_question_shown)
        session.pair_compared.connect(self._compare)
        self.comparison.compared.connect(self._on_compared)
        self.comparison.nothing_to_compare.connect(self._on_not_compared)
        session.progress_changed.connect(self._show_progress)
        session.finished.connect(self._on_finished)
        self.card.option_pressed.connect(self.press)
        self.card.question_chosen.connect(session.show_question)
        self.kinds_bar.back_requested.connect(self.show_round)
        self.start_form.draw_requested.connect(self.draw)
        self.start_form.started.connect(self._on_started)
        self.summary.another_requested.connect(self.show_start)
        self.summary.again_requested.connect(self.show_again)
        context.annotator_changed.connect(self._on_annotator_changed)
        context.kinds_requested.connect(self.ask_about)
        context.kinds_round_requested.connect(self.open_round)
        self._waiting.counted.connect(self.badge_changed)

    def is_action_enabled(self, name: str) -> bool:
        if name == "draw":
            return self._loaded is not None and not self.context.read_only and self.context.assignment is None
        if name in _RELATIONS:
            return self.session.item is not None and self._asked == RELATION
        return super().is_action_enabled(name)

    @property
    def _asked(self) -> str:
        """The question on the screen."""
        return "" if self.session.questions is None else self.session.questions.asked

    # Loading

    def refresh(self, changes: Changes) -> None:
        if changes.pairs or changes.papers or changes.many_annotated or changes.settings:
            self._version = self.session.commands.version
            number = self._wanted_round or (None if self._queue is None else self._queue.round)
            self.context.read(
                kinds_rounds.load_kinds(self.context.project, self.context.annotator, number), self._on_loaded
            )
        elif changes.annotated_keys:
            self.session.on_changed_elsewhere(changes.annotated_keys)

    @Slot(object)
    def _on_loaded(self, loaded: LoadedKinds) -> None:
        if self._version != self.session.commands.version:  # meanwhile an answer was saved, or a round was started
            self.refresh(Changes(many_annotated=True))
            return
        is_first, self._loaded = self._loaded is None, loaded
        self.guide.show_text(loaded.guidelines, editable=not self.context.read_only and self.context.assignment is None)
        pairs, self._pairs_to_draw = self._pairs_to_draw, 0
        if self._selected_keys:
            if self.session.queue.keys:
                self.session.reload(None)
            else:
                self.ask_about(self._selected_keys)
        elif pairs:
            self.draw(pairs)
        elif loaded.queue is None:
            self._queue = None
            self.session.stop()
            self._show_start(loaded)
        elif self._queue is None or loaded.queue.round != self._queue.round:
            self.open_queue(loaded.queue)
        else:
            self._queue = loaded.queue
            self.session.reload_queue(loaded.queue.waiting)
        if is_first:
            self.side_panel.reopen()
            self._welcome()
        self._show_badge()

    def _welcome(self) -> None:
        """Explain an answer file in which nothing is answered yet."""
        sent, queue = self.context.assignment, self._queue
        if sent is not None and queue is not None and not any(one.kinds for one in queue.pairs):
            self.show_notice(
                tr(
                    "For {name}: each answer is saved in this file at once. When all are given, send it back.",
                    name=sent.name,
                )
            )

    @Slot(int)
    def open_round(self, number: int) -> None:
        """Ask about the pairs of this round, if it is the annotator's."""
        self.session.save_ticks()
        self._wanted_round = number
        self.show_round()

    def open_queue(self, queue: KindsQueue) -> None:
        """Ask about the pairs of a round."""
        self._queue, self._selected_keys, self._wanted_round = queue, (), 0
        self.session.taxonomy = queue.taxonomy
        self.session.compares = queue.plan.kind is RoundKind.PILOT
        self._begin(ReviewQueue(queue.keys, queue.waiting))
        if not queue.waiting:
            self._on_finished()
        self._show_badge()

    @Slot(object)
    def ask_about(self, keys: tuple[str, ...]) -> None:
        """Ask about pairs selected on another page."""
        self._selected_keys = tuple(keys)
        if self._loaded is not None:  # else `_on_loaded` follows
            self.session.taxonomy = self._loaded.taxonomy
            self.session.compares = False
            self._begin(ReviewQueue.of_all(self._selected_keys))

    def _begin(self, queue: ReviewQueue) -> None:
        self.notice.show_text("")
        self._show_read_only()
        self.previous_answer.clear()
        self.session.recorder.base = AnswerContext(chosen=bool(self._selected_keys))
        self.session.start(queue)

    @Slot()
    def show_round(self) -> None:
        """Go back to the round, or to the form that draws pairs."""
        self._selected_keys, self._queue = (), None
        self.refresh(Changes(many_annotated=True))

    @Slot()
    def show_again(self) -> None:
        """Show the pairs of the round again, with their answers."""
        if self._queue is not None:
            self.ask_about(self._queue.keys)

    @Slot()
    def show_start(self) -> None:
        """Show the form that draws pairs."""
        if self._loaded is not None and self.is_action_enabled("draw"):
            self.session.save_ticks()
            self._show_start(self._loaded)

    def _show_start(self, loaded: LoadedKinds) -> None:
        if loaded.queue is None and not loaded.pairs:
            self._show_state(self.empty, self.empty.button)
            return
        why = self.context.read_only_reason if self.context.read_only else ""
        self.start_form.offer(loaded.joinable, read_only_reason=why)
        self._show_state(self.start_form, self.start_form.draw_button)

    def _show_state(self, state: QWidget, first: QWidget) -> None:
        """Show something in place of a pair; `first` gets the focus."""
        self.stack.setCurrentWidget(state)
        self.initial_focus = first
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # the Tab key reaches only the controls
        if self.isVisible():
            first.setFocus()

    @Slot(int)
    def draw(self, pairs: int) -> None:
        """Draw pairs only for this annotator; an annotator who has just given a name may have a round to continue."""
        if not self.context.annotator:
            self._pairs_to_draw = pairs
            if self.context.ask_annotator(self) is None:
                self._pairs_to_draw = 0
            return
        self.start_form.draw(pairs)

    @Slot(object)
    def _on_started(self, queue: KindsQueue) -> None:
        self.session.commands.version += 1
        self.open_queue(queue)
        self.context.events.changed.emit(Changes(settings=True))

    # Commands

    @Slot(str)
    def press(self, option: str) -> None:
        """Tick or untick an option, or answer with it."""
        if self._can_answer():
            self.session.press(option)

    def go_on(self) -> None:
        if self.stack.currentWidget() is self.side_panel and (self.context.read_only or self._can_mark()):
            self.session.go_on()

    # What the session shows

    def show_item(self, item: ReviewItem, *, blind: bool) -> None:
        """Put a pair on the screen, without the results of mining, a model or Review."""
        self.initial_focus = None
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.pair_view.show_item(item, blind=True)
        self.kinds_bar.title.set_about("\n".join(self.why()))
        self.answer_bar.show_flagged(item.flagged)
        self._show_question()

    def pair_source(self) -> PairSource | None:
        queue, own = self.session.queue, self._queue
        if self._selected_keys:
            return PairSource(tr("the pairs selected on another page"), queue.position, len(queue.keys))
        if own is None:
            return None
        return PairSource(tr("round {round:,}", round=own.round), queue.position, len(queue.keys), plan=own.plan)

    @Slot()
    def _on_question_shown(self) -> None:
        if not self.notice.isHidden():
            self.notice.show_text("")
        self._show_question()
        focus = self.focusWidget()
        if self.isVisible() and isinstance(focus, QAbstractButton) and not focus.isVisible():
            self.setFocus()  # its row is gone

    def _show_question(self) -> None:
        questions = self.session.questions
        if questions is None or (self.session.is_comparing and self.comparison.isVisible()):
            return
        is_relation = questions.asked == RELATION
        self.card.show()
        self.comparison.hide()
        self.card.show_questions(questions)
        self.answer_bar.set_answers_visible(is_relation)
        if is_relation:
            given = next(iter(questions.ticked), None)
            self.answer_bar.show_answer(Answer(given) if given else None)
        self.guide.classes.setVisible(is_relation)
        if self.side_panel.open_panel == "guide":
            self.help.show_questions(questions)

    @Slot(str)
    def _compare(self, key: str) -> None:
        """Show the reference's answers about a pair after its last question."""
        assert self._queue is not None
        self.comparison.compare(key, self._queue.round)

    @Slot()
    def _on_compared(self) -> None:
        if self.session.is_comparing:
            self.card.hide()
            self.answer_bar.set_answers_visible(False)
            self.comparison.show()

    @Slot()
    def _on_not_compared(self) -> None:
        if self.session.is_comparing:
            self.session.go_on()

    @Slot(str)
    def _on_panel_changed(self, panel: str) -> None:
        super()._on_panel_changed(panel)
        self._show_question()

    def _show_read_only(self) -> None:
        super()._show_read_only()
        self.card.set_saving_enabled(not self.context.read_only)

    @Slot()
    def _show_progress(self) -> None:
        queue = self.session.queue
        position = queue.position if queue.is_browsing and not self.session.is_comparing else 0
        if self._selected_keys:
            total = len(queue.present(self._selected_keys))
            has_round = self._loaded is not None and self._loaded.queue is not None
            self.kinds_bar.show_selection(total - queue.waiting_count, total, position=position, has_round=has_round)
        elif self._queue is not None:
            total = len(queue.present(self._queue.keys))
            self.kinds_bar.show_round(self._queue, total - queue.waiting_count, total, position=position)
        self._show_badge()

    def _show_badge(self) -> None:
        """Show how many pairs of the round wait."""
        if not self._selected_keys:
            self.badge_changed.emit(self.session.queue.waiting_count if self._queue is not None else 0)

    @Slot()
    def _on_finished(self) -> None:
        if self._selected_keys:
            self.show_notice(tr("You have answered all of these."))
            self.session.show_last()
        elif self._queue is not None:
            keys = self._queue.keys
            job = kind_answers.count_kinds(self.context.project, keys, self.context.annotator, self._queue.taxonomy)
            run = self.context.runner.read(job)
            run.done.connect(self._on_counts)
            run.failed.connect(self.context.problems.show)

    @Slot(object)
    def _on_counts(self, counts: KindsCounts) -> None:
        if self._queue is None or self._selected_keys or self.session.queue.waiting_count:
            return
        title, taxonomy = tr("Round {round:,} is done", round=self._queue.round), self._queue.taxonomy.taxonomy
        file = None if self.context.assignment is None else self.context.path
        self.summary.show_counts(title, counts, taxonomy, can_draw=self.is_action_enabled("draw"), send_back=file)
        self._show_state(self.summary, self.summary.first_button)

    @Slot(str)
    def _on_annotator_changed(self, name: str) -> None:
        self._queue = None
        if self._loaded is not None:
            self.refresh(Changes(many_annotated=True))

    def hideEvent(self, event: QHideEvent) -> None:
        self.session.save_ticks()
        super().hideEvent(event)

    # Keys: at all questions but the first, letters and digits are answers, wherever the focus is

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and self._option_of(event):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        option = self._option_of(event)
        if not option:
            super().keyPressEvent(event)
        elif event.isAutoRepeat():  # holding a key down is one answer
            return
        elif self.session.questions is not None and self.session.questions.is_option(option):
            self.press(option)
        elif not self.session.is_busy and (does := what_shift_does(self, option)):
            self.show_notice(
                tr("{option} is none of the answers here. Shift+{option}: {does}.", option=option.upper(), does=does)
            )

    def _option_of(self, event: QKeyEvent) -> str:
        """The letter or digit that was pressed as an answer; "" for any other key."""
        if self.session.item is None or self._asked in ("", RELATION):
            return ""
        return typed_letter(event) if self.stack.currentWidget() is self.side_panel else ""
