"""Negatives: the funnel on a small collection by hand, and what never happens."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from miner.lab.probes.felicity import draw_felicity
from miner.lab.probes.negatives import NegativeOptions, OtherPredicate, SourcedProposition, build_negatives
from miner.lab.probes.propositions import Proposition
from miner.lab.probes.wordnet import WordNet
from tests.miner.lab.probes import small_wordnet

OPTIONS = NegativeOptions(predicates=2, argument_pairs=2, quota=0)


@pytest.fixture(scope="module")
def wordnet(tmp_path_factory: pytest.TempPathFactory) -> WordNet:
    return WordNet.load(small_wordnet.write(tmp_path_factory.mktemp("wordnet")))


def _said(sentence: str, subject: str, predicate: str, object: str, window: str = "soil") -> SourcedProposition:
    return SourcedProposition(window, sentence, Proposition(subject, predicate, object))


COLLECTION = [
    _said("1", "fungus", "degrade", "lignin"),
    _said("2", "fungus", "attack", "lignin"),
    _said("3", "fungus", "dissolve", "cellulose"),
    _said("4", "acid", "dissolve", "lime"),
    _said("5", "wood", "rot", "bark"),
    _said("6", "leaf", "rot", "humus"),
    _said("7", "acid", "degrade", "paper"),
    _said("8", "fungus", "attack", "beech"),
    _said("8", "mould", "decay", "fungus"),
]


def test_a_small_collection_by_hand(wordnet: WordNet) -> None:
    found = build_negatives(COLLECTION, wordnet, OPTIONS)
    [bundle] = found.bundles
    assert bundle.positive == Proposition("fungus", "degrade", "lignin")
    assert bundle.negatives == ("dissolve", "rot")
    assert (bundle.sentences, bundle.evidence) == (("1",), (OtherPredicate("attack", ("2",)),))
    funnel = found.funnel
    assert (funnel.propositions, len(found.frequencies), found.frequencies["degrade"]) == (9, 5, 2)
    assert (funnel.argument_pairs, funnel.starring, funnel.positives) == (8, 1, 2)
    assert (found.starring_at[2], found.starring_at[3], found.usable_at[3]) == (1, 0, 0)
    assert (funnel.candidates, funnel.usable, funnel.absent) == (4, 2, 2)
    assert (funnel.bundles, funnel.negatives) == (1, 2)


def test_a_narrower_predicate_that_is_said_of_the_same_two_is_no_negative(wordnet: WordNet) -> None:
    said = [*COLLECTION, _said("9", "fungus", "decay", "lignin")]  # a synonym of "rot"
    [bundle, *_] = build_negatives(said, wordnet, OPTIONS).bundles
    assert bundle.negatives == ("dissolve",)


def test_what_the_positives_own_sentence_says_is_no_evidence(wordnet: WordNet) -> None:
    said = [one._replace(sentence="1") if one.sentence == "2" else one for one in COLLECTION]
    assert build_negatives(said, wordnet, OPTIONS).bundles == ()


def test_what_two_bundles_share_is_judged_once(wordnet: WordNet) -> None:
    said = [*COLLECTION, _said("9", "fungus", "break down", "lignin"), _said("10", "acid", "break down", "bark")]
    found = build_negatives(said, wordnet, OPTIONS).bundles
    assert [bundle.negatives for bundle in found] == [("dissolve", "rot")] * 2
    drawn = draw_felicity(found)
    assert sorted((item.proposition.predicate, item.holds) for item in drawn) == [
        ("break down", True),
        ("degrade", True),
        ("dissolve", False),
        ("rot", False),
    ]


_PREDICATES = ("degrade", "attack", "rot", "decay", "dissolve", "study", "examine", "moulder")
_propositions = st.lists(
    st.builds(
        _said,
        st.sampled_from("123456789"),
        st.sampled_from("abc"),
        st.sampled_from(_PREDICATES),
        st.sampled_from("xy"),
        st.sampled_from(("soil", "sea")),
    ),
    max_size=60,
)


@settings(deadline=None, max_examples=40)
@given(said=_propositions, quota=st.integers(1, 3))
def test_no_predicate_is_in_more_negatives_than_its_quota(
    wordnet: WordNet, said: list[SourcedProposition], quota: int
) -> None:
    found = build_negatives(said, wordnet, NegativeOptions(2, 1, quota)).bundles
    positives = Counter(bundle.positive.predicate for bundle in found)
    for predicate, number in Counter(name for bundle in found for name in bundle.negatives).items():
        assert number <= quota * positives[predicate]


@settings(deadline=None, max_examples=60)
@given(said=_propositions, seed=st.integers(0, 99))
def test_whatever_is_said_the_probe_keeps_its_promises(
    wordnet: WordNet, said: list[SourcedProposition], seed: int
) -> None:
    found = build_negatives(said, wordnet, OPTIONS)
    shuffled = list(said)
    random.Random(seed).shuffle(shuffled)
    assert build_negatives(shuffled, wordnet, OPTIONS) == found
    known = {(one.window, one.proposition) for one in said}
    usable = {one.proposition.predicate for one in said}
    for bundle in found.bundles:
        assert (bundle.window, bundle.positive) in known
        assert 1 <= len(bundle.negatives) <= 2
        assert bundle.evidence
        for negative in bundle.negatives:
            assert negative in usable
            for other in wordnet.same(negative):
                assert (bundle.window, bundle.positive._replace(predicate=other)) not in known
    funnel = found.funnel
    assert funnel.candidates >= funnel.usable >= funnel.absent >= funnel.negatives >= funnel.bundles
