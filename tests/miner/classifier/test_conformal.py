"""Sets of classes hold the true one as often as they promise."""

from __future__ import annotations

import numpy as np
import pytest

from miner.classifier.conformal import least_held_out, least_probabilities, likely_classes


def drawn(n: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Probabilities of a model that is too sure, and labels."""
    rng = np.random.default_rng(seed)
    logits = rng.normal(0, 1.5, (n, 4))
    chances = np.exp(logits) / np.exp(logits).sum(1, keepdims=True)
    sure = np.exp(2 * logits) / np.exp(2 * logits).sum(1, keepdims=True)
    return sure, (rng.random((n, 1)) > chances.cumsum(1)).sum(1).clip(max=3)


def test_the_least_probability_agrees_with_a_hand_worked_example() -> None:
    # Class 0 has four pairs, with .1 .2 .3 .4: at most a fifth is missed from the (4 + 1) / 5 = first on, at most two
    # fifths from the second. Class 1 has too few.
    rows = np.array([[0.3, 0.7], [0.1, 0.9], [0.4, 0.6], [0.2, 0.8], [0.5, 0.5]])
    labels = np.array([0, 0, 0, 0, 1])
    assert least_probabilities(rows, labels, 0.2) == (0.1, 0.0)
    assert least_probabilities(rows, labels, 0.4) == (0.2, 0.0)
    assert (least_held_out(0.2), least_held_out(0.05), least_held_out(0.1)) == (4, 19, 9)


def test_a_set_names_the_most_probable_class_first_and_may_be_empty() -> None:
    assert likely_classes((0.3, 0.5, 0.1, 0.1), (0.2, 0.3, 0.2, 0.1)) == (1, 0, 3)
    assert likely_classes((0.3, 0.5, 0.1, 0.1), (0.4, 0.6, 0.2, 0.2)) == ()


@pytest.mark.parametrize("error", [0.05, 0.2])
def test_each_class_is_missed_no_more_often_than_promised(error: float) -> None:
    missed = np.zeros(4)
    for seed in range(40):
        rows, labels = drawn(600, seed)
        least = np.array(least_probabilities(rows[:300], labels[:300], error))
        others, true = rows[300:], labels[300:]
        own = others[np.arange(300), true]
        missed += [np.mean(own[true == number] < least[number]) for number in range(4)]
    # Between the error and less by 1 / (pairs of the class + 1), up to the spread of 40 draws.
    assert (missed / 40 <= error + 0.02).all()
    assert (missed / 40 >= error - 1 / 60 - 0.02).all()
