"""What is wrong, or worth a second look, in a lexicon of linking phrases."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import NamedTuple

from miner.mining.patterns import Phrase, phrase_key
from miner.records import Label

_COMMON = 0.03  # of all sentences; "However", the most frequent of the lexicon, opens 1 to 2 % of them


class Trouble(StrEnum):
    """The first three keep the lexicon from being used, the others are worth a look."""

    NO_LETTER = "no_letter"
    TWICE = "twice"
    NEUTRAL = "neutral"
    OTHER_RELATION = "other_relation"
    COMMON = "common"
    NO_MATCH = "no_match"


BARRING = frozenset({Trouble.NO_LETTER, Trouble.TWICE, Trouble.NEUTRAL})


class Conflict(NamedTuple):
    """`trouble` with a phrase, by its number; `other` is the number of the phrase it clashes with."""

    phrase: int
    trouble: Trouble
    other: int | None = None


def find_conflicts(
    phrases: Sequence[Phrase], starts: Mapping[str, int] | None = None, sentences: int = 0
) -> list[Conflict]:
    """What is wrong with the phrases, in their order.

    `starts`: of `sentences` looked at, how many begin with a phrase, by `phrase_key`; what none or too many begin with
    is told of phrases that are on.
    """
    found: list[Conflict] = []
    keys = [phrase_key(phrase.text) for phrase in phrases]
    first: dict[str, int] = {}
    for number, (phrase, key) in enumerate(zip(phrases, keys, strict=True)):
        if not phrase.text[:1].isalpha():
            found.append(Conflict(number, Trouble.NO_LETTER))
        elif key in first:
            found.append(Conflict(number, Trouble.TWICE, first[key]))
        if phrase.label is Label.NEUTRAL:
            found.append(Conflict(number, Trouble.NEUTRAL))
        first.setdefault(key, number)
        if phrase.on and starts is not None and sentences:
            count = starts.get(key, 0)
            if not count:
                found.append(Conflict(number, Trouble.NO_MATCH))
            elif count > sentences * _COMMON:
                found.append(Conflict(number, Trouble.COMMON))
    return sorted([*found, *_prefixes(phrases, keys)], key=lambda conflict: conflict.phrase)


def _prefixes(phrases: Sequence[Phrase], keys: Sequence[str]) -> list[Conflict]:
    """Phrases that begin with another one of another relation: the longer one wins, which may surprise."""
    of_key = {key: number for number, key in reversed(list(enumerate(keys))) if key}
    found = []
    for number, key in enumerate(keys):
        words = key.split()
        for length in range(1, len(words)):
            other = of_key.get(" ".join(words[:length]))
            if other is not None and phrases[other].label is not phrases[number].label:
                found.append(Conflict(number, Trouble.OTHER_RELATION, other))
    return found
