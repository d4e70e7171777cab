"""Reads a class from a chat model's answer: by its letter, number, name or definition, else the nearest definition.

MSciNLI reads answers by rules that its authors wrote for each model (appendix C.2), which are not published; these are
ours, for any model.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from enum import StrEnum
from typing import NamedTuple

from miner.lab.experiments.prompting.templates import Prompt, PromptOption

LEAST_SIMILARITY = 0.25
"""An answer that is less similar to every definition is unreadable."""

Similarities = Callable[[Sequence[str], Sequence[str]], Sequence[Sequence[float]]]
"""For each answer (first) its similarity to each definition (second), 0 to 1."""

_MAX_CHARACTERS = 4_000
_THOUGHT = re.compile(r"<think(?:ing)?>.*?(?:</think(?:ing)?>|\Z)", re.IGNORECASE | re.DOTALL)
_WORD = re.compile(r"[^\W_]+")
_SENTENCE_END = re.compile(r"\n|(?<=[^\W\d_])[.!?](?:\s|$)")
_ANSWER_IS = r"\b(?:answer|choice)\b(?:\s+(?:is|would be|should be))?\s*[:=]?\s*(?:option\s+)?[(\[*\"'“]*"
_OPTION = r"\b(?:option|number|letter)\s+[(\[*\"'“]*"
_AT_START = r"^[^\w\n]*"
_NO = r"(?<!\bnot )(?<!\bno )(?<!\bnon-)(?<!\bnot an )(?<!\bnot a )(?<!\bthan )(?<!\binstead of )(?<!n't )(?<!n’t )"
_INFLECTIONS = {"entailment": "entail(?:ment|s|ed)", "contrasting": "contrast(?:ing|s|ive)?"}
_LEAST_QUOTED = 5  # words of a definition that is cut off
_COMMON_WORDS = frozenset(
    """a an and are as by for from has have in is it made of or said something that the their they this to with
    sentence sentence1 sentence2 sentences 1 2 first second both""".split()  # noqa: SIM905  it is easier to read
)


class ReadingOutcome(StrEnum):
    """How an answer was read."""

    RULE = "rule"
    NEAREST = "nearest"
    UNREADABLE = "unreadable"


class ReadAnswer(NamedTuple):
    """The class that an answer names, by its index; None if it is unreadable."""

    label: int | None
    outcome: ReadingOutcome


_UNREADABLE = ReadAnswer(None, ReadingOutcome.UNREADABLE)


def read_answers(prompt: Prompt, answers: Sequence[str], similarities: Similarities) -> list[ReadAnswer]:
    """The classes that answers name, in their order.

    An answer that names several classes, or repeats the options, is unreadable; only an answer that names none is read
    by the nearest definition.
    """
    texts = [_THOUGHT.sub(" ", answer[:_MAX_CHARACTERS]).strip() for answer in answers]
    named = [_named(prompt, text) for text in texts]
    readings = [
        ReadAnswer(found.pop(), ReadingOutcome.RULE) if len(found) == 1 else _UNREADABLE for found in map(set, named)
    ]
    open_places = [place for place, text in enumerate(texts) if not named[place] and _WORD.search(text)]
    if open_places:
        definitions = [f"{option.name}. {option.definition}" for option in prompt.options]
        rows = similarities([texts[place] for place in open_places], definitions)
        for place, row in zip(open_places, rows, strict=True):
            best = max(row)
            nearest = [option.label for option, value in zip(prompt.options, row, strict=True) if value == best]
            if best >= LEAST_SIMILARITY and len(nearest) == 1:
                readings[place] = ReadAnswer(nearest[0], ReadingOutcome.NEAREST)
    return readings


def word_similarities(answers: Sequence[str], definitions: Sequence[str]) -> list[list[float]]:
    """The share of each definition's words that an answer has, without the most common words."""
    wanted = [_content_words(definition) for definition in definitions]
    return [
        [len(words & there) / len(words) if words else 0.0 for words in wanted]
        for there in map(_content_words, answers)
    ]


def _named(prompt: Prompt, text: str) -> set[int]:
    """The classes that an answer names; the first rule that finds any decides."""
    if prompt.is_marked:
        if found := _marked(prompt.options, text, _ANSWER_IS):
            return found
        if len(listed := _listed(prompt.options, text)) > 1:  # it repeats the options
            return listed
        if found := _marked(prompt.options, text, _OPTION) or _marked(prompt.options, text, _AT_START):
            return found
    if found := _quoted(prompt.options, text):
        return found
    if prompt.has_names and (found := _by_name(prompt.options, text)):
        return found
    return _marked(prompt.options, text, r"[(\[]", r"[)\]]") if prompt.is_marked else set()


def _marked(options: Sequence[PromptOption], text: str, before: str, after: str = "") -> set[int]:
    """The classes whose letter or number stands behind `before`; where another class's name follows it, that class."""
    found = set()
    for option in options:
        end = after or _after(option.mark, before)
        for match in re.finditer(f"{before}{re.escape(option.mark)}{end}", text, re.IGNORECASE | re.MULTILINE):
            rest = _words(text[match.end() : match.end() + 400])
            spelled = [other.label for other in options if _starts(rest, _words(other.name))]
            spelled += [other.label for other in options if _starts(rest, _words(other.definition))]
            found.add(spelled[0] if spelled else option.label)
    return found


def _after(mark: str, before: str) -> str:
    """What follows a mark, for it not to be a word: "a comparison" names no option."""
    closed = r"(?=\s*[)\].:,;*\"'”]|\s*$)"
    if mark.isdigit():
        return closed if before == _AT_START else r"(?![\d.]*\d)(?!\w)"
    is_word = mark in "ai" or before == _AT_START
    return r"(?=\s*[)\].:,;*\"'”]|\s*$|\s+(?:is|because|since)\b)" if is_word else r"(?!\w)(?!['’-]\w)"


def _listed(options: Sequence[PromptOption], text: str) -> set[int]:
    """The classes that the answer lists as the question does: their letter or number, and how their text begins."""
    found = set()
    for option in options:
        beginning = r"\W+".join(map(re.escape, _WORD.findall(option.offered)[:3]))
        if re.search(rf"(?<!\w){re.escape(option.mark)}[.)]\s*{beginning}", text, re.IGNORECASE):
            found.add(option.label)
    return found


def _quoted(options: Sequence[PromptOption], text: str) -> set[int]:
    """The classes whose definition the answer has, or is a part of."""
    said = f" {' '.join(_words(text))} "
    found = set()
    for option in options:
        definition = f" {' '.join(_words(option.definition))} "
        if definition in said or (said in definition and len(said.split()) >= _LEAST_QUOTED):
            found.add(option.label)
    return found


def _by_name(options: Sequence[PromptOption], text: str) -> set[int]:
    """The classes whose names are in the answer; those in its first sentence, where that has one only."""
    first = _SENTENCE_END.split(text.strip(), maxsplit=1)[0]
    found = _names_in(options, first)
    return found if len(found) == 1 else _names_in(options, text)


def _names_in(options: Sequence[PromptOption], text: str) -> set[int]:
    found = set()
    for option in sorted(options, key=lambda option: -len(option.name)):  # "not entailment" before "entailment"
        words = [re.escape(word) for word in _words(option.name)]
        name = _INFLECTIONS.get(option.name.casefold(), r"[\s_-]+".join(words))
        pattern = re.compile(rf"{_NO}(?<![^\W_]){name}(?![^\W_])", re.IGNORECASE)
        text, number = pattern.subn(" ", text)
        if number:
            found.add(option.label)
    return found


def _words(text: str) -> list[str]:
    return [word.casefold() for word in _WORD.findall(text)]


def _starts(words: Sequence[str], other: Sequence[str]) -> bool:
    return bool(other) and list(words[: len(other)]) == list(other)


def _content_words(text: str) -> set[str]:
    return set(_words(text)) - _COMMON_WORDS
