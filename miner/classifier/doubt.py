"""Labels that are probably wrong, by the predictions of a model that has not learned them (confident learning).

All probabilities are out of sample: by a model that has learned neither the pair nor others of its paper. Source:
Northcutt, Jiang and Chuang, Confident Learning: Estimating Uncertainty in Dataset Labels (JAIR 70, 2021). Thresholds by
class are used only for the noise matrix: they would invert the ranking where one class is often mistaken for another.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from math import log
from typing import Any, NamedTuple, TypeAlias

from miner.classifier.examples import LABELS
from miner.libraries import NDArray, np
from miner.records import Label
from miner.statistics import wilson

Floats: TypeAlias = "NDArray[np.float64]"

_CLASSES = len(LABELS)
EQUAL = (1 / _CLASSES,) * _CLASSES
"""The shares of classes in what a model has learned, if they were balanced."""
_SURE_PROBABILITY, _TORN_MARGIN = (
    0.8,
    0.15,
)  # least probability of a certain model; largest difference of an undecided one
_COMMON_CONFUSION_SHARE = 0.1  # of a class's distant labels that are another class by the noise matrix


def self_confidence(probabilities: NDArray[Any], labels: NDArray[Any]) -> Floats:
    """The probability of each pair's label (Northcutt et al., section 3.2)."""
    probabilities = np.asarray(probabilities, np.float64)
    return np.asarray(probabilities[np.arange(len(probabilities)), np.asarray(labels, np.int64)], np.float64)


def doubt(
    probabilities: NDArray[Any],
    labels: NDArray[Any],
    priors: NDArray[Any],
    shares: Sequence[float] | NDArray[Any] = EQUAL,
    evidence: Sequence[float] = (),
) -> Floats:
    """The probability that each label is wrong, (n,): Bayes' rule on what was known of it and what the model says.

    priors: the probability, (n,), that the label is right, before the model has read the pair; that it
    is wrong is spread evenly over the other classes. shares: of the classes in what the model learned, (4,). They are
    taken out of its probabilities, which leaves the likelihood of the sentences (Saerens, Latinne and Decaestecker,
    Adjusting the Outputs of a Classifier to New a Priori Probabilities, Neural Computation 14, 2002, equation 2.4).
    evidence: the power for the likelihood ratio of each class, 1 by default (`fit_evidence`).
    """
    right = np.asarray(priors, np.float64)
    powers = np.asarray(evidence or (1.0,) * _CLASSES)[np.asarray(labels, np.int64)]
    with np.errstate(divide="ignore"):
        prior = np.log(1 - right) - np.log(right)
    return _logistic(prior + powers * _log_ratios(probabilities, labels, shares))


def fit_evidence(probabilities: NDArray[Any], true: NDArray[Any], right: Sequence[float]) -> tuple[float, ...]:
    """The power for each class's likelihood ratio, (4,), that gives `doubt` the best likelihood.

    true: people's labels of the pairs. Each pair stands for a right label of its class, and for a wrong one of each
    other class, weighted so that a share `right` of each class's labels is right. A calibrated model may still find one
    class more easily than another; for its rare and strong doubts this power says what they are worth.
    """
    found = []
    true = np.asarray(true, np.int64)
    for number, share in enumerate(right):
        is_right = true == number
        weights = np.where(is_right, share / max(1, is_right.sum()), (1 - share) / max(1, (~is_right).sum()))
        ratios = _log_ratios(probabilities, np.full(len(true), number), EQUAL)
        prior = log((1 - share) / share)
        low, high = 0.1, 4.0
        for _ in range(40):  # the likelihood is concave in the power: its slope has one zero
            middle = (low + high) / 2
            slope = float((weights * (~is_right - _logistic(prior + middle * ratios)) * ratios).sum())
            low, high = (middle, high) if slope > 0 else (low, middle)
        found.append((low + high) / 2)
    return tuple(found)


def _log_ratios(probabilities: NDArray[Any], labels: NDArray[Any], shares: Sequence[float] | NDArray[Any]) -> Floats:
    """The logarithm, (n,), of how much likelier the sentences are if the label is wrong; at most 50 either way."""
    likelihoods = np.asarray(probabilities, np.float64) / np.asarray(shares, np.float64)
    own = self_confidence(likelihoods, labels)
    others = np.maximum(likelihoods.sum(1) - own, 0.0) / (_CLASSES - 1)
    return np.asarray(np.clip(np.log(np.maximum(others, 1e-30)) - np.log(np.maximum(own, 1e-30)), -50, 50))


def _logistic(odds: Floats) -> Floats:
    return np.asarray(1 / (1 + np.exp(-np.clip(odds, -500, 500))))


def finds_too_few(found: int, labels: int) -> bool:
    """Whether a model suggests the label of fewer than half of a class's pairs, by the 95 % interval.

    Most labels are right: what such a model says against labels of this class are mostly errors of its own.
    """
    return wilson(found, labels).high < 0.5


def normalized_margin(probabilities: NDArray[Any], labels: NDArray[Any]) -> Floats:
    """The label's probability less the largest of the others, -1.0 to 1.0 (Northcutt et al., section 3.2)."""
    others = np.array(probabilities, np.float64)
    others[np.arange(len(others)), np.asarray(labels, np.int64)] = -1.0
    return np.asarray(self_confidence(probabilities, labels) - others.max(1, initial=-1.0))


def class_thresholds(probabilities: NDArray[Any], labels: NDArray[Any]) -> Floats:
    """The mean probability of each class among the pairs with that label, (4,); infinite without any.

    Source: Northcutt et al., equation 2.
    """
    counts = np.bincount(np.asarray(labels, np.int64), minlength=_CLASSES)
    sums = np.bincount(np.asarray(labels, np.int64), self_confidence(probabilities, labels), _CLASSES)
    return np.where(counts > 0, sums / np.maximum(counts, 1), np.inf)


def confident_joint(probabilities: NDArray[Any], labels: NDArray[Any]) -> NDArray[np.int64]:
    """How many pairs with label i (rows) are confidently of class j (columns), (4, 4).

    Confidently: the class reaches its threshold and is the most probable of those that do. Pairs without such a class
    are not counted. Source: Northcutt et al., equation 1.
    """
    probabilities = np.asarray(probabilities, np.float64)
    eligible = probabilities >= class_thresholds(probabilities, labels) - 1e-6  # equal probabilities reach their mean
    guess = np.where(eligible, probabilities, -1.0).argmax(1)
    cells = np.asarray(labels, np.int64) * _CLASSES + guess
    return np.bincount(cells[eligible.any(1)], minlength=_CLASSES**2).reshape(_CLASSES, _CLASSES)


def noise_matrix(probabilities: NDArray[Any], labels: NDArray[Any]) -> Floats:
    """An estimate of how many pairs with distant label i (rows) are truly of class j (columns), (4, 4).

    Rows sum to the labels' counts. Source: Northcutt et al., equation 3, before its division by the number of pairs.
    """
    joint = confident_joint(probabilities, labels).astype(np.float64)
    counts = np.bincount(np.asarray(labels, np.int64), minlength=_CLASSES)
    # Each class with pairs has confident ones, since some reach the mean.
    return np.asarray(joint / np.maximum(1, joint.sum(1, keepdims=True)) * counts[:, None])


class DoubtKind(StrEnum):
    """Why a label is doubted."""

    SURE = "sure"
    """The model is sure of another class."""
    CONFUSED = "confused"
    """The model prefers another class, and this label is often wrong for that class."""
    PREFERS = "prefers"
    """The model prefers another class."""
    TORN = "torn"
    """The model can hardly decide between the label and another class."""
    WEAK = "weak"
    """The label is the most probable class, but the model is not sure of it."""
    NONE = "none"
    """The label is not doubted: the model is sure of it."""


class DoubtReason(NamedTuple):
    """Why a label is doubted. `suggested`: the most probable class other than the label.

    `often`: share of the pairs with this label that are of that class by the noise matrix; None if not known.
    """

    kind: DoubtKind
    label: Label
    suggested: Label
    label_probability: float
    suggested_probability: float
    often: float | None = None


def find_doubt_reason(probabilities: Sequence[float], label: Label, noise: NDArray[Any] | None = None) -> DoubtReason:
    """Why the label is doubted, by the pair's probabilities (4,) and the `noise_matrix` if there is one."""
    label_index = LABELS.index(label)
    suggested_index = max((n for n in range(_CLASSES) if n != label_index), key=lambda n: probabilities[n])
    label_probability, suggested_probability = float(probabilities[label_index]), float(probabilities[suggested_index])
    often = None
    if noise is not None and (total := float(noise[label_index].sum())):
        often = float(noise[label_index, suggested_index]) / total
    if abs(suggested_probability - label_probability) < _TORN_MARGIN:
        kind = DoubtKind.TORN
    elif suggested_probability < label_probability:
        kind = DoubtKind.NONE if label_probability >= _SURE_PROBABILITY else DoubtKind.WEAK
    elif suggested_probability >= _SURE_PROBABILITY:
        kind = DoubtKind.SURE
    else:
        is_common = often is not None and often >= _COMMON_CONFUSION_SHARE
        kind = DoubtKind.CONFUSED if is_common else DoubtKind.PREFERS
    return DoubtReason(kind, label, LABELS[suggested_index], label_probability, suggested_probability, often)
