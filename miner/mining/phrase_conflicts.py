"""Problems of a list of linking phrases: errors, and warnings about likely mistakes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import NamedTuple

from miner.mining.linking_phrases import Phrase, phrase_key
from miner.records import Label

_MAX_SENTENCE_SHARE = 0.03  # of all sentences; "However", the most frequent of the lexicon, opens 1 to 2 % of them


class PhraseProblem(StrEnum):
    """What can be wrong with a phrase.

    Errors: NO_LETTER (it does not start with a letter), TWICE (it is listed before), NEUTRAL (its label is neutral).
    Warnings: OTHER_RELATION (it begins with a shorter phrase of another relation), COMMON (too many sentences start
    with it), NO_MATCH (no sentence starts with it).
    """

    NO_LETTER = "no_letter"
    TWICE = "twice"
    NEUTRAL = "neutral"
    OTHER_RELATION = "other_relation"
    COMMON = "common"
    NO_MATCH = "no_match"


BLOCKING_PROBLEMS = frozenset({PhraseProblem.NO_LETTER, PhraseProblem.TWICE, PhraseProblem.NEUTRAL})


class PhraseConflict(NamedTuple):
    """A problem of the phrase with index `phrase`; `other` is the index of the phrase it conflicts with."""

    phrase: int
    problem: PhraseProblem
    other: int | None = None


def find_conflicts(
    phrases: Sequence[Phrase], start_counts: Mapping[str, int] | None = None, sentences: int = 0
) -> list[PhraseConflict]:
    """Problems of the phrases, in the order of the phrases.

    `start_counts`: how many of a sample of `sentences` sentences start with a phrase, by `phrase_key`. COMMON and
    NO_MATCH are reported only if counts are given, and only for phrases that are on.

    >>> find_conflicts([Phrase("Thus", Label.REASONING), Phrase("thus", Label.REASONING)])
    [PhraseConflict(phrase=1, problem=<PhraseProblem.TWICE: 'twice'>, other=0)]
    """
    conflicts: list[PhraseConflict] = []
    keys = [phrase_key(phrase.text) for phrase in phrases]
    first_index: dict[str, int] = {}
    for index, (phrase, key) in enumerate(zip(phrases, keys, strict=True)):
        if not phrase.text[:1].isalpha():
            conflicts.append(PhraseConflict(index, PhraseProblem.NO_LETTER))
        elif key in first_index:
            conflicts.append(PhraseConflict(index, PhraseProblem.TWICE, first_index[key]))
        if phrase.label is Label.NEUTRAL:
            conflicts.append(PhraseConflict(index, PhraseProblem.NEUTRAL))
        first_index.setdefault(key, index)
        if phrase.on and start_counts is not None and sentences:
            count = start_counts.get(key, 0)
            if not count:
                conflicts.append(PhraseConflict(index, PhraseProblem.NO_MATCH))
            elif count > sentences * _MAX_SENTENCE_SHARE:
                conflicts.append(PhraseConflict(index, PhraseProblem.COMMON))
    return sorted([*conflicts, *_prefixes(phrases, keys)], key=lambda conflict: conflict.phrase)


def _prefixes(phrases: Sequence[Phrase], keys: Sequence[str]) -> list[PhraseConflict]:
    """Phrases that begin with a shorter one of another relation: sentences match the longer one, which may surprise."""
    index_of_key = {key: index for index, key in reversed(list(enumerate(keys))) if key}
    lengths = sorted({len(key.split()) for key in keys})  # a file may hold a phrase of thousands of words
    conflicts = []
    for index, key in enumerate(keys):
        words = key.split()
        for length in lengths:
            if not 1 <= length < len(words):
                continue
            shorter = index_of_key.get(" ".join(words[:length]))
            if shorter is not None and phrases[shorter].label is not phrases[index].label:
                conflicts.append(PhraseConflict(index, PhraseProblem.OTHER_RELATION, shorter))
    return conflicts
