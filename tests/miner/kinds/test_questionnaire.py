"""The questionnaire: every way ends, nothing is lost on the way back, and only what is asked counts."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from miner.kinds.questionnaire import (
    Answers,
    PairKinds,
    asked_questions,
    is_answer,
    kinds,
    next_question,
    previous_question,
)
from miner.kinds.taxonomy import RELATION, RELATION_ANSWERS, Direction, TaxonomyQuestion, released_taxonomy

TAXONOMY = released_taxonomy()
without_deadline = settings(deadline=None)


def _answer(draw: st.DrawFn, key: str) -> frozenset[str]:
    if key == RELATION:
        return frozenset({draw(st.sampled_from(RELATION_ANSWERS))})
    question: TaxonomyQuestion = TAXONOMY.questions[key]
    keys = sorted(question.option_keys)
    if not question.multiple:
        return frozenset({draw(st.sampled_from(keys))})
    return draw(st.frozensets(st.sampled_from(keys), min_size=int(question.required)))


@st.composite
def _answered(draw: st.DrawFn) -> dict[str, frozenset[str]]:
    """Answers given in the order in which they are asked, some of them changed afterwards."""
    answers: dict[str, frozenset[str]] = {}
    for _ in range(draw(st.integers(0, 30))):
        key = next_question(TAXONOMY, answers)
        if key is None or (answers and draw(st.booleans()) and draw(st.booleans())):
            key = draw(st.sampled_from(sorted(answers)))
        answers[key] = _answer(draw, key)
    return answers


@without_deadline
@given(st.data())
def test_every_way_ends(data: st.DataObject) -> None:
    answers: dict[str, frozenset[str]] = {}
    for _ in range(len(TAXONOMY.question) + 1):
        key = next_question(TAXONOMY, answers)
        if key is None:
            break
        assert key not in answers
        answers[key] = data.draw(st.composite(lambda draw: _answer(draw, key))())  # noqa: B023
    assert next_question(TAXONOMY, answers) is None
    assert kinds(TAXONOMY, answers).complete


@without_deadline
@given(_answered())
def test_going_back_from_anywhere_leads_to_the_relation_without_losing_an_answer(answers: Answers) -> None:
    before = dict(answers)
    key = next_question(TAXONOMY, answers)
    way = [key]
    while key != RELATION:
        key = previous_question(TAXONOMY, answers, key)
        way.append(key)
    assert previous_question(TAXONOMY, answers, RELATION) is None
    path = [RELATION, *(question.key for question in asked_questions(TAXONOMY, answers))]
    end = [None] if next_question(TAXONOMY, answers) is None else []
    assert way[::-1] == ([*path, *end] if RELATION in answers else [RELATION])
    assert answers == before


@without_deadline
@given(_answered())
def test_only_answers_to_asked_questions_count(answers: Answers) -> None:
    asked = {RELATION, *(question.key for question in asked_questions(TAXONOMY, answers))}
    counted = {key: answer for key, answer in answers.items() if key in asked}
    assert kinds(TAXONOMY, counted) == kinds(TAXONOMY, answers)


@without_deadline
@given(
    st.dictionaries(st.text(max_size=9) | st.sampled_from([RELATION, *TAXONOMY.questions]), st.frozensets(st.text()))
)
def test_any_answers_are_taken_and_nonsense_is_no_answer(answers: dict[str, frozenset[str]]) -> None:
    found = kinds(TAXONOMY, answers)
    assert found.categories <= set(TAXONOMY.categories)
    key = next_question(TAXONOMY, answers)
    assert key is None or key == RELATION or not is_answer(TAXONOMY.questions[key], answers.get(key))


def test_a_neutral_pair_about_different_things_goes_the_short_way() -> None:
    answers = {RELATION: frozenset({"neutral"}), "topic": frozenset("y"), "subject": frozenset("n")}
    assert next_question(TAXONOMY, answers) == "direction"
    found = kinds(TAXONOMY, answers | {"direction": frozenset("n")})
    assert found == PairKinds("neutral", frozenset({"topic"}), Direction.NEITHER, complete=True)


def test_an_answer_that_changes_the_way_and_changes_back_finds_the_later_answers_again() -> None:
    answers = {
        RELATION: frozenset({"reasoning"}),
        "outside": frozenset("o"),
        "knowledge": frozenset("w"),
        "way": frozenset("r"),
        "reasoning": frozenset("c"),
        "connectives": frozenset(),
        "direction": frozenset("f"),
    }
    there = kinds(TAXONOMY, answers)
    assert there == PairKinds("reasoning", frozenset({"world", "causal"}), Direction.FORWARD, complete=True)
    changed = answers | {"outside": frozenset("e")}
    assert kinds(TAXONOMY, changed).categories == {"causal"}
    assert kinds(TAXONOMY, changed | {"outside": frozenset("o")}) == there


def test_an_unclear_pair_is_asked_nothing_more() -> None:
    assert kinds(TAXONOMY, {RELATION: frozenset({"unclear"})}) == PairKinds("unclear", frozenset(), None, complete=True)
