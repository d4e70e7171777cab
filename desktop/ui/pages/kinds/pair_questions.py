"""The questions about one pair: the question on the screen, its ticked options, and the next one. Without Qt."""

from __future__ import annotations

from miner.kinds.questionnaire import Answers, asked_questions, is_answer, next_question, previous_question
from miner.kinds.taxonomy import RELATION, RELATION_ANSWERS, RELATION_QUESTION, Taxonomy, TaxonomyQuestion

_NOTHING: frozenset[str] = frozenset()


class PairQuestions:
    """The questions about one pair.

    `answers`: the stored answers. `asked`: the question on the screen. `ticked`: its ticked options, stored or not.
    """

    def __init__(self, taxonomy: Taxonomy, answers: Answers) -> None:
        self.taxonomy = taxonomy
        self.answers: Answers = {}
        self.asked = RELATION
        self.ticked = _NOTHING
        self.show(answers, next_question(taxonomy, answers) or self._path(answers)[-1])

    def show(self, answers: Answers, asked: str) -> None:
        """Ask a question. answers: the stored answers."""
        self.answers, self.asked = dict(answers), asked
        self.ticked = self.answers.get(asked, _NOTHING)

    def take_up(self, answers: Answers) -> None:
        """Take over other stored answers, as after an undo, and ask the first question whose answer differs."""
        before = self.answers
        path = self._path(answers)
        changed = [key for key in path if before.get(key) != answers.get(key)]
        self.show(answers, changed[0] if changed else path[-1])

    @property
    def path(self) -> list[str]:
        """The questions on the path of the stored answers, up to and including the first unanswered one."""
        return self._path(self.answers)

    @property
    def question(self) -> TaxonomyQuestion | None:
        """The question on the screen; None for the relation."""
        return self.taxonomy.questions.get(self.asked)

    @property
    def text(self) -> str:
        """The question on the screen, in words."""
        return RELATION_QUESTION if self.question is None else self.question.text

    @property
    def takes_several(self) -> bool:
        """Whether several options can be ticked and Enter goes on; else a single key answers."""
        return self.question is not None and self.question.multiple

    def is_option(self, key: str) -> bool:
        """Whether the key answers the question on the screen."""
        return key in (RELATION_ANSWERS if self.question is None else self.question.option_keys)

    def toggle(self, key: str) -> None:
        """Tick an option, or untick it."""
        self.ticked ^= {key}

    @property
    def can_go_on(self) -> bool:
        """Whether the ticked options answer the question."""
        return self._is_answer(self.ticked)

    @property
    def has_unsaved_ticks(self) -> bool:
        """Whether the ticked options answer the question and differ from the stored answer."""
        return self.can_go_on and self.ticked != self.answers.get(self.asked, _NOTHING)

    def with_ticks(self) -> Answers:
        """All answers, including the ticked options."""
        return {**self.answers, self.asked: self.ticked}

    def following(self, answers: Answers) -> str | None:
        """The question after the one on the screen by these answers; None after the last."""
        path = self._path(answers)
        place = path.index(self.asked) + 1
        return path[place] if place < len(path) else None

    @property
    def preceding(self) -> str | None:
        """The question before the one on the screen; None before the first."""
        return previous_question(self.taxonomy, self.answers, self.asked)

    def _is_answer(self, options: frozenset[str]) -> bool:
        if self.question is None:
            return len(options) == 1 and options <= frozenset(RELATION_ANSWERS)
        return is_answer(self.question, options)

    def _path(self, answers: Answers) -> list[str]:
        return [RELATION, *(question.key for question in asked_questions(self.taxonomy, answers))]
