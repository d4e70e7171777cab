"""The pair on the screen with its questions, and the annotator's commands: tick, go on, go back, skip, undo."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial

from PySide6.QtCore import Signal

from desktop.jobs.review.answers import ActionResult
from desktop.jobs.review.kind_answers import KindsItem, load_kinds_items, save_kinds
from desktop.translation import tr
from desktop.ui.judging.answer_session import AnsweredPair, AnswerSession
from desktop.ui.pages.kinds.pair_questions import PairQuestions
from desktop.ui.services.project_context import ProjectContext
from miner.kinds.questionnaire import Answers, next_question
from miner.kinds.taxonomy import RELATION
from miner.records import Answer
from storage.annotation.kinds import StoredTaxonomy
from storage.annotation.rounds import ReviewItem

_LATE = tr("A key pressed before this question was shown was ignored.")


class KindsSession(AnswerSession):
    """Asks all questions about a pair, then shows the next pair; each answer is on disk before the next question.

    Ticks are in memory until the annotator goes on, goes back or leaves the pair. A command belongs to the question
    that was on the screen when its key was pressed.
    """

    question_shown = Signal()  # another question is on the screen, or other options of it are ticked
    pair_compared = Signal(str)  # the pair's key: its last question is answered, and it stays until `go_on`

    def __init__(self, context: ProjectContext) -> None:
        super().__init__(
            context, load=lambda project, keys, who: load_kinds_items(project, keys, who, self._stored_taxonomy())
        )
        self.taxonomy: StoredTaxonomy | None = None
        """Whose questions are asked; set before `start`."""
        self.questions: PairQuestions | None = None
        self.compares = False
        """In a pilot round, a pair stays on the screen after its last answer, to be compared with the reference."""
        self.is_comparing = False
        self._key = ""  # of the pair that `questions` is about
        self._known: dict[str, Answers] = {}  # by pair, the answers that it had last
        self.recorder.stays_blind = True

    # Commands

    def press(self, option: str) -> None:
        """Tick or untick an option; or answer with it, where only one can be chosen."""
        self._enqueue_for_question(partial(self._press, option))

    def answer(self, answer: Answer) -> None:
        """Answer the first question."""
        self._enqueue_for_question(partial(self._answer_relation, answer))

    def go_on(self) -> None:
        """Save the ticks, and show the next question; after the last one, the next pair."""
        self._enqueue_for_question(self._go_to_next)

    def go_back(self) -> None:
        """Show the previous question; at the first one, the previous pair."""
        self._enqueue_for_question(self._go_to_previous)

    def show_question(self, key: str) -> None:
        """Show a question on the path of the pair on the screen."""
        self._enqueue_for_question(partial(self._leave, partial(self._show_question, key)))

    def save_ticks(self) -> None:
        """Save the ticks, since the page is left."""
        if self.item is not None and not self._context.read_only:
            self._enqueue(partial(self._leave, lambda: None))

    def undo(self) -> None:
        """Drop the unsaved ticks; if there are none, undo the last action."""
        self._enqueue(self._undo_ticks, after_end=True)

    def _enqueue_for_question(self, command: Callable[[], None]) -> None:
        asked = self.questions.asked if self.questions is not None else ""
        self._enqueue_for_current(partial(self._run_if_asked, asked, command))

    def _run_if_asked(self, asked: str, command: Callable[[], None]) -> None:
        if self._current_questions().asked == asked:
            command()
        else:
            self.message.emit(_LATE)

    def _press(self, option: str) -> None:
        questions = self._current_questions()
        if self.is_comparing or not questions.is_option(option):
            return
        if questions.takes_several:
            questions.toggle(option)
            self.question_shown.emit()
        else:
            self._save({**questions.answers, questions.asked: frozenset((option,))}, self._go_further)

    def _answer_relation(self, answer: Answer) -> None:
        if self._current_questions().asked == RELATION:
            self._press(answer.value)
        else:
            self.message.emit(tr("The relation is answered already. Go back to its question to change it."))

    def _go_to_next(self) -> None:
        questions = self._current_questions()
        if self.is_comparing:
            self._finish_pair()
        elif questions.can_go_on:
            self._save(questions.with_ticks(), self._go_further)
        elif questions.takes_several:
            self.message.emit(tr("Tick at least one answer."))
        else:
            self.message.emit(tr("Press the key of an answer."))

    def _go_to_previous(self) -> None:
        preceding = self._current_questions().preceding
        if self.is_comparing:
            self._show_question(self._current_questions().asked)
        elif preceding is not None:
            self._leave(partial(self._show_question, preceding))
        elif self.queue.position > 1:
            self._move(-1)
        else:
            self.message.emit(tr("This is the first question about the first pair."))

    def _undo_ticks(self) -> None:
        questions = self.questions
        if self.item is not None and questions is not None and questions.has_unsaved_ticks:
            questions.show(questions.answers, questions.asked)
            self.question_shown.emit()
        else:
            self.commands.undo()

    # What is ticked is saved before anything else is shown

    def _move(self, steps: int) -> None:
        self._leave(partial(super()._move, steps))

    def _skip(self) -> None:
        self._leave(super()._skip)

    def _go_to(self, key: str) -> None:
        self._leave(partial(super()._go_to, key))

    def _leave(self, then: Callable[[], None]) -> None:
        """Save the ticks if they answer the question, then call `then`."""
        questions = self.questions
        if self.item is not None and questions is not None and questions.has_unsaved_ticks and self._can_save:
            self._save(questions.with_ticks(), then)
        else:
            then()

    @property
    def _can_save(self) -> bool:
        return bool(self._context.annotator) and not self._context.read_only

    def _save(self, answers: Answers, then: Callable[[], None]) -> None:
        """Store the answers about the pair on the screen, unless they are stored already, then call `then`."""
        questions, item = self._current_questions(), self._current_item()
        if answers == questions.answers:
            then()
            return
        if not self._can_save:
            self.message.emit(tr("Nothing can be answered here."))
            return
        title = tr("Answer: {text}", text=questions.text)
        project, annotator = self._context.project, self._context.annotator
        job = save_kinds(project, annotator, item.pair.key, answers, self._stored_taxonomy(), title)
        self.commands.save(job, partial(self._on_kinds_saved, item.pair.key, answers, then))

    def _on_kinds_saved(self, key: str, answers: Answers, then: Callable[[], None], result: ActionResult) -> None:
        if not result.count:
            self._on_pair_missing(key)
            return
        item = replace(self._current_item(), kinds=answers)  # type: ignore[call-arg]
        self.reader.items[key] = self.item = item
        self._known[key] = answers
        self.queue.set_waiting(key, waiting=self._waits(item))
        self._current_questions().answers = answers
        then()

    def _go_further(self) -> None:
        """Show the question after the answered one, or the next pair."""
        questions, item = self._current_questions(), self._current_item()
        following = questions.following(questions.answers)
        if following is not None:
            self._show_question(following)
        elif self.compares and item.bad is None:
            self.is_comparing = True
            self.progress_changed.emit()
            self.pair_compared.emit(item.pair.key)
        else:
            self._finish_pair()

    def _finish_pair(self) -> None:
        """Go on to the next pair."""
        questions, item = self._current_questions(), self._current_item()
        self.is_comparing = False
        if item.bad is not None:
            self._advance()
        else:
            [relation] = questions.answers[RELATION]
            self._complete(item, AnsweredPair(item, Answer(relation)))

    def _show_question(self, key: str) -> None:
        questions = self._current_questions()
        self.is_comparing = False
        if key in questions.path:
            questions.show(questions.answers, key)
        self.question_shown.emit()
        self.progress_changed.emit()

    # The pair on the screen

    def _waits(self, item: ReviewItem) -> bool:
        return item.bad is None and next_question(self._stored_taxonomy().taxonomy, answers_of(item)) is not None

    def _show_current(self) -> None:
        item = self.reader.items.get(self.queue.current or "")
        if item is not None:
            self._take_up(item.pair.key, answers_of(item))
        super()._show_current()

    def _take_up(self, key: str, answers: Answers) -> None:
        """Ask about this pair, unless it is being asked about already."""
        if self.questions is None or self._key != key:
            self.is_comparing = False
            known = self._known.get(key)
            self.questions = PairQuestions(self._stored_taxonomy().taxonomy, answers if known is None else known)
        if self.questions.answers != answers:
            self.is_comparing = False
            self.questions.take_up(answers)
        self._key, self._known[key] = key, answers

    def _stored_taxonomy(self) -> StoredTaxonomy:
        assert self.taxonomy is not None
        return self.taxonomy

    def _current_questions(self) -> PairQuestions:
        assert self.questions is not None
        return self.questions


def answers_of(item: ReviewItem) -> Mapping[str, frozenset[str]]:
    """The annotator's answers about the kinds of a pair."""
    assert isinstance(item, KindsItem)
    return item.kinds
