"""What chat models say, and the class that it is read as."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from miner.lab.experiments.prompting.answers import ReadingOutcome, read_answers, word_similarities
from miner.lab.experiments.prompting.templates import Prompt, definitions_of, make_prompt
from miner.records import Label

FOUR = {str(label): (str(label),) for label in Label}
NAMES = make_prompt(1, definitions_of(FOUR, {}))
DEFINITIONS = make_prompt(3, definitions_of(FOUR, {}))


def read(prompt: Prompt, answer: str) -> tuple[str, str]:
    [found] = read_answers(prompt, [answer], word_similarities)
    return ("" if found.label is None else list(FOUR)[found.label], found.outcome.value)


@pytest.mark.parametrize(
    ("answer", "label"),
    [
        ("4", "neutral"),
        ("4.", "neutral"),
        (" 2. Reasoning", "reasoning"),
        ("(3) Contrasting", "contrasting"),
        ("**1. Entailment**", "entailment"),
        ("Answer: 4", "neutral"),
        ("The correct answer is (1) Entailment", "entailment"),
        ("The semantic relation between Sentence1 and Sentence2 is Reasoning.", "reasoning"),
        ("Sentence1 entails Sentence2.", "entailment"),
        ("The relation is not Entailment but Contrasting.", "contrasting"),
        ("Contrasting. It is not that one is the reasoning behind the other.", "contrasting"),
        ("1. Contrasting", "contrasting"),  # the words say more than the number
        ("<think>It may be Neutral.</think>Entailment", "entailment"),
        ("I'd choose option 3 because they differ by 2.5 points", "contrasting"),
    ],
)
def test_a_class_is_read_by_its_number_or_name(answer: str, label: str) -> None:
    assert read(NAMES, answer) == (label, "rule")


@pytest.mark.parametrize(
    ("answer", "label"),
    [
        ("c", "contrasting"),
        ("C.", "contrasting"),
        ("a. Sentence1 generalizes, specifies or has", "entailment"),
        ("(d) Sentence1 and Sentence2 are independent.", "neutral"),
        ("The correct answer is (b) Sentence1 presents the reason", "reasoning"),
        ("The answer is b because Sentence1 is the cause", "reasoning"),
        ("Option a is true.", "entailment"),
        ("Sentence1 and Sentence2 are independent.", "neutral"),
        ("Sentence2 mentions a comparison, criticism, juxtaposition", "contrasting"),
        ("The true statement:\n\nb. Sentence1 presents", "reasoning"),
    ],
)
def test_a_class_is_read_by_its_letter_or_definition(answer: str, label: str) -> None:
    assert read(DEFINITIONS, answer) == (label, "rule")


@pytest.mark.parametrize(
    "answer",
    [
        "",
        " \n",
        "?!",
        "1. Entailment, 2. Reasoning, 3. Contrasting, 4. Neutral.",
        "It is Reasoning or Neutral, depending on the reader.",
        "<think>The first sentence is Neutral, so",
        "Bananas are yellow",
        "The answer is 7",
    ],
)
def test_an_answer_that_names_no_class_or_several_is_unreadable(answer: str) -> None:
    assert read(NAMES, answer) == ("", "unreadable")


def test_a_repeated_list_of_options_names_none() -> None:
    answer = "a. Sentence1 generalizes, specifies or has an equivalent meaning. b. Sentence1 presents the reason, cause"
    assert read(DEFINITIONS, answer) == ("", "unreadable")


def test_the_article_a_is_no_option() -> None:
    assert read(DEFINITIONS, "A comparison with a limitation of earlier work")[0] == "contrasting"
    assert read(DEFINITIONS, "The answer is a matter of taste, as bananas are")[1] == "unreadable"


def test_other_words_are_read_by_the_nearest_definition() -> None:
    assert read(DEFINITIONS, "These two are wholly independent from each other") == ("neutral", "nearest")
    assert read(NAMES, "One gives the reason or the cause for that conclusion") == ("reasoning", "nearest")


def test_an_encoder_can_say_which_definition_is_nearest() -> None:
    def similarities(answers: object, definitions: object) -> list[list[float]]:
        return [[0.1, 0.2, 0.9, 0.3], [0.1, 0.2, 0.24, 0.1], [0.5, 0.5, 0.1, 0.1]]

    found = read_answers(DEFINITIONS, ["One", "two", "d", "three"], similarities)
    assert [one.outcome for one in found] == [
        ReadingOutcome.NEAREST,
        ReadingOutcome.UNREADABLE,  # less similar than .25
        ReadingOutcome.RULE,
        ReadingOutcome.UNREADABLE,  # a tie
    ]
    assert found[0].label == list(FOUR).index("contrasting")


def test_the_longer_of_two_names_is_read() -> None:
    classes = {"entailment": ("entailment",), "not_entailment": ("others",)}
    prompt = make_prompt(1, definitions_of(classes, {}))
    found = read_answers(prompt, ["Not entailment", "not-entailment", "Entailment", "2"], word_similarities)
    assert [one.label for one in found] == [1, 1, 0, 1]


@given(st.text(max_size=300))
def test_any_text_is_read_as_a_class_or_as_unreadable(answer: str) -> None:
    for prompt in (NAMES, DEFINITIONS):
        [found] = read_answers(prompt, [answer], word_similarities)
        assert (found.label is None) == (found.outcome is ReadingOutcome.UNREADABLE)


@pytest.mark.parametrize("template", [1, 2, 3, "{premise} {hypothesis} {classes}", "{premise} {hypothesis}"])
@given(label=st.integers(0, 3))
def test_the_answer_shown_for_an_exemplar_is_read_as_its_class(template: int | str, label: int) -> None:
    prompt = make_prompt(template, definitions_of(FOUR, {}))
    [found] = read_answers(prompt, [prompt.answer(label)], word_similarities)
    assert (found.label, found.outcome) == (label, ReadingOutcome.RULE)
