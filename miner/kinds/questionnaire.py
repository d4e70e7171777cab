"""The questionnaire about a pair (TaxiNLI, appendix D): which question comes next, and which kinds the answers give.

Answers are kept by question. Answers to questions that are no longer asked, since an earlier answer has changed, are
kept but do not count, so that going back loses nothing. All functions are pure and total.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from miner.kinds.taxonomy import RELATION, RELATION_ANSWERS, Direction, Taxonomy, TaxonomyQuestion

Answers = Mapping[str, frozenset[str]]
"""By question, the keys of the options that are ticked; `RELATION` has one of `RELATION_ANSWERS`."""


class PairKinds(NamedTuple):
    """The kinds that answers give. relation, direction: None until answered. complete: every question is answered."""

    relation: str | None
    categories: frozenset[str]
    direction: Direction | None
    complete: bool


def asked_questions(taxonomy: Taxonomy, answers: Answers) -> list[TaxonomyQuestion]:
    """The questions on the path of these answers, in order, up to and including the first unanswered one.

    The relation comes before them and is not included; without it there are no questions.
    """
    given = _relation(answers)
    if given is None:
        return []
    counted: dict[str, frozenset[str]] = {RELATION: given}
    path = []
    for question in taxonomy.question:
        if not _is_asked(question, counted):
            continue
        path.append(question)
        answer = answers.get(question.key)
        if answer is None or not is_answer(question, answer):
            break
        counted[question.key] = answer
    return path


def next_question(taxonomy: Taxonomy, answers: Answers) -> str | None:
    """The key of the question to ask now: `RELATION` first; None once all are answered."""
    if _relation(answers) is None:
        return RELATION
    path = asked_questions(taxonomy, answers)
    if path and not is_answer(path[-1], answers.get(path[-1].key)):
        return path[-1].key
    return None


def previous_question(taxonomy: Taxonomy, answers: Answers, key: str | None) -> str | None:
    """The previous question on the path, None before the relation. key: of the present question; None for the end."""
    path = [RELATION, *(question.key for question in asked_questions(taxonomy, answers))]
    if key is None:
        return path[-1]
    place = path.index(key) if key in path else len(path)
    return path[place - 1] if place else None


def is_answer(question: TaxonomyQuestion, answer: frozenset[str] | None) -> bool:
    """Whether these options are an answer to the question."""
    if answer is None or not answer <= question.option_keys:
        return False
    return not (question.required and not answer) if question.multiple else len(answer) == 1


def fits(taxonomy: Taxonomy, answers: Answers) -> bool:
    """Whether every answer is to a question of the taxonomy, or the relation, and has only options of it."""
    options = {RELATION: frozenset(RELATION_ANSWERS)} | {
        key: one.option_keys for key, one in taxonomy.questions.items()
    }
    return all(key in options and answer <= options[key] for key, answer in answers.items())


def kinds(taxonomy: Taxonomy, answers: Answers) -> PairKinds:
    """The kinds that the answers give, complete or not."""
    given = _relation(answers)
    categories, direction = set(), None
    for question in asked_questions(taxonomy, answers):
        answer = answers.get(question.key)
        if answer is None or not is_answer(question, answer):
            break
        for option in question.options:
            if option.key in answer:
                categories |= {option.category} - {""}
                direction = option.direction or direction
    complete = next_question(taxonomy, answers) is None
    return PairKinds(next(iter(given), None) if given else None, frozenset(categories), direction, complete)


def _relation(answers: Answers) -> frozenset[str] | None:
    given = answers.get(RELATION, frozenset())
    return given if len(given) == 1 and given <= frozenset(RELATION_ANSWERS) else None


def _is_asked(question: TaxonomyQuestion, counted: Mapping[str, frozenset[str]]) -> bool:
    if not question.asked_if:
        return True
    return any(counted.get(earlier, frozenset()) & frozenset(keys) for earlier, keys in question.asked_if.items())
