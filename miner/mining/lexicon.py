"""Problems of a list of linking phrases: errors, and what may not be meant."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import NamedTuple

from miner.mining.patterns import Phrase, phrase_key
from miner.records import Label

_COMMON = 0.03  # of all sentences; "However", the most frequent of the lexicon, opens 1 to 2 % of them


class PhraseProblem(StrEnum):
    """NO_LETTER: the phrase starts with none. TWICE: it is listed before. NEUTRAL: it has that label. These are errors.

    OTHER_RELATION: one phrase begins with another one of another relation. COMMON: too many sentences start with it.
    NO_MATCH: none does.
    """

    NO_LETTER = "no_letter"
    TWICE = "twice"
    NEUTRAL = "neutral"
    OTHER_RELATION = "other_relation"
    COMMON = "common"
    NO_MATCH = "no_match"


BARRING = frozenset({PhraseProblem.NO_LETTER, PhraseProblem.TWICE, PhraseProblem.NEUTRAL})


class PhraseConflict(NamedTuple):
    """A problem of the phrase with this index; `other` is the index of the phrase it conflicts with."""

    phrase: int
    problem: PhraseProblem
    other: int | None = None


def find_conflicts(
    phrases: Sequence[Phrase], starts: Mapping[str, int] | None = None, sentences: int = 0
) -> list[PhraseConflict]:
    """Problems of the phrases, in their order.

    `starts`: how many of a sample of `sentences` start with a phrase, by `phrase_key`; COMMON and NO_MATCH are about
    phrases that are on.
    """
    found: list[PhraseConflict] = []
    keys = [phrase_key(phrase.text) for phrase in phrases]
    first: dict[str, int] = {}
    for number, (phrase, key) in enumerate(zip(phrases, keys, strict=True)):
        if not phrase.text[:1].isalpha():
            found.append(PhraseConflict(number, PhraseProblem.NO_LETTER))
        elif key in first:
            found.append(PhraseConflict(number, PhraseProblem.TWICE, first[key]))
        if phrase.label is Label.NEUTRAL:
            found.append(PhraseConflict(number, PhraseProblem.NEUTRAL))
        first.setdefault(key, number)
        if phrase.on and starts is not None and sentences:
            count = starts.get(key, 0)
            if not count:
                found.append(PhraseConflict(number, PhraseProblem.NO_MATCH))
            elif count > sentences * _COMMON:
                found.append(PhraseConflict(number, PhraseProblem.COMMON))
    return sorted([*found, *_prefixes(phrases, keys)], key=lambda conflict: conflict.phrase)


def _prefixes(phrases: Sequence[Phrase], keys: Sequence[str]) -> list[PhraseConflict]:
    """Phrases that begin with another one of another relation: the longer one wins, which may surprise."""
    of_key = {key: number for number, key in reversed(list(enumerate(keys))) if key}
    found = []
    for number, key in enumerate(keys):
        words = key.split()
        for length in range(1, len(words)):
            other = of_key.get(" ".join(words[:length]))
            if other is not None and phrases[other].label is not phrases[number].label:
                found.append(PhraseConflict(number, PhraseProblem.OTHER_RELATION, other))
    return found
