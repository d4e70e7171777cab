"""Problems of a list of linking phrases."""

from __future__ import annotations

import pytest

from miner.mining.linking_phrases import LEXICON, Phrase
from miner.mining.phrase_conflicts import BLOCKING_PROBLEMS, PhraseConflict, PhraseProblem, find_conflicts
from miner.records import Label

CONTRASTING, REASONING = Label.CONTRASTING, Label.REASONING


def test_the_lexicon_that_comes_with_the_program_has_no_conflict() -> None:
    assert find_conflicts(LEXICON) == []


@pytest.mark.parametrize(
    ("text", "label", "problem"),
    [
        ("  however,", CONTRASTING, PhraseProblem.NO_LETTER),
        ("", CONTRASTING, PhraseProblem.NO_LETTER),
        ("3 things", CONTRASTING, PhraseProblem.NO_LETTER),
        ("HOWEVER,", CONTRASTING, PhraseProblem.TWICE),
        ("Beside this", Label.NEUTRAL, PhraseProblem.NEUTRAL),
    ],
)
def test_what_bars_a_lexicon_is_found(text: str, label: Label, problem: PhraseProblem) -> None:
    [conflict] = find_conflicts([Phrase("However", CONTRASTING), Phrase(text, label)])
    assert (conflict.phrase, conflict.problem) == (1, problem)
    assert problem in BLOCKING_PROBLEMS


def test_a_phrase_that_begins_with_one_of_another_relation_is_told() -> None:
    phrases = [Phrase("Thus far", CONTRASTING), Phrase("Thus", REASONING), Phrase("Thus far and no more", REASONING)]
    assert find_conflicts(phrases) == [
        PhraseConflict(0, PhraseProblem.OTHER_RELATION, 1),
        PhraseConflict(2, PhraseProblem.OTHER_RELATION, 0),
    ]
    assert find_conflicts([Phrase("Thus", REASONING), Phrase("Thusly", CONTRASTING)]) == []


def test_phrases_that_nothing_or_everything_begins_with_are_told_while_they_are_on() -> None:
    phrases = [Phrase("The", REASONING), Phrase("Ergo", REASONING), Phrase("Sic", REASONING, on=False)]
    assert find_conflicts(phrases, {"the": 40}, 1000) == [
        PhraseConflict(0, PhraseProblem.COMMON),
        PhraseConflict(1, PhraseProblem.NO_MATCH),
    ]
    assert find_conflicts(phrases) == find_conflicts(phrases, {}, 0) == []
