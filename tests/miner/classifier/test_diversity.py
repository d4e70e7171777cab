"""Which pairs to ask about next."""

from __future__ import annotations

import time

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from miner.classifier.diversity import bags_of_words, diverse_order


def test_of_two_that_are_alike_only_one_comes_first() -> None:
    # The first two point the same way: after the most uncertain of them, the other has distance 0.
    features = np.array([[1.0, 0], [1.0, 0.01], [0, 1.0]])
    assert diverse_order(np.array([0.9, 0.8, 0.5]), features, 3).tolist() == [0, 2, 1]


def test_uncertainty_decides_where_all_are_equally_far_apart() -> None:
    assert diverse_order(np.array([0.1, 0.9, 0.5]), np.eye(3), 3).tolist() == [1, 2, 0]


def test_what_is_known_comes_last_however_unlike_the_others_it_is() -> None:
    features = np.array([[1.0, 0, 0], [0.9, 0.1, 0], [0, 0, 1.0]])
    assert diverse_order(np.array([0.9, 0.8, 0.0]), features, 3).tolist()[-1] == 2


def test_texts_are_compared_by_their_words() -> None:
    texts = [
        "The cells grow fast.",
        "The cells grow very fast.",
        "The court ruled in March.",
        "The dough rises slowly.",
    ]
    assert set(diverse_order(np.array([0.9, 0.9, 0.8, 0.8]), texts, 3).tolist()) in ({0, 2, 3}, {1, 2, 3})


@given(st.integers(0, 60), st.integers(0, 80), st.integers(0, 5))
def test_each_is_chosen_at_most_once_and_the_seed_repeats(n: int, size: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    features, uncertainty = rng.normal(size=(n, 5)), rng.random(n)
    found = diverse_order(uncertainty, features, size, seed).tolist()
    assert len(found) == len(set(found)) == min(n, size)
    assert found == diverse_order(uncertainty, features, size, seed).tolist()


def test_more_than_can_be_spread_are_filled_by_uncertainty() -> None:
    rng = np.random.default_rng(1)
    uncertainty = rng.random(1500)
    found = diverse_order(uncertainty, rng.normal(size=(1500, 4)), 1400)
    assert len(set(found.tolist())) == 1400
    rest = uncertainty[found[1000:]].tolist()
    assert rest == sorted(rest, reverse=True)


def test_chosen_ones_lie_further_apart_than_the_most_uncertain() -> None:
    rng = np.random.default_rng(1)
    centres = rng.normal(size=(20, 16))
    features = centres[rng.integers(0, 20, 2000)] + rng.normal(0, 0.05, (2000, 16))
    uncertainty = rng.random(2000)
    found = diverse_order(uncertainty, features, 20)

    def groups(places: np.ndarray) -> int:
        return len({int(((features[place] - centres) ** 2).sum(1).argmin()) for place in places})

    assert groups(found) > groups(np.argsort(-uncertainty)[:20]) + 3
    assert uncertainty[found].mean() > 0.8


def test_bags_do_not_hear_words_that_all_texts_have() -> None:
    bags = bags_of_words(["the the cell", "the court", "the dough"])
    assert bags.shape == (3, 256)
    assert np.count_nonzero(bags, axis=1).tolist() == [1, 1, 1]
    assert bags_of_words([]).shape == (0, 256)


def test_twenty_thousand_pairs_are_ordered_in_seconds() -> None:
    rng = np.random.default_rng(1)
    words = [f"word{n}" for n in range(5000)]
    texts = [" ".join(words[n] for n in row) for row in rng.integers(0, 5000, (20_000, 30)).tolist()]
    began = time.process_time()
    found = diverse_order(rng.random(20_000), texts, 500)
    assert len(found) == 500
    assert time.process_time() - began < 20  # a second or two; much room for a busy machine


def test_features_may_be_all_nought() -> None:
    assert sorted(diverse_order(np.array([0.2, 0.4]), np.zeros((2, 3)), 2).tolist()) == [0, 1]
