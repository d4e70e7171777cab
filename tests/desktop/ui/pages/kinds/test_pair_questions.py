"""The questions about one pair, as plain values: going on, going back, and what is left when others answers come."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from desktop.ui.pages.kinds.pair_questions import PairQuestions
from miner.kinds.questionnaire import Answers, next_question
from miner.kinds.taxonomy import RELATION, RELATION_ANSWERS, released_taxonomy

TAXONOMY = released_taxonomy()
LETTERS = sorted({option.key for question in TAXONOMY.question for option in question.options})


def answered(**answers: str) -> Answers:
    """Answers by question: a relation, or the letters that are ticked."""
    return {key: frozenset((value,)) if key == RELATION else frozenset(value) for key, value in answers.items()}


def test_the_first_question_without_an_answer_is_asked_and_a_complete_pair_shows_its_last() -> None:
    assert PairQuestions(TAXONOMY, {}).asked == RELATION
    assert PairQuestions(TAXONOMY, answered(relation="neutral", topic="y")).asked == "subject"
    whole = PairQuestions(TAXONOMY, answered(relation="neutral", topic="n", direction="n"))
    assert (whole.asked, whole.ticked, whole.path) == ("direction", {"n"}, [RELATION, "topic", "direction"])
    assert whole.following(whole.answers) is None


def test_ticks_are_no_answer_until_they_are_one() -> None:
    questions = PairQuestions(TAXONOMY, answered(relation="reasoning", outside="e"))
    assert (questions.asked, questions.can_go_on, questions.takes_several) == ("way", False, True)
    questions.toggle("l")
    assert questions.can_go_on
    assert questions.has_unsaved_ticks
    assert questions.following(questions.with_ticks()) == "form"
    questions.toggle("l")
    assert not questions.has_unsaved_ticks


def test_after_an_undo_the_question_whose_answer_changed_is_asked() -> None:
    later = answered(relation="reasoning", outside="e", way="l", form="l", direction="f")
    questions = PairQuestions(TAXONOMY, later)
    questions.take_up({**later, "form": frozenset("s")})
    assert (questions.asked, questions.ticked) == ("form", {"s"})
    questions.take_up({})
    assert questions.asked == RELATION


@given(st.lists(st.sampled_from(["back", "on", *LETTERS, *RELATION_ANSWERS]), max_size=40))
def test_no_answer_is_lost_by_going_back_and_every_way_ends(keys: list[str]) -> None:
    questions = PairQuestions(TAXONOMY, {})
    for key in keys:
        before = dict(questions.answers)
        if key == "back" and questions.preceding is not None:
            answers = questions.with_ticks() if questions.has_unsaved_ticks else questions.answers
            questions.show(answers, questions.preceding)
        elif questions.is_option(key) and questions.takes_several:
            questions.toggle(key)
        elif questions.is_option(key):
            answers = {**questions.answers, questions.asked: frozenset((key,))}
            questions.show(answers, questions.following(answers) or questions.asked)
        elif key == "on" and questions.can_go_on:
            answers = questions.with_ticks()
            questions.show(answers, questions.following(answers) or questions.asked)
        assert before.keys() <= questions.answers.keys()
        assert questions.asked in questions.path
    for _ in range(len(TAXONOMY.question) + 1):
        if (asked := next_question(TAXONOMY, questions.answers)) is None:
            return
        questions.show(questions.answers, asked)
        questions.toggle("reasoning" if questions.question is None else questions.question.options[0].key)
        questions.show(questions.with_ticks(), asked)
    raise AssertionError("some question was left")
