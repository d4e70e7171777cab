"""Feedback on a pilot round: each annotator's answers beside the reference's, by question (MSciNLI, appendix A.3.1).

A round that asks for the relation is a questionnaire with only this question.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from desktop.jobs.review.annotation_rounds import get_round
from desktop.jobs.transactions import read_job
from desktop.translation import tr
from miner.errors import UserError
from miner.kinds.questionnaire import Answers, asked_questions, next_question
from miner.kinds.taxonomy import RELATION, RELATION_ALONE, RELATION_QUESTION, Category, Taxonomy, TaxonomyQuestion
from storage.annotation.annotation_rounds import RoundAsks, RoundKind
from storage.annotation.annotators import Role
from storage.stores import Stores


class QuestionFeedback(NamedTuple):
    """A question about a pair, with the answers to it.

    reference: the texts of the options that the reference chose. answers: the same of the others who answered, by name.
    definitions: of the categories that not all of them ticked.
    """

    key: str
    text: str
    reference: tuple[str, ...]
    answers: Mapping[str, tuple[str, ...]]
    definitions: tuple[Category, ...]

    @property
    def differing(self) -> list[str]:
        """The names of the annotators whose answer differs from the reference's."""
        return [name for name, answer in self.answers.items() if answer != self.reference]


@dataclass(frozen=True, slots=True)
class PairFeedback:
    """A pair of the round, with the questions that the reference was asked about it."""

    key: str
    premise: str
    hypothesis: str
    questions: tuple[QuestionFeedback, ...]

    @property
    def differing(self) -> list[QuestionFeedback]:
        """The questions that somebody answered differently from the reference."""
        return [one for one in self.questions if one.differing]


class FeedbackScore(NamedTuple):
    """How many answers equal the reference's, of how many. name: of an annotator, or the text of a question."""

    name: str
    compared: int
    agreed: int

    @property
    def agreement(self) -> float | None:
        """The share of equal answers, 0.0 to 1.0; None if there are no common answers."""
        return self.agreed / self.compared if self.compared else None


@dataclass(frozen=True, slots=True)
class PilotFeedback:
    """The feedback on a round. ranking: the annotators, highest agreement with the reference first.

    by_question: the compared questions, lowest agreement first; () in a round that asks only for the relation.
    """

    round: int
    asks: RoundAsks
    reference: str
    ranking: tuple[FeedbackScore, ...]
    by_question: tuple[FeedbackScore, ...]
    pairs: tuple[PairFeedback, ...]

    def answers_text(self, question: QuestionFeedback) -> str:
        """Everybody's answer to a question, the reference's first; with the question, if the round has several."""
        given = {self.reference: question.reference, **question.answers}
        said = ". ".join(f"{name}: {chosen_text(chosen)}" for name, chosen in given.items())
        return f"{said}." if self.asks is RoundAsks.RELATION else f"{question.text} {said}."


@read_job("Comparing with the reference")
def pilot_feedback(stores: Stores, number: int) -> PilotFeedback:
    """Compare the answers to a pilot round with the reference's, on pairs that both have answered completely.

    A question counts where both were asked it. `UserError` if it is not a pilot round, or has no answers.
    """
    plan = get_round(stores, number).plan
    if plan.kind is not RoundKind.PILOT:
        raise UserError(
            tr("Round {number} is not a pilot round.", number=number), hint=tr("Only pilot rounds have feedback.")
        )
    taxonomy, given = _given_answers(stores, number)
    reference, compared = _find_people(stores, number, [who for by in given.values() for who in by])
    names = stores.annotators.names()
    pairs = []
    for item in stores.rounds.items(list(given), ""):
        by = given[item.pair.key]
        if reference in by:
            others = {names.get(who, who): by[who] for who in compared if who in by}
            questions = tuple(_questions(taxonomy, by[reference], others))
            pairs.append(PairFeedback(item.pair.key, item.pair.premise, item.pair.hypothesis, questions))
    asked = [question for pair in pairs for question in pair.questions]
    ranking = [_score(names.get(who, who), asked) for who in compared]
    texts = dict.fromkeys(question.text for question in asked if question.answers and taxonomy is not RELATION_ALONE)
    by_question = [_question_score(text, [one for one in asked if one.text == text]) for text in texts]
    return PilotFeedback(
        number,
        plan.asks,
        names.get(reference, reference),
        tuple(sorted(ranking, key=lambda one: (-(one.agreement or 0.0), -one.compared, one.name))),
        tuple(sorted(by_question, key=lambda one: one.agreement or 0.0)),
        tuple(pairs),
    )


def _given_answers(stores: Stores, number: int) -> tuple[Taxonomy, dict[str, dict[str, Answers]]]:
    """The questionnaire of a round, and the complete answers to its pairs, by pair and annotator."""
    keys, digest = stores.pairs.present(stores.annotation_rounds.keys(number)), get_round(stores, number).taxonomy
    if digest is None:
        return RELATION_ALONE, {
            key: {who: {RELATION: frozenset([answer.value])} for who, answer in stores.answers.of_pair(key).items()}
            for key in keys
        }
    taxonomy = stores.kinds.taxonomy(digest)
    return taxonomy, {
        key: {who: answers for who, answers in by.items() if next_question(taxonomy, answers) is None}
        for key, by in stores.kinds.of_pairs(keys, digest).items()
    }


def _find_people(stores: Stores, number: int, given: Sequence[str]) -> tuple[str, list[str]]:
    """The key of the reference, and the keys of the annotators to compare with it.

    given: who gave each answer to the round. `UserError` if none of them is a reference.
    """
    roles = {one.key: one.role for one in stores.annotators.all()}
    references = [key for key in given if roles.get(key) is Role.REFERENCE]
    if not references:
        raise UserError(
            tr("No reference annotator has answered round {number} yet.", number=number),
            hint=tr("Give somebody the role of the reference, and let them answer it too."),
        )
    reference = max(sorted(set(references)), key=references.count)
    assigned = [one.annotator for one in stores.annotation_rounds.assignments(number)]
    compared = [key for key in dict.fromkeys([*assigned, *given]) if roles.get(key, Role.ANNOTATOR) is Role.ANNOTATOR]
    return reference, compared


def _questions(taxonomy: Taxonomy, reference: Answers, others: Mapping[str, Answers]) -> list[QuestionFeedback]:
    relations = {name: tuple(sorted(one[RELATION])) for name, one in others.items()}
    found = [QuestionFeedback(RELATION, RELATION_QUESTION, tuple(sorted(reference[RELATION])), relations, ())]
    paths = {name: {one.key for one in asked_questions(taxonomy, answers)} for name, answers in others.items()}
    for question in asked_questions(taxonomy, reference):
        own = reference[question.key]
        answers = {name: one[question.key] for name, one in others.items() if question.key in paths[name]}
        differing = frozenset(key for answer in answers.values() for key in answer ^ own)
        definitions = [
            taxonomy.category[one.category] for one in question.options if one.category and one.key in differing
        ]
        texts = {name: _texts(question, answer) for name, answer in answers.items()}
        text = _texts(question, own)
        found.append(QuestionFeedback(question.key, question.text, text, texts, tuple(definitions)))
    return found


def _texts(question: TaxonomyQuestion, answer: frozenset[str]) -> tuple[str, ...]:
    return tuple(option.text for option in question.options if option.key in answer)


def _score(name: str, asked: list[QuestionFeedback]) -> FeedbackScore:
    both = [one for one in asked if name in one.answers]
    return FeedbackScore(name, len(both), sum(one.answers[name] == one.reference for one in both))


def _question_score(text: str, asked: list[QuestionFeedback]) -> FeedbackScore:
    compared = sum(len(one.answers) for one in asked)
    return FeedbackScore(text, compared, compared - sum(len(one.differing) for one in asked))


def chosen_text(chosen: tuple[str, ...]) -> str:
    """The texts of the options that somebody chose, in a few words."""
    return "; ".join(text.rstrip(".") for text in chosen) or "none"
