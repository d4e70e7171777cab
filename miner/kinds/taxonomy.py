"""A taxonomy of the kinds of reasoning: categories, and the questions that lead to them. Read from a file."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from enum import StrEnum
from functools import cached_property
from importlib.resources import files
from typing import NamedTuple

from miner import codec
from miner.errors import UserError
from miner.records import Label

RELATION = "relation"
"""The question that comes first, before those of the file: which relation the pair has."""
RELATION_QUESTION = "Which relation do the sentences have?"
RELATION_ANSWERS = (*(label.value for label in Label), "unclear")
NEUTRAL_GROUP = "neutral"
_KEY = re.compile(r"[A-Za-z0-9_-]{1,64}")
MAX_BYTES, MAX_CATEGORIES, MAX_QUESTIONS = 1_000_000, 60, 60
_MAX_TEXT = 1_000  # characters of a name, a definition, a question …


class Direction(StrEnum):
    """Which of a pair's sentences gives the other. FORWARD: the premise gives the hypothesis."""

    FORWARD = "forward"
    BACKWARD = "backward"
    BOTH = "both"
    NEITHER = "neither"
    UNCLEAR = "unclear"


@dataclass(frozen=True, slots=True)
class Category:
    """A kind of reasoning, or what neutral sentences share. example: a premise and a hypothesis."""

    group: str
    name: str
    definition: str
    example: tuple[str, ...] = ()
    confusion: str = ""


@dataclass(frozen=True, slots=True)
class Option:
    """An answer to a question.

    key: the letter that gives it. category, direction: what the pair has by this answer. definition, example: only of
    an option without a category, as categories have their own.
    """

    key: str
    text: str
    category: str = ""
    direction: Direction | None = None
    definition: str = ""
    example: tuple[str, ...] = ()


class OptionExplanation(NamedTuple):
    """example: a premise and a hypothesis, or nothing. confusion: with what the option is easily confused."""

    definition: str
    example: tuple[str, ...] = ()
    confusion: str = ""


@dataclass(frozen=True, slots=True)
class TaxonomyQuestion:
    """multiple: any number of options, at least one if `required`; else exactly one.

    asked_if: for earlier questions, the keys of options one of which must be the answer; {} for every pair.
    """

    key: str
    text: str
    options: tuple[Option, ...]
    multiple: bool = False
    required: bool = False
    asked_if: Mapping[str, tuple[str, ...]] | None = None

    @property
    def option_keys(self) -> frozenset[str]:
        return frozenset(option.key for option in self.options)


@dataclass(frozen=True)
class Taxonomy:
    """Categories by key, in order, and the questions in the order in which they are asked."""

    name: str
    groups: Mapping[str, str]
    category: Mapping[str, Category]
    question: tuple[TaxonomyQuestion, ...]
    note: str = ""

    @cached_property
    def categories(self) -> tuple[str, ...]:
        return tuple(self.category)

    @cached_property
    def reasoning(self) -> tuple[str, ...]:
        """The categories that explain a model's errors (section 4.2): all but those that neutral sentences share."""
        return tuple(key for key, one in self.category.items() if one.group != NEUTRAL_GROUP)

    @cached_property
    def questions(self) -> Mapping[str, TaxonomyQuestion]:
        return {question.key: question for question in self.question}

    def explanation(self, option: Option) -> OptionExplanation:
        """What the option means: as its category does, where it has one."""
        if (category := self.category.get(option.category)) is not None:
            return OptionExplanation(category.definition, category.example, category.confusion)
        return OptionExplanation(option.definition, option.example)


RELATION_ALONE = Taxonomy("", {}, {}, ())
"""The questionnaire of Review: the relation, and no question after it."""


def released_taxonomy() -> Taxonomy:
    """TaxiNLI's 15 categories, and the three features of neutral pairs."""
    return parse_taxonomy(released_text())


def released_text() -> str:
    """The file of `released_taxonomy`."""
    return files("miner.kinds").joinpath("taxonomy.toml").read_text(encoding="utf-8")


def parse_taxonomy(text: str) -> Taxonomy:
    """The taxonomy that a TOML file describes; `UserError` that says what is wrong with it."""
    if len(text) > MAX_BYTES:
        raise _unusable("it is too large")
    try:
        taxonomy = codec.from_data(Taxonomy, codec.parse_toml(text))
    except ValueError as exc:
        raise _unusable(str(exc)) from exc
    if problem := _problem(taxonomy):
        raise _unusable(problem)
    return taxonomy


def _unusable(problem: str) -> UserError:
    hint = "miner/kinds/taxonomy.toml in Pairwright's sources shows how one is written."
    return UserError(f"The taxonomy cannot be used: {problem.rstrip('.')}.", hint=hint)


def _problem(taxonomy: Taxonomy) -> str:
    if not 1 <= len(taxonomy.category) <= MAX_CATEGORIES or not 1 <= len(taxonomy.question) <= MAX_QUESTIONS:
        return f"it needs categories and questions, at most {MAX_CATEGORIES} of each"
    for key, category in taxonomy.category.items():
        if not _KEY.fullmatch(key):
            return f"the category “{key}” needs a name of at most 64 letters, digits, - and _"
        if category.group not in taxonomy.groups:
            return f"the category {key} is in the group {category.group}, {_nearest(category.group, taxonomy.groups)}"
        if len(category.example) not in (0, 2):
            return f"the example of {key} must be a premise and a hypothesis"
    needed = [taxonomy.name, *taxonomy.groups.values(), *(one.name for one in taxonomy.category.values())]
    options = [option for question in taxonomy.question for option in question.options]
    needed += [*(question.text for question in taxonomy.question), *(option.text for option in options)]
    if not all(text.strip() for text in needed):
        return "a name or a question is empty"
    others = [text for one in taxonomy.category.values() for text in (one.definition, one.confusion, *one.example)]
    others += [text for one in options for text in (one.definition, *one.example)]
    if too_long := next((text for text in (*needed, taxonomy.note, *others) if len(text) > _MAX_TEXT), ""):
        return f"a text has more than {_MAX_TEXT:,} characters: {too_long[:40]}…"
    known: dict[str, frozenset[str]] = {RELATION: frozenset(RELATION_ANSWERS)}
    for question in taxonomy.question:
        if problem := _question_problem(taxonomy, question, known):
            return problem
        known[question.key] = question.option_keys
    return ""


def _question_problem(taxonomy: Taxonomy, question: TaxonomyQuestion, known: Mapping[str, frozenset[str]]) -> str:
    """What is wrong with a question. known: the questions before it, each with the keys of its options."""
    if question.key in known:
        return f"there are two questions {question.key}"
    if not question.options or len(question.option_keys) != len(question.options):
        return f"the question {question.key} needs options, each with a key of its own"
    for option in question.options:
        if len(option.key) != 1 or not option.key.isalnum() or option.key != option.key.lower():
            return f"the key “{option.key}” of an option of {question.key} must be one small letter or a digit"
        if option.category and option.category not in taxonomy.category:
            nearest = _nearest(option.category, taxonomy.category)
            return f"an option of {question.key} has the category {option.category}, {nearest}"
        if len(option.example) not in (0, 2):
            return f"the example of {option.key} in {question.key} must be a premise and a hypothesis"
    for earlier, keys in (question.asked_if or {}).items():
        if earlier == question.key or (earlier not in known and earlier in taxonomy.questions):
            return f"the question {question.key} depends on {earlier}, which is not asked before it: that is a loop"
        if earlier not in known:
            return f"the question {question.key} depends on {earlier}, {_nearest(earlier, known)}"
        if not keys:
            return f"the question {question.key} depends on {earlier}, and on none of its answers"
        if unknown := frozenset(keys) - known[earlier]:
            return f"the question {question.key} depends on answers that {earlier} does not have: {sorted(unknown)}"
    return ""


def _nearest(name: str, known: Mapping[str, object]) -> str:
    near = get_close_matches(name, known, 1)
    return f"which does not exist: is it {near[0]}?" if near else "which does not exist"
