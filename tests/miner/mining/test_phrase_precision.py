"""How often the pairs of a linking phrase are right: the counts, and what follows from them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from miner.mining.linking_phrases import LEXICON, Phrase
from miner.mining.phrase_precision import is_reliable, phrase_precision, reading_of, total_reading
from miner.mining.settings import MiningSettings
from miner.mining.spare_phrases import reliable_phrases, spare_phrases, with_reliable_phrases
from miner.records import Label
from tests.bench.phrases import count_readings, read_rows

BY_TEXT = {phrase.text: phrase for phrase in LEXICON}


def test_the_counts_are_those_of_the_pairs_that_were_read() -> None:
    rows = read_rows()
    counted = count_readings(rows)
    assert len({row["key"] for row in rows}) == len(rows) > 1_000
    found = {phrase: reading_of(phrase) for phrase in LEXICON}
    assert {phrase.text for phrase, reading in found.items() if reading is None} == {"From here, we can infer"}
    assert sum(len(phrases) for phrases in counted.values()) == len(LEXICON) - 1
    for phrase, reading in found.items():
        assert reading == counted[phrase.label].get(phrase.text.lower())


def test_a_phrase_that_people_gave_another_relation_was_never_read() -> None:
    hence = BY_TEXT["Hence"]
    other = replace(hence, label=Label.CONTRASTING)
    assert reading_of(hence) is not None
    assert reading_of(other) is None
    assert reading_of(replace(hence, text="hence,", on=True)) == reading_of(hence), "whatever its spelling"
    assert not is_reliable(other)


def test_precision_lies_between_what_was_read_and_the_class() -> None:
    for phrase in LEXICON:
        of_class = phrase_precision(Phrase("All in all", phrase.label))
        if (reading := reading_of(phrase)) is None:
            assert phrase_precision(phrase) == of_class
        else:
            low, high = sorted((of_class, reading.right / reading.read))
            assert low <= phrase_precision(phrase) <= high
    assert phrase_precision(BY_TEXT["More precisely"]) > phrase_precision(BY_TEXT["In short"])


def test_reliable_phrases_are_those_with_enough_right_pairs_for_certain() -> None:
    reliable = {phrase.text for phrase in LEXICON if is_reliable(phrase)}
    assert {"More precisely", "Namely", "For this reason"} <= reliable
    assert reliable.isdisjoint({"In short", "Accordingly", "Hence"})
    assert not is_reliable(BY_TEXT["Specifically"]), "18 of 20 are too few to be sure"


def test_reliable_phrases_are_turned_on_and_others_stay_as_they_are() -> None:
    own = MiningSettings().switch("Hence", on=True).switch("That is", on=False)
    after = with_reliable_phrases(own)
    assert reliable_phrases(spare_phrases(after.phrases)) == ()
    changed = {new.text for old, new in zip(own.phrases, after.phrases, strict=True) if old != new}
    assert changed == {phrase.text for phrase in reliable_phrases(spare_phrases(own.phrases))}
    assert "That is" not in changed
    assert with_reliable_phrases(after) == after


@pytest.mark.parametrize("label", [Label.CONTRASTING, Label.REASONING, Label.ENTAILMENT])
def test_readings_add_up(label: Label) -> None:
    phrases = [phrase for phrase in LEXICON if phrase.label is label]
    total = total_reading(phrases)
    assert total.right == sum(reading.right for phrase in phrases if (reading := reading_of(phrase)))
    assert 0 < total.interval.low < total.right / total.read < total.interval.high < 1
