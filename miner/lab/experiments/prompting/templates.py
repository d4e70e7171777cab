"""Prompts: the three templates of MSciNLI (table 18), and templates that users write."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from string import ascii_lowercase
from typing import NamedTuple

from miner.lab.experiments.experiment import OTHERS
from miner.lab.experiments.system_kinds import TEMPLATE_PLACES
from miner.records import Label

Message = dict[str, str]
"""A turn as chat templates and servers take it: `role` ("user" or "assistant") and `content`."""
Exemplar = tuple[str, str, int]
"""Premise, hypothesis and the index of the class."""

PAPERS_DEFINITIONS: Mapping[str, str] = {
    Label.ENTAILMENT: "Sentence1 generalizes, specifies or has an equivalent meaning with Sentence2.",
    # Without "in" before "Sentence2", as the table has it.
    Label.REASONING: "Sentence1 presents the reason, cause, or condition for the result or conclusion made Sentence2.",
    Label.CONTRASTING: "Sentence2 mentions a comparison, criticism, juxtaposition, or a limitation of something said "
    "in Sentence1.",
    Label.NEUTRAL: "Sentence1 and Sentence2 are independent.",
}
"""The definitions that template 3 offers (MSciNLI, table 18), in the order of its options."""

_SENTENCES = "Sentence1: {premise}\nSentence2: {hypothesis}\n"
_ASKED = "What is the semantic relation between Sentence1 and Sentence2? Choose from the following options: {classes}."
_TEMPLATES = {
    1: f"Consider the following two sentences:\n{_SENTENCES}{_ASKED}",
    2: "Consider the following class definitions of {number} semantic relations between a pair of sentences.\n"
    f"{{definitions}}\n\nNow consider the following two sentences:\n{_SENTENCES}"
    "Based on only the information available in these two sentences and the class definitions, answer the following: "
    f"{_ASKED}",
    3: f"Consider the following two sentences:\n{_SENTENCES}"
    "Based on only the information available in these two sentences, which of the following options is true?\n"
    "{options}",
}
_PLACE = re.compile(rf"\{{({'|'.join(TEMPLATE_PLACES)})\}}")
_NUMBERS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")


class PromptOption(NamedTuple):
    """A class as a prompt offers it. label: the class's index. mark: its letter or number. name: with a capital.

    offered: its text beside the mark, which is the name or the definition.
    """

    label: int
    mark: str
    name: str
    definition: str
    offered: str


@dataclass(frozen=True, slots=True)
class Prompt:
    """A template with the options of an experiment's classes, in the order in which they are offered.

    is_marked: whether the options have letters or numbers; those of a user's template may have none. has_names: whether
    the text has the classes' names; template 3 has only their definitions.
    """

    text: str
    options: tuple[PromptOption, ...]
    is_marked: bool
    has_names: bool

    def question(self, premise: str, hypothesis: str) -> str:
        """The user's turn for a pair."""
        names = [f"{option.mark}. {option.name}" for option in self.options]
        definitions = [f"{option.mark}. {option.definition}" for option in self.options]
        values = {
            "premise": " ".join(premise.split()),
            "hypothesis": " ".join(hypothesis.split()),
            "classes": ", ".join(names),
            "definitions": "\n".join(f"{option.name}: {option.definition}" for option in _defined(self.options)),
            "options": "\n".join(definitions),
            "number": _NUMBERS[len(names)] if len(names) < len(_NUMBERS) else str(len(names)),
        }
        return _PLACE.sub(lambda place: values[place[1]], self.text)

    def answer(self, label: int) -> str:
        """The model's turn for an exemplar of this class."""
        option = next(option for option in self.options if option.label == label)
        mark = f"({option.mark}) " if self.is_marked else ""
        return f"The correct answer is {mark}{option.offered}"

    def conversation(self, exemplars: Sequence[Exemplar], premise: str, hypothesis: str) -> list[Message]:
        """The turns that ask about a pair, after those of the exemplars."""
        turns: list[Message] = []
        for one, other, label in exemplars:
            turns.append({"role": "user", "content": self.question(one, other)})
            turns.append({"role": "assistant", "content": self.answer(label)})
        return [*turns, {"role": "user", "content": self.question(premise, hypothesis)}]

    @property
    def continuations(self) -> list[str]:
        """What is scored in place of an answer, for each class in order: its letter, number or name."""
        ordered = sorted(self.options, key=lambda option: option.label)
        return [option.mark if self.is_marked else option.name for option in ordered]


def make_prompt(template: int | str, definitions: Mapping[str, str]) -> Prompt:
    """The prompt with a template, 1 to 3 or a user's text. definitions: of the classes, by name, in their order.

    The papers' relations are offered in the papers' order, before other classes.
    """
    papers = [str(label) for label in PAPERS_DEFINITIONS]
    names = list(definitions)
    ordered = sorted(names, key=lambda name: papers.index(name) if name in papers else len(papers))
    text = template if isinstance(template, str) else _TEMPLATES[template]
    places = set(_PLACE.findall(text)) - {"premise", "hypothesis", "number"}
    has_definitions = "options" in places
    has_letters = has_definitions and len(ordered) <= len(ascii_lowercase)
    marks = ascii_lowercase if has_letters else [str(number) for number in range(1, len(ordered) + 1)]
    options = []
    for mark, name in zip(marks, ordered, strict=False):
        shown = name.replace("_", " ").strip()
        shown = shown[:1].upper() + shown[1:]
        offered = definitions[name] if has_definitions else shown
        options.append(PromptOption(names.index(name), mark, shown, definitions[name], offered))
    is_marked = has_definitions or "classes" in places
    return Prompt(text, tuple(options), is_marked, has_names=places != {"options"})


def definitions_of(classes: Mapping[str, Sequence[str]], given: Mapping[str, str]) -> dict[str, str]:
    """What each class means, for prompts: as `given`, by the papers for their relations, else by its name.

    classes: the labels of each class.
    """
    return {name: given.get(name) or _definition(name, labels) for name, labels in classes.items()}


def _definition(name: str, labels: Sequence[str]) -> str:
    if tuple(labels) == (OTHERS,):
        return "None of the other options is true."
    known = [PAPERS_DEFINITIONS[label] for label in labels if label in PAPERS_DEFINITIONS]
    if known and len(known) == len(labels):
        return " Or: ".join(known)
    return f"The relation between Sentence1 and Sentence2 is “{name.replace('_', ' ')}”."


def _defined(options: Sequence[PromptOption]) -> list[PromptOption]:
    """The order of definitions in template 2: contrasting stands before reasoning (MSciNLI, table 18)."""
    order = [Label.ENTAILMENT, Label.CONTRASTING, Label.REASONING, Label.NEUTRAL]
    known = [str(label).capitalize() for label in order]
    return sorted(options, key=lambda option: known.index(option.name) if option.name in known else len(known))
