"""Words that go with a class."""

from __future__ import annotations

import pytest

from miner.audit.report import Verdict
from miner.audit.words import WORDS_PER_CLASS, words_finding
from miner.records import Label
from tests.miner.audit.planted import Artefacts, planted_pairs


def test_a_word_that_gives_a_class_away_is_named_first() -> None:
    finding = words_finding(planted_pairs(400, Artefacts(word=(Label.ENTAILMENT, "namely", 0.3))))
    of_class = [one for one in finding.words if one.label == Label.ENTAILMENT]
    assert (finding.verdict, finding.label) == (Verdict.MEND, Label.ENTAILMENT)
    assert (of_class[0].word, of_class[0].hits, of_class[0].gives_away) == ("namely", of_class[0].pairs, True)
    assert finding.size == pytest.approx(0.3, abs=0.05)
    assert len(of_class) <= WORDS_PER_CLASS


@pytest.mark.parametrize("seed", range(5))
def test_words_of_a_clean_set_give_nothing_away(seed: int) -> None:
    finding = words_finding(planted_pairs(400, seed=seed))
    assert finding.verdict is Verdict.FINE
    assert not any(one.gives_away for one in finding.words)


def test_a_word_of_one_paper_says_nothing_of_the_others() -> None:
    pairs = planted_pairs(400)
    odd = [
        pair._replace(hypothesis=f"{pair.hypothesis} quokka", group="paper 0") if pair.label == Label.NEUTRAL else pair
        for pair in pairs[:80]
    ]
    assert "quokka" not in {one.word for one in words_finding([*odd, *pairs[80:]]).words}


def test_too_few_pairs_say_nothing() -> None:
    assert words_finding(planted_pairs(5)).verdict is Verdict.UNKNOWN
    assert words_finding([]).verdict is Verdict.UNKNOWN
