"""The prompts of MSciNLI, word by word, and those of other classes and of users."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from miner.errors import UserError
from miner.lab.experiments.experiment_file import parse_experiment
from miner.lab.experiments.prompting.templates import definitions_of, make_prompt
from miner.records import Label

PAPER = Path(__file__).parents[6] / "shared" / "seeds" / "000_3b1772207446be2c.txt"
FOUR = {str(label): (str(label),) for label in Label}
DEFINITIONS = definitions_of(FOUR, {})


def published(number: int) -> str:
    """A template of table 18, without the tags of the turns."""
    if not PAPER.is_file():
        pytest.skip(f"the paper's text is not there: {PAPER}")
    text = PAPER.read_text(encoding="utf-8")
    found = re.search(rf"^Prompt - {number} <human>: (.+?)\n<bot>:", text, re.DOTALL | re.MULTILINE)
    assert found is not None
    return found[1]


@pytest.mark.parametrize("number", [1, 2, 3])
def test_the_templates_are_those_of_the_paper(number: int) -> None:
    given = {**DEFINITIONS, **{name: f"<definition of {name}>" for name in FOUR}} if number == 2 else DEFINITIONS
    asked = make_prompt(number, given).question("<sentence1>", "<sentence2>")
    assert asked == published(number)


def test_exemplars_are_turns_before_the_question() -> None:
    prompt = make_prompt(3, DEFINITIONS)
    turns = prompt.conversation([("P", "H", 3)], "{hypothesis}", "One\n two.")
    assert [turn["role"] for turn in turns] == ["user", "assistant", "user"]
    assert turns[1]["content"] == "The correct answer is (d) Sentence1 and Sentence2 are independent."
    assert "Sentence1: {hypothesis}\nSentence2: One two.\n" in turns[2]["content"]
    assert make_prompt(1, DEFINITIONS).answer(0) == "The correct answer is (3) Contrasting"


def test_other_classes_have_definitions_of_their_own() -> None:
    classes = {"related": ("entailment", "reasoning"), "data_mining": ("h.2",), "rest": ("others",)}
    prompt = make_prompt(2, definitions_of(classes, {"data_mining": "It is about data."}))
    asked = prompt.question("P", "H")
    assert "definitions of three semantic relations" in asked
    assert "Related: Sentence1 generalizes" in asked
    assert " Or: Sentence1 presents" in asked
    assert "Data mining: It is about data." in asked
    assert "Rest: None of the other options is true." in asked
    assert asked.endswith("options: 1. Related, 2. Data mining, 3. Rest.")
    assert prompt.continuations == ["1", "2", "3"]


def test_more_classes_than_letters_are_numbered() -> None:
    names = [f"field {number}" for number in range(30)]
    prompt = make_prompt(3, definitions_of({name: (name,) for name in names}, {}))
    assert "\n30. The relation between Sentence1 and Sentence2 is “field 29”." in prompt.question("P", "H")


def test_a_template_of_ones_own_may_name_the_classes_or_not() -> None:
    bare = make_prompt("{premise} / {hypothesis}: which relation?", DEFINITIONS)
    assert bare.question("P", "H") == "P / H: which relation?"
    assert bare.continuations == ["Contrasting", "Reasoning", "Entailment", "Neutral"]
    assert bare.answer(3) == "The correct answer is Neutral"


FILE = """
name = "prompts"
[data.a]
files = {{ train = "train.csv", test = "test.csv" }}
train = {{}}
test = {{}}
[[system]]
kind = "prompt"
{}
"""


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        ('model = "m"\ntemplate = "Relate {premise}"', "lacks {hypothesis}"),
        ('model = "m"\ntemplate = "{premise} {hypothesis} {class}"', "has {class}, but there are only"),
        ('model = "m"\ntemplate = 4', "must be 1, 2, 3 or a text"),
        ('model = "m"\nshots = 1', "belong together"),
        ('model = "m"\nshots = 1\nexemplars = "b"', "names the set b"),
        ('endpoint = "http://api.example.org/v1"', "would receive the sentences"),
        ('endpoint = "localhost:11434"', "must be an address"),
        ('endpoint = "http://me:secret@localhost/v1"', "PAIRWRIGHT_API_KEY"),
        ('endpoint = "http://localhost:99999/v1"', "is no address"),
        ('endpoint = "http://localhost/v1"\nanswer = "options"', "does not say how likely"),
        ("template = 1", "needs a `model`"),
    ],
)
def test_what_a_file_cannot_ask_is_said_in_words(lines: str, words: str) -> None:
    with pytest.raises(UserError, match=re.escape(words)):
        parse_experiment(FILE.format(lines))


@pytest.mark.parametrize(
    "endpoint", ["http://localhost:11434/v1", "http://127.0.0.9/v1", "http://[::1]:8080", "https://LOCALHOST/v1"]
)
def test_this_computer_needs_no_leave(endpoint: str) -> None:
    assert parse_experiment(FILE.format(f'endpoint = "{endpoint}"')).systems
    remote = endpoint.replace("localhost", "api.example.org")
    assert parse_experiment(FILE.format(f'endpoint = "{remote}"\nremote = true')).systems
