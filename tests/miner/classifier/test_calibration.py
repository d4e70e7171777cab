"""Calibration: temperatures, and how far confidence is from accuracy."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from miner.classifier.calibration import (
    apply_temperature,
    class_errors,
    cross_fitted_ece,
    debiased_error,
    expected_calibration_error,
    fit_temperature,
    reliability,
)


def drawn(n: int, sharpness: float = 1.0, seed: int = 1) -> tuple[np.ndarray, np.ndarray]:
    """Logits of a model that is `sharpness` times as sure as it should be, and labels."""
    rng = np.random.default_rng(seed)
    logits = rng.normal(0, 1.5, (n, 4))
    powers = np.exp(logits)
    chances = (powers / powers.sum(1, keepdims=True)).cumsum(1)
    return logits * sharpness, (rng.random((n, 1)) > chances).sum(1).clip(max=3)


def test_the_error_agrees_with_a_hand_worked_example() -> None:
    # Two bins. (0, ½]: .4 wrong and .5 right: accuracy ½, confidence .45. (½, 1]: .7 right, .9 right, .8 wrong:
    # accuracy 2/3, confidence .8. ECE = 2/5 · .05 + 3/5 · (.8 - 2/3) = .02 + .08 = .10
    probabilities = np.array(
        [[0.4, 0.3, 0.2, 0.1], [0.5, 0.3, 0.1, 0.1], [0.1, 0.7, 0.1, 0.1], [0.9, 0.1, 0, 0], [0, 0.2, 0, 0.8]]
    )
    labels = np.array([1, 0, 1, 0, 1])
    assert expected_calibration_error(probabilities, labels, bins=2) == pytest.approx(0.10)
    low, high = reliability(probabilities, labels, bins=2)
    assert low == pytest.approx((2, 0.45, 0.5))
    assert high == pytest.approx((3, 0.8, 2 / 3))


def test_the_debiased_error_agrees_with_a_hand_worked_example() -> None:
    # One bin: confidence .9, half right: .4² - .25/3. Two bins: (.6, .6), half right: .1² - .25, and .1² - 0.
    sure = np.tile([0.9, 0.1, 0, 0], (4, 1))
    assert debiased_error(sure, np.array([0, 0, 1, 1]), bins=1) == pytest.approx((0.16 - 0.25 / 3) ** 0.5)
    both = np.array([[0.6, 0.4, 0, 0]] * 2 + [[0.9, 0.1, 0, 0]] * 2)
    assert debiased_error(both, np.array([0, 1, 0, 0]), bins=2) == 0
    assert class_errors(sure, np.array([0, 0, 1, 1]), bins=1)[2:] == [0, 0]


def test_exact_confidences_have_a_debiased_error_near_nought() -> None:
    plain, debiased = [], []
    for seed in range(100, 140):
        logits, labels = drawn(2000, seed=seed)
        exact = apply_temperature(np.exp(logits), 1.0)
        plain.append(expected_calibration_error(exact, labels))
        debiased.append(debiased_error(exact, labels))
    assert np.mean(plain) > 0.015
    # Chance makes the squares .0016 on average; less that, they spread by .0006 around 0, of which half is cut off.
    assert np.mean(np.square(debiased)) < 0.0004


def test_the_debiased_error_is_that_of_many_pairs() -> None:
    logits, labels = drawn(100_000, 3.0)
    sure = apply_temperature(np.exp(logits - logits.max(1, keepdims=True)), 1.0)
    many = debiased_error(sure, labels)
    few = np.mean([debiased_error(sure[low : low + 1000], labels[low : low + 1000]) for low in range(0, 50_000, 1000)])
    assert few == pytest.approx(many, abs=0.01)
    assert many > expected_calibration_error(sure, labels) > 0.1


def test_a_bin_ends_with_its_upper_bound_also_in_single_precision() -> None:
    for confidence in (0.4, 0.6, 0.8):
        rest = (1 - confidence) / 3
        row = np.array([[confidence, rest, rest, rest]], np.float32)
        found = reliability(row, np.array([0]), bins=5)
        assert [one.n for one in found].index(1) == round(confidence * 5) - 1


def test_without_pairs_there_is_no_error() -> None:
    nothing = np.zeros((0, 4)), np.zeros(0, int)
    assert expected_calibration_error(*nothing) == debiased_error(*nothing) == 0
    assert fit_temperature(*nothing) == 1


@given(st.integers(1, 200), st.integers(0, 5), st.integers(1, 20))
def test_bins_hold_all_pairs_and_the_error_is_a_share(n: int, seed: int, bins: int) -> None:
    logits, labels = drawn(n, seed=seed)
    probabilities = apply_temperature(np.exp(logits - logits.max(1, keepdims=True)), 1.0)
    assert sum(one.n for one in reliability(probabilities, labels, bins)) == n
    assert 0 <= expected_calibration_error(probabilities, labels, bins) <= 1


@pytest.mark.parametrize("sharpness", [0.5, 1.0, 3.0])
def test_the_temperature_undoes_what_a_model_is_too_sure_by(sharpness: float) -> None:
    logits, labels = drawn(20_000, sharpness)
    assert fit_temperature(logits, labels) == pytest.approx(sharpness, rel=0.05)


def test_the_temperature_is_where_the_likelihood_is_largest() -> None:
    logits, labels = drawn(300, 2.5)
    best = fit_temperature(logits, labels)

    def loss(temperature: float) -> float:
        scaled = logits / temperature
        return float((np.log(np.exp(scaled).sum(1)) - scaled[np.arange(300), labels]).sum())

    assert loss(best) < min(loss(best * 0.99), loss(best * 1.01))


@pytest.mark.parametrize(("sharpness", "seed"), [(0.4, 1), (1.0, 2), (2.5, 3), (6.0, 4)])
def test_the_temperature_is_the_one_scipy_finds(sharpness: float, seed: int) -> None:
    from scipy import optimize, special

    logits, labels = drawn(400, sharpness, seed)

    def loss(log_temperature: float) -> float:
        return -float(special.log_softmax(logits / np.exp(log_temperature), axis=1)[np.arange(400), labels].mean())

    found = optimize.minimize_scalar(loss, bounds=(np.log(0.05), np.log(20)), method="bounded")
    assert np.log(fit_temperature(logits, labels)) == pytest.approx(found.x, abs=1e-4)


def test_log_probabilities_and_logits_have_the_same_temperature() -> None:
    logits, labels = drawn(500, 2.0)
    logs = logits - np.log(np.exp(logits).sum(1, keepdims=True))
    assert fit_temperature(logs, labels) == pytest.approx(fit_temperature(logits, labels))


def test_the_temperature_stays_within_bounds_where_nothing_is_ever_wrong_or_right() -> None:
    labels = np.arange(4).repeat(5)
    with np.errstate(divide="ignore"):
        sure = np.log(np.eye(4)[labels])
    assert fit_temperature(sure, labels) == pytest.approx(0.05)
    assert fit_temperature(sure, (labels + 1) % 4) == pytest.approx(20)


def test_scaling_keeps_the_order_and_the_sum() -> None:
    logits, _ = drawn(100)
    probabilities = apply_temperature(np.exp(logits), 1.0)
    softer, sharper = apply_temperature(probabilities, 2.0), apply_temperature(probabilities, 0.5)
    assert (softer.argsort(1) == probabilities.argsort(1)).all()
    assert np.allclose(softer.sum(1), 1, atol=1e-6)
    assert (softer.max(1) < probabilities.max(1)).all()
    assert (sharper.max(1) > probabilities.max(1)).all()
    assert np.allclose(apply_temperature(softer, 0.5), probabilities, atol=1e-6)


def test_scaling_bears_probabilities_of_nought_and_one() -> None:
    assert apply_temperature(np.array([[1.0, 0, 0, 0]]), 2.0).tolist() == [[1, 0, 0, 0]]


def test_the_honest_error_is_small_for_a_model_that_is_only_too_sure() -> None:
    logits, labels = drawn(3000, 3.0)
    papers = [f"paper {n // 10}" for n in range(3000)]
    raw = apply_temperature(np.exp(logits - logits.max(1, keepdims=True)), 1.0)
    assert expected_calibration_error(raw, labels) > 0.1
    assert cross_fitted_ece(logits, labels, papers, seed=1) < 0.03
