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


def test_doubt_and_margin_agree_with_hand_worked_examples() -> None:
    assert self_confidence(PROBABILITIES, LABELS) == pytest.approx([0.7, 0.6, 0.2, 0.3, 0.6, 0.4, 0.7])
    assert doubt(PROBABILITIES, LABELS) == pytest.approx([0.3, 0.4, 0.8, 0.7, 0.4, 0.6, 0.3])
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
    ours = 1 - doubt(probabilities, labels)
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
    first = np.argsort(-doubt(probabilities, labels))[:200]
    assert wrong[first].mean() > 0.6


def test_no_pairs_are_no_trouble() -> None:
    nothing, none = np.zeros((0, 4)), np.zeros(0, int)
    assert noise_matrix(nothing, none).sum() == 0
    assert len(normalized_margin(nothing, none)) == len(doubt(nothing, none)) == 0


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
