"""The confidence from which on few suggestions are wrong: the promise holds as often as it says."""

from __future__ import annotations

import numpy as np
import pytest

from miner.classifier.selective_risk import SafeConfidence, least_pairs, safe_confidence


def drawn(n: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Confidences of a model that is a little too sure, and whether it is right."""
    rng = np.random.default_rng(seed)
    confidences = rng.uniform(0.3, 1, n)
    return confidences, rng.random(n) < confidences - 0.03


def test_the_least_number_of_pairs_agrees_with_hand_worked_examples() -> None:
    # .95^44 = .105, .95^45 = .099; .9^21 = .109, .9^22 = .098.
    assert (least_pairs(0.05), least_pairs(0.1)) == (45, 22)
    assert least_pairs(0.1, risk=0.9**3) == 3


@pytest.mark.parametrize("most_wrong", [0.05, 0.1, 0.3])
def test_with_fewer_pairs_nothing_is_promised(most_wrong: float) -> None:
    needed = least_pairs(most_wrong)
    all_right = np.full(needed, 0.9), np.ones(needed, bool)
    assert safe_confidence(*all_right, most_wrong) == SafeConfidence(25, needed, 0)
    assert safe_confidence(all_right[0][1:], all_right[1][1:], most_wrong) is None
    assert safe_confidence(np.zeros(0), np.zeros(0, bool), most_wrong) is None


def test_the_pairs_with_that_confidence_are_counted() -> None:
    confidences = np.repeat([0.95, 0.6], [200, 100])
    is_right = np.ones(300, bool)
    is_right[[0, 1, *range(200, 260)]] = False
    assert safe_confidence(confidences, is_right, 0.05) == SafeConfidence(61, 200, 2)


def test_a_promise_is_broken_no_more_often_than_it_says() -> None:
    broken = kept = 0
    for seed in range(300):
        found = safe_confidence(*drawn(400, seed), most_wrong=0.15)
        if found is not None:
            low = max(0.3, found.percent / 100)
            wrong = 1 - ((low + 1) / 2 - 0.03)  # the mean over uniform confidences from there on
            broken, kept = broken + (wrong > 0.15), kept + (wrong <= 0.15)
    assert kept > 100
    assert broken <= 0.1 * 300 + 2 * (300 * 0.1 * 0.9) ** 0.5
