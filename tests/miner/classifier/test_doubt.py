"""Which labels are probably wrong."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from miner.classifier.doubt import (
    DoubtKind,
    class_thresholds,
    confident_joint,
    doubt,
    find_doubt_reason,
    finds_too_few,
    fit_evidence,
    noise_matrix,
    normalized_margin,
    self_confidence,
)
from miner.records import Label

C, R, E, N = range(4)
# Seven pairs: four labelled contrasting, two reasoning, one neutral.
LABELS = np.array([C, C, C, C, R, R, N])
PROBABILITIES = np.array(
    [
        [0.7, 0.1, 0.1, 0.1],
        [0.6, 0.2, 0.1, 0.1],
        [0.2, 0.6, 0.1, 0.1],
        [0.3, 0.3, 0.2, 0.2],
        [0.1, 0.6, 0.2, 0.1],
        [0.5, 0.4, 0.05, 0.05],
        [0.1, 0.1, 0.1, 0.7],
    ]
)


def drawn(seed: int, n: int = 300, noise: float = 0.2) -> tuple[np.ndarray, np.ndarray]:
    """Probabilities of a fair model, and labels of which a share is wrong."""
    rng = np.random.default_rng(seed)
    true = rng.integers(0, 4, n)
    logits = rng.normal(0, 1, (n, 4)) + 2 * np.eye(4)[true]
    powers = np.exp(logits)
    labels = np.where(rng.random(n) < noise, rng.integers(0, 4, n), true)
    return powers / powers.sum(1, keepdims=True), labels


def test_doubt_agrees_with_hand_worked_examples() -> None:
    # Right with .9: .9 · .7 = .63, wrong .1/3 · .3 = .01, so doubt is .01/.64. With .25, nothing is known before.
    rows, labels = PROBABILITIES[[0, 0, 2]], LABELS[[0, 0, 2]]
    assert doubt(rows, labels, np.array([0.9, 0.25, 1.0])) == pytest.approx([0.015625, 0.3, 0.0])
    # The model saw contrasting three times as often as each other class: .7/.5 against .1/(1/6) of three classes.
    shares = np.array([0.5, 1 / 6, 1 / 6, 1 / 6])
    assert doubt(rows[:1], labels[:1], np.array([0.25]), shares) == pytest.approx([1.8 / (1.8 + 1.4)])


def test_doubt_bears_probabilities_of_nought_and_one() -> None:
    rows = np.array([[1.0, 0, 0, 0], [0, 1.0, 0, 0]])
    assert doubt(rows, np.array([0, 0]), np.array([0.9, 0.9])) == pytest.approx([0, 1])


def test_doubt_is_the_share_of_wrong_labels_where_the_model_is_calibrated() -> None:
    rng = np.random.default_rng(3)
    logits = rng.normal(0, 1.5, (40_000, 4))
    chances = np.exp(logits) / np.exp(logits).sum(1, keepdims=True)
    true = (rng.random((len(chances), 1)) > chances.cumsum(1)).sum(1).clip(max=3)
    right = np.array([0.95, 0.8, 0.7, 0.99])
    wrong = rng.random(len(true)) > right[true]
    labels = np.where(wrong, (true + rng.integers(1, 4, len(true))) % 4, true)
    # Of the pairs that are given a label, as many are right as the labels' counts say.
    priors = np.array([np.mean(true[labels == number] == number) for number in range(4)])
    found = doubt(chances, labels, priors[labels])
    for low, high in ((0.0, 0.1), (0.1, 0.3), (0.3, 0.6), (0.6, 1.0)):
        among = (found >= low) & (found < high)
        assert (true[among] != labels[among]).mean() == pytest.approx(found[among].mean(), abs=0.04)


def test_evidence_says_what_a_model_is_worth_that_is_too_sure_of_one_class() -> None:
    rng = np.random.default_rng(4)
    true = rng.integers(0, 4, 40_000)
    logits = rng.normal(0, 1, (len(true), 4)) + np.eye(4)[true]
    exact = np.exp(logits) / np.exp(logits).sum(1, keepdims=True)
    right = (0.9, 0.8, 0.8, 0.95)
    assert fit_evidence(exact, true, right) == pytest.approx((1, 1, 1, 1), abs=0.08)
    odds = 3 * (exact[:, 1] / (1 - exact[:, 1])) ** 2  # the square of the likelihood ratio of reasoning
    sure = exact * ((1 - odds / (1 + odds)) / (1 - exact[:, 1]))[:, None]
    sure[:, 1] = odds / (1 + odds)
    found = fit_evidence(sure, true, right)
    assert found[1] == pytest.approx(1 / 2, abs=0.05)
    labels, priors = np.array([1]), np.array([0.8])
    assert doubt(sure[:1], labels, priors, evidence=found) == pytest.approx(doubt(exact[:1], labels, priors), abs=0.02)


@pytest.mark.parametrize(("found", "too_few"), [(0, True), (9, True), (10, False), (15, False), (30, False)])
def test_a_model_finds_too_few_labels_of_a_class_if_it_is_certainly_fewer_than_half(found: int, too_few: bool) -> None:
    # The 95 % interval of 9 in 30 ends at 47.9 %, of 10 in 30 at 51.2 %.
    assert finds_too_few(found, 30) is too_few


def test_the_margin_agrees_with_a_hand_worked_example() -> None:
    assert self_confidence(PROBABILITIES, LABELS) == pytest.approx([0.7, 0.6, 0.2, 0.3, 0.6, 0.4, 0.7])
    assert normalized_margin(PROBABILITIES, LABELS) == pytest.approx([0.6, 0.4, -0.4, 0, 0.4, -0.1, 0.6])


def test_thresholds_and_joint_agree_with_a_hand_worked_example() -> None:
    # t: contrasting (.7 + .6 + .2 + .3) / 4 = .45, reasoning (.6 + .4) / 2 = .5, entailment none, neutral .7.
    # Pairs 1 and 2 (contrasting) are confidently contrasting, 3 reasoning, 4 nothing (.3 < .45, .3 < .5);
    # 5 (reasoning) reasoning, 6 contrasting (.5 ≥ .45; .4 < .5); 7 neutral.
    assert class_thresholds(PROBABILITIES, LABELS) == pytest.approx([0.45, 0.5, np.inf, 0.7])
    joint = confident_joint(PROBABILITIES, LABELS)
    assert joint.tolist() == [[2, 1, 0, 0], [1, 1, 0, 0], [0, 0, 0, 0], [0, 0, 0, 1]]
    # Rows scaled to 4, 2, 0 and 1 pairs.
    expected = [[8 / 3, 4 / 3, 0, 0], [1, 1, 0, 0], [0, 0, 0, 0], [0, 0, 0, 1]]
    assert np.allclose(noise_matrix(PROBABILITIES, LABELS), expected)


def test_of_two_classes_that_are_both_confident_the_more_probable_counts() -> None:
    # Thresholds are .4 for contrasting and .3 for reasoning; the last pair meets both.
    probabilities = np.array([[0.3, 0.3, 0.2, 0.2], [0.1, 0.3, 0.3, 0.3], [0.5, 0.4, 0.05, 0.05]])
    assert confident_joint(probabilities, np.array([C, R, C]))[C, C] == 1


@given(st.integers(0, 50), st.integers(1, 300))
def test_the_noise_matrix_keeps_the_counts_of_labels(seed: int, n: int) -> None:
    probabilities, labels = drawn(seed, n)
    assert np.allclose(noise_matrix(probabilities, labels).sum(1), np.bincount(labels, minlength=4))
    assert (confident_joint(probabilities, labels).sum(1) <= np.bincount(labels, minlength=4)).all()


@given(st.integers(0, 50))
def test_the_margin_is_positive_where_the_label_is_the_most_probable_class(seed: int) -> None:
    probabilities, labels = drawn(seed)
    margin = normalized_margin(probabilities, labels)
    assert ((margin > 0) == (probabilities.argmax(1) == labels)).all()
    assert (np.abs(margin) <= 1).all()


@settings(deadline=None)  # the first example imports cleanlab
@given(st.integers(0, 30))
def test_doubt_and_noise_agree_with_cleanlab(seed: int) -> None:
    rank, count = pytest.importorskip("cleanlab.rank"), pytest.importorskip("cleanlab.count")
    probabilities, labels = drawn(seed)
    ours = self_confidence(probabilities, labels)
    assert np.allclose(ours, rank.get_self_confidence_for_each_label(labels, probabilities))
    theirs = rank.get_normalized_margin_for_each_label(labels, probabilities)  # 0 to 1 there
    assert np.allclose((normalized_margin(probabilities, labels) + 1) / 2, theirs)
    joint = count.compute_confident_joint(labels, probabilities, calibrate=False)
    # Where several classes are confident, cleanlab takes the most probable of all classes, the paper (and we) of those.
    eligible = probabilities >= class_thresholds(probabilities, labels) - 1e-6
    several = eligible.sum(1) > 1
    differ = several & ~eligible[np.arange(len(labels)), probabilities.argmax(1)]
    assert np.abs(joint - confident_joint(probabilities, labels)).sum() <= 2 * differ.sum()
    if not differ.any():
        scaled = count.calibrate_confident_joint(joint, labels)
        # cleanlab rounds to whole pairs
        assert np.abs(scaled - noise_matrix(probabilities, labels)).max() <= 1


def test_wrong_labels_come_first() -> None:
    probabilities, labels = drawn(1, 4000, noise=0.0)
    rng = np.random.default_rng(2)
    wrong = rng.random(len(labels)) < 0.1
    labels = np.where(wrong, (labels + rng.integers(1, 4, len(labels))) % 4, labels)
    first = np.argsort(-doubt(probabilities, labels, np.full(len(labels), 0.9)))[:200]
    assert wrong[first].mean() > 0.6


def test_no_pairs_are_no_trouble() -> None:
    nothing, none = np.zeros((0, 4)), np.zeros(0, int)
    assert noise_matrix(nothing, none).sum() == 0
    assert len(normalized_margin(nothing, none)) == len(doubt(nothing, none, np.zeros(0))) == 0


@pytest.mark.parametrize(
    ("probabilities", "kind", "suggested"),
    [
        ((0.05, 0.9, 0.03, 0.02), DoubtKind.SURE, Label.REASONING),
        ((0.1, 0.1, 0.6, 0.2), DoubtKind.PREFERS, Label.ENTAILMENT),
        ((0.1, 0.6, 0.1, 0.2), DoubtKind.CONFUSED, Label.REASONING),
        ((0.4, 0.1, 0.45, 0.05), DoubtKind.TORN, Label.ENTAILMENT),
        ((0.6, 0.1, 0.1, 0.2), DoubtKind.WEAK, Label.NEUTRAL),
        ((0.9, 0.04, 0.03, 0.03), DoubtKind.NONE, Label.REASONING),
    ],
)
def test_a_reason_says_what_the_probabilities_look_like(
    probabilities: tuple[float, ...], kind: DoubtKind, suggested: Label
) -> None:
    noise = np.diag([60.0, 90.0, 90.0, 90.0])
    noise[C, R] = 30  # a third of what is called contrasting is reasoning
    noise[C, N] = 10
    found = find_doubt_reason(probabilities, Label.CONTRASTING, noise)
    assert (found.kind, found.suggested) == (kind, suggested)
    assert found.label_probability == probabilities[C]
    assert found.often == pytest.approx({Label.REASONING: 0.3, Label.NEUTRAL: 0.1}.get(suggested, 0))


def test_a_reason_needs_no_noise_matrix() -> None:
    assert find_doubt_reason((0.1, 0.6, 0.1, 0.2), Label.CONTRASTING).kind is DoubtKind.PREFERS
    assert find_doubt_reason((0.1, 0.6, 0.1, 0.2), Label.CONTRASTING, np.zeros((4, 4))).often is None
