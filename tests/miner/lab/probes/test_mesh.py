"""The mesh of a project's own pairs: balanced, by paper, converses together."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from miner.errors import UserError
from miner.kinds.distant_direction import PHRASE_DIRECTIONS, distant_direction
from miner.kinds.taxonomy import Direction
from miner.lab.probes.mesh import DirectedPair, MeshSubset, build_mesh, in_subset
from miner.lab.probes.triples import ProbeGroup
from miner.mining.linking_phrases import LEXICON


def _pairs(directed: int = 280, same: int = 150, neutral: int = 160) -> list[DirectedPair]:
    kinds = [(Direction.FORWARD, False)] * (directed // 2) + [(Direction.BACKWARD, False)] * (directed - directed // 2)
    kinds += [(Direction.BOTH, False)] * same + [(Direction.NEITHER, True)] * neutral
    kinds += [(Direction.NEITHER, False)] * 9  # contrasting pairs are in no group
    return [
        DirectedPair(f"{number:03}", f"paper {number % 47}", f"first {number}", f"second {number}", direction, neutral)
        for number, (direction, neutral) in enumerate(kinds)
    ]


def test_each_split_has_as_many_of_each_group_and_no_paper_is_in_two() -> None:
    made = build_mesh(_pairs())
    for split in ("train", "dev", "test"):
        counts = Counter(pair.group for pair in made if pair.split == split)
        assert set(counts) == set(ProbeGroup)
        assert len(set(counts.values())) == 1
    splits = {(pair.paper, pair.split) for pair in made}
    assert len(splits) == len({paper for paper, _ in splits})


def test_a_directed_pair_stands_with_its_converse_and_the_giving_sentence_first() -> None:
    made = build_mesh(_pairs())
    true = {pair.key: pair for pair in made if pair.group is ProbeGroup.DIR_TRUE}
    false = {pair.key: pair for pair in made if pair.group is ProbeGroup.DIR_FALSE}
    assert true.keys() == false.keys()
    for key, pair in true.items():
        assert (pair.premise, pair.hypothesis) == (false[key].hypothesis, false[key].premise)
        assert pair.split == false[key].split
        assert pair.premise.startswith("First" if int(key) < 140 else "Second")
        assert (pair.holds, false[key].holds) == (True, False)


@settings(deadline=None, max_examples=10)
@given(st.randoms(use_true_random=False))
def test_the_order_of_the_pairs_does_not_matter(draw: object) -> None:
    pairs = _pairs()
    shuffled = list(pairs)
    draw.shuffle(shuffled)  # type: ignore[attr-defined]
    assert build_mesh(shuffled) == build_mesh(pairs)
    assert build_mesh(pairs, seed=2) != build_mesh(pairs)


def test_subsets_tell_two_groups_apart_and_the_full_one_all() -> None:
    made = build_mesh(_pairs())
    for subset in MeshSubset:
        chosen = in_subset(made, subset)
        assert {pair.group for pair, positive in chosen if positive} == subset.sides[0]
        assert {pair.group for pair, positive in chosen if not positive} == subset.sides[1]
    assert [(pair.holds, positive) for pair, positive in in_subset(made, MeshSubset.FULL)] == [
        (pair.holds, pair.holds) for pair in made
    ]


@pytest.mark.parametrize(
    ("pairs", "problem"),
    [(_pairs(29), "29 directed pairs"), (_pairs(same=0), "no restatements"), (_pairs(neutral=0), "no neutral pairs")],
)
def test_too_few_pairs_are_refused_in_words(pairs: list[DirectedPair], problem: str) -> None:
    with pytest.raises(UserError, match=problem):
        build_mesh(pairs)


def test_every_phrase_of_the_lexicon_announces_a_direction() -> None:
    assert {one.text.casefold() for one in LEXICON} == set(PHRASE_DIRECTIONS)
    assert distant_direction("reasoning", "Therefore") is Direction.FORWARD
    assert distant_direction("entailment", "Specifically") is Direction.BACKWARD
    assert distant_direction("entailment", "In other words") is Direction.BOTH
    assert distant_direction("contrasting", "However") is Direction.NEITHER
    assert distant_direction("neutral", "") is Direction.NEITHER
    assert distant_direction(None, "") is None
